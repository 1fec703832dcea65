import type { LoopEvent } from '../shared/events.ts';
import type { RoundEventBody } from '../shared/roundEvents.ts';
import { type Ledger, ledgerOf } from './findings.ts';

type Note = Extract<RoundEventBody, { readonly type: 'user.note' }>;

/** The person's words as the log takes them; null: they are empty, or are about a finding that there is not. Pure. */
export function noteOf(events: readonly LoopEvent[], words: string, finding?: string): Note | null {
  const text = words.trim();
  if (text === '') return null;
  if (finding === undefined) return { type: 'user.note', text };
  return ledgerOf(events).some(({ id }) => id === finding) ? { type: 'user.note', text, finding } : null;
}

/**
 * What the person asked about findings and no review has been told yet that could be read, one line each, with the finding
 * in words for a reviewer whose session does not hold it. Pure.
 */
export function questionsOf(events: readonly LoopEvent[]): readonly string[] {
  let asked: { readonly seq: number; readonly text: string; readonly finding: string }[] = [];
  let begunAt = 0;
  for (const event of events) {
    if (event.type === 'user.note' && event.finding !== undefined) {
      asked.push({ seq: event.seq, text: event.text, finding: event.finding });
    } else if (event.type === 'turn.started' && event.role === 'review') begunAt = event.seq;
    else if (event.type === 'review.scored' && event.verdict.status !== 'unparsable') {
      // What came while it was written is for the next one.
      asked = asked.filter(({ seq }) => seq > begunAt);
    }
  }
  const ledger: Ledger = asked.length === 0 ? [] : ledgerOf(events);
  return asked.map(({ text, finding }) => {
    const title = ledger.find(({ id }) => id === finding)?.title ?? '';
    return `${finding} (${title}): ${text}`;
  });
}
