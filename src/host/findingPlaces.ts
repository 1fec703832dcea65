import path from 'node:path';
import { lineOf } from '../loop/anchorLine.ts';
import type { Finding } from '../shared/review.ts';
import { isInside } from '../workspace/isInside.ts';

/** A line of a file on disk. `file` is absolute, `line` from 0. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The file of a finding, absolute; null where it names none that lies in the folder (absolute). */
export function fileOf({ file }: Pick<Finding, 'file'>, folder: string): string | null {
  if (file === undefined || file === '' || file.includes('\0')) return null;
  const absolute = path.resolve(folder, file);
  return isInside(absolute, folder) ? absolute : null;
}

/** The line of a finding in a file with these lines, from 0, where its text is now; the first for one without a line. */
export function lineNow({ line, anchor }: Pick<Finding, 'line' | 'anchor'>, lines: readonly string[]): number {
  if (line === undefined) return 0;
  return clamped(lineOf(lines, line, anchor) - 1, lines.length);
}

/** One change of a text, as an editor tells it: lines from 0 of what was replaced, and the line breaks that came. */
export interface LineEdit {
  readonly first: number;
  /** Column of the beginning. */
  readonly column: number;
  readonly last: number;
  readonly breaks: number;
}

/**
 * Where a line is after an edit: it moves with what is written or taken away before it. One that was split or joined is
 * where its text begins; what was taken away with others is where they began.
 */
export function movedBy(line: number, { first, column, last, breaks }: LineEdit): number {
  const by = breaks - (last - first);
  if (line > last) return line + by;
  // A line break at the very beginning of a line pushes it down.
  if (line === first) return column === 0 && first === last ? line + breaks : line;
  return line < first ? line : Math.min(line, first + breaks);
}

/** The place before or after `from`, in the order of files and lines, and round from the other end; null: there is none. */
export function placeBeside<T extends Place>(places: readonly T[], from: Place | null, by: 1 | -1): T | null {
  const ordered = places.toSorted(compare);
  if (from === null) return (by === 1 ? ordered[0] : ordered.at(-1)) ?? null;
  const beyond =
    by === 1
      ? ordered.find((place) => compare(place, from) > 0)
      : ordered.findLast((place) => compare(place, from) < 0);
  return beyond ?? (by === 1 ? ordered[0] : ordered.at(-1)) ?? null;
}

function compare(a: Place, b: Place): number {
  if (a.file === b.file) return a.line - b.line;
  return a.file < b.file ? -1 : 1;
}

function clamped(line: number, count: number): number {
  return Math.max(0, Math.min(line, count - 1));
}
