import fs from 'node:fs';
import path from 'node:path';

/** Whether the folder (absolute) lies in a git repository, as its `.git` or that of a folder around it says. Starts no git. */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, '.git'))) return true;
    if (path.dirname(at) === at) return false;
  }
}
