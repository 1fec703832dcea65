import type { UndoScope } from '../src/shared/roundEvents.ts';
import type { UndoConflict } from '../src/shared/undo.ts';
import type { RunView } from '../src/shared/view.ts';
import { score, t } from './words.ts';

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

/** What is put back, as a choice. */
export function scopeWords(scope: UndoScope, view: RunView): string {
  switch (scope.type) {
    case 'run':
      return t('The whole run');
    case 'round':
      return t('Only what round {0} changed', scope.round);
    case 'before':
      return t('Round {0} and all later ones: back to before round {0}', scope.round);
    case 'after': {
      const point = view.scores.findLast(({ round }) => round === scope.round);
      return t('All after round {0}, the best ({1})', scope.round, score(point?.score ?? null));
    }
    case 'redo':
      return t('The last undoing itself');
    default:
      return scope satisfies never;
  }
}

/** The button that does it. */
export function undoButton(scope: UndoScope): string {
  switch (scope.type) {
    case 'run':
      return t('Undo Run');
    case 'round':
      return t('Undo Round {0}', scope.round);
    case 'before':
      return t('Go Back to Before Round {0}', scope.round);
    case 'after':
      return t('Restore Round {0}', scope.round);
    case 'redo':
      return t('Redo');
    default:
      return scope satisfies never;
  }
}

/** Why two changes of a file cannot be put together. */
export function conflictWords(why: UndoConflict['why']): string {
  switch (why) {
    case 'lines':
      return t('the same lines changed');
    case 'binary':
      return t('it is no text');
    case 'deleted':
      return t('it was deleted on one side');
    case 'type':
      return t('a link and a file');
    case 'folder':
      return t('a folder and a file in one place');
    default:
      return why satisfies never;
  }
}
