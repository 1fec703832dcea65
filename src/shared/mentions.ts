import type { LineRange } from './events.ts';

/** A place of a text that names a file: `@src/a.ts`, `@src/a.ts:10-20`, `@"my notes.md":3`. */
export interface Mention {
  /** As it is written, without quotation marks, `@` and lines. */
  readonly path: string;
  readonly lines: LineRange | null;
  /** Where it stands in the text, from `@` on; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** At the start of a word. A path without quotation marks goes to the next blank; a colon and numbers after it are lines. */
const MENTION = /(?<=^|[\s([{])@(?:"([^"\n]+)"(?::(\d+)(?:-(\d+))?)?|([^\s"@]+))/g;
const LINES = /^(.+?):(\d+)(?:-(\d+))?$/;
/** What ends a sentence or closes a bracket is not part of a name. */
const CLOSING = /[.,;:!?)\]}'’”]+$/;

/** Every mention of the text in its order. Whether there is such a file, a text cannot tell. */
export function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(MENTION)].flatMap((found) => {
    const from = found.index;
    const [whole, quoted, first, last, bare] = found;
    if (quoted !== undefined) {
      return [{ path: quoted, lines: rangeOf(first, last), from, to: from + whole.length }];
    }
    const written = (bare ?? '').replace(CLOSING, '');
    if (written === '') return [];
    const [, path = written, begin, end] = LINES.exec(written) ?? [];
    return [{ path, lines: rangeOf(begin, end), from, to: from + 1 + written.length }];
  });
}

/** The text that mentions the file. `path` with `/`. */
export function mentionOf(path: string, lines: LineRange | null): string {
  const isPlain = !/[\s"@]/.test(path) && !CLOSING.test(path) && !LINES.test(path);
  return `@${isPlain ? path : `"${path.replaceAll('"', '')}"`}${lines === null ? '' : `:${linesOf(lines)}`}`;
}

/** Such as `10-20`, or `10` for one line. */
export function linesOf({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

function rangeOf(begin: string | undefined, end: string | undefined): LineRange | null {
  if (begin === undefined) return null;
  const from = Number(begin);
  const to = end === undefined ? from : Number(end);
  return from < 1 || to < 1 ? null : { from: Math.min(from, to), to: Math.max(from, to) };
}
