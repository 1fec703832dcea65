import assert from 'node:assert/strict';
import { applyReview, createLedger, type Ledger, openBlockers, openFindings } from '../../src/loop/findings.ts';
import type { PreviousFinding, ReviewFinding, Verdict } from '../../src/shared/events.ts';

const verdict = (
  findings: readonly Partial<ReviewFinding>[],
  previous: readonly PreviousFinding[] = [],
  status: Verdict['status'] = 'not_approved',
): Verdict => ({
  status,
  approved: status === 'approved',
  score: status === 'unparsable' ? null : 6,
  source: 'json',
  reason: 'json_not_approved',
  warnings: [],
  summary: '',
  findings: findings.map((finding) => ({ severity: 'major', title: 'T', detail: 'D', ...finding })),
  previous,
  suggestions: [],
});

/** The ledger after these reviews, one a round. */
function ledgerAfter(...reviews: readonly Verdict[]): Ledger {
  return reviews.reduce((ledger, review, at) => applyReview(ledger, review, at + 1).ledger, createLedger());
}
const open = (ledger: Ledger): string[] => openFindings(ledger).map(({ id }) => id);

describe('the ledger of findings', () => {
  it('gives ids, and one event for each new finding', () => {
    const { ledger, events } = applyReview(createLedger(), verdict([{ title: 'One' }, { title: 'Two', id: 'X9' }]), 1);
    assert.deepEqual(open(ledger), ['F1', 'F2']);
    assert.deepEqual(events, [
      {
        type: 'finding.opened',
        finding: { id: 'F1', severity: 'major', title: 'One', detail: 'D', openedInRound: 1, status: 'open' },
      },
      {
        type: 'finding.opened',
        finding: { id: 'F2', severity: 'major', title: 'Two', detail: 'D', openedInRound: 1, status: 'open' },
      },
    ]);
  });

  it('closes what the reviewer calls fixed or withdrawn, by our id or its own', () => {
    const first = ledgerAfter(verdict([{ title: 'One' }, { title: 'Two' }, { title: 'Three', id: 'SEC-1' }]));
    const { ledger, events } = applyReview(
      first,
      verdict(
        [],
        [
          { id: 'f1', status: 'fixed' },
          { id: 'SEC-1', status: 'withdrawn' },
          { id: 'F77', status: 'fixed' },
        ],
      ),
      2,
    );
    assert.deepEqual(open(ledger), ['F2']);
    assert.deepEqual(events, [
      { type: 'finding.updated', id: 'F1', status: 'fixed' },
      { type: 'finding.updated', id: 'F3', status: 'withdrawn' },
    ]);
    assert.deepEqual(open(first), ['F1', 'F2', 'F3'], 'the former ledger is as it was');
  });

  it('keeps an unmentioned finding open, and an unmentioned blocker blocks', () => {
    const ledger = ledgerAfter(
      verdict([{ severity: 'blocker', title: 'One' }]),
      verdict([{ title: 'Two' }]),
      verdict([]),
    );
    assert.deepEqual(open(ledger), ['F1', 'F2']);
    assert.deepEqual(
      openBlockers(ledger).map(({ id }) => id),
      ['F1'],
    );
  });

  it('knows a finding again by its id, then by file and title, and takes over how it reads now', () => {
    const first = verdict([
      { title: 'Wrong  `order`!', file: './src\\a.ts', line: 3 },
      { title: 'Slow', file: 'b.ts' },
    ]);
    const again = verdict([
      { id: 'F2', title: 'Quadratic sort', file: 'b.ts', severity: 'blocker' },
      { title: 'wrong order', file: 'src/a.ts', line: 9 },
    ]);
    const { ledger, events } = applyReview(ledgerAfter(first), again, 2);
    assert.deepEqual(events, []);
    assert.deepEqual(
      openFindings(ledger).map(({ id, title, line, severity, openedInRound }) => ({
        id,
        title,
        line,
        severity,
        openedInRound,
      })),
      [
        { id: 'F1', title: 'wrong order', line: 9, severity: 'major', openedInRound: 1 },
        { id: 'F2', title: 'Quadratic sort', line: undefined, severity: 'blocker', openedInRound: 1 },
      ],
    );
    assert.deepEqual(
      openBlockers(ledger).map(({ id }) => id),
      ['F2'],
    );
  });

  it('opens a fixed finding again when it is reported again, also against the word of the same review', () => {
    const fixed = ledgerAfter(verdict([{ title: 'One' }]), verdict([], [{ id: 'F1', status: 'fixed' }]));
    assert.deepEqual(open(fixed), []);
    const { ledger, events } = applyReview(fixed, verdict([{ title: 'one' }], [{ id: 'F1', status: 'fixed' }]), 3);
    assert.deepEqual(open(ledger), ['F1']);
    assert.deepEqual(events, [{ type: 'finding.updated', id: 'F1', status: 'open' }]);
  });

  it('does not take a new finding for an old one: same title elsewhere, same id for another matter, twice in one review', () => {
    const first = verdict([{ title: 'No test', file: 'a.ts', severity: 'blocker' }]);
    assert.deepEqual(open(ledgerAfter(first, verdict([{ title: 'No test', file: 'b.ts' }]))), ['F1', 'F2']);
    assert.deepEqual(open(ledgerAfter(first, verdict([{ id: 'F1', title: 'Typo', file: 'b.ts' }]))), ['F1', 'F2']);
    assert.deepEqual(open(ledgerAfter(verdict([{ title: 'Same' }, { title: 'Same' }]))), ['F1', 'F2']);
    const numbered = ledgerAfter(
      verdict([{ id: '1', title: 'A', file: 'a.ts' }]),
      verdict([{ id: '1', title: 'B', file: 'a.ts' }]),
    );
    assert.deepEqual(open(numbered), ['F1', 'F2'], 'their own numbers may begin anew each round');
    const unclear = applyReview(numbered, verdict([], [{ id: '1', status: 'fixed' }]), 3);
    assert.deepEqual(open(unclear.ledger), ['F1', 'F2'], 'an id of two findings closes neither');
  });

  it('is not changed by an unparsable review', () => {
    const ledger = ledgerAfter(verdict([{ title: 'One' }]));
    const applied = applyReview(ledger, verdict([{ title: 'Two' }], [{ id: 'F1', status: 'fixed' }], 'unparsable'), 2);
    assert.equal(applied.ledger, ledger);
    assert.deepEqual(applied.events, []);
  });
});
