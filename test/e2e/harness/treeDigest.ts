import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What lies in a folder, byte for byte: relative path → kind, mode and content hash (a link's target). Empty folders
 * count; `.git` at the top does not, see `gitDigest`. Two of them are compared with `deepEqual`, which names the path.
 */
export async function treeDigest(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries: [string, string][] = [];
  const visit = async (relative: string): Promise<void> => {
    const names = (await readdir(path.join(folder, relative))).sort();
    for (const name of names) {
      if (relative === '' && name === '.git') continue;
      const inner = path.join(relative, name);
      const file = path.join(folder, inner);
      const stats = await lstat(file);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) entries.push([inner, `link ${await readlink(file)}`]);
      else if (stats.isDirectory()) {
        entries.push([`${inner}/`, `folder ${mode}`]);
        await visit(inner);
      } else if (stats.isFile()) {
        const hash = createHash('sha256')
          .update(await readFile(file))
          .digest('hex');
        entries.push([inner, `file ${mode} ${hash}`]);
      } else entries.push([inner, `other ${mode}`]);
    }
  };
  await visit('');
  return Object.fromEntries(entries);
}

/** What of a git repository belongs to the user: HEAD, branches and tags, index, stash, status. */
export async function gitDigest(folder: string): Promise<Readonly<Record<string, string>>> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder }).catch((error) => error)).stdout;
  return {
    head: await git('symbolic-ref', '-q', 'HEAD'),
    refs: await git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes', 'refs/stash'),
    index: await git('ls-files', '--stage', '-v'),
    stash: await git('stash', 'list'),
    status: await git('status', '--porcelain=v2', '--untracked-files=all'),
  };
}
