/** How the line that a finding stands on is known again when it has moved. Pure. */

const MOST_CHARACTERS = 200;

/** What is kept of a line; empty for a blank one. */
export function anchorOf(line: string): string {
  return line.trim().slice(0, MOST_CHARACTERS).toWellFormed();
}

/** Where the line stands now, from 1: that with its text which is nearest to where it was last seen. */
export function lineOf(lines: readonly string[], last: number, anchor: string | undefined): number {
  if (anchor === undefined) return last;
  let best = last;
  let distance = Number.POSITIVE_INFINITY;
  for (const [at, text] of lines.entries()) {
    const away = Math.abs(at + 1 - last);
    if (away < distance && anchorOf(text) === anchor) {
      best = at + 1;
      distance = away;
    }
  }
  return best;
}
