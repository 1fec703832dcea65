import { isOpen } from '../src/shared/isOpen.ts';
import type { Finding } from '../src/shared/review.ts';
import type { Feedback } from '../src/shared/roundEvents.ts';
import type { BetweenDraft, PageState } from './state.ts';

/** What the person has made of the newest review so far; untouched where they have not. Null: there is no review. */
export function betweenDraft({
  view,
  runId,
  between,
}: Pick<PageState, 'view' | 'runId' | 'between'>): BetweenDraft | null {
  const round = view.rounds.findLast(({ review }) => review !== null);
  if (round === undefined) return null;
  const id = `${runId ?? ''}/${round.number}`;
  return between?.id === id ? between : { id, text: null, left: [], instruction: '' };
}

/** The draft with the finding among those that go back, or not. */
export function withFinding(draft: BetweenDraft, id: string, isSent: boolean): BetweenDraft {
  const others = draft.left.filter((one) => one !== id);
  return { ...draft, left: isSent ? others : [...others, id] };
}

/** What goes back with the next execution, as far as it is a choice of findings; null: the review as it came. */
export function chosenFeedback(draft: BetweenDraft | null, findings: readonly Finding[]): Feedback | null {
  const open = findings.filter(isOpen);
  const sent = open.filter(({ id }) => draft?.left.includes(id) !== true);
  return sent.length === open.length ? null : { findings: sent.map(({ id }) => id), text: null, instruction: null };
}
