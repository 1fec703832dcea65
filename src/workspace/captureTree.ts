import { lstatSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { errorText } from '../shared/errors.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError, joinZ, shown, splitZ } from './git.ts';
import { stampOf } from './headReader.ts';
import { GITLINK, parseRaw } from './treeDiff.ts';

/** The folder as it is now, in the index and as a tree. */
export interface Captured {
  /** Tree id of the folder. */
  readonly tree: string;
  /** Ignored files that the user's own repository tracks. Raw paths. */
  readonly tracked: readonly string[];
  /** Repositories inside the folder (submodules too): they are left alone. Raw paths with a `/` at the end. */
  readonly nested: readonly string[];
}

/** Captures of one store, one after the other. What one found out spares the next one work. */
export interface Capture {
  (also?: readonly string[]): Promise<Captured>;
  /** The tree of the last capture, when nothing has changed since; null: something has, or may have. One process. */
  unchanged(): Promise<string | null>;
}

interface Memory {
  /** The index as it was written with the last tree, and that tree. */
  written: { readonly index: string; readonly tree: string } | null;
  /** Ignored files that the user's repository tracks, and the index of theirs that told it. */
  tracked: { readonly index: string; readonly files: readonly string[] } | null;
}

/**
 * Makes captures, which bring the private index up to the disk and write its tree: everything that is not ignored, what the
 * user's repository tracks in spite of it, what an earlier capture knew, and the raw paths of `also`.
 *
 * Not `git add -A`: that fails on a repository without a commit, and takes one with a commit as a link.
 */
export function createCapture(store: CheckpointStore): Capture {
  const memory: Memory = { written: null, tracked: null };
  const take = async (also: readonly string[] = []): Promise<Captured> => {
    try {
      return await capture(store, also, memory);
    } catch (error) {
      if (!(error instanceof GitError) || error.exit === null) throw error;
      // A file that changed while it was read, or objects of the index that `git gc --prune=now` took: from the start.
      await fs.rm(store.index, { force: true });
      await fs.rm(`${store.index}.lock`, { force: true });
      memory.written = null;
      memory.tracked = null;
      try {
        return await capture(store, also, memory);
      } catch (again) {
        if (await store.isGone()) {
          throw new GitError(null, (t) =>
            t(
              'The git repository of {0} is gone, and with it the checkpoints of this run. Bring its .git back; the files of the folder are as they are.',
              store.folder,
            ),
          );
        }
        throw new GitError(null, (t) =>
          [
            t('The checkpoint cannot be taken. {0}', errorText(again, t)),
            t('A file that cannot be read must be made readable, or ignored by git.'),
          ].join('\n'),
        );
      }
    }
  };
  const unchanged = async (): Promise<string | null> => {
    const { written, tracked } = memory;
    if (written === null || written.index !== (await stampOf(store.index))) return null;
    // Files of theirs that git ignores may have come to their index.
    if (store.userIndex !== null && tracked?.index !== (await stampOf(store.userIndex))) return null;
    // A link in the place of a folder leads to other files, which are modified ones; repositories are listed among the others.
    const list = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'];
    const differs = splitZ(await store.own(list)).filter((file) => !file.endsWith('/'));
    return differs.length === 0 ? written.tree : null;
  };
  return Object.assign(take, { unchanged });
}

/** See `Checkpoints.unread`. What an earlier run has hashed is not read again. */
export async function unreadFiles(
  store: CheckpointStore,
  most: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const names = splitZ(await store.own(['ls-files', '-z', '--others', '--exclude-standard']));
  if (names.length > most) return { files: names.length, bytes: 0 };
  let bytes = 0;
  for (const [index, name] of names.entries()) {
    // One system call each, ten times faster than a promise each; others have their turn in between.
    if (index % 2_000 === 1_999) await new Promise((resolve) => setImmediate(resolve));
    const stat = lstatSync(path.join(store.folder, shown(name)), { throwIfNoEntry: false });
    bytes += stat?.isFile() === true ? stat.size : 0;
  }
  return { files: names.length, bytes };
}

async function capture(store: CheckpointStore, also: readonly string[], memory: Memory): Promise<Captured> {
  const [changed, others] = await Promise.all([
    store.own(['diff-files', '-z', '--raw', '--relative', '--no-renames']),
    store.own(['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const gone: string[] = [];
  const found: string[] = [];
  const nested: string[] = [];
  for (const { path: file, status, to } of parseRaw(splitZ(changed))) {
    if (status === 'D' || to === GITLINK) gone.push(file);
    else found.push(file);
  }
  for (const file of splitZ(others)) (file.endsWith('/') ? nested : found).push(file);
  const rulesChanged = [...gone, ...found].some((file) => path.posix.basename(file) === '.gitignore');
  const tracked = await reachable(store, await trackedIgnored(store, memory, rulesChanged));
  found.push(...tracked, ...also);
  await dropFromIndex(store, gone);
  if (found.length > 0) {
    await store.own(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input: joinZ(found) });
  }
  const { written } = memory;
  if (written !== null && written.index === (await stampOf(store.index)))
    return { tree: written.tree, tracked, nested };
  const tree = await writeTree(store);
  const index = await stampOf(store.index);
  memory.written = index === null ? null : { index, tree };
  return { tree, tracked, nested };
}

/** Raw paths. They change only with the user's index and the rules. */
async function trackedIgnored(
  store: CheckpointStore,
  memory: Memory,
  rulesChanged: boolean,
): Promise<readonly string[]> {
  if (store.user === null) return [];
  const index = store.userIndex === null ? null : await stampOf(store.userIndex);
  if (!rulesChanged && index !== null && memory.tracked?.index === index) return memory.tracked.files;
  const told = await store.user(['ls-files', '-z', '--stage', '--cached', '--ignored', '--exclude-standard']);
  const files = trackedFiles(splitZ(told));
  memory.tracked = index === null ? null : { index, files };
  return files;
}

/** Takes raw paths out of the index; the disk stays. */
export async function dropFromIndex(store: CheckpointStore, files: readonly string[]): Promise<void> {
  if (files.length > 0) await store.own(['update-index', '--force-remove', '-z', '--stdin'], { input: joinZ(files) });
}

/** The index's tree of the folder. */
export async function writeTree(store: CheckpointStore): Promise<string> {
  if (store.prefix === '') return line(await store.own(['write-tree']));
  try {
    return line(await store.own(['write-tree', `--prefix=${store.prefix}`]));
  } catch (error) {
    if (error instanceof GitError && /prefix .* not found/s.test(error.message)) return emptyTree(store);
    throw error;
  }
}

/** The tree without anything. */
export async function emptyTree(store: CheckpointStore): Promise<string> {
  return line(await store.own(['mktree'], { input: Buffer.alloc(0) }));
}

/** A single line of output. */
export function line(output: Buffer): string {
  return output.toString('utf8').trim();
}

/** Paths of `mode object stage TAB path`, without submodules, each once. */
function trackedFiles(records: readonly string[]): string[] {
  const files = records.flatMap((record) => {
    const tab = record.indexOf('\t');
    return tab === -1 || record.startsWith(GITLINK) ? [] : [record.slice(tab + 1)];
  });
  return [...new Set(files)];
}

/** Without the paths that a link on the way leads elsewhere: git refuses those, and they are not in the folder. */
async function reachable(store: CheckpointStore, files: readonly string[]): Promise<string[]> {
  const folders = new Map<string, Promise<boolean>>();
  const isReal = (folder: string): Promise<boolean> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const expected = path.join(store.folder, shown(folder));
    const asked = fs.realpath(expected).then(
      (real) => real === expected,
      () => true,
    );
    folders.set(folder, asked);
    return asked;
  };
  const real = await Promise.all(files.map((file) => isReal(path.posix.dirname(file))));
  return files.filter((_, index) => real[index]);
}
