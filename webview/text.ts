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
