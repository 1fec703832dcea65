import { existsSync } from 'node:fs';
import { firstCheckpointOf, runHeaderOf } from '../session/replay.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import { homeOf } from '../shared/runPlace.ts';
import { english, type Translate } from '../shared/translate.ts';
import { openCheckpoints } from '../workspace/checkpoint.ts';
import { folderGone } from './endedRun.ts';

/** Two states of a run's folder, an earlier and a later one. */
export interface Between {
  readonly before: CheckpointRef;
  readonly after: CheckpointRef;
}

/**
 * What lies around a round's work, or (`round` null) around that of all rounds. Null: the log does not tell both. Pure.
 */
export function betweenOf(events: readonly LoopEvent[], round: number | null): Between | null {
  const label = round === null ? /^after round \d+$/ : new RegExp(`^after round ${round}$`);
  let before: CheckpointRef | null = null;
  let newest: CheckpointRef | null = null;
  let after: CheckpointRef | null = null;
  for (const event of events) {
    if (event.type === 'round.started' && event.round === round) before = newest;
    if (event.type !== 'checkpoint.created') continue;
    newest = event.checkpoint;
    if (newest.label === `before round ${round}`) before = newest;
    if (label.test(newest.label)) after = newest;
  }
  const from = round === null ? firstCheckpointOf(events) : before;
  return from === null || after === null ? null : { before: from, after };
}

/** A state of the folder that people can name: as it was before the run (`round` 0), or as a round's work left it. */
export interface RoundState {
  readonly round: number;
  readonly checkpoint: CheckpointRef;
}

/** The states of a run, oldest first. Pure. */
export function statesOf(events: readonly LoopEvent[]): readonly RoundState[] {
  const first = firstCheckpointOf(events);
  const states = new Map<number, CheckpointRef>();
  for (const event of events) {
    if (event.type !== 'checkpoint.created') continue;
    const [, round] = /^after round (\d+)$/.exec(event.checkpoint.label) ?? [];
    if (round !== undefined) states.set(Number(round), event.checkpoint);
  }
  const after = [...states].map(([round, checkpoint]) => ({ round, checkpoint }));
  return first === null ? after : [{ round: 0, checkpoint: first }, ...after];
}

/** Absolute: where the checkpoints of a run are asked for, also when its worktree is gone, which shared them. */
export function checkpointFolder(run: RunHeader): string {
  return existsSync(run.folder) ? run.folder : homeOf(run);
}

/** The changes of a run, or of one of its rounds, from its checkpoints. Rejects with what is in the way, for people. */
export async function diffOfRun(options: {
  readonly events: readonly LoopEvent[];
  readonly stateFolder: string;
  readonly round: number | null;
}): Promise<{ readonly files: readonly FileChange[]; readonly patch: string }> {
  const { events, stateFolder, round } = options;
  const between = betweenOf(events, round);
  if (between === null) {
    const what = round === null ? 'The run' : `Round ${round}`;
    throw new Error(`${what} ended before its work was compared with what was there: there is no diff of it.`);
  }
  return diffBetween({ events, stateFolder, between });
}

/** The changes between two states of a run's folder. Rejects with what is in the way, for people. */
export async function diffBetween(options: {
  readonly events: readonly LoopEvent[];
  readonly stateFolder: string;
  readonly between: Between;
  /** Absent: English. */
  readonly t?: Translate;
}): Promise<{ readonly files: readonly FileChange[]; readonly patch: string }> {
  const { events, stateFolder, between, t = english } = options;
  const run = runHeaderOf(events);
  if (run === null) throw new Error('The log of the run does not say what it worked on.');
  const folder = checkpointFolder(run);
  if (!existsSync(folder)) throw new Error(folderGone(run.id, folder, t));
  const checkpoints = await openCheckpoints({ folder, stateFolder, runId: run.id });
  try {
    return await checkpoints.changes(between.before, between.after);
  } finally {
    await checkpoints.close();
  }
}
