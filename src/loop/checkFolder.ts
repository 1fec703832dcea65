import fs from 'node:fs';
import path from 'node:path';
import type { StartProblem } from './options.ts';

export type CheckedFolder =
  /** `path`: absolute, links resolved. */
  { readonly type: 'folder'; readonly path: string } | { readonly type: 'problem'; readonly problem: StartProblem };

/** Whether a run may work in this folder: it exists, and is neither the home folder nor a root. */
export function checkFolder(asked: string, home: string): CheckedFolder {
  const real = realFolder(asked);
  if (real === null) return problem(`There is no folder ${asked}.`);
  if (real === path.parse(real).root) return problem(`${asked} is the root of a disk: agents would work on all of it.`);
  if (real === realFolder(home)) return problem(`${asked} is your home folder: agents would work on all of it.`);
  return { type: 'folder', path: real };
}

function problem(what: string): CheckedFolder {
  return { type: 'problem', problem: { agent: null, what, fix: 'Name the folder of a project.' } };
}

function realFolder(folder: string): string | null {
  try {
    const real = fs.realpathSync(folder);
    return fs.statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
