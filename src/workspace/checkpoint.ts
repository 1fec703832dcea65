import type { CheckpointRef, FileChange } from '../shared/events.ts';
import { type Captured, captureTree, dropFromIndex, line, writeTree } from './captureTree.ts';
import { type CheckpointStore, openStore } from './checkpointStore.ts';
import { GitError, shown } from './git.ts';
import { checkOut, excludes, ignoredIn, inTheWay, withFiles } from './restoreTree.ts';
import { rawChanges, treeChanges } from './treeDiff.ts';

/** A tree of the folder, by its id. A `CheckpointRef` is one. */
export interface TreeRef {
  readonly tree: string;
}

export interface Restored {
  /** The folder as it was just before, complete: restoring it undoes the restore. */
  readonly replaced: CheckpointRef;
  /** What the restore did to the folder. */
  readonly files: readonly FileChange[];
  /** Those of the files to be kept that differ from the checkpoint. */
  readonly kept: readonly string[];
}

/**
 * Snapshots of one folder for one run. HEAD, index, stash, configuration and untracked files of the user's repository
 * stay as they are; its only traces are objects and refs below `refs/cgloop/<runId>/`. A checkpoint holds bytes,
 * the bit for execution and links of everything that git does not ignore; repositories inside the folder (submodules
 * too) and empty folders are no part of it. Calls may overlap: they are done one after the other. All reject with
 * `GitError`.
 */
export interface Checkpoints {
  /** Keeps the folder as it is, under the run's next ref. */
  snapshot(label: string): Promise<CheckpointRef>;
  /** Tree id of the folder as it is: equal ids mean equal files. */
  treeNow(): Promise<string>;
  /** Files with their lines, and one unified diff; renames are a deletion and an addition. */
  changes(from: TreeRef, to: TreeRef): Promise<{ files: FileChange[]; patch: string }>;
  /**
   * Makes the folder equal to the checkpoint, after a snapshot of what it replaces. Files that came later go, with the
   * folders that this leaves empty; what git ignores, now and then, is left alone. Files of `keep` (relative, with `/`;
   * of a folder all that is in it) stay as they are, but one that stands where the checkpoint has a folder, or the other way round. The result is
   * compared with the checkpoint: a difference rejects, and says where.
   */
  restore(target: CheckpointRef, keep?: readonly string[]): Promise<Restored>;
  /** Repositories inside the folder that the last snapshot or tree left out, relative. */
  readonly nested: readonly string[];
  /** Waits for what is under way. Checkpoints stay. */
  close(): Promise<void>;
}

export interface CheckpointOptions {
  readonly folder: string;
  readonly stateFolder: string;
  /** Letters, digits and `-`: it names refs. */
  readonly runId: string;
}

/** Opens the checkpoints of a run; see `openStore` for where they are kept. Rejects with `GitError`, also without git. */
export async function openCheckpoints({ folder, stateFolder, runId }: CheckpointOptions): Promise<Checkpoints> {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(runId)) throw new GitError(null, `"${runId}" cannot name a ref.`);
  const store = await openStore({ folder, stateFolder });
  const refs = `refs/cgloop/${runId}`;
  let count: number;
  try {
    count = await newest(store, refs);
  } catch (error) {
    await store.close();
    throw error;
  }
  let nested: readonly string[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new GitError(null, 'The checkpoints of this run are closed.'));
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };
  const captured = async (also?: readonly string[]): Promise<Captured> => {
    const result = await captureTree(store, also);
    nested = result.nested.map(shown);
    return result;
  };
  const keepTree = async (tree: string, label: string): Promise<CheckpointRef> => {
    const id = line(await store.own(['commit-tree', tree], { input: Buffer.from(`${label}\n`) }));
    // An empty old value: the ref must be new.
    await store.refs(['update-ref', `${refs}/${count + 1}`, id, '']);
    count++;
    return { id, tree, label };
  };

  /** The checkpoint's tree with the person's own files as they are in `now`. */
  const goalOf = async (target: string, now: string, keep: readonly string[]) => {
    const isKept = (path: string) => keep.some((one) => path === one || path.startsWith(`${one}/`));
    const differ = keep.length === 0 ? [] : await rawChanges(store, target, now);
    const mine = differ.filter((change) => isKept(shown(change.path)));
    const back = differ.filter((change) => change.status === 'D' && !mine.includes(change));
    const blocks = excludes(back.map((change) => change.path));
    const kept = mine.filter((change) => change.status !== 'A' || !blocks(change.path));
    const tree = kept.length === 0 ? target : await withFiles(store, target, kept);
    return { tree, kept: kept.map((change) => shown(change.path)) };
  };
  const restore = async (target: CheckpointRef, keep: readonly string[]): Promise<Restored> => {
    await known(store, target);
    const label = `before restoring: ${target.label}`;
    let now = await captured();
    const hidden = await inTheWay(store, await rawChanges(store, now.tree, target.tree));
    if (hidden.length > 0) now = await captured(hidden);
    let replaced = await keepTree(now.tree, label);
    const goal = await goalOf(target.tree, now.tree, keep);

    // What the checkpoint's own rules ignore was no part of it: its absence there does not mean that it came later.
    const changes = await rawChanges(store, now.tree, goal.tree);
    const pathsOf = (letter: string): string[] => changes.flatMap((c) => (c.status === letter ? [c.path] : []));
    const tracked = new Set(now.tracked);
    const blocks = excludes(pathsOf('A'));
    const ignored = await ignoredIn(store, target.tree, pathsOf('D'));
    await dropFromIndex(
      store,
      ignored.filter((file) => !tracked.has(file) && !blocks(file)),
    );
    const from = await writeTree(store);
    await checkOut(store, from, goal.tree);

    // With the checkpoint's ignore rules back, files may show that came later and were ignored until now.
    let after = await captured();
    const came = await rawChanges(store, goal.tree, after.tree);
    const onlyMore = came.length > 0 && came.every(({ status }) => status === 'A');
    if (onlyMore) {
      replaced = await keepTree(await withFiles(store, replaced.tree, came), label);
      await checkOut(store, after.tree, goal.tree);
      after = await captured();
    }
    if (after.tree !== goal.tree) {
      const different = (await rawChanges(store, goal.tree, after.tree)).map((change) => shown(change.path));
      throw new GitError(
        null,
        `The folder differs from the checkpoint after it was restored, in: ${different.slice(0, 10).join(', ')}. Something else may be writing there. What was replaced is kept as ${replaced.id}.`,
      );
    }
    const before = onlyMore ? await withFiles(store, from, came) : from;
    return { replaced, files: (await treeChanges(store, before, goal.tree)).files, kept: goal.kept };
  };

  return {
    snapshot: (label) => inTurn(async () => keepTree((await captured()).tree, label)),
    treeNow: () => inTurn(async () => (await captured()).tree),
    changes: (from, to) => inTurn(() => treeChanges(store, from.tree, to.tree)),
    restore: (target, keep = []) => inTurn(() => restore(target, keep)),
    get nested() {
      return nested;
    },
    async close() {
      closed = true;
      await queue;
      await store.close();
    },
  };
}

/** The highest number among the run's refs. */
async function newest(store: CheckpointStore, refs: string): Promise<number> {
  const names = line(await store.refs(['for-each-ref', '--format=%(refname)', `${refs}/`])).split('\n');
  return Math.max(0, ...names.map((name) => Number(name.slice(refs.length + 1)) || 0));
}

async function known(store: CheckpointStore, target: CheckpointRef): Promise<void> {
  try {
    await store.own(['cat-file', '-e', `${target.tree}^{tree}`]);
  } catch (error) {
    if (!(error instanceof GitError) || error.exit === null) throw error;
    throw new GitError(
      error.exit,
      `The checkpoint "${target.label}" (${target.id}) is not in the repository of ${store.folder}: it was deleted, or the repository was replaced. Nothing was changed.`,
    );
  }
}
