/** Characters of a message that are laid out; more of it is an editor's matter. */
const MOST_WORDS = 50_000;
/** Of one line in a row. */
const MOST_LINE = 2_000;

/** The begin of a long text, up to the end of a line where there is one near, and how many characters follow. */
export function firstText(text: string): { readonly first: string; readonly more: number } {
  if (text.length <= MOST_WORDS) return { first: text, more: 0 };
  const feed = text.lastIndexOf('\n', MOST_WORDS);
  const end = feed > MOST_WORDS / 2 ? feed : MOST_WORDS;
  return { first: text.slice(0, end), more: text.length - end };
}

/** A line as far as a row shows it. */
export function firstOfLine(line: string): string {
  return line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line;
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
