import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DiffLine, diffLines, hunksOf } from '../../src/shared/lineDiff.ts';

const show = (lines: readonly DiffLine[]) =>
  lines.map(({ type, text }) => (type === 'same' ? ' ' : type === 'added' ? '+' : '-') + text).join('\n');
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

describe('lineDiff', () => {
  it('tells a changed line as removed and added', () => {
    assert.equal(show(diffLines('one\ntwo\nthree\n', 'one\nTWO\nthree\n')), ' one\n-two\n+TWO\n three');
    assert.equal(show(diffLines('', 'new\n')), '+new');
    assert.equal(show(diffLines('gone', '')), '-gone');
    assert.deepEqual(diffLines('', ''), []);
  });

  it('always holds both texts, and never more changes than needed for equal ones', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(text(before), text(after));
        const of = (type: DiffLine['type']) => diff.filter((line) => line.type !== type).map((line) => line.text);
        assert.deepEqual(of('added'), before);
        assert.deepEqual(of('removed'), after);
        const changes = diff.filter((line) => line.type !== 'same').length;
        assert.equal(changes, before.length + after.length - 2 * common(before, after));
      }),
    );
  });

  it('tells texts that differ too much as a whole, quickly', () => {
    const of = (prefix: string) => text(Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`));
    const diff = diffLines(of('a'), of('b'));
    assert.equal(diff.length, 6_000);
    assert.equal(diff[0]?.type, 'removed');
  });

  it('cuts a comparison into hunks with three lines around each change, and their line numbers', () => {
    const before = text(Array.from({ length: 30 }, (_, index) => `line ${index + 1}`));
    const after = before.replace('line 5\n', 'five\n').replace('line 25\n', '');
    const hunks = hunksOf(diffLines(before, after));
    assert.deepEqual(
      hunks.map(({ oldStart, newStart, lines }) => [oldStart, newStart, lines.length]),
      [
        [2, 2, 8],
        [22, 22, 7],
      ],
    );
    assert.deepEqual(hunksOf(diffLines(before, before)), []);
  });
});

/** Length of the longest common subsequence. */
function common(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (const [at, y] of b.entries())
      next.push(x === y ? (row[at] ?? 0) + 1 : Math.max(next[at] ?? 0, row[at + 1] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}
