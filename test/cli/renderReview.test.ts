import assert from 'node:assert/strict';
import { renderFindings } from '../../src/cli/renderReview.ts';
import { createStyle } from '../../src/cli/style.ts';
import type { Finding } from '../../src/shared/review.ts';

const finding = (id: string, other: Partial<Finding> = {}): Finding => ({
  id,
  severity: 'major',
  file: 'a.ts',
  line: 3,
  title: `Problem ${id}`,
  detail: '',
  openedInRound: 1,
  status: 'open',
  ...other,
});
const table = (...findings: readonly Finding[]) => renderFindings(findings, 80, createStyle(false)).split('\n');

describe('the table of findings', () => {
  it('says of each how it stands, with the words of those who disagree', () => {
    assert.deepEqual(
      table(
        finding('F1', { status: 'dismissed', reason: 'We like it.', severity: 'blocker' }),
        finding('F2', { late: true }),
        finding('F3', { disputed: 'It is never empty.' }),
        finding('F4', { status: 'regressed', severity: 'blocker' }),
        finding('F5', { status: 'fixed' }),
        finding('F6', { status: 'withdrawn' }),
      ),
      [
        'F4  blocker  a.ts:3  regressed  Problem F4',
        'F2  major    a.ts:3  late       Problem F2',
        'F3  major    a.ts:3  disputed   Problem F3',
        '    disputed by the executor: It is never empty.',
        'F1  blocker  a.ts:3  dismissed  Problem F1',
        '    the reason: We like it.',
      ],
    );
  });

  it('keeps the name and the line of a long place in its column, and shows the whole of it below', () => {
    const file = 'packages/web/src/components/forms/Button.tsx';
    const [first, second, ...more] = table(finding('F1', { file, line: 120, detail: 'Why.' }), finding('F2'));
    assert.equal(first, 'F1  major    …ents/forms/Button.tsx:120  Problem F1');
    assert.equal(second, `    ${file}:120`);
    assert.deepEqual(more, ['    Why.', `F2  major    ${'a.ts:3'.padEnd(26)}  Problem F2`]);
  });

  it('says nothing of how they stand where all are simply open, and is empty without any', () => {
    assert.deepEqual(table(finding('F1'), finding('F2')), [
      'F1  major    a.ts:3  Problem F1',
      'F2  major    a.ts:3  Problem F2',
    ]);
    assert.deepEqual(table(finding('F1', { status: 'fixed' })), ['']);
    assert.match(
      table(finding('F1'), finding('F2', { status: 'regressed' }))[0] ?? '',
      /a\.ts:3 {2}open {7}Problem F1/,
    );
  });
});
