import assert from 'node:assert/strict';
import { disputesIn } from '../../src/loop/disputes.ts';
import {
  applyDisputes,
  applyReview,
  decideFinding,
  type FindingEvent,
  type Ledger,
  ledgerOf,
  NO_GROUND,
  openBlockers,
  openFindings,
} from '../../src/loop/findings.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { Finding, PreviousFinding, ReviewFinding, Verdict } from '../../src/shared/review.ts';

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
  return reviews.reduce<Ledger>((ledger, review, at) => applyReview(ledger, review, at + 1).ledger, []);
}
const open = (ledger: Ledger): string[] => openFindings(ledger).map(({ id }) => id);

const updated = (finding: Finding): FindingEvent => {
  return { type: 'finding.updated', id: finding.id, status: finding.status, finding };
};
/** The finding at this place of the ledger, in other words where some are given. */
const at = (ledger: Ledger, place: number, other: Partial<Finding> = {}): Finding => {
  const finding = ledger[place];
  assert.ok(finding);
  return { ...finding, ...other };
};
const opened = (ledger: Ledger): FindingEvent[] => ledger.map((finding) => ({ type: 'finding.opened', finding }));
const stamped = (events: readonly (FindingEvent | null)[]): LoopEvent[] =>
  events.flatMap((event, at) => (event === null ? [] : [{ seq: at + 1, at: 0, round: 1, ...event }]));

describe('the ledger of findings', () => {
  it('gives ids, and one event for each new finding', () => {
    const { ledger, events } = applyReview([], verdict([{ title: 'One' }, { title: 'Two', id: 'X9' }]), 1);
    assert.deepEqual(open(ledger), ['F1', 'F2']);
    const one = { id: 'F1', severity: 'major', title: 'One', detail: 'D', openedInRound: 1, status: 'open' } as const;
    assert.deepEqual(events, [
      { type: 'finding.opened', finding: one },
      { type: 'finding.opened', finding: { ...one, id: 'F2', title: 'Two', theirIds: ['X9'] } },
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
      updated(at(first, 0, { status: 'fixed' })),
      updated(at(first, 2, { status: 'withdrawn' })),
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
    assert.deepEqual(events, ledger.map(updated), 'each event carries the whole finding as it reads now');
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

  it('calls a fixed finding regressed when it is reported again, also against the word of the same review', () => {
    const fixed = ledgerAfter(verdict([{ title: 'One' }]), verdict([], [{ id: 'F1', status: 'fixed' }]));
    assert.deepEqual(open(fixed), []);
    const { ledger, events } = applyReview(fixed, verdict([{ title: 'one' }], [{ id: 'F1', status: 'fixed' }]), 3);
    assert.deepEqual(open(ledger), ['F1']);
    assert.deepEqual(events, [updated(at(ledger, 0, { status: 'regressed' }))]);
    const again = applyReview(ledger, verdict([{ title: 'one' }]), 4);
    assert.deepEqual([again.ledger, again.events], [ledger, []], 'it stays one that came back');
    const closed = applyReview(again.ledger, verdict([], [{ id: 'F1', status: 'fixed' }]), 5).ledger;
    assert.equal(applyReview(closed, verdict([], [{ id: 'F1', status: 'open' }]), 6).ledger[0]?.status, 'regressed');
    const withdrawn = ledgerAfter(verdict([{ title: 'One' }]), verdict([], [{ id: 'F1', status: 'withdrawn' }]));
    assert.equal(applyReview(withdrawn, verdict([{ title: 'One' }]), 3).ledger[0]?.status, 'open');
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

  it('finds each of several findings with one title by the text of its line, also when the file moved', () => {
    const reading = (anchors: Readonly<Record<number, string>>) => ({
      ...NO_GROUND,
      anchorOf: (_file: string, line: number) => anchors[line] ?? null,
    });
    const [one, two] = ['const first = load();', 'const second = load();'];
    const report = (...lines: readonly number[]) =>
      verdict(lines.map((line) => ({ title: 'Unchecked', file: 'a.ts', line })));
    const { ledger } = applyReview([], report(3, 9), 1, reading({ 3: one, 9: two }));
    const moved = applyReview(ledger, report(19, 13), 2, reading({ 13: one, 19: two })).ledger;
    assert.deepEqual(
      moved.map(({ id, line, anchor }) => [id, line, anchor]),
      [
        ['F1', 13, one],
        ['F2', 19, two],
      ],
    );
    const only = applyReview(ledger, report(19), 2, reading({ 19: two })).ledger;
    assert.deepEqual(
      only.map(({ line }) => line),
      [3, 19],
      'the second is the one that is reported again',
    );
  });

  it('knows a finding again under other words when line and letters agree, and not when only one of them does', () => {
    const on = (anchor: string) => ({ ...NO_GROUND, anchorOf: () => anchor });
    const first = applyReview(
      [],
      verdict([{ title: 'The result is never awaited', file: 'a.ts', line: 3 }]),
      1,
      on('save(order);'),
    ).ledger;
    const again = (title: string, anchor: string, file = 'a.ts') =>
      applyReview(first, verdict([{ title, file, line: 5 }]), 2, on(anchor)).ledger.length;
    assert.equal(again('Result is not awaited', 'save(order);'), 1);
    assert.equal(again('Result is not awaited', 'load(order);'), 2);
    assert.equal(again('Result is not awaited', 'save(order);', 'b.ts'), 2);
    assert.equal(again('Misleading name', 'save(order);'), 2);
    const brace = applyReview(
      [],
      verdict([{ title: 'The result is never awaited', file: 'a.ts', line: 3 }]),
      1,
      on('}'),
    ).ledger;
    assert.equal(
      applyReview(brace, verdict([{ title: 'Result is not awaited', file: 'a.ts', line: 9 }]), 2, on('}')).ledger
        .length,
      2,
    );
    const chinese = applyReview(
      [],
      verdict([{ title: '保存结果没有等待', file: 'a.ts', line: 3 }]),
      1,
      on('save(order);'),
    ).ledger;
    assert.equal(
      applyReview(chinese, verdict([{ title: '没有等待保存的结果', file: 'a.ts', line: 9 }]), 2, on('save(order);'))
        .ledger.length,
      1,
    );
  });

  it('lets the person’s dismissal stand against every review, and says that it was raised again', () => {
    const ledger = ledgerAfter(verdict([{ title: 'One', severity: 'blocker' }, { title: 'Two' }]));
    const event = decideFinding(ledger, 'F1', { status: 'dismissed', reason: ' We like it. ' });
    assert.deepEqual(event, updated(at(ledger, 0, { status: 'dismissed', reason: 'We like it.' })));
    const dismissed = ledgerOf([...stamped(opened(ledger)), ...stamped([event])]);
    assert.deepEqual([openBlockers(dismissed), open(dismissed)], [[], ['F2']]);
    for (const status of ['fixed', 'open', 'withdrawn'] as const) {
      const said = verdict([{ title: 'One', severity: 'blocker', detail: 'Still!' }], [{ id: 'F1', status }]);
      const { ledger: after, events, warnings } = applyReview(dismissed, said, 2);
      assert.deepEqual([after, events], [dismissed, []]);
      assert.match(warnings.join(), /F1 again, which was dismissed/);
    }
    assert.equal(decideFinding(dismissed, 'F1', { status: 'dismissed', reason: 'We like it.' }), null);
    assert.equal(decideFinding(dismissed, 'F9', { status: 'open' }), null);
    assert.equal(decideFinding(dismissed, 'F2', { status: 'open' }), null, 'it is open');
    assert.deepEqual(decideFinding(dismissed, 'F1', { status: 'open' }), updated(at(ledger, 0)));
  });

  it('takes over that a finding is late, and what fixed it, and forgets what fixed one that came back', () => {
    const hunk = { round: 2, file: 'a.ts', hunk: '@@ -1 +1 @@\n-a\n+b\n' };
    const ground = { ...NO_GROUND, isLate: ({ line }: Pick<Finding, 'line'>) => line === 9, hunkOn: () => hunk };
    const first = ledgerAfter(verdict([{ title: 'One', file: 'a.ts', line: 1 }]));
    const said = verdict(
      [
        { title: 'New', line: 2 },
        { title: 'Old', line: 9 },
      ],
      [{ id: 'F1', status: 'fixed' }],
    );
    const { ledger } = applyReview(first, said, 2, ground);
    assert.deepEqual(
      ledger.map(({ late, fixedBy }) => [late, fixedBy]),
      [
        [undefined, hunk],
        [undefined, undefined],
        [true, undefined],
      ],
    );
    const again = applyReview(
      ledger,
      verdict([
        { title: 'One', file: 'a.ts', line: 1 },
        { title: 'Old', line: 9 },
      ]),
      3,
    );
    assert.deepEqual(
      [again.ledger[0]?.fixedBy, again.ledger[0]?.status, again.ledger[2]?.late],
      [undefined, 'regressed', true],
    );
  });

  it('says of a finding that another review of the same work reports that it is open, and not that it is back', () => {
    const fixed = ledgerAfter(verdict([{ title: 'One' }]), verdict([], [{ id: 'F1', status: 'fixed' }]));
    const here = { ...NO_GROUND, isFixedHere: (id: string) => id === 'F1' };
    assert.equal(applyReview(fixed, verdict([{ title: 'One' }]), 2, here).ledger[0]?.status, 'open');
    assert.equal(applyReview(fixed, verdict([], [{ id: 'F1', status: 'open' }]), 2, here).ledger[0]?.status, 'open');
  });

  it('is what the log tells, whatever happened: reviews, disputes and decisions', () => {
    const reviews = [
      verdict([
        { title: 'One', id: 'SEC-1' },
        { title: 'Two', file: './a.ts' },
      ]),
      verdict([{ title: 'Two', file: 'a.ts', detail: 'Now worse' }], [{ id: 'SEC-1', status: 'fixed' }]),
      verdict([{ title: 'One' }, { title: 'Three' }]),
    ];
    const log: FindingEvent[] = [];
    for (const [at, review] of reviews.entries()) {
      const { ledger, events } = applyReview(ledgerOf(stamped(log)), review, at + 1);
      log.push(...events);
      assert.deepEqual(ledgerOf(stamped(log)), ledger);
    }
    log.push(
      ...applyDisputes(
        ledgerOf(stamped(log)),
        new Map([
          ['F2', 'No.'],
          ['F7', 'None.'],
        ]),
      ),
    );
    assert.deepEqual(
      ledgerOf(stamped(log)).map(({ id, status, disputed, theirIds }) => [id, status, disputed, theirIds]),
      [
        ['F1', 'regressed', undefined, ['SEC-1']],
        ['F2', 'open', 'No.', undefined],
        ['F3', 'open', undefined, undefined],
      ],
    );
  });

  it('reads logs from before findings were told whole', () => {
    const [first] = opened(ledgerAfter(verdict([{ title: 'One' }])));
    assert.ok(first);
    assert.equal(
      ledgerOf(stamped([first, { type: 'finding.updated', id: 'F1', status: 'fixed' }]))[0]?.status,
      'fixed',
    );
  });
});

describe('what the executor disputes', () => {
  it('is a line of its own words; the last one on a finding counts', () => {
    const disputes = disputesIn([
      'DISPUTED F1: first\n- **DISPUTED f2**: it is sorted: see a.ts\nDISPUTED F3：从不为空',
      'DISPUTED F1: second\nI have not DISPUTED F4: at all\nDISPUTED F5:\nDISPUTED: F6',
    ]);
    assert.deepEqual(
      [...disputes],
      [
        ['F1', 'second'],
        ['F2', 'it is sorted: see a.ts'],
        ['F3', '从不为空'],
      ],
    );
  });

  it('is nothing in a fence or a quote', () => {
    assert.equal(disputesIn(['```\nDISPUTED F1: quoted\n```\n> DISPUTED F2: quoted too']).size, 0);
  });
});
