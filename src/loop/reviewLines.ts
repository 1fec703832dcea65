/** The last code fence of a review. */
export interface Fence {
  /** What stands behind the opening marks, trimmed, such as `json`. */
  readonly info: string;
  readonly body: string;
  /** False: the text ended inside the fence. */
  readonly closed: boolean;
  /** Index of the first line behind it. */
  readonly end: number;
}

/** One line of a review. `own` false: it stands in a code fence or in a quote, so it belongs to the reviewed work. */
export interface ReviewLine {
  readonly text: string;
  readonly own: boolean;
}

/** A review cut into lines, with its last code fence. */
export interface ReviewLayout {
  readonly lines: readonly ReviewLine[];
  readonly lastFence: Fence | null;
}

const LIST_MARKS = '(?:[ \\t]*(?:[-*+]|\\d{1,9}[.)])(?=\\s))*';
const OPENING = new RegExp(`^(${LIST_MARKS}[ \\t]*)(\`{3,}|~{3,})([^]*)$`);
const CLOSING = /^([ \t]*)(`{3,}|~{3,})\s*$/;
const QUOTE = new RegExp(`^${LIST_MARKS}\\s*>`);

/**
 * Tells the reviewer's own lines from quoted work, as Markdown does: fences of back-ticks or tildes of any length, also
 * indented and behind list marks, closed only by marks of the same kind and at least the same length.
 */
export function layOut(text: string): ReviewLayout {
  const lines: ReviewLine[] = [];
  let lastFence: Fence | null = null;
  let open: { readonly mark: string; readonly width: number; readonly info: string; readonly body: string[] } | null =
    null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (open !== null) {
      lines.push({ text: line, own: false });
      const [, indent = '', mark = ''] = CLOSING.exec(line) ?? [];
      if (mark.startsWith(open.mark) && widthOf(indent) <= open.width + 3) {
        lastFence = { info: open.info, body: open.body.join('\n'), closed: true, end: lines.length };
        open = null;
      } else {
        open.body.push(line);
      }
      continue;
    }
    const opening = /[`~]/.test(line) ? OPENING.exec(line) : null;
    const [, indent = '', mark = '', info = ''] = opening ?? [];
    if (opening !== null && !(mark.startsWith('`') && info.includes('`'))) {
      lines.push({ text: line, own: false });
      open = { mark, width: widthOf(indent), info: info.trim(), body: [] };
      continue;
    }
    lines.push({ text: line, own: !(line.includes('>') && QUOTE.test(line)) });
  }
  if (open !== null) lastFence = { info: open.info, body: open.body.join('\n'), closed: false, end: lines.length };
  return { lines, lastFence };
}

function widthOf(indent: string): number {
  let width = 0;
  for (const char of indent) width += char === '\t' ? 4 : 1;
  return width;
}

const QUOTATION_MARKS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' };

/** Whether the line is `APPROVED` and nothing but decoration; list marks, full stops and labels are not decoration. */
export function isWordLine(line: string): boolean {
  if (/^\*\s/.test(line.slice(skip(line, 0, 1, /[\s#]/)))) return false;
  let core = undecorated(line);
  const closing = QUOTATION_MARKS[core.charAt(0)];
  if (closing !== undefined && core.length > 1 && core.endsWith(closing)) core = undecorated(core.slice(1, -1));
  return core === 'APPROVED';
}

/** Whether the last line with text is the reviewer's own and is the word. */
export function endsWithWord(lines: readonly ReviewLine[]): boolean {
  const last = lines.findLast((line) => line.text.trim() !== '');
  return last?.own === true && isWordLine(last.text);
}

/** The line without white space and Markdown marks at both ends. */
export function undecorated(line: string): string {
  const start = skip(line, 0, 1, /[\s#*_`]/);
  const end = skip(line, line.length - 1, -1, /[\s#*_`]/);
  return line.slice(start, Math.max(start, end + 1));
}

/** The first place from `from` on that `marks` does not match. By hand: a regular expression is quadratic here. */
function skip(line: string, from: number, step: 1 | -1, marks: RegExp): number {
  let at = from;
  while (at >= 0 && at < line.length && marks.test(line.charAt(at))) at += step;
  return at;
}
