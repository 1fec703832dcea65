/** Writes the mark that stands where something was left out: how many of how many characters. */
export type LeftOutMark = (leftOut: number, of: number) => string;

/**
 * The text, cut in its middle to at most about `limit` characters, with a mark on a line of its own where something is
 * missing. Cuts fall on line ends where these are near, and never inside a character.
 */
export function shortenMiddle(text: string, limit: number, mark: LeftOutMark): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.6);
  const start = cutBefore(text, head, Math.ceil(head / 10));
  const end = cutBehind(text, text.length - (limit - head), Math.ceil(limit / 20));
  return `${text.slice(0, start)}\n${mark(end - start, text.length)}\n${text.slice(end)}`;
}

function cutBefore(text: string, at: number, slack: number): number {
  const line = text.lastIndexOf('\n', at - 1);
  if (line >= at - slack) return line;
  return isInsidePair(text, at) ? at - 1 : at;
}

function cutBehind(text: string, at: number, slack: number): number {
  const line = text.indexOf('\n', at);
  if (line >= 0 && line < at + slack) return line + 1;
  return isInsidePair(text, at) ? at + 1 : at;
}

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
