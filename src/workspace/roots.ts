import fs from 'node:fs';
import path from 'node:path';
import { FileRefused } from '../scheduler/fileService.ts';
import { resolvePath } from './resolvePath.ts';

/** A folder that may be reached, links resolved. `dev` and `ino` tell whether it is still the same folder. */
export interface Root {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A place inside a root: `parts` are the names from the root down, none of them a link when it was looked at. */
export interface Place {
  readonly root: Root;
  readonly path: string;
  readonly parts: readonly string[];
}

/** Takes a folder as a root. Throws `FileRefused` when it is none. */
export function openRoot(folder: string): Root {
  try {
    const real = fs.realpathSync.native(folder);
    const { dev, ino } = fs.statSync(real, { bigint: true });
    return { path: real, dev, ino };
  } catch {
    throw new FileRefused('failed', `The folder ${folder} cannot be opened.`);
  }
}

/** The folder and those of the others that are there; one of them may have been removed. Throws `FileRefused` for the first only. */
export function openRoots(folder: string, others: readonly string[]): readonly Root[] {
  const more = [...new Set(others)].flatMap((other) => {
    try {
      return other === folder ? [] : [openRoot(other)];
    } catch {
      return [];
    }
  });
  return [openRoot(folder), ...more];
}

/**
 * What is wrong with a path before any file system is asked, or null: `invalid` for what is no absolute path of this
 * machine, `outside` for a network share, whose mere opening would send the person's name to that host.
 */
export function pathFault(written: string, platform: NodeJS.Platform = process.platform): FileRefused | null {
  const windows = platform === 'win32';
  if (written.includes('\0')) return new FileRefused('invalid', 'The path holds a NUL character.');
  if (windows && /^[\\/]{2}/.test(written)) {
    return new FileRefused(
      'outside',
      `${written} is on a network share or a device; only files of the run are served.`,
    );
  }
  if (!(windows ? path.win32 : path.posix).isAbsolute(written) || (windows && !/^[A-Za-z]:/.test(written))) {
    const address = /^[A-Za-z][A-Za-z0-9+.-]+:/.test(written);
    const what = address ? 'an address' : 'a relative path';
    return new FileRefused('invalid', `${written} is ${what}: an absolute path is needed.`);
  }
  // `a.txt:more` names a second, hidden content of `a.txt`.
  if (windows && written.slice(2).includes(':')) return new FileRefused('invalid', `${written} is no path of a file.`);
  return null;
}

/**
 * The names that lead from `outer` down to `inner`; null when it does not lie there. Both absolute and resolved, whole
 * names are compared, without regard to case on Windows and macOS only.
 */
export function partsBelow(
  inner: string,
  outer: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | null {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const fold = (text: string) => (foldsCase(platform) ? text.toLowerCase() : text);
  const [names, above] = [inner, outer].map((one) => one.split(paths.sep).filter((name) => name !== ''));
  if (names === undefined || above === undefined || names.length < above.length) return null;
  return above.every((name, place) => fold(name) === fold(names[place] ?? '')) ? names.slice(above.length) : null;
}

/** Whether names that differ by case only name one file: on Windows and macOS. */
export function foldsCase(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

/** Where a path leads, inside one of the roots; throws `FileRefused` for any other, and for a notebook. */
export function placeOf(written: string, roots: readonly Root[]): Place {
  const fault = pathFault(written);
  if (fault !== null) throw fault;
  let real: string;
  try {
    real = resolvePath(written);
  } catch {
    throw new FileRefused('failed', `${written} cannot be followed: its links lead in a circle.`);
  }
  for (const root of roots) {
    const parts = partsBelow(real, root.path);
    if (parts === null) continue;
    if (/\.ipynb$/i.test(real)) {
      throw new FileRefused(
        'notebook',
        `${written} is a notebook: it is not served as text. Edit it with a notebook tool.`,
      );
    }
    return { root, path: real, parts };
  }
  const leads = real === path.resolve(written) ? '' : ` (it leads to ${real})`;
  const folders = roots.map((root) => root.path).join(', ');
  throw new FileRefused('outside', `${written}${leads} lies outside of ${folders}: only files in there are served.`);
}

/** The place of a path that `placeOf` gave before; throws `FileRefused` when it has come to lead elsewhere. */
export function samePlace(located: string, roots: readonly Root[]): Place {
  const place = placeOf(located, roots);
  if (place.path === located) return place;
  throw new FileRefused('outside', `${located} was replaced by a link to ${place.path} meanwhile. Nothing was done.`);
}
