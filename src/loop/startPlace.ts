import type { PermissionRequest } from '../shared/permission.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
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
  t: Translate = english,
): Promise<string | null> {
  if (large === true) return null;
  const { files, bytes } = await checkpoints.unread(LARGE.files);
  if (files <= LARGE.files && bytes <= LARGE.bytes) return null;
  return t(
    '{0} holds {1} that git does not ignore. All of it is read, and kept where the checkpoints of the run are, so that the run can be undone.',
    folder,
    amountWords(files, bytes, t),
  );
}

function amountWords(files: number, bytes: number, t: Translate): string {
  const many = LARGE.files.toLocaleString('en');
  const told = files.toLocaleString('en');
  const much = files > LARGE.files ? t('more than {0} files', many) : files === 1 ? t('1 file') : t('{0} files', told);
  return bytes > LARGE.bytes ? t('{0} and more than {1} GB', much, Math.round(LARGE.bytes / 1024 ** 3)) : much;
}

/** The start of a run in a large folder where nobody is there to agree. */
export function largeProblem(what: string, t: Translate = english): StartProblem {
  const fix = t('Add --large to agree to it, let git ignore what is made by programs, or name a smaller folder.');
  return { agent: null, what, fix };
}

/** The question whether a run may begin in a large folder. */
export function largeQuestion(what: string, t: Translate = english): PermissionRequest {
  return agreementQuestion('large', `${what} ${t('Begin?')}`, t('Begin'), t('End the run'));
}

/**
 * C85: a worktree whose folder somebody deleted blocks its branch for ever. Offers to take the entries of our own away;
 * nothing happens without a person. Rejects with `GitError`.
 */
export async function offerPruning(
  { origin }: Pick<WorktreeRef, 'origin'>,
  stateFolder: string,
  ask: (request: PermissionRequest) => Promise<string | null>,
  t: Translate = english,
): Promise<readonly StaleWorktree[]> {
  const stale = await staleWorktrees({ folder: origin, stateFolder });
  if (stale.length === 0) return [];
  const branches = stale.map(({ path, branch }) => branch ?? path).join(', ');
  const title = t(
    'The folders of earlier worktrees of this program are gone, and their entries block their branches: {0}. Unlock and prune these entries? The branches stay.',
    branches,
  );
  const question = agreementQuestion('pruneWorktrees', title, t('Unlock and prune'), t('Leave them'));
  if (!isAgreed(await ask(question))) return [];
  await pruneWorktrees(origin, stale);
  return stale;
}
