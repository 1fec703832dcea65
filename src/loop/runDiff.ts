import { firstCheckpointOf, runHeaderOf } from '../session/replay.ts';
import type { CheckpointRef, FileChange, LoopEvent } from '../shared/events.ts';
import { openCheckpoints } from '../workspace/checkpoint.ts';

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

/** The changes of a run, or of one of its rounds, from its checkpoints. Rejects with what is in the way, for people. */
export async function diffOfRun(options: {
  readonly events: readonly LoopEvent[];
  readonly stateFolder: string;
  readonly round: number | null;
}): Promise<{ readonly files: readonly FileChange[]; readonly patch: string }> {
  const { events, stateFolder, round } = options;
  const run = runHeaderOf(events);
  const between = betweenOf(events, round);
  if (run === null || between === null) {
    const what = round === null ? 'The run' : `Round ${round}`;
    throw new Error(`${what} ended before its work was compared with what was there: there is no diff of it.`);
  }
  const checkpoints = await openCheckpoints({ folder: run.folder, stateFolder, runId: run.id });
  try {
    return await checkpoints.changes(between.before, between.after);
  } finally {
    await checkpoints.close();
  }
}
