import type { FileChange } from '../shared/fileEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { emptyTree, line } from './captureTree.ts';
import { type CheckpointStore, openStore } from './checkpointStore.ts';
import { GitError, joinZ, shown, splitZ } from './git.ts';
import { mergeTrees } from './mergeTrees.ts';
import type { TreeRef } from './putBack.ts';
import { withFiles } from './restoreTree.ts';
import { type RawChange, rawChanges, treeChanges } from './treeDiff.ts';
import { copyUserIndex, treeOfIndex, type UserGit } from './userIndex.ts';

/** One change of the folder, from one checkpoint to another. */
export interface Step {
  readonly from: TreeRef;
  readonly to: TreeRef;
}

export interface StageOptions {
  /** Absolute. */
  readonly folder: string;
  readonly stateFolder: string;
  /** In their order. */
  readonly steps: readonly Step[];
  /** Relative paths that are no part of it, with `/`. */
  readonly leave: readonly string[];
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

export type Staged =
  | {
      readonly type: 'staged';
      /** What the index gained. */
      readonly files: readonly FileChange[];
      /** Files whose part could not be told from the person's own, and whose index entry stays as it was. */
      readonly left: readonly string[];
    }
  /** Nothing was staged: what is in the way and the way out. */
  | { readonly type: 'problem'; readonly message: string };

/**
 * Puts the changes of the steps into the index, three-way on top of what is staged: lines that the person changed besides,
 * before, between or after them, stay unstaged, also in the same files. The files themselves are not touched, and nothing
 * is committed. Rejects with `GitError`, also when another git holds `index.lock`, which is left alone; the index is then
 * as it was.
 */
export async function stageTrees(options: StageOptions): Promise<Staged> {
  const store = await openStore(options);
  try {
    if (store.user === null) {
      const { t = english } = options;
      return {
        type: 'problem',
        message: t('{0} is in no git repository: there is nothing to commit to.', store.folder),
      };
    }
    return await stage(store, store.user, options);
  } finally {
    await store.close();
  }
}

async function stage(
  store: CheckpointStore,
  user: UserGit,
  { steps, leave, t = english }: StageOptions,
): Promise<Staged> {
  const unmerged = splitZ(await user(['diff-files', '-z', '--name-only', '--diff-filter=U']));
  if (unmerged.length > 0) {
    const message = t('A merge is not finished: {0}. Finish it first.', unmerged.map(shown).join(', '));
    return { type: 'problem', message };
  }
  const staged = await treeOfIndex(store, user, await copyUserIndex(store, user, 'staged'));
  const converts = await converterOf(store, user);
  const isLeft = (file: string): boolean => leave.includes(shown(file));
  const conflicts = new Set<string>();
  let index = staged;
  for (const { from, to } of steps) {
    const changes = (await rawChanges(store, from.tree, to.tree)).filter(({ path: file }) => !isLeft(file));
    if (changes.length === 0) continue;
    const { base, theirs } = await asCommitted(store, changes, converts);
    const merged = await mergeTrees(store, { base, ours: index, theirs });
    for (const { path: file } of merged.conflicts) conflicts.add(file);
    if (merged.changes.length > 0) index = await withFiles(store, index, merged.changes);
  }
  // Half of a file's changes would be a file that nobody has ever seen.
  const entries = (await rawChanges(store, staged, index)).filter(({ path: file }) => !conflicts.has(shown(file)));
  if (entries.length > 0) {
    const records = entries.map(({ to, object, path: file }) => `${to} ${object}\t${prefixOf(store)}${file}`);
    await user(['update-index', '-z', '--index-info'], { input: joinZ(records) });
    // Brings what git knows of the files up to date; that some differ from the index is as it should be.
    await user(['update-index', '-q', '--refresh']).catch(ignoreDifferences);
  }
  const after = entries.length === 0 ? staged : await withFiles(store, staged, entries);
  return { type: 'staged', files: (await treeChanges(store, staged, after)).files, left: [...conflicts].sort() };
}

/** Gives a blob's id as `git add` would have made it. */
type Convert = (object: string, file: string) => Promise<string>;

/**
 * Checkpoints hold bytes of the disk; the index holds what line ends, attributes and filters such as LFS make of them, as
 * they do in every `git add` of the person.
 */
async function converterOf(
  store: CheckpointStore,
  user: UserGit,
): Promise<(files: readonly string[]) => Promise<Convert>> {
  const setting = await user(['config', '--get', 'core.autocrlf']).catch(noSuchSetting);
  const always = line(setting) !== '' && line(setting) !== 'false';
  return async (files) => {
    const asked = await user(['check-attr', '-z', '--stdin', ...ATTRIBUTES], { input: joinZ(files) });
    const told = splitZ(asked);
    const converted = new Set<string>();
    // Path, attribute and value, one after the other.
    for (let at = 0; at + 2 < told.length; at += 3) {
      const value = told[at + 2] ?? '';
      if (value !== 'unspecified' && value !== 'unset') converted.add(told[at] ?? '');
    }
    return async (object, file) => {
      if (!always && !converted.has(file)) return object;
      const bytes = await store.own(['cat-file', 'blob', object]);
      return line(await user(['hash-object', '-w', '--stdin', `--path=${shown(file)}`], { input: bytes }));
    };
  };
}

const ATTRIBUTES = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'];

/** Two trees that hold nothing but the changed files, before and after, as they would be committed. */
async function asCommitted(
  store: CheckpointStore,
  changes: readonly RawChange[],
  converts: (files: readonly string[]) => Promise<Convert>,
): Promise<{ readonly base: string; readonly theirs: string }> {
  const convert = await converts(changes.map(({ path: file }) => file));
  const before: RawChange[] = [];
  const after: RawChange[] = [];
  for (const { path: file, from, to, was, object } of changes) {
    if (from !== NOTHING) before.push(added(file, from, isFile(from) ? await convert(was, file) : was));
    if (to !== NOTHING) after.push(added(file, to, isFile(to) ? await convert(object, file) : object));
  }
  const empty = await emptyTree(store);
  return { base: await withFiles(store, empty, before), theirs: await withFiles(store, empty, after) };
}

const NOTHING = '000000';

function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

function added(file: string, mode: string, object: string): RawChange {
  return { path: file, status: 'A', from: NOTHING, to: mode, was: '0'.repeat(object.length), object };
}

/** Raw, as paths of `splitZ` are. */
function prefixOf({ prefix }: CheckpointStore): string {
  return Buffer.from(prefix).toString('latin1');
}

function noSuchSetting(error: unknown): Buffer {
  if (error instanceof GitError && error.exit === 1) return Buffer.alloc(0);
  throw error;
}

function ignoreDifferences(error: unknown): void {
  if (!(error instanceof GitError) || error.exit !== 1) throw error;
}
