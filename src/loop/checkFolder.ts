import fs from 'node:fs';
import path from 'node:path';
import { english, type Translate } from '../shared/translate.ts';
import type { StartProblem } from './options.ts';

export type CheckedFolder =
  /** `path`: absolute, links resolved. */
  { readonly type: 'folder'; readonly path: string } | { readonly type: 'problem'; readonly problem: StartProblem };

/**
 * Whether a run may work in this folder: it exists, is neither the home folder nor a root nor inside a `.git` or a bare repository, and can be
 * written where the run is to write (`writes`).
 */
export function checkFolder(
  asked: string,
  home: string,
  writes = false,
  mayWrite: (folder: string) => boolean = isWritable,
  t: Translate = english,
): CheckedFolder {
  const problem = (what: string, fix = t('Name the folder of a project.')): CheckedFolder => ({
    type: 'problem',
    problem: { agent: null, what, fix },
  });
  const real = realFolder(asked);
  if (real === null) return problem(t('There is no folder {0}.', asked));
  if (real === path.parse(real).root)
    return problem(t('{0} is the root of a disk: agents would work on all of it.', asked));
  if (real === realFolder(home)) return problem(t('{0} is your home folder: agents would work on all of it.', asked));
  if (real.split(path.sep).some((name) => name.toLowerCase() === '.git') || isInRepositoryFiles(real)) {
    return problem(
      t('{0} lies in what git keeps of a repository: what agents write there can break it, or be run.', asked),
    );
  }
  if (writes && !mayWrite(real)) {
    const fix = t('Give yourself the right to write in it, or let the run only read: the mode Read-only.');
    return problem(t('{0} is read-only for you: nothing could be changed in it.', asked), fix);
  }
  return { type: 'folder', path: real };
}

/** Whether what git keeps lies here or above, with no folder between in which somebody works: as in a bare repository. */
function isInRepositoryFiles(real: string): boolean {
  for (let at = real; at !== path.dirname(at); at = path.dirname(at)) {
    const has = (name: string) => fs.existsSync(path.join(at, name));
    if (has('.git')) return false;
    if (has('HEAD') && has('objects') && has('refs') && has('config')) return true;
  }
  return false;
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function realFolder(folder: string): string | null {
  try {
    const real = fs.realpathSync(folder);
    return fs.statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
