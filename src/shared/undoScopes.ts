import type { UndoScope } from './roundEvents.ts';
import type { RunView } from './view.ts';

/** What can be put back in a run, the widest first. A redo is offered apart from these. */
export function undoScopes(view: RunView): readonly UndoScope[] {
  const rounds = view.rounds.flatMap(({ number, changes }) => (number > 0 && changes !== null ? [number] : []));
  const undone = new Set(view.undoings.flatMap((one) => one.rounds));
  const left = rounds.filter((round) => !undone.has(round));
  const later = left.filter((round) => round !== rounds[0]);
  const best = bestRound(view);
  return [
    { type: 'run' },
    ...later.map((round) => ({ type: 'before', round }) as const),
    ...(left.length > 1 ? left.map((round) => ({ type: 'round', round }) as const) : []),
    ...(best === null ? [] : [{ type: 'after', round: best } as const]),
  ];
}

/** The round whose review gave more than any later one; null: that is the last one, or nobody knows. */
export function bestRound({ scores, rounds, undoings }: RunView): number | null {
  const undone = new Set(undoings.flatMap((one) => one.rounds));
  const last = rounds.findLast(({ number, changes }) => number > 0 && changes !== null && !undone.has(number))?.number;
  let best: { readonly round: number; readonly score: number } | null = null;
  for (const { round, score: value } of scores) {
    if (value === null || undone.has(round) || (best !== null && value < best.score)) continue;
    best = { round, score: value };
  }
  return best === null || last === undefined || best.round >= last ? null : best.round;
}
