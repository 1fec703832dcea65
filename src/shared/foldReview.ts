/** Folds reviews and the ledger of their findings. */
import { isOpen } from './isOpen.ts';
import type { Severity } from './review.ts';
import type { RunView } from './view.ts';
import { type Draft, type EventOf, put, roundOf } from './viewDraft.ts';

/** `review.scored`: the round's review, and its point among the scores; a review made anew takes the place of the first. */
export function foldScore(draft: Draft, event: EventOf<'review.scored'>): void {
  const { at, round: number, turn, verdict, approved, blockedBy } = event;
  const round = roundOf(draft, number, at);
  const item = {
    type: 'review',
    key: `review/${turn}`,
    turn,
    role: 'review',
    at,
    verdict,
    approved,
    blockedBy,
  } as const;
  put(round, item);
  round.review = item;
  draft.scores ??= [...draft.view.scores];
  const point = { round: number, score: verdict.score, approved };
  const place = draft.scores.findIndex((known) => known.round === number);
  if (place < 0) draft.scores.push(point);
  else draft.scores[place] = point;
}

/** `finding.opened`: at the end of the ledger. */
export function foldOpened(draft: Draft, event: EventOf<'finding.opened'>): void {
  draft.findings ??= [...draft.view.findings];
  // Opened again: the run was killed in the middle of a review's findings, and the review was made anew.
  const place = draft.findings.findIndex((known) => known.id === event.finding.id);
  if (place < 0) draft.findings.push(event.finding);
  else draft.findings[place] = event.finding;
}

/** `finding.updated`: as it stands now. */
export function foldUpdated(draft: Draft, event: EventOf<'finding.updated'>): void {
  draft.findings ??= [...draft.view.findings];
  const place = draft.findings.findIndex((known) => known.id === event.id);
  const known = draft.findings[place];
  if (known !== undefined) draft.findings[place] = event.finding ?? { ...known, status: event.status };
}

/** How many findings of each severity are open. */
export function openCounts(findings: RunView['findings']): Readonly<Record<Severity, number>> {
  const counts = { blocker: 0, major: 0, minor: 0, nit: 0 };
  for (const finding of findings) if (isOpen(finding)) counts[finding.severity]++;
  return counts;
}
