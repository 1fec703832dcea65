import type { EventLog } from '../session/eventLog.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';

/**
 * The tree of the folder at the end of a run, for its ending. What the last checkpoint does not hold is kept as one more,
 * so that what comes later can be told from it. Nothing: the run never had a checkpoint, or none can be taken any more.
 */
export async function endState(
  log: Pick<EventLog, 'events' | 'append'>,
  checkpoints: Pick<Checkpoints, 'snapshot' | 'treeNow'>,
): Promise<{ readonly tree?: string }> {
  const last = log.events.findLast((event) => event.type === 'checkpoint.created');
  if (last === undefined) return {};
  try {
    const tree = await checkpoints.treeNow();
    if (tree === last.checkpoint.tree) return { tree };
    const checkpoint = await checkpoints.snapshot('at the end of the run');
    log.append({ type: 'checkpoint.created', checkpoint });
    return { tree: checkpoint.tree };
  } catch {
    return {};
  }
}
