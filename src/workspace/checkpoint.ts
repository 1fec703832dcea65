import path from 'node:path';
import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import { type Captured, createCapture, line, unreadFiles } from './captureTree.ts';
import { type CheckpointStore, openStore } from './checkpointStore.ts';
import { GitError, shown } from './git.ts';
import type { GitSettings } from './gitSettings.ts';
import { commitsBetween, type HeadCommit, parentOf } from './headCommits.ts';
import { createIgnoredFiles, IGNORED } from './ignoredFiles.ts';
import { mergeTrees } from './mergeTrees.ts';
import {
  covers,
  type PutBack,
  type PutBackDone,
  type PutBackEffect,
  type Putter,
  previewPutBack,
  putBack,
  type TreeRef,
} from './putBack.ts';
import { exportTree, textInTree, writeTreeTo } from './readTree.ts';
import { withFiles } from './restoreTree.ts';
import { treeChanges } from './treeDiff.ts';

/** A tree, and the paths of it that could not be put together: those are as in the tree that was merged onto. */
export interface TreeMerge extends TreeRef {
  readonly conflicts: readonly string[];
}

/**
 * Snapshots of one folder for one run. HEAD, index, stash, configuration and untracked files of the user's repository
 * stay as they are; its only traces are objects and refs below `refs/cgloop/<runId>/`. A checkpoint holds bytes,
 * the bit for execution and links of everything that git does not ignore; small ignored files are kept beside it; repositories inside the folder (submodules
 * too) and empty folders are no part of it. Calls may overlap: they are done one after the other. All reject with
 * `GitError`.
 */
export interface Checkpoints {
  /** Keeps the folder as it is, under the run's next ref. */
  snapshot(label: string): Promise<CheckpointRef>;
  /** Files that the next snapshot has to read, with their bytes; of more than `most` files no bytes are counted. */
  unread(most: number): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Tree id of the folder as it is: equal ids mean equal files. */
  treeNow(): Promise<string>;
  /** Files with their lines, and one unified diff; renames are a deletion and an addition. */
  changes(from: TreeRef, to: TreeRef): Promise<{ files: FileChange[]; patch: string }>;
  /**
   * Takes a change back, after a snapshot of what it replaces. Without `from` the folder is made equal to `to`: files that
   * came later go, with the folders that this leaves empty. With it only what differs between the two is put back, three-way:
   * what has changed since stays, and what cannot be put together is a conflict. What git ignores, now and then, is left
   * alone. The folder is compared with what it should be: a difference rejects, and says where.
   */
  putBack(asked: PutBack): Promise<PutBackDone>;
  /** What `putBack` would do now. Nothing is written but objects. */
  previewPutBack(asked: PutBack): Promise<PutBackEffect>;
  /** Three-way merge of trees, for what is put back only in part; see `mergeTrees`. Paths of `only` are relative, with `/`. */
  merge(base: TreeRef, ours: TreeRef, theirs: TreeRef, only: readonly string[]): Promise<TreeMerge>;
  /** The text of a file (relative, with `/`); null where there is none, or where it is binary or too long. */
  textOf(of: TreeRef, file: string): Promise<string | null>;
  /** Makes another folder, which must exist, hold the files of the tree and nothing else; see `exportTree`. */
  exportTo(of: TreeRef, folder: string): Promise<void>;
  /** Writes the checkpoint's files, small ignored ones too, into another folder, beside what is there. */
  writeTo(of: CheckpointRef, folder: string): Promise<void>;
  /** Commit that HEAD of the user's repository is at; null: there is none. */
  head(): Promise<string | null>;
  /** The same when the checkpoint was made, as far as it could be kept. */
  headOf(of: CheckpointRef): Promise<string | null>;
  /** What git heeds in the user's repository, which no checkpoint holds; empty where there is none. */
  settings(): Promise<GitSettings>;
  /** The commits that came on the way from one HEAD to another, newest first and not too many; none when it went back. */
  commits(from: string | null, to: string | null): Promise<readonly HeadCommit[]>;
  /** Repositories inside the folder that the last snapshot or tree left out, relative. */
  readonly nested: readonly string[];
  /** Waits for what is under way. Checkpoints stay. Never rejects. */
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
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(runId)) throw new GitError(null, (t) => t('"{0}" cannot name a ref.', runId));
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
    if (closed) return Promise.reject(new GitError(null, (t) => t('The checkpoints of this run are closed.')));
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };
  const capture = createCapture(store);
  const captured = Object.assign(
    async (also?: readonly string[]): Promise<Captured> => {
      const result = await capture(also);
      nested = result.nested.map(shown);
      return result;
    },
    { unchanged: capture.unchanged },
  );
  const ignored = createIgnoredFiles(store, path.join(path.dirname(store.scratch), IGNORED, runId));
  const keepTree = async (tree: string, label: string, also?: readonly string[]): Promise<CheckpointRef> => {
    const head = await store.head();
    const parent = head !== null && store.isShared ? ['-p', head] : [];
    const id = line(await store.own(['commit-tree', tree, ...parent], { input: Buffer.from(`${label}\n`) }));
    // An empty old value: the ref must be new.
    await store.refs(['update-ref', `${refs}/${count + 1}`, id, '']);
    count++;
    await ignored.keep(id, also);
    return { id, tree, label };
  };

  const putter: Putter = { store, capture: captured, keepTree, ignored };

  return {
    snapshot: (label) => inTurn(async () => keepTree((await captured()).tree, label)),
    unread: (most) => inTurn(() => unreadFiles(store, most)),
    treeNow: () => inTurn(async () => (await capture.unchanged()) ?? (await captured()).tree),
    changes: (from, to) => inTurn(() => treeChanges(store, from.tree, to.tree)),
    previewPutBack: (asked) => inTurn(() => previewPutBack(putter, asked)),
    putBack: (asked) => inTurn(() => putBack(putter, asked)),
    merge: (base, ours, theirs, only) =>
      inTurn(async () => {
        const [isAsked, trees] = [covers(only), { base: base.tree, ours: ours.tree, theirs: theirs.tree }];
        const { changes, conflicts } = await mergeTrees(store, { ...trees, isAsked });
        const tree = changes.length === 0 ? ours.tree : await withFiles(store, ours.tree, changes);
        return { tree, conflicts: conflicts.map(({ path }) => path) };
      }),
    textOf: (of, file) => inTurn(() => textInTree(store, of.tree, file)),
    exportTo: (of, target) => inTurn(() => exportTree(store, of.tree, target)),
    writeTo: (of, target) =>
      inTurn(async () => {
        await writeTreeTo(store, of.tree, target);
        for (const file of await ignored.of(of.id)) await ignored.write(file, target);
      }),
    head: () => inTurn(() => store.head()),
    headOf: (of) => inTurn(() => parentOf(store, of.id)),
    settings: () => store.settings(),
    commits: (from, to) => inTurn(() => commitsBetween(store, from, to)),
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
