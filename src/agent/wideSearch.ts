import fs from 'node:fs';
import os from 'node:os';
import { programOf, type ResolveDeps, resolveDeps } from './catalog.ts';
import { findCommand } from './findCommand.ts';
import { machineLoginPath } from './loginShell.ts';
import { usualFolders } from './usualFolders.ts';

/**
 * The dependencies of this machine and process for finding the agents `ids`: as `resolveDeps`, and when one of their
 * programs is not on `PATH`, also with the login shell's `PATH` and the usual folders (case C47). Takes up to three
 * seconds then, once a session. The environment variable `CGLOOP_PATH_ONLY=1` keeps to `PATH`.
 */
export async function resolveDepsFor(
  ids: readonly string[],
  options: Parameters<typeof resolveDeps>[0],
): Promise<ResolveDeps> {
  const deps = resolveDeps(options);
  if (isOnPath(ids, deps)) return deps;
  const { env, platform } = deps;
  const folders = usualFolders({ env, platform, home: os.homedir(), list });
  return { ...deps, elsewhere: { loginPath: await machineLoginPath(), folders } };
}

/** Whether nothing has to be looked for elsewhere: each program is on `PATH`, or the person said where it is. */
export function isOnPath(ids: readonly string[], deps: ResolveDeps): boolean {
  if (deps.env.CGLOOP_PATH_ONLY === '1') return true;
  return ids.every((id) => {
    const program = programOf(id, deps.agents);
    return program === null || deps.executablePaths[id] !== undefined || findCommand(program, deps).type === 'found';
  });
}

function list(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
