/** One line of a comparison. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed';
  readonly text: string;
}

export interface Hunk {
  /** 1-based lines of the first line of the hunk, before and after. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

/** Edits beyond which the changed middle is told as removed and added as a whole: the search grows with their square. */
const MAX_EDITS = 1_000;

/** Both texts line by line; a shortest edit script, unless it takes more than `maxEdits` removed and added lines. */
export function diffLines(before: string, after: string, maxEdits = MAX_EDITS): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = shortest(old.slice(start, old.length - end), now.slice(start, now.length - end), maxEdits);
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

/** The changed places of a comparison, each with up to `context` lines around it. */
export function hunksOf(lines: readonly DiffLine[], context = 3): readonly Hunk[] {
  const near = lines.map(() => false);
  for (const [at, line] of lines.entries()) {
    if (line.type !== 'same') near.fill(true, Math.max(0, at - context), at + context + 1);
  }
  const hunks: { oldStart: number; newStart: number; lines: DiffLine[] }[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const [at, line] of lines.entries()) {
    if (near[at] === true) {
      if (at === 0 || near[at - 1] !== true) hunks.push({ oldStart: oldLine, newStart: newLine, lines: [] });
      hunks.at(-1)?.lines.push(line);
    }
    if (line.type !== 'added') oldLine++;
    if (line.type !== 'removed') newLine++;
  }
  return hunks;
}

/** How many lines a comparison adds and removes. */
export function countChanges(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  const of = (type: DiffLine['type']) => lines.filter((line) => line.type === type).length;
  return { added: of('added'), removed: of('removed') };
}

/** Lines without their ends; the last one has none when the text ends with a line feed. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ type: 'same', text }));
const added = (lines: readonly string[]) => lines.map((text): DiffLine => ({ type: 'added', text }));
const removed = (lines: readonly string[]) => lines.map((text): DiffLine => ({ type: 'removed', text }));

/** Myers' greedy search (An O(ND) Difference Algorithm, 1986): `reach` holds the furthest old line of each diagonal. */
function shortest(old: readonly string[], now: readonly string[], maxEdits: number): readonly DiffLine[] {
  if (old.length === 0 || now.length === 0) return [...removed(old), ...added(now)];
  const trail: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(old.length + now.length, maxEdits); edits++) {
    trail.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = comesDown(reach, diagonal, edits) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trail, old, now);
    }
    reach = next;
  }
  return [...removed(old), ...added(now)];
}

function walkBack(trail: readonly Map<number, number>[], old: readonly string[], now: readonly string[]) {
  const lines: DiffLine[] = [];
  let x = old.length;
  let y = now.length;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits] ?? new Map<number, number>();
    const down = comesDown(reach, x - y, edits);
    const from = x - y + (down ? 1 : -1);
    const startX = at(reach, from);
    const startY = startX - from;
    const edge = down ? startX : startX + 1;
    while (x > edge || (edits === 0 && x > 0)) {
      lines.push({ type: 'same', text: old[--x] ?? '' });
      y--;
    }
    if (edits === 0) break;
    if (down) lines.push({ type: 'added', text: now[--y] ?? '' });
    else lines.push({ type: 'removed', text: old[--x] ?? '' });
    x = startX;
    y = startY;
  }
  return lines.reverse();
}

function comesDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(reach, diagonal - 1) < at(reach, diagonal + 1));
}

const at = (reach: ReadonlyMap<number, number>, diagonal: number) => reach.get(diagonal) ?? 0;
