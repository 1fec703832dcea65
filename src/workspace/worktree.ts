import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import type { Words } from '../shared/translate.ts';
import { line } from './captureTree.ts';
import { openCheckpoints } from './checkpoint.ts';
import { dropCheckpoints } from './dropCheckpoints.ts';
import { GitError, joinZ, splitZ, userGit } from './git.ts';
import { isInside } from './isInside.ts';
import { GITLINK } from './treeDiff.ts';

/** A worktree that a run can begin in. */
export interface NewWorktree {
  readonly ref: WorktreeRef;
  /** Absolute: what the person's folder is in it. */
  readonly folder: string;
  /** For a run that does not begin after all: takes the worktree away again, with its branch. */
  discard(): Promise<void>;
}

/** One of our worktrees whose folder is gone, so that its entry blocks its branch. */
export interface StaleWorktree {
  /** Absolute, where it was. */
  readonly path: string;
  /** Null: none was checked out. */
  readonly branch: string | null;
}

/** Git keeps it from being pruned, and we know it as ours by it. */
const LOCK_REASON = 'cgloop run';
const BRANCHES = 'cgloop/';

interface Asked {
  /** Absolute. */
  readonly folder: string;
  readonly stateFolder: string;
}

/**
 * Makes a worktree below the state folder that holds what the person's own one holds now: the files as they are, those that
 * are not committed too, byte for byte, and small ignored ones such as `.env`. The person's folder, index and HEAD stay as
 * they are. Rejects with `GitError`, which says the way out; then nothing is left of it.
 */
export async function createWorktree({
  folder,
  stateFolder,
  runId,
}: Asked & { readonly runId: string }): Promise<NewWorktree> {
  const { top, base } = await repositoryOf(folder);
  const all = await worktreesIn(stateFolder);
  if (isInside(all, top)) {
    throw new GitError(null, (t) =>
      t('A worktree would lie in the repository itself, as {0} does. Set CGLOOP_HOME elsewhere.', all),
    );
  }
  await fs.mkdir(all, { recursive: true, mode: 0o700 });
  const ref: WorktreeRef = { path: path.join(all, runId), branch: `${BRANCHES}${runId}`, origin: folder, base };
  const discard = async (): Promise<void> => {
    await removeWorktree(ref, true);
    await dropCheckpoints({ folder: top, stateFolder, runs: { ids: [runId] } });
  };
  const checkpoints = await openCheckpoints({ folder: top, stateFolder, runId });
  try {
    const start = await checkpoints.snapshot('where the worktree began');
    await userGit(top, ['worktree', 'add', '--quiet', '--no-checkout', '-b', ref.branch, ref.path, base]);
    await userGit(top, ['worktree', 'lock', '--reason', `${LOCK_REASON} ${runId}`, ref.path]);
    await userGit(ref.path, ['read-tree', base]);
    await fitIndex(top, ref.path);
    await checkpoints.writeTo(start, ref.path);
    const inside = path.join(ref.path, path.relative(top, folder));
    if (!existsSync(inside)) {
      throw new GitError(null, notHeld(folder));
    }
    return { ref, folder: await fs.realpath(inside), discard };
  } catch (error) {
    await discard().catch(() => undefined);
    throw error;
  } finally {
    await checkpoints.close();
  }
}

/** What the person's index leaves out or only links to, the new one does too: its absence is no deletion. */
async function fitIndex(top: string, worktree: string): Promise<void> {
  const sparse = splitZ(await userGit(top, ['ls-files', '-z', '-t'])).flatMap((record) =>
    record.startsWith('S ') ? [record.slice(2)] : [],
  );
  const entries = splitZ(await userGit(worktree, ['ls-files', '-z', '--stage']));
  const known = new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
  const skipped = sparse.filter((file) => known.has(file));
  if (skipped.length > 0) {
    await userGit(worktree, ['update-index', '--skip-worktree', '-z', '--stdin'], { input: joinZ(skipped) });
  }
  for (const entry of entries) {
    if (!entry.startsWith(GITLINK)) continue;
    const name = Buffer.from(entry.slice(entry.indexOf('\t') + 1), 'latin1').toString('utf8');
    await fs.mkdir(path.join(worktree, name), { recursive: true });
  }
}

async function repositoryOf(folder: string): Promise<{ readonly top: string; readonly base: string }> {
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    try {
      return line(await userGit(folder, ['rev-parse', ...args]));
    } catch (error) {
      if (error instanceof GitError && error.exit !== null) return null;
      throw error;
    }
  };
  const top = await ask('--show-toplevel');
  if (top === null)
    throw new GitError(null, (t) => t('{0} is in no git repository: there is nothing to make a worktree of.', folder));
  const base = await ask('--verify', '--quiet', 'HEAD');
  if (base === null)
    throw new GitError(null, (t) =>
      t('The repository of {0} has no commit yet: a worktree needs one. Commit something first.', folder),
    );
  const real = await fs.realpath(top);
  if (real !== folder && (await isIgnored(real, path.relative(real, folder)))) {
    throw new GitError(null, notHeld(folder));
  }
  return { top: real, base };
}

function notHeld(folder: string): Words {
  return (t) => t('{0} is no part of its repository (git ignores it): a worktree would not hold it.', folder);
}

async function isIgnored(top: string, relative: string): Promise<boolean> {
  try {
    await userGit(top, ['check-ignore', '--quiet', '--no-index', '--', `./${relative}`]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exit !== null) return false;
    throw error;
  }
}

/** Takes the worktree and its entry away, with everything in it; `branch`: with its branch too. Safe to be called again. */
export async function removeWorktree(
  { path: folder, origin, branch }: WorktreeRef,
  withBranch: boolean,
): Promise<void> {
  const attempt = async (...args: readonly string[]): Promise<void> => {
    try {
      await userGit(origin, args);
    } catch (error) {
      // It is gone already, or its repository is.
      if (!(error instanceof GitError)) throw error;
    }
  };
  if (existsSync(origin)) {
    await attempt('worktree', 'unlock', folder);
    await attempt('worktree', 'remove', '--force', folder);
  }
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  if (existsSync(origin)) {
    if (withBranch) await attempt('branch', '--quiet', '-D', branch);
  }
}

/** Commits on the worktree's branch since it was made; of a worktree that is gone, as git still has them. Rejects with `GitError`. */
export async function commitsOn({ path: folder, origin, branch, base }: WorktreeRef): Promise<number> {
  const place = existsSync(folder) ? folder : origin;
  const tip = await tipOf(place, branch);
  return tip === null ? 0 : Number(line(await userGit(place, ['rev-list', '--count', `${base}..${tip}`])));
}

/**
 * Puts everything in the worktree on its branch, as one more commit where something is not committed; gives the tip. No hook
 * runs and nothing is signed: the person can do that to it. Rejects with `GitError`.
 */
export async function commitAll({ path: folder, branch }: WorktreeRef, message: string): Promise<string> {
  await userGit(folder, ['add', '--all', '--', ':/']);
  const [tree, head, before] = [
    line(await userGit(folder, ['write-tree'])),
    line(await userGit(folder, ['rev-parse', 'HEAD'])),
    line(await userGit(folder, ['rev-parse', 'HEAD^{tree}'])),
  ];
  if (tree === before) return moveBranch(folder, branch, head);
  const commit = ['commit-tree', tree, '-p', head];
  const input = Buffer.from(message);
  const id = await userGit(folder, commit, { input }).catch((error: unknown) => {
    // Nobody told git who they are.
    if (!(error instanceof GitError) || error.exit === null) throw error;
    return userGit(folder, ['-c', 'user.name=cgloop', '-c', 'user.email=cgloop@localhost', ...commit], { input });
  });
  return moveBranch(folder, branch, line(id));
}

/** Brings the branch to the commit, also where somebody checked out another one in the worktree, or none. */
async function moveBranch(folder: string, branch: string, commit: string): Promise<string> {
  const tip = await tipOf(folder, branch);
  if (tip === commit) return commit;
  if (tip !== null && !(await holds(folder, commit, tip))) {
    throw new GitError(null, (t) =>
      t(
        'The branch {0} was left in {1}, and has commits that what is checked out there lacks: keep would lose them. Put the two together there (git merge {0}), or apply the work instead.',
        branch,
        folder,
      ),
    );
  }
  await userGit(folder, ['update-ref', '-m', 'cgloop: keep', `refs/heads/${branch}`, commit, tip ?? '']);
  return commit;
}

/** The commit that the branch is at; null: there is none. */
async function tipOf(cwd: string, branch: string): Promise<string | null> {
  const told = line(await userGit(cwd, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]));
  return told === '' ? null : told;
}

/** Whether a commit comes after another one. */
async function holds(cwd: string, commit: string, other: string): Promise<boolean> {
  try {
    await userGit(cwd, ['merge-base', '--is-ancestor', other, commit]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exit === 1) return false;
    throw error;
  }
}

/** Those of the repositories inside a folder that hold more than a submodule as it is committed. Rejects with `GitError`. */
export async function unsavedIn(folder: string, nested: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of nested) {
    const status = ['--literal-pathspecs', 'status', '--porcelain', '--ignore-submodules=none', '--', name];
    if ((await userGit(folder, status)).length > 0) found.push(name);
  }
  return found;
}

/** Our worktrees of the folder's repository whose folders are gone; none where there is no repository. */
export async function staleWorktrees({ folder, stateFolder }: Asked): Promise<readonly StaleWorktree[]> {
  let told: string;
  try {
    told = (await userGit(folder, ['worktree', 'list', '--porcelain'])).toString('utf8');
  } catch (error) {
    if (error instanceof GitError && error.exit !== null) return [];
    throw error;
  }
  const all = await worktreesIn(stateFolder);
  return told.split('\n\n').flatMap((entry): StaleWorktree[] => {
    const of = (key: string) => new RegExp(`^${key} (.+)$`, 'm').exec(entry)?.[1] ?? null;
    const place = of('worktree');
    const branch = of('branch')?.replace(/^refs\/heads\//, '') ?? null;
    if (place === null || existsSync(place)) return [];
    const isOurs = isInside(place, all) || of('locked')?.startsWith(`${LOCK_REASON} `) === true;
    return isOurs ? [{ path: place, branch }] : [];
  });
}

/** Unlocks and removes the entries of worktrees that are gone. Their branches stay. */
export async function pruneWorktrees(folder: string, stale: readonly StaleWorktree[]): Promise<void> {
  for (const { path: place } of stale) {
    await userGit(folder, ['worktree', 'unlock', place]).catch(() => undefined);
    await userGit(folder, ['worktree', 'remove', '--force', place]);
  }
}

/** Where worktrees lie; links on the way resolved as far as it is there. */
async function worktreesIn(stateFolder: string): Promise<string> {
  await fs.mkdir(stateFolder, { recursive: true, mode: 0o700 });
  return path.join(await fs.realpath(stateFolder), 'worktrees');
}
