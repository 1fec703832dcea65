/** A review's words, and what it says from its last JSON block on, which the review card says for people. */
export function splitReview(text: string): { readonly words: string; readonly verdict: string | null } {
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => /^ {0,3}(`{3,}|~{3,})\s*json\s*$/i.test(line));
  if (start < 0) return { words: text, verdict: null };
  return { words: lines.slice(0, start).join('\n').trimEnd(), verdict: lines.slice(start).join('\n') };
}

/** Characters of an output that are laid out; more of it is an editor's matter. */
const MOST_TEXT = 100_000;

/** The end of a long text, from a line's begin on, and how many lines stand before it. */
export function newestText(text: string): { readonly newest: string; readonly earlier: number } {
  if (text.length <= MOST_TEXT) return { newest: text, earlier: 0 };
  const cut = text.indexOf('\n', text.length - MOST_TEXT) + 1;
  const start = cut === 0 ? text.length - MOST_TEXT : cut;
  let earlier = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) earlier++;
  return { newest: text.slice(start), earlier };
}
