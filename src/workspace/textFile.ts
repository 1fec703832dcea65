/** How a file's text stands in its bytes. Encodings other than UTF-8 and UTF-16 are the face's affair. */
export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly bom: boolean;
}

const BOMS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/**
 * The text of a whole file without its byte order mark, and its form. Null for what is no text in UTF-8, or in UTF-16
 * with a mark: it could not be given back byte for byte.
 */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly form: TextForm } | null {
  const mark = BOMS.find((one) => one.bytes.every((byte, place) => bytes[place] === byte));
  const form: TextForm = { encoding: mark?.encoding ?? 'utf-8', bom: mark !== undefined };
  const body = bytes.subarray(mark?.bytes.length ?? 0);
  // A NUL is no character of a text; half of UTF-16's bytes are.
  if (form.encoding === 'utf-8' && body.includes(0)) return null;
  try {
    return { text: new TextDecoder(form.encoding, { fatal: true, ignoreBOM: true }).decode(body), form };
  } catch {
    return null;
  }
}

/** The bytes of a text in a form. A mark at its start counts as the file's own: the form alone says whether one is written. */
export function encodeText(text: string, { encoding, bom }: TextForm): Buffer {
  const body = `${bom ? '\uFEFF' : ''}${withoutMark(text)}`;
  if (encoding === 'utf-8') return Buffer.from(body, 'utf8');
  const bytes = Buffer.from(body, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

/** The text without one byte order mark at its start. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line end that all lines of the text have; null when there is none, or both. */
export function lineEndOf(text: string): '\n' | '\r\n' | null {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf++;
    else lf++;
  }
  if (crlf > 0 && lf > 0) return null;
  return crlf > 0 ? '\r\n' : lf > 0 ? '\n' : null;
}

/** The content with the line ends that the file has had; of a file with none or with both, as it is. */
export function keepLineEnds(content: string, before: string): string {
  const end = lineEndOf(before);
  return end === null ? content : content.replace(/\r?\n/g, end);
}

/** The exact part of the text from line `line` (from 1) on, `limit` lines at most, line ends included. */
export function lineWindow(text: string, line: number, limit: number | null): string {
  const start = offsetOfLine(text, 0, line - 1);
  return text.slice(start, limit === null ? undefined : offsetOfLine(text, start, limit));
}

/** Where the line begins that is `lines` after the one at `from`; the end of the text when it has fewer. */
function offsetOfLine(text: string, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; left--) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/**
 * The one change that makes `before` into `after`: what stands between `start` and `end` of `before` becomes `text`.
 * It never cuts a pair of surrogates or a CRLF in two.
 */
export function changeBetween(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  while (start > 0 && (cutsPair(before, start) || cutsPair(after, start))) start--;
  while (tail > 0 && (cutsPair(before, before.length - tail) || cutsPair(after, after.length - tail))) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function cutsPair(text: string, at: number): boolean {
  const [left = '', right = ''] = [text[at - 1], text[at]];
  return (left === '\r' && right === '\n') || (/[\uD800-\uDBFF]/.test(left) && /[\uDC00-\uDFFF]/.test(right));
}
