import fs from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../shared/errors.ts';
import { emptyTree, line } from './captureTree.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError } from './git.ts';

/** Git on the user's repository; see `CheckpointStore.user`. */
export type UserGit = NonNullable<CheckpointStore['user']>;

/**
 * A copy of the user's index, so that theirs stays as it is and what git knows of unchanged files counts; empty where
 * they have none yet. Gives the environment in which git works on it.
 */
export async function copyUserIndex(
  store: CheckpointStore,
  user: UserGit,
  name: string,
): Promise<{ readonly GIT_INDEX_FILE: string }> {
  const copy = path.join(store.scratch, name);
  const own = path.resolve(store.folder, line(await user(['rev-parse', '--git-path', 'index'])));
  try {
    const { mtimeMs } = await fs.stat(own);
    await fs.copyFile(own, copy);
    // Git looks into files that changed no earlier than their index was written: a younger copy would hide such a change.
    const written = new Date(Math.floor(mtimeMs));
    await fs.utimes(copy, written, written);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return { GIT_INDEX_FILE: copy };
}

/** The folder's part of the index that `env` names, as a tree. */
export async function treeOfIndex(
  store: CheckpointStore,
  user: UserGit,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  if (store.prefix === '') return line(await user(['write-tree'], { env }));
  try {
    return line(await user(['write-tree', `--prefix=${store.prefix}`], { env }));
  } catch (error) {
    if (error instanceof GitError && /prefix .* not found/s.test(error.message)) return emptyTree(store);
    throw error;
  }
}
