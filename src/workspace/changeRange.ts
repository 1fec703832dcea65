import fs from 'node:fs/promises';
import path from 'node:path';
import type { FileChange } from '../shared/fileEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { emptyTree, line } from './captureTree.ts';
import { type CheckpointStore, openStore } from './checkpointStore.ts';
import { GitError, git, gitEnv, joinZ, shown, splitZ } from './git.ts';
import { isInside } from './isInside.ts';
import { GITLINK, parseRaw, treeChanges } from './treeDiff.ts';
import { copyUserIndex, treeOfIndex, type UserGit } from './userIndex.ts';

/** Changes of the person's repository to be looked at, as the repository's own commits and its clean files tell them. */
export interface ChangeRange {
  /** Commit that is compared with; null: there is none yet, so that everything is new. */
  readonly base: string | null;
  /** Whether the files of the folder are what the changes lead to. */
  readonly isCheckedOut: boolean;
  /** Files with their lines and one unified diff, of the folder alone. What ends at the working tree is read anew. */
  changes(): Promise<{ readonly files: readonly FileChange[]; readonly patch: string }>;
  close(): Promise<void>;
}

export type OpenedRange =
  | { readonly type: 'range'; readonly range: ChangeRange }
  /** What is in the way, and the way out. */
  | { readonly type: 'problem'; readonly what: string; readonly fix: string };

export interface RangeOptions {
  /** Absolute. */
  readonly folder: string;
  readonly stateFolder: string;
  /**
   * As git says it: `A...B` (since they parted), `A..B`, or one revision: since the working tree parted from it. Null:
   * the changes of the working tree against HEAD, staged, unstaged and untracked.
   */
  readonly range: string | null;
  /** The range must lead to the files of the folder: somebody will work on them. */
  readonly toFolder: boolean;
  /** The commit that the range began at when it was opened before. */
  readonly base?: string | null;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

/** Finds the two ends of a range. Rejects with `GitError` when git fails. */
export async function openChangeRange(options: RangeOptions): Promise<OpenedRange> {
  const store = await openStore(options);
  const give = async (result: OpenedRange): Promise<OpenedRange> => {
    if (result.type === 'problem') await store.close();
    return result;
  };
  try {
    return await give(await openIn(store, options));
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openIn(store: CheckpointStore, options: RangeOptions): Promise<OpenedRange> {
  const { user } = store;
  const { t = english } = options;
  if (user === null) {
    return problem(
      t('{0} is in no git repository, so that nothing tells its changes.', store.folder),
      t('Name a folder of a repository, or give the loop a task.'),
    );
  }
  const repository: Repository = { store, user, stateFolder: await fs.realpath(options.stateFolder), t };
  const head = await commitOf(repository, 'HEAD');
  const ends = await endsOf(repository, options, head);
  if (ends.type === 'problem') return ends;
  const { base, to } = ends;
  const from = base === null ? await emptyTree(store) : await folderTree(repository, base);
  const goal = to === null || (options.toFolder && to === head) ? null : await folderTree(repository, to);
  const now = await workTree(repository);
  const range: ChangeRange = {
    base,
    isCheckedOut: goal === null || goal === now,
    changes: async () => treeChanges(store, from, goal ?? (await workTree(repository))),
    close: () => store.close(),
  };
  if ((goal ?? now) === from) {
    return problem(
      options.range === null
        ? t('There are no changes since HEAD to review in {0}.', store.folder)
        : t('There are no changes in {0} to review in {1}.', options.range, store.folder),
      t('Name another range, such as main...HEAD.'),
    );
  }
  return { type: 'range', range };
}

/** From the root of the repository that the folder lies in to the folder: empty, or with a `/` at its end. Never rejects. */
export async function repositoryPrefix(folder: string): Promise<string> {
  try {
    const told = await git(['rev-parse', '--show-prefix'], { cwd: folder, env: gitEnv(process.env) });
    return told.toString('utf8').replace(/\r?\n$/, '');
  } catch {
    return '';
  }
}

interface Repository {
  readonly store: CheckpointStore;
  readonly user: UserGit;
  /** Links resolved. */
  readonly stateFolder: string;
  readonly t: Translate;
}

/** `to` null: the working tree. */
type Ends = { readonly type: 'ends'; readonly base: string | null; readonly to: string | null };

async function endsOf(repository: Repository, options: RangeOptions, head: string | null): Promise<Ends | Problem> {
  const { range } = options;
  const { t } = repository;
  if (range === null) return { type: 'ends', base: options.base === undefined ? head : options.base, to: null };
  const { left, right, parted } = rangeOf(range);
  const commits: string[] = [];
  for (const revision of right === null ? [left, 'HEAD'] : [left, right]) {
    const commit = await commitOf(repository, revision);
    if (commit === null) return unknown(repository, revision);
    commits.push(commit);
  }
  const [first = '', second = ''] = commits;
  if (options.toFolder && second !== head) {
    return problem(
      t('{0} is not what is checked out, and only that can be worked on.', right ?? range),
      t('Check it out first, or only review it.'),
    );
  }
  const to = right === null ? null : second;
  if (options.base !== undefined) return { type: 'ends', base: options.base, to };
  const base = parted ? await mergeBase(repository, first, second) : first;
  if (base !== null) return { type: 'ends', base, to };
  if (await isShallow(repository))
    return shallow(t('Where {0} began is not in this clone, which is a shallow one.', range), t);
  return problem(
    t('{0} and {1} have no commit in common.', left, right ?? 'HEAD'),
    t('Compare the two as they are: {0}', `${left}..${right ?? 'HEAD'}`),
  );
}

/** `parted`: from where the two parted. */
function rangeOf(range: string): { readonly left: string; readonly right: string | null; readonly parted: boolean } {
  const found = /^(.*?)(\.\.\.?)(.*)$/s.exec(range);
  if (found === null) return { left: range, right: null, parted: true };
  const [, left = '', dots, right = ''] = found;
  return { left: left === '' ? 'HEAD' : left, right: right === '' ? 'HEAD' : right, parted: dots === '...' };
}

type Problem = Extract<OpenedRange, { readonly type: 'problem' }>;

function problem(what: string, fix: string): Problem {
  return { type: 'problem', what, fix };
}

function shallow(what: string, t: Translate): Problem {
  return problem(
    what,
    t('Fetch the rest of its history: git fetch --unshallow (in GitHub Actions: fetch-depth: 0 for actions/checkout).'),
  );
}

async function unknown(repository: Repository, revision: string): Promise<Problem> {
  const { t } = repository;
  const what = t('There is no revision "{0}" in {1}.', revision, repository.store.folder);
  if ((await commitOf(repository, `origin/${revision}`)) !== null)
    return problem(what, t('There is "{0}".', `origin/${revision}`));
  if (await isShallow(repository)) return shallow(what, t);
  return problem(what, t('Name a branch, a tag or a commit, or a range such as main...HEAD.'));
}

/** The commit that a revision names; null: none. The words go through stdin, so that none of them is an option. */
async function commitOf({ user }: Repository, revision: string): Promise<string | null> {
  if (/[\0\n\r]/.test(revision) || revision === '') return null;
  const told = line(
    await user(['cat-file', '--batch-check=%(objectname) %(objecttype)'], inputOf(`${revision}^{commit}`)),
  );
  const [, id] = /^([0-9a-f]{40,64}) commit$/.exec(told) ?? [];
  return id ?? null;
}

function inputOf(text: string): { readonly input: Uint8Array } {
  return { input: Buffer.from(`${text}\n`) };
}

/** The tree that a commit has for the folder. */
async function folderTree({ store, user }: Repository, commit: string): Promise<string> {
  const place = store.prefix === '' ? `${commit}^{tree}` : `${commit}:${store.prefix.slice(0, -1)}`;
  const told = line(await user(['cat-file', '--batch-check=%(objectname) %(objecttype)'], inputOf(place)));
  const [, id] = /^([0-9a-f]{40,64}) tree$/.exec(told) ?? [];
  return id ?? emptyTree(store);
}

async function mergeBase({ user }: Repository, a: string, b: string): Promise<string | null> {
  try {
    return line(await user(['merge-base', a, b]));
  } catch (error) {
    // 1: they have none.
    if (error instanceof GitError && error.exit === 1) return null;
    throw error;
  }
}

async function isShallow({ user }: Repository): Promise<boolean> {
  return line(await user(['rev-parse', '--is-shallow-repository'])) === 'true';
}

/**
 * The folder as it would be committed if all of it were added: line ends as the repository keeps them, while no filter
 * program of the repository is started. Works on a copy of the user's index, so that what git knows of unchanged files
 * counts; conflicts are taken as they stand on the disk, and repositories inside the folder as they are in HEAD.
 */
async function workTree(repository: Repository): Promise<string> {
  const { store, user, stateFolder } = repository;
  const env = { ...(await copyUserIndex(store, user, 'reviewed')), ...(await withoutFilters(user)) };
  const [changed, others] = await Promise.all([
    user(['diff-files', '-z', '--raw', '--relative', '--no-renames'], { env }),
    user(['ls-files', '-z', '--others', '--exclude-standard'], { env }),
  ]);
  const differ = parseRaw(splitZ(changed)).flatMap(({ path: file, to }) => (to === GITLINK ? [] : [file]));
  const isOurs = (file: string) => isInside(path.join(store.folder, shown(file)), stateFolder);
  const untracked = splitZ(others).filter((file) => !file.endsWith('/') && !isOurs(file));
  const paths = [...new Set([...differ, ...untracked])];
  if (paths.length > 0) {
    await user(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { env, input: joinZ(paths) });
  }
  return treeOfIndex(store, user, env);
}

/** Settings of the environment that empty every filter program that is configured. */
async function withoutFilters(user: Repository['user']): Promise<Readonly<Record<string, string>>> {
  let names: string;
  try {
    names = (await user(['config', '--null', '--name-only', '--get-regexp', '^filter\\.'])).toString('utf8');
  } catch (error) {
    // 1: there are none.
    if (error instanceof GitError && error.exit === 1) return {};
    throw error;
  }
  const drivers = new Set(
    names.split('\0').flatMap((name) => (name === '' ? [] : [name.slice(0, name.lastIndexOf('.'))])),
  );
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  const numbered = settings.flatMap(([key = '', value = ''], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(numbered) };
}
