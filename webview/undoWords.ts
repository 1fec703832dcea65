import type { UndoScope } from '../src/shared/roundEvents.ts';
import type { UndoConflict } from '../src/shared/undo.ts';
import type { RunView } from '../src/shared/view.ts';
import { score, t } from './words.ts';

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
    case 'unkept':
      return t('git ignores it, and what stands there cannot be saved first');
    default:
      return why satisfies never;
  }
}
