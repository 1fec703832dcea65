import fs from 'node:fs';
import path from 'node:path';

const MAX_LINKS = 40;

/**
 * The path that a write to `file` would reach: `..` and every link resolved, dangling ones included. The parts that do
 * not exist stay as they are named. Absolute in, absolute out. Throws on a circle of links.
 */
export function resolvePath(file: string): string {
  let rest = path.resolve(file);
  let missing = '';
  for (let links = 0; ; ) {
    try {
      return path.join(fs.realpathSync(rest), missing);
    } catch {
      const target = linkTarget(rest);
      if (target !== null) {
        if (++links > MAX_LINKS) throw new Error(`Too many symbolic links: ${file}`);
        rest = path.resolve(path.dirname(rest), target);
        continue;
      }
      const parent = path.dirname(rest);
      if (parent === rest) return path.join(rest, missing);
      missing = path.join(path.basename(rest), missing);
      rest = parent;
    }
  }
}

function linkTarget(file: string): string | null {
  try {
    return fs.readlinkSync(file);
  } catch {
    return null;
  }
}
