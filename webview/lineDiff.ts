/** One line of a drawn diff; `gap`: how many equal lines are left out. */
export type DiffLine =
  | { readonly type: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly type: 'gap'; readonly count: number };

const CONTEXT = 3;
/** Above this the middle is shown as removed and added whole: exact lines are not worth seconds of a blocked page. */
const MAX_CELLS = 400_000;

/** The lines that differ, with three lines around them. `before` null: the file is new. */
export function lineDiff(before: string | null, after: string): DiffLine[] {
  const old = before === null ? [] : linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ type: 'same', text }));
  return withGaps([
    ...same(now.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...same(now.slice(now.length - tail)),
  ]);
}

/** How many lines were added and removed. */
export function countLines(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter((line) => line.type === 'added').length,
    removed: lines.filter((line) => line.type === 'removed').length,
  };
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The longest common subsequence, by the table of its lengths. */
function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ type: 'removed', text });
  const added = (text: string): DiffLine => ({ type: 'added', text });
  if (old.length * now.length > MAX_CELLS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const length = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      length[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const left = old[i];
    const right = now[j];
    if (left !== undefined && left === right) {
      lines.push({ type: 'same', text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i++;
    } else if (right !== undefined) {
      lines.push(added(right));
      j++;
    }
  }
  return lines;
}

function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [index, line] of lines.entries())
    if (line.type !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  const shown: DiffLine[] = [];
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near[index] === 1) shown.push(line);
    else if (last?.type === 'gap') shown[shown.length - 1] = { type: 'gap', count: last.count + 1 };
    else shown.push({ type: 'gap', count: 1 });
  }
  return shown;
}
