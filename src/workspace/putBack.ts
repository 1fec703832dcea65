import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import type { ConflictWay, UndoConflict } from '../shared/undo.ts';
import { type Capture, type Captured, dropFromIndex, writeTree } from './captureTree.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError, shown, splitZ } from './git.ts';
import type { IgnoredFile, IgnoredFiles } from './ignoredFiles.ts';
import { type Merged, mergeTrees } from './mergeTrees.ts';
import { checkOut, excludes, ignoredIn, inTheWay, withFiles } from './restoreTree.ts';
import { type RawChange, rawChanges, treeChanges } from './treeDiff.ts';

/** A tree of the folder, by its id. A `CheckpointRef` is one. */
export interface TreeRef {
  readonly tree: string;
}

/** What is to be put back. Paths are relative, with `/`; one of a folder means all that is in it. */
export interface PutBack {
  /** Where the change that is taken back ended; null: in the folder as it is now. */
  readonly from: TreeRef | null;
  /** Where it began. */
  readonly to: TreeRef;
  /** Names what is put back, in labels and messages. */
  readonly label: string;
  /** Files that stay as they are, but one that stands where a folder comes back, or the other way round. */
  readonly keep?: readonly string[];
  /** Only these; absent: all. */
  readonly only?: readonly string[];
  /** Absent: `leave`. */
  readonly conflicts?: ConflictWay;
  /** What is put back, in conflict marks; absent: as it was before. */
  readonly mark?: string;
  /** Ids of the checkpoints whose small ignored files are put back too; absent: none are. */
  readonly ignored?: { readonly from: string | null; readonly to: string };
}

/** What putting back does to the folder. Paths are relative, with `/`. */
export interface PutBackEffect {
  readonly files: readonly FileChange[];
  /** Those of the files to be kept that differ from what is put back. */
  readonly kept: readonly string[];
  /** Changed since too, and put together with it. */
  readonly merged: readonly string[];
  readonly conflicts: readonly UndoConflict[];
  /** Small files that git ignores and that are put back too. */
  readonly ignored: readonly string[];
}

export interface PutBackDone extends PutBackEffect {
  /** The folder as it was just before, complete: restoring it undoes the putting back. */
  readonly replaced: CheckpointRef;
  /** The folder as it was afterwards. */
  readonly restored: CheckpointRef;
}

/** What putting back works with. */
export interface Putter {
  readonly store: CheckpointStore;
  /** The folder as it is, with the raw paths of `also`. */
  readonly capture: Capture;
  /** With the small ignored files of `also`. */
  readonly keepTree: (tree: string, label: string, also?: readonly string[]) => Promise<CheckpointRef>;
  readonly ignored: IgnoredFiles;
}

/** See `Checkpoints.previewPutBack`. */
export async function previewPutBack(putter: Putter, asked: PutBack): Promise<PutBackEffect> {
  const { store } = putter;
  const { now, goal, merged } = await intend(putter, asked);
  const stay = new Set((await staying(store, now, goal, asked)).map(shown));
  const { files } = await treeChanges(store, now.tree, goal);
  const ignored = await planIgnored(putter, asked, goal);
  return effect(
    files.filter((file) => !stay.has(file.path)),
    merged,
    ignored.conflicts,
    ignored.files.map((file) => file.path),
  );
}

/** How deep ignore rules may hide each other; more than that is somebody who writes meanwhile. */
const MOST_PASSES = 20;

/** See `Checkpoints.putBack`. */
export async function putBack(putter: Putter, asked: PutBack): Promise<PutBackDone> {
  const { store, capture, keepTree } = putter;
  const label = `before restoring: ${asked.label}`;
  const { now, goal, merged, isWhole } = await intend(putter, asked);
  const ignored = await planIgnored(putter, asked, goal);
  const also = ignored.files.map((file) => file.path);
  let replaced = await keepTree(now.tree, label, also);
  await dropFromIndex(store, await staying(store, now, goal, asked));
  const from = await writeTree(store);
  await checkOut(store, from, goal);

  // With the checkpoint's ignore rules back, files may show that came later and were ignored until now; rules among them
  // may have hidden more.
  let after = await capture();
  let different = await rawChanges(store, goal, after.tree);
  const came: (typeof different)[number][] = [];
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (!isWhole || different.length === 0 || different.some(({ status }) => status !== 'A')) break;
    came.push(...different);
    replaced = await keepTree(await withFiles(store, replaced.tree, different), label, also);
    await checkOut(store, after.tree, goal);
    after = await capture();
    different = await rawChanges(store, goal, after.tree);
  }
  // Files of which nothing is known but that they are there are nobody's business here.
  if (different.some(({ status }) => status !== 'A' || isWhole)) {
    const paths = different.map((change) => shown(change.path));
    throw new GitError(null, (t) =>
      t(
        'The folder differs from the checkpoint after it was restored, in: {0}. Something else may be writing there. What was replaced is kept as {1}.',
        paths.slice(0, 10).join(', '),
        replaced.id,
      ),
    );
  }
  const before = came.length > 0 ? await withFiles(store, from, came) : from;
  const { files } = await treeChanges(store, before, goal);
  const written: string[] = [];
  const blocked: UndoConflict[] = [];
  for (const file of ignored.files) {
    if (await putter.ignored.write(file)) written.push(file.path);
    else blocked.push({ path: file.path, why: 'unkept' });
  }
  const restored = await keepTree(after.tree, asked.label, also);
  return { ...effect(files, merged, [...ignored.conflicts, ...blocked], written), replaced, restored };
}

/** The small ignored files that are to be written, and those that changed since too. */
async function planIgnored(
  { store, ignored }: Putter,
  asked: PutBack,
  goal: string,
): Promise<{ readonly files: readonly IgnoredFile[]; readonly conflicts: readonly UndoConflict[] }> {
  if (asked.ignored === undefined) return { files: [], conflicts: [] };
  const isKept = covers(asked.keep ?? []);
  const isAsked = asked.only === undefined ? () => true : covers(asked.only);
  const { from, to } = asked.ignored;
  const before = from === null ? null : new Map((await ignored.of(from)).map((file) => [file.path, file]));
  const files: IgnoredFile[] = [];
  const conflicts: UndoConflict[] = [];
  for (const file of await ignored.of(to)) {
    const raw = Buffer.from(file.path).toString('latin1');
    const was = before?.get(file.path) ?? null;
    if (!isAsked(raw) || isKept(raw) || (before !== null && isSame(was, file))) continue;
    const there = await ignored.now(file.path);
    if (there === 'other') {
      conflicts.push({ path: file.path, why: 'unkept' });
      continue;
    }
    const now = there === 'none' ? null : there;
    if (isSame(now, file)) continue;
    if (before === null || isSame(was, now) || asked.conflicts === 'take') files.push(file);
    else conflicts.push({ path: file.path, why: 'lines' });
  }
  if (files.length === 0) return { files, conflicts };
  // What is no longer ignored is part of the tree.
  const names = files.map((file) => file.path);
  const listed = splitZ(await store.own(['ls-tree', '--full-tree', '-z', '-r', '--name-only', goal, '--', ...names]));
  const inTree = new Set(listed.map(shown));
  return { files: files.filter((file) => !inTree.has(file.path)), conflicts };
}

function isSame(one: IgnoredFile | null, other: IgnoredFile | null): boolean {
  return one?.sha256 === other?.sha256 && one?.mode === other?.mode;
}

interface Intent {
  readonly now: Captured;
  /** Tree that the folder is to have. */
  readonly goal: string;
  readonly merged: Merged;
  /** Nothing has changed since, so that the folder is to be as it was in all. */
  readonly isWhole: boolean;
}

async function intend({ store, capture }: Putter, asked: PutBack): Promise<Intent> {
  for (const { tree } of [asked.to, asked.from ?? asked.to]) await known(store, tree, asked.label);
  const isKept = covers(asked.keep ?? []);
  const isAsked = asked.only === undefined ? () => true : covers(asked.only);
  const merge = async (now: Captured, hidden: readonly string[]) => {
    // What stood in the way unseen was there when the change ended, as far as anybody knows.
    const base = asked.from === null ? now.tree : await withHidden(store, asked.from.tree, now.tree, hidden);
    const sides = { base, ours: now.tree, theirs: asked.to.tree };
    const mark = asked.mark === undefined ? {} : { mark: asked.mark };
    return mergeTrees(store, { ...sides, ...mark, isKept, isAsked, conflicts: asked.conflicts ?? 'leave' });
  };
  let now = await capture();
  let merged = await merge(now, []);
  const hidden = await inTheWay(store, merged.changes);
  if (hidden.length > 0) {
    now = await capture(hidden);
    merged = await merge(now, hidden);
  }
  const goal = merged.changes.length === 0 ? now.tree : await withFiles(store, now.tree, merged.changes);
  const isWhole = asked.only === undefined && (asked.from === null || asked.from.tree === now.tree);
  return { now, goal, merged, isWhole };
}

/** `tree` with those of the files that `now` holds. */
async function withHidden(
  store: CheckpointStore,
  tree: string,
  now: string,
  files: readonly string[],
): Promise<string> {
  if (files.length === 0) return tree;
  const more = (await rawChanges(store, tree, now)).filter((change) => files.includes(change.path));
  return more.length === 0 ? tree : withFiles(store, tree, more);
}

/**
 * Raw paths that would go and must not: what the rules of `to` ignore was no part of it, so that its absence there does not
 * mean that it came later.
 */
async function staying(store: CheckpointStore, now: Captured, goal: string, { to }: PutBack): Promise<string[]> {
  const changes = await rawChanges(store, now.tree, goal);
  const pathsOf = (letter: RawChange['status']) => changes.flatMap((c) => (c.status === letter ? [c.path] : []));
  const tracked = new Set(now.tracked);
  const blocks = excludes(pathsOf('A'));
  const ignored = await ignoredIn(store, to.tree, pathsOf('D'));
  return ignored.filter((file) => !tracked.has(file) && !blocks(file));
}

/** Whether a raw path is one of `paths`, or in a folder of them. */
export function covers(paths: readonly string[]): (raw: string) => boolean {
  const all = new Set(paths);
  if (all.size === 0) return () => false;
  return (raw) => {
    const path = shown(raw);
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (all.has(path.slice(0, at))) return true;
    return false;
  };
}

function effect(
  files: PutBackEffect['files'],
  { kept, merged, conflicts }: Merged,
  more: readonly UndoConflict[],
  ignored: readonly string[],
): PutBackEffect {
  return { files, kept: kept.map(shown), merged: merged.map(shown), conflicts: [...conflicts, ...more], ignored };
}

async function known(store: CheckpointStore, tree: string, label: string): Promise<void> {
  try {
    await store.own(['cat-file', '-e', `${tree}^{tree}`]);
  } catch (error) {
    if (!(error instanceof GitError) || error.exit === null) throw error;
    throw new GitError(error.exit, (t) =>
      t(
        'The checkpoint "{0}" ({1}) is not in the repository of {2}: it was deleted, or the repository was replaced. Nothing was changed.',
        label,
        tree,
        store.folder,
      ),
    );
  }
}
