import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What the place depends on; `process.env`, `process.platform` and `os.homedir()` outside tests. */
export interface StateFolderInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absolute. */
  readonly homedir: string;
}

/**
 * Where runs, locks and private checkpoints live, shared by every face: `CGLOOP_HOME`, else the platform's state folder
 * with `cgloop` in it. Absolute; it need not exist. Throws when `CGLOOP_HOME` is not absolute.
 */
export function stateFolder({ env, platform, homedir }: StateFolderInput): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const own = env.CGLOOP_HOME;
  if (own !== undefined && own !== '') {
    if (!paths.isAbsolute(own)) throw new Error(`CGLOOP_HOME is "${own}", but must be an absolute path.`);
    return paths.normalize(own);
  }
  return paths.join(platformFolder({ env, platform, homedir }), 'cgloop');
}

/**
 * The state folder of this process. Throws when it is wrongly set, or when something that is no folder stands where it or a
 * folder above it would have to be.
 */
export function ownStateFolder(): string {
  const folder = stateFolder({ env: process.env, platform: process.platform, homedir: os.homedir() });
  const place = obstacle(folder);
  if (place === null) return folder;
  const own = process.env.CGLOOP_HOME;
  const [what, fix] =
    own === undefined || own === ''
      ? ['Runs are kept in', 'Move that file away, or set CGLOOP_HOME to another folder.']
      : ['CGLOOP_HOME is', 'Set it to a folder, or unset it.'];
  throw new Error(`${what} ${folder}, but ${place} is no folder. ${fix}`);
}

/** What is there of the path, or nearest above it, when that is no folder. */
function obstacle(folder: string): string | null {
  for (let place = folder; path.dirname(place) !== place; place = path.dirname(place)) {
    try {
      return fs.statSync(place).isDirectory() ? null : place;
    } catch {
      // It is not there, or cannot be looked at: what lies above it says more.
    }
  }
  return null;
}

function platformFolder({ env, platform, homedir }: StateFolderInput): string {
  switch (platform) {
    case 'win32':
      return absolute(env.LOCALAPPDATA, path.win32) ?? path.win32.join(homedir, 'AppData', 'Local');
    case 'darwin':
      return path.posix.join(homedir, 'Library', 'Application Support');
    default:
      return absolute(env.XDG_STATE_HOME, path.posix) ?? path.posix.join(homedir, '.local', 'state');
  }
}

/** The XDG base directory rules: a relative path there is invalid and ignored. */
function absolute(folder: string | undefined, paths: path.PlatformPath): string | null {
  return folder !== undefined && paths.isAbsolute(folder) ? folder : null;
}
