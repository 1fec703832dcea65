import fs from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError } from './git.ts';

/** A longer file is no text that lines are looked up in. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024;

/** The text of a file in a tree of the folder; null where there is none, or where it is too long or binary. */
export async function textInTree(store: CheckpointStore, tree: string, file: string): Promise<string | null> {
  if (file === '' || file.includes('\0') || file.startsWith('./')) return null;
  try {
    const bytes = await store.own(['cat-file', 'blob', `${tree}:${file}`], { maxBytes: MOST_TEXT_BYTES });
    return bytes.includes(0) ? null : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/**
 * Makes `folder` (absolute, there already) hold the files of the tree and nothing else. Links are written as files that
 * name their target, so that no way leads out of it. The folder that the tree is of stays as it is.
 */
export async function exportTree(store: CheckpointStore, tree: string, folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    await fs.rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const index = path.join(store.scratch, 'export-index');
  await fs.rm(index, { force: true });
  const there = { cwd: folder, env: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index } };
  await store.own(['read-tree', tree], there);
  await store.own(['-c', 'core.symlinks=false', 'checkout-index', '--all', '--force', '--quiet'], there);
}

/** Writes the files of the tree into `folder` (absolute), beside what is there: bytes, links and the bit for execution. */
export async function writeTreeTo(store: CheckpointStore, tree: string, folder: string): Promise<void> {
  const index = path.join(store.scratch, 'write-index');
  await fs.rm(index, { force: true });
  const there = { cwd: folder, env: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index } };
  await store.own(['read-tree', tree], there);
  await store.own(['checkout-index', '--all', '--force', '--quiet'], there);
}
