import fs from 'node:fs/promises';
import path from 'node:path';

/** The files of a project as far as checks are looked for in them. Paths are relative to its folder, with `/`. */
export interface ProjectFiles {
  /** What lies in the folder itself, folders too. */
  readonly names: readonly string[];
  /** The text of a file. Null: it is not there, is none, or is larger than `MOST_BYTES`. Never rejects. */
  read(file: string): Promise<string | null>;
}

/** No file that says how a project is tested is larger. */
export const MOST_BYTES = 512 * 1024;

/** The files on disk. `folder`: absolute. A folder that cannot be read has none. */
export async function filesOnDisk(folder: string): Promise<ProjectFiles> {
  const names = await fs.readdir(folder).catch(() => []);
  return {
    names,
    async read(file) {
      const place = path.join(folder, ...file.split('/'));
      try {
        const stat = await fs.stat(place);
        // The reading of a pipe would never end.
        return stat.isFile() && stat.size <= MOST_BYTES ? await fs.readFile(place, 'utf8') : null;
      } catch {
        return null;
      }
    },
  };
}

/** A path of a command line as `read` takes it; null for one that is absolute or leaves the folder. */
export function projectPath(written: string): string | null {
  const plain = written.replaceAll('\\', '/');
  if (plain === '' || plain.startsWith('/') || plain.startsWith('~') || /^[A-Za-z]:/.test(plain)) return null;
  const file = path.posix.normalize(plain);
  return file === '.' || file === '..' || file.startsWith('../') || file.endsWith('/') ? null : file;
}
