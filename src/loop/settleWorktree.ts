import { existsSync } from 'node:fs';
import { firstCheckpointOf } from '../session/replay.ts';
import { errorText } from '../shared/errors.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { type ConflictWay, leftInConflict } from '../shared/undo.ts';
import { openCheckpoints } from '../workspace/checkpoint.ts';
import type { PutBack, PutBackEffect } from '../workspace/putBack.ts';
import { acquireRunLock } from '../workspace/runLock.ts';
import { commitAll, commitsOn, removeWorktree, unsavedIn } from '../workspace/worktree.ts';
import { type EndedRun, openEndedRun, settledAs, settledWords, untold } from './endedRun.ts';
import { folderHeldBy } from './takeFolder.ts';

export interface WorktreeOptions {
  /** Id of the run, or a part that only it has. */
  readonly run: string;
  readonly stateFolder: string;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

export interface ApplyOptions extends WorktreeOptions {
  /** Absent: `leave`. */
  readonly conflicts?: ConflictWay;
  /** Only told, not done. */
  readonly preview?: boolean;
}

interface Settled {
  readonly runId: string;
  readonly worktree: WorktreeRef;
}

export interface SettleProblem {
  readonly type: 'problem';
  /** What is in the way and the way out. Nothing was changed. */
  readonly message: string;
}

export type Applied =
  | (Settled &
      PutBackEffect & {
        /** `part`: files in conflict were left, so that the worktree stays. */
        readonly type: 'preview' | 'applied' | 'part';
        /** The folder as it was before; null in a preview. */
        readonly replaced: CheckpointRef | null;
        /** All of the worktree, of which the folder of the run is only a part; absent: the folder is the whole of it. */
        readonly rest?: CheckpointRef;
        /** The branch stays, because there are so many commits on it; 0: it went with the worktree. */
        readonly commits: number;
      })
  | SettleProblem;

/**
 * Brings what a run did in its worktree into the person's folder, put together three-way with what is there now, and then
 * takes the worktree away. What is replaced is saved first; "undo" takes it back out of the folder.
 */
export async function applyWorktree(options: ApplyOptions): Promise<Applied> {
  const { stateFolder, conflicts = 'leave', preview = false, t = english } = options;
  return inWorktree(options, async (run, worktree) => {
    const lock = await acquireRunLock({ folder: worktree.origin, stateFolder, runId: run.id });
    if (lock.type === 'held') return problem(folderHeldBy(lock.by, t));
    try {
      const lost = untold(run, t);
      if (lost !== null) return problem(lost);
      const start = firstCheckpointOf(run.events);
      if (start === null) return problem(neverBegan(run, t));
      const saved = await save(run, worktree, stateFolder, 'what was applied', t);
      if (saved.type === 'problem') return saved;
      const asked: PutBack = {
        from: start,
        to: saved.work,
        label: `with the work of run ${run.id}`,
        conflicts,
        mark: MARK,
      };
      const common = { runId: run.id, worktree, commits: await commitsOn(worktree) };
      const checkpoints = await openCheckpoints({ folder: worktree.origin, stateFolder, runId: run.id });
      try {
        if (preview) {
          return { ...common, type: 'preview', replaced: null, ...(await checkpoints.previewPutBack(asked)) };
        }
        const { restored: _, replaced, ...effect } = await checkpoints.putBack(asked);
        const rest = saved.whole === saved.work ? {} : { rest: saved.whole };
        const told = { ...common, ...effect, replaced, ...rest };
        if (leftInConflict(effect.conflicts, conflicts).length > 0) return { ...told, type: 'part' };
        await run.append({ type: 'worktree.settled', how: 'applied' });
        await removeWorktree(worktree, common.commits === 0);
        return { ...told, type: 'applied' };
      } finally {
        await checkpoints.close();
      }
    } finally {
      await lock.release();
    }
  });
}

const MARK = 'the work of the run';

export type Kept =
  | (Settled & {
      readonly type: 'kept';
      /** Commits on the branch; 0: the run changed nothing, and the branch is gone. */
      readonly commits: number;
    })
  | SettleProblem;

/** Commits what the worktree holds on its branch, which stays, and takes the worktree away. */
export async function keepWorktree(options: WorktreeOptions): Promise<Kept> {
  return inWorktree(options, async (run, worktree) => {
    const { t = english } = options;
    if (!existsSync(run.folder)) {
      return problem(
        t(
          'The worktree of run {0} is gone: {1}. Its checkpoints are kept: "apply" still brings its work into your folder, "drop" removes what is left of it.',
          run.id,
          run.folder,
        ),
      );
    }
    const saved = await save(run, worktree, options.stateFolder, 'what was kept as a branch', t);
    if (saved.type === 'problem') return saved;
    await commitAll(worktree, messageOf(run, worktree));
    const commits = await commitsOn(worktree);
    await run.append({ type: 'worktree.settled', how: 'kept' });
    await removeWorktree(worktree, commits === 0);
    return { type: 'kept', runId: run.id, worktree, commits };
  });
}

export type Dropped =
  | (Settled & {
      readonly type: 'dropped';
      /** What was in it, commits on its branch too. */
      readonly saved: CheckpointRef;
    })
  | SettleProblem;

/** Takes the worktree away with its branch, after a checkpoint of all that was in it. */
export async function dropWorktree(options: WorktreeOptions): Promise<Dropped> {
  return inWorktree(options, async (run, worktree) => {
    const label = 'before the worktree was dropped';
    const saved = await save(run, worktree, options.stateFolder, label, options.t ?? english);
    if (saved.type === 'problem') return saved;
    await run.append({ type: 'worktree.settled', how: 'dropped' });
    await removeWorktree(worktree, true);
    return { type: 'dropped', runId: run.id, worktree, saved: saved.whole };
  });
}

async function inWorktree<T>(
  { run: asked, stateFolder, t = english }: WorktreeOptions,
  work: (run: EndedRun, worktree: WorktreeRef) => Promise<T | SettleProblem>,
): Promise<T | SettleProblem> {
  const opened = await openEndedRun({ run: asked, stateFolder, folder: 'lockIfThere', t });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  try {
    const { worktree } = run.header;
    if (worktree === undefined)
      return problem(t('Run {0} worked in {1} itself, not in a worktree.', run.id, run.folder));
    const settled = settledAs(run.events);
    if (settled !== null)
      return problem(t('The worktree of run {0} was {1} already.', run.id, settledWords(settled, t)));
    return await work(run, worktree);
  } catch (error) {
    return problem(errorText(error, t));
  } finally {
    await run.close();
  }
}

/** Checkpoints of the folder of the run, and of all of the worktree: the same one where the folder is the whole of it. */
interface Saved {
  readonly type: 'saved';
  readonly work: CheckpointRef;
  readonly whole: CheckpointRef;
}

/**
 * Saves what the worktree holds before it is taken away; of one that somebody removed the last that there is counts. What
 * no checkpoint holds is in the way.
 */
async function save(
  run: EndedRun,
  worktree: WorktreeRef,
  stateFolder: string,
  label: string,
  t: Translate,
): Promise<Saved | SettleProblem> {
  const take = async (folder: string): Promise<CheckpointRef | SettleProblem> => {
    const checkpoints = await openCheckpoints({ folder, stateFolder, runId: run.id });
    try {
      const checkpoint = await checkpoints.snapshot(label);
      const nested = await unsavedIn(folder, checkpoints.nested);
      return nested.length === 0 ? checkpoint : problem(nestedWords(run, folder, nested, t));
    } finally {
      await checkpoints.close();
    }
  };
  const whole = existsSync(worktree.path) ? await take(worktree.path) : null;
  if (whole !== null && 'type' in whole) return whole;
  if (whole !== null && run.folder === worktree.path) return { type: 'saved', work: whole, whole };
  const work = existsSync(run.folder) ? await take(run.folder) : lastOf(run);
  if (work === null) return problem(neverBegan(run, t));
  return 'type' in work ? work : { type: 'saved', work, whole: whole ?? work };
}

/** The last checkpoint that the log tells. */
function lastOf({ events }: EndedRun): CheckpointRef | null {
  const last = events.findLast((event) => event.type === 'checkpoint.created' || event.type === 'run.undone');
  return last?.type === 'checkpoint.created' ? last.checkpoint : last?.type === 'run.undone' ? last.restored : null;
}

function nestedWords({ id }: EndedRun, folder: string, nested: readonly string[], t: Translate): string {
  return t(
    'The worktree of run {0} holds git repositories of their own, which no checkpoint saves: {1}. Move them out of {2}, or remove them, and try again.',
    id,
    nested.join(', '),
    folder,
  );
}

function neverBegan({ id }: EndedRun, t: Translate): string {
  return t('Run {0} ended before it began its work: "cgloop delete {0}" removes what is left of it.', id);
}

function messageOf({ id, header }: EndedRun, { origin }: WorktreeRef): string {
  const [first = ''] = header.task.trim().split('\n');
  const subject = first.length > 72 ? `${first.slice(0, 71).trimEnd()}…` : first;
  return `${subject}\n\nRun ${id} of cgloop, with what was not committed in ${origin} when it began.\n`;
}

function problem(message: string): SettleProblem {
  return { type: 'problem', message };
}
