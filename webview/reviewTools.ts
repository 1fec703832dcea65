import type { HostState } from '../src/shared/messages.ts';
import type { RunView } from '../src/shared/view.ts';
import { withFinding } from './chosenFindings.ts';
import type { ReviewTools } from './ReviewCard.tsx';
import type { BetweenDraft, Page, PageState } from './state.ts';
import { nameOf, t } from './words.ts';

interface Standing {
  readonly view: Pick<RunView, 'agents' | 'paused' | 'undoneAt'>;
  readonly host: Pick<HostState, 'phase' | 'replay' | 'canResume' | 'canReviewAgain'>;
  readonly remarks: PageState['remarks'];
  readonly draft: BetweenDraft | null;
}

/** What the person can do about the findings of the newest review; null: they only look at the run. */
export function reviewTools({ view, host, remarks, draft }: Standing, page: Page): ReviewTools | null {
  if (host.replay || view.undoneAt !== null) return null;
  const isOver = host.phase === 'idle';
  const executor = nameOf(view.agents.execute);
  const reviewer = nameOf(view.agents.review);
  // An execution that is under way was told already.
  const canChoose = draft !== null && (isOver ? host.canResume : view.paused !== null);
  return {
    executor,
    of: ({ id }) => ({
      isSent: canChoose ? !draft.left.includes(id) : null,
      send: (isSent) => {
        if (draft !== null) page.dispatch({ type: 'between', draft: withFinding(draft, id, isSent) });
      },
      remark: remarks[id] ?? null,
      asking: askingWords(isOver, host.canReviewAgain, reviewer),
    }),
    next: nextWords(isOver, executor),
  };
}

function askingWords(isOver: boolean, canReviewAgain: boolean, reviewer: string): string | null {
  if (!isOver) return t('{0} gets the question with its next review, and answers in its summary.', reviewer);
  if (!canReviewAgain) return null;
  return t('{0} reviews the last round once more for it, and answers in its summary. Nobody executes.', reviewer);
}

function nextWords(isOver: boolean, executor: string): string {
  return isOver
    ? t('Read the work yourself, settle what is named here and go on, or ask another reviewer.')
    : t('It counts as not approved: what is open goes back to {0}.', executor);
}
