import fs from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError } from './git.ts';

/** Object ids of three texts; `base` null: there was none. */
export interface Content {
  readonly base: string | null;
  readonly ours: string;
  readonly theirs: string;
}

/** `object`: the text put together; with `lines` it holds conflict marks. */
export type MergedContent = { readonly type: 'clean' | 'lines'; readonly object: string } | { readonly type: 'binary' };

/**
 * Puts texts together line by line, as `git merge-file` does: bytes are kept, no attribute and no filter counts. `label`
 * names `theirs` in conflict marks.
 */
export async function mergeContents(
  store: CheckpointStore,
  contents: readonly Content[],
  label: string,
): Promise<readonly MergedContent[]> {
  if (contents.length === 0) return [];
  const draft = await fs.mkdtemp(path.join(store.scratch, 'merge-'));
  try {
    const sought = contents.flatMap(({ base, ours, theirs }) => [base, ours, theirs]).filter((id) => id !== null);
    const blobs = await readBlobs(store, sought);
    const types: MergedContent['type'][] = [];
    for (const [index, { base, ours, theirs }] of contents.entries()) {
      const sides = { [`${index}.now`]: ours, [`${index}.from`]: base, [`${index}.to`]: theirs };
      for (const [name, object] of Object.entries(sides)) {
        const bytes = (object === null ? null : blobs.get(object)) ?? Buffer.alloc(0);
        await fs.writeFile(path.join(draft, name), bytes, { mode: 0o600 });
      }
      types.push(await mergeFile(store, draft, Object.keys(sides), label));
    }
    const whole = types.flatMap((type, index) => (type === 'binary' ? [] : [`${index}.now`]));
    if (whole.length === 0) return types.map(() => ({ type: 'binary' }));
    const written = await store.own(['hash-object', '-w', '--no-filters', '--', ...whole], { cwd: draft });
    const objects = written.toString('utf8').split('\n');
    return types.map((type, index) =>
      type === 'binary' ? { type } : { type, object: objects[whole.indexOf(`${index}.now`)] ?? '' },
    );
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** Leaves the result in the first of the three files. */
async function mergeFile(
  store: CheckpointStore,
  cwd: string,
  names: readonly string[],
  label: string,
): Promise<MergedContent['type']> {
  const labels = ['as it is now', 'what both come from', label].flatMap((one) => ['-L', one]);
  try {
    await store.own(['merge-file', '--quiet', ...labels, ...names], { cwd });
    return 'clean';
  } catch (error) {
    if (!(error instanceof GitError) || error.exit === null) throw error;
    // The number of conflicts up to 127; above it git could not read them as text (git-merge-file(1)).
    return error.exit <= 127 ? 'lines' : 'binary';
  }
}

/** Contents by object id. */
async function readBlobs(store: CheckpointStore, objects: readonly string[]): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(objects)];
  const output = await store.own(['cat-file', '--batch'], {
    input: Buffer.from(wanted.map((id) => `${id}\n`).join('')),
  });
  const blobs = new Map<string, Buffer>();
  // For each: `<id> blob <size>`, a line feed, the bytes, a line feed.
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [id = '', , size = ''] = output.toString('latin1', at, end).split(' ');
    if (size === '') throw new GitError(null, (t) => t('The object {0} of a checkpoint is not there any more.', id));
    at = end + 1 + Number(size);
    blobs.set(id, output.subarray(end + 1, at));
    at += 1;
  }
  return blobs;
}
