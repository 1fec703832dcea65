import { isEnd } from './toolState.ts';
import type { Item, RunView } from './view.ts';

/**
 * The view of a run whose agents are gone without an ending: its questions are settled as `dispose`, its open tool
 * calls as "no result reported". A run that has ended stays as it is.
 */
export function markInterrupted(view: RunView): RunView {
  if (view.ending !== null || view.interrupted) return view;
  const at = view.rounds.at(-1)?.items.at(-1)?.at ?? view.startedAt ?? 0;
  const rounds = view.rounds.map((round) => {
    const items = round.items.map((item) => abandoned(item, at));
    return { ...round, items, checks: items.filter((item) => item.type === 'check') };
  });
  return { ...view, rounds, waiting: [], acting: null, interrupted: true };
}

/** The item as it is once the processes that it came from are gone. */
export function abandoned(item: Item, at: number): Item {
  if (item.type === 'permission' && item.resolution === null)
    return { ...item, resolution: { by: 'dispose', answer: { outcome: 'cancelled' }, why: null, at } };
  if (item.type === 'tool' && !isEnd(item.state)) return { ...item, state: 'cancelled', reason: 'noResult' };
  if (item.type === 'check' && item.end === null)
    return { ...item, end: { passed: false, exitCode: null, signal: null, by: 'stop' }, endedAt: at };
  return item;
}
