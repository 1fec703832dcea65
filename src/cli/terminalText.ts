/**
 * What agents write is data: on a terminal every control character is shown instead of obeyed, so that no text can
 * move the cursor, hide a part of a command or turn its direction. Line feeds and tabs stay.
 */
export function safe(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, (character) => shown(character.codePointAt(0) ?? 0));
}

/** As `safe`, on one line. */
export function safeLine(text: string): string {
  return safe(text).replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ');
}

// Controls but tab and line feed, halves of surrogate pairs, line separators, marks of direction, byte order mark.
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

function shown(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Columns that a text of one line takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const segment of graphemes(text)) width += widthOf(segment);
  return width;
}

function widthOf(segment: string): number {
  return WIDE.test(segment) ? 2 : INVISIBLE.test(segment) ? 0 : 1;
}

/**
 * The characters as a reader counts them. Piece by piece, because the time of one segmentation grows with the square of
 * the text: a line of a megabyte took minutes, in which no key and no signal was heard.
 */
function* graphemes(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const isLast = start + PIECE >= text.length;
    // Half a pair would be a character of its own, and part those beside it.
    const units = HIGH_HALF.test(text.charAt(start + PIECE - 1)) ? PIECE - 1 : PIECE;
    const piece = isLast ? text.slice(start) : text.slice(start, start + units);
    let end = start;
    let open = '';
    for (const { segment } of SEGMENTS.segment(piece)) {
      if (open !== '') yield open;
      end += open.length;
      open = segment;
    }
    // What stands at the end of a piece may go on in the next one.
    if (isLast || end === start) {
      yield open;
      end += open.length;
    }
    start = end;
  }
}

/** Code units. */
const PIECE = 256;
const HIGH_HALF = /^[\ud800-\udbff]$/;
const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const INVISIBLE = /^[\p{Mark}\p{Format}]+$/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** The start of a text of one line that fits, with `…` where something was left out. What lies behind it is not looked at. */
export function fitTo(text: string, columns: number): string {
  // No code unit is wider than two columns.
  if (text.length * 2 <= columns) return text;
  let width = 0;
  let kept = '';
  for (const segment of graphemes(text)) {
    width += widthOf(segment);
    if (width > columns) return columns > 0 ? `${kept}…` : '';
    if (width <= columns - 1) kept += segment;
  }
  return text;
}

/** The end of a text of one line that fits, with `…` where something was left out. What lies far before it is not looked at. */
export function fitEndTo(text: string, columns: number): string {
  if (text.length * 2 <= columns) return text;
  const near = text.slice(-Math.max(1, columns) * MOST_UNITS);
  let width = 0;
  let kept = '';
  for (const segment of [...graphemes(near)].reverse()) {
    width += widthOf(segment);
    if (width > columns) return columns > 0 ? `…${kept}` : '';
    if (width <= columns - 1) kept = segment + kept;
  }
  return near === text ? text : `…${kept}`;
}

/** Code units of one character, so many that hardly one has more. */
const MOST_UNITS = 16;

/** Ends a line that is being typed: on a terminal the end of that is what has to be seen. */
export const CARET = '▏';

/** `text` padded with blanks to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** The first lines of a text, none longer than `columns`, and how many lines were left out. */
export function head(
  text: string,
  lines: number,
  columns: number,
): { readonly lines: readonly string[]; readonly left: number } {
  const all = text.trimEnd().split('\n');
  return { lines: all.slice(0, lines).map((line) => fitTo(line, columns)), left: Math.max(0, all.length - lines) };
}
