import type { LoopEvent } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import { standingUndoings } from '../shared/undo.ts';

/** The files that were put back since the executor's last turn, which it does not know of. Pure. */
export function undoneWork(events: readonly LoopEvent[]): readonly FileChange[] {
  const worked = events.findLast((event) => event.type === 'turn.started' && event.role === 'execute')?.seq ?? 0;
  const undone = new Set(standingUndoings(events).flatMap(({ seq }) => (seq > worked ? [seq] : [])));
  const files = new Map<string, FileChange>();
  for (const event of events) {
    if (event.type !== 'run.undone' || !undone.has(event.seq)) continue;
    for (const file of event.files ?? []) files.set(file.path, file);
  }
  return [...files.values()];
}

/** The rounds whose work was taken back and is not there any more. Pure. */
export function undoneRounds(events: readonly LoopEvent[]): ReadonlySet<number> {
  return new Set(standingUndoings(events).flatMap(({ rounds }) => rounds));
}
