import { existsSync } from 'node:fs';
import { endingOf, runHeaderOf } from '../session/replay.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import { standingUndoings } from '../shared/undo.ts';
import { openCheckpoints } from '../workspace/checkpoint.ts';

/** The tree that the run's approval is about; null: it was not approved, or was undone since, or does not tell it. Pure. */
export function approvedTree(events: readonly LoopEvent[]): string | null {
  if (endingOf(events)?.type !== 'approved' || standingUndoings(events).length > 0) return null;
  const ended = events.findLast((event) => event.type === 'run.ended');
  return ended?.type === 'run.ended' ? (ended.tree ?? null) : null;
}

/** What is other in the folder than it was approved; none where no approval stands. Rejects with `GitError`. */
export async function changedSince(events: readonly LoopEvent[], stateFolder: string): Promise<readonly FileChange[]> {
  const run = runHeaderOf(events);
  const approved = approvedTree(events);
  if (run === null || approved === null || !existsSync(run.folder)) return [];
  const checkpoints = await openCheckpoints({ folder: run.folder, stateFolder, runId: run.id });
  try {
    const tree = await checkpoints.treeNow();
    return tree === approved ? [] : (await checkpoints.changes({ tree: approved }, { tree })).files;
  } finally {
    await checkpoints.close();
  }
}
