import fs from 'node:fs/promises';
import path from 'node:path';
import { GitError } from './git.ts';

/**
 * Tells the commit that HEAD is at; null: there is none. A branch that lies in a file of its own, as one does since its last
 * commit, is read there, and one among the packed ones is asked for once as long as those stay: each spares a process at each
 * look. Git is asked about all others. Rejects with `GitError`.
 */
export function createHeadReader(
  repository: { readonly gitDir: string; readonly commonDir: string },
  ofUser: (args: readonly string[]) => Promise<Buffer>,
): () => Promise<string | null> {
  let asked: { readonly key: string; readonly commit: string | null } | null = null;
  const ask = async (): Promise<string | null> => {
    try {
      return (await ofUser(['rev-parse', '--verify', '--quiet', 'HEAD'])).toString('utf8').trim();
    } catch (error) {
      // 1: a repository without a commit. Above: its HEAD leads nowhere, which the user's own git will tell.
      if (error instanceof GitError && error.exit !== null) return null;
      throw error;
    }
  };
  return async () => {
    const head = await read(path.join(repository.gitDir, 'HEAD'));
    const [, branch] = /^ref: (refs\/heads\/\S+)$/.exec(head ?? '') ?? [];
    const told = branch === undefined ? head : await read(path.join(repository.commonDir, branch));
    if (told !== null && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(told)) return told;
    const packed = await stampOf(path.join(repository.commonDir, 'packed-refs'));
    // Refs that lie in neither place (reftable) have no sign of a change.
    if (told !== null || packed === null) return ask();
    const key = `${head} ${packed}`;
    if (asked?.key !== key) asked = { key, commit: await ask() };
    return asked.commit;
  };
}

/** Null: there is no such file. */
async function read(file: string): Promise<string | null> {
  return fs.readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** Tells one state of a file that is only ever replaced from any other; null: there is none. */
export async function stampOf(file: string): Promise<string | null> {
  const stat = await fs.stat(file, { bigint: true }).catch(() => null);
  return stat === null ? null : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}
