import type { PermissionRequest } from '../shared/permission.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import {
  createWorktree,
  type NewWorktree,
  pruneWorktrees,
  type StaleWorktree,
  staleWorktrees,
} from '../workspace/worktree.ts';
import { agreementQuestion, isAgreed } from './agreement.ts';
import type { RunOptions, StartProblem } from './options.ts';

/**
 * How much a folder may hold before somebody is asked: its first checkpoint reads every file and stores what git does not
 * have yet. That is about 20,000 files, or 100 MB, a second on an ordinary disk: beyond these it takes longer than a person
 * waits without being told, and as much again of their disk.
 */
export const LARGE = { files: 100_000, bytes: 2 * 1024 * 1024 * 1024 } as const;

/** Where a run works. */
export interface Place {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Set for a run that begins in a new worktree. */
  readonly created: NewWorktree | null;
}

/** Makes the worktree that the options ask for. Rejects with `GitError`. */
export async function placeOf(options: RunOptions, folder: string, runId: string): Promise<Place> {
  if (options.newWorktree !== true || options.resume !== undefined) return { folder, created: null };
  const created = await createWorktree({ folder, stateFolder: options.stateFolder, runId });
  return { folder: created.folder, created };
}

/** Whether the folder's first checkpoint is large; its words for people. Null: it is not, or somebody has agreed to it. */
export async function largeFolder(
  checkpoints: Pick<Checkpoints, 'unread'>,
  { large, folder }: Pick<RunOptions, 'large' | 'folder'>,
): Promise<string | null> {
  if (large === true) return null;
  const { files, bytes } = await checkpoints.unread(LARGE.files);
  if (files <= LARGE.files && bytes <= LARGE.bytes) return null;
  const much =
    files > LARGE.files ? `more than ${LARGE.files.toLocaleString('en')} files` : `${files.toLocaleString('en')} files`;
  const size = bytes > LARGE.bytes ? ` and more than ${Math.round(LARGE.bytes / 1024 ** 3)} GB` : '';
  return `${folder} holds ${much}${size} that git does not ignore. All of it is read, and kept where the checkpoints of the run are, so that the run can be undone.`;
}

/** The start of a run in a large folder where nobody is there to agree. */
export function largeProblem(what: string): StartProblem {
  const fix = 'Add --large to agree to it, let git ignore what is made by programs, or name a smaller folder.';
  return { agent: null, what, fix };
}

/** The question whether a run may begin in a large folder. */
export function largeQuestion(what: string): PermissionRequest {
  return agreementQuestion('large', `${what} Begin?`, 'Begin', 'End the run');
}

/**
 * C85: a worktree whose folder somebody deleted blocks its branch for ever. Offers to take the entries of our own away;
 * nothing happens without a person. Rejects with `GitError`.
 */
export async function offerPruning(
  { origin }: Pick<WorktreeRef, 'origin'>,
  stateFolder: string,
  ask: (request: PermissionRequest) => Promise<string | null>,
): Promise<readonly StaleWorktree[]> {
  const stale = await staleWorktrees({ folder: origin, stateFolder });
  if (stale.length === 0) return [];
  const branches = stale.map(({ path, branch }) => branch ?? path).join(', ');
  const title = `The folders of earlier worktrees of this program are gone, and their entries block their branches: ${branches}. Unlock and prune these entries? The branches stay.`;
  if (!isAgreed(await ask(agreementQuestion('pruneWorktrees', title, 'Unlock and prune', 'Leave them')))) return [];
  await pruneWorktrees(origin, stale);
  return stale;
}
