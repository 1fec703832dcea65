import type { RoundView } from './view.ts';

/** A review's words, and what it says from its last JSON block on, which the review card says for people. */
export function splitReview(text: string): { readonly words: string; readonly verdict: string | null } {
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => /^ {0,3}(`{3,}|~{3,})\s*json\s*$/i.test(line));
  if (start < 0) return { words: text, verdict: null };
  return { words: lines.slice(0, start).join('\n').trimEnd(), verdict: lines.slice(start).join('\n') };
}

/** The last review of a round in words, as a person may edit it: without the verdict, which stands in findings of its own. */
export function reviewWords({ items, review }: Pick<RoundView, 'items' | 'review'>): string {
  if (review === null) return '';
  const said = items.flatMap((item) => {
    const isSaid = item.type === 'message' && item.turn === review.turn && item.role === 'review';
    return isSaid && item.channel === 'message' && !item.withdrawn ? [item.text] : [];
  });
  const { words } = splitReview(said.join('\n\n'));
  return words.trim() === '' ? review.verdict.summary : words.trim();
}
