import { countChanges, type DiffLine, diffLines, type Hunk, hunksOf } from '../src/shared/lineDiff.ts';
import type { ToolContent } from '../src/shared/toolCall.ts';

/** A change of one file, as an agent reports it. */
export type DiffPart = Extract<ToolContent, { readonly type: 'diff' }>;

/** One row of a drawn diff; `gap`: that many equal lines are left out. */
export type DiffRow =
  | {
      readonly type: DiffLine['type'];
      /** 1-based; of the old text for what is removed, else of the new one. */
      readonly number: number;
      readonly text: string;
      /** The line that took its place, or whose place it took. */
      readonly partner: string | null;
    }
  | { readonly type: 'gap'; readonly count: number };

export interface Comparison {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

/** Exact lines are not worth a blocked page: beyond it the changed middle is shown as removed and added whole. */
const MAX_EDITS = 400;

const known = new WeakMap<DiffPart, Comparison>();

/** The changed lines with three lines around them. Compared once: a part never changes. */
export function compare(part: DiffPart): Comparison {
  const done = known.get(part);
  if (done !== undefined) return done;
  const lines = diffLines(part.oldText ?? '', part.newText, MAX_EDITS);
  const comparison = { rows: rowsOf(hunksOf(lines), lines), ...countChanges(lines) };
  known.set(part, comparison);
  return comparison;
}

/** The rows of one hunk as it stands in a patch, from its `@@` line on. */
export function hunkRows(hunk: string): Comparison {
  const [head = '', ...rest] = hunk.slice(Math.max(0, hunk.search(/^@@/m))).split('\n');
  const [, oldStart = '1', newStart = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(head) ?? [];
  const lines = rest.flatMap((line): DiffLine[] => {
    const type = HUNK_LINES[line.charAt(0)];
    return type === undefined ? [] : [{ type, text: line.slice(1) }];
  });
  const partners = partnersOf(lines);
  let old = Number(oldStart);
  let now = Number(newStart);
  const rows = lines.map(({ type, text }, index): DiffRow => {
    const number = type === 'removed' ? old : now;
    if (type !== 'added') old++;
    if (type !== 'removed') now++;
    return { type, number, text, partner: partners.get(index) ?? null };
  });
  return { rows, ...countChanges(lines) };
}

const HUNK_LINES: Readonly<Record<string, DiffLine['type']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Equal lines that are not worth a row saying that they are left out. */
const SHORT_GAP = 2;

function rowsOf(hunks: readonly Hunk[], lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let old = 1;
  let now = 1;
  let at = 0;
  const show = (partners: ReadonlyMap<number, string>, count: number) => {
    for (const [index, { type, text }] of lines.slice(at, at + count).entries()) {
      rows.push({ type, number: type === 'removed' ? old : now, text, partner: partners.get(index) ?? null });
      if (type !== 'added') old++;
      if (type !== 'removed') now++;
    }
    at += count;
  };
  const skip = (count: number) => {
    if (count <= SHORT_GAP) return show(new Map(), count);
    rows.push({ type: 'gap', count });
    old += count;
    now += count;
    at += count;
  };
  for (const hunk of hunks) {
    skip(hunk.newStart - now);
    show(partnersOf(hunk.lines), hunk.lines.length);
  }
  if (hunks.length > 0) skip(lines.length - at);
  return rows;
}

/** Index → text of the other line: removed lines and as many added ones that follow them, in order. */
function partnersOf(lines: readonly DiffLine[]): ReadonlyMap<number, string> {
  const partners = new Map<number, string>();
  for (let start = 0; start < lines.length; ) {
    const run = (from: number, type: DiffLine['type']) => {
      let end = from;
      while (lines[end]?.type === type) end++;
      return end - from;
    };
    const removed = run(start, 'removed');
    const added = run(start + removed, 'added');
    if (removed === added)
      for (let index = start; index < start + removed; index++) {
        partners.set(index, lines[index + removed]?.text ?? '');
        partners.set(index + removed, lines[index]?.text ?? '');
      }
    start += Math.max(1, removed + added);
  }
  return partners;
}
