import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bestRoundOf, openCount, type RoundTrace, roundsOf, stuckIn } from '../../src/loop/convergence.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import type { Finding, Verdict } from '../../src/shared/review.ts';

const finding = (id: string, more: Partial<Finding> = {}): Finding => ({
  id,
  severity: 'minor',
  title: id,
  detail: '',
  openedInRound: 1,
  status: 'open',
  ...more,
});

/** Rounds with these counts of open findings, each a piece of work of its own. */
const counted = (...counts: readonly (number | Partial<RoundTrace['open']>)[]): RoundTrace[] =>
  counts.map((count, at) => ({
    round: at + 1,
    score: 6,
    open: { counted: 0, grave: 0, late: 0, ...(typeof count === 'number' ? { counted: count } : count) },
    tree: `t${at}`,
    patch: edit('a.ts', `s${at}`, `s${at + 1}`, [`+work of round ${at + 1}`]),
  }));

function edit(file: string, from: string, to: string, lines: readonly string[]): string {
  const id = (state: string) => Buffer.from(state).toString('hex');
  const head = `diff --git a/${file} b/${file}\nindex ${id(from)}..${id(to)} 100644\n--- a/${file}\n+++ b/${file}\n`;
  return `${head}@@ -1,3 +1,3 @@\n unchanged\n${lines.join('\n')}\n`;
}

/** Rounds that leave these patches, with fewer findings each time, so that no plateau is seen. */
const worked = (...patches: readonly string[]): RoundTrace[] =>
  patches.map((patch, at) => ({
    round: at + 1,
    score: 6,
    open: { counted: 100 - at, grave: 0, late: 0 },
    tree: `t${at}`,
    patch,
  }));

describe('a plateau', () => {
  const table: readonly [string, RoundTrace[], number, RegExp | null][] = [
    ['is not seen in two rounds', counted(2, 2), 2, null],
    [
      'is the same number over two rounds',
      counted(2, 2, 2),
      2,
      /did not become fewer over the last 2 rounds: 2 → 2 → 2\./,
    ],
    ['is a rising number', counted(1, 2, 3), 2, /1 → 2 → 3/],
    ['is judged over the newest rounds alone', counted(9, 2, 2, 3), 2, /: 2 → 2 → 3\./],
    ['is none when the number fell in between', counted(3, 2, 3), 2, null],
    ['is none when the number falls', counted(3, 2, 1), 2, null],
    [
      'is none when the findings become lighter',
      counted({ counted: 2, grave: 2 }, { counted: 2, grave: 2 }, { counted: 3, grave: 1 }),
      2,
      null,
    ],
    ['is seen at once where one round is enough', counted(2, 2), 1, /in the last round: 2 → 2/],
    ['takes as many rounds as it is told', counted(2, 2, 2, 2), 4, null],
    ['is never seen when it is off', counted(2, 2, 2, 2, 2), 0, null],
    ['does not count what was raised late', counted(1, { counted: 0, late: 2 }, { counted: 0, late: 3 }), 2, null],
    ['says how many were late', counted(1, 1, { counted: 1, late: 2 }), 2, /1 → 1 → 1\. 2 more were raised late/],
    ['is none where only late ones are open', counted({ late: 1 }, { late: 2 }, { late: 2 }), 2, null],
    [
      'is a score that does not rise where nothing is open',
      counted(0, 0, 0),
      2,
      /score did not rise over the last 2 rounds: 6 → 6 → 6/,
    ],
  ];
  for (const [title, rounds, over, expected] of table) {
    it(title, () => {
      const stuck = stuckIn(rounds, over);
      if (expected === null) return assert.equal(stuck, null);
      assert.equal(stuck?.cause, 'plateau');
      assert.match(stuck.message, expected);
    });
  }

  it('counts open and regressed findings, and late ones only once they regressed', () => {
    const findings = [
      finding('F1', { severity: 'blocker' }),
      finding('F2', { status: 'regressed', late: true }),
      finding('F3', { late: true }),
      finding('F4', { status: 'fixed' }),
      finding('F5', { status: 'dismissed' }),
      finding('F6', { status: 'withdrawn' }),
    ];
    assert.deepEqual(openCount(findings), { counted: 2, grave: 1, late: 1 });
  });

  it('is never seen as long as the findings fall (property)', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (counts, over) => {
          const falling = counts.toSorted((a, b) => b - a);
          assert.equal(stuckIn(counted(...falling), over), null);
          const rising = falling.toReversed();
          assert.equal(stuckIn(counted(...rising), over)?.cause, rising.length > over ? 'plateau' : undefined);
        },
      ),
    );
  });
});

describe('an oscillation', () => {
  const a = ['-const mode = "first";', '+const mode = "second";'];
  const b = ['-const mode = "second";', '+const mode = "first";'];
  const there = edit('a.ts', 'A', 'B', a);
  const back = edit('a.ts', 'B', 'A', b);
  const other = edit('other.ts', 'X', 'Y', ['+const other = 1;', '+const more = 2;', '+const most = 3;']);

  it('is a folder that was reviewed before', () => {
    const rounds = worked(there, other, edit('other.ts', 'Y', 'X', [])).map((one, at) => ({
      ...one,
      tree: `t${at === 2 ? 0 : at}`,
    }));
    const stuck = stuckIn(rounds, 2);
    assert.equal(stuck?.cause, 'oscillation');
    assert.match(stuck.message, /After round 3 the folder is as it was after round 1, which was not approved/);
  });

  it('is no work that was taken back once: a review may ask for that', () => {
    assert.equal(stuckIn(worked(there, back), 2), null);
    assert.equal(stuckIn(worked(there, other, back), 2), null);
  });

  it('is no round that changed nothing', () => {
    const rounds = worked(there, '', '').map((one) => ({ ...one, tree: 't' }));
    assert.equal(stuckIn(rounds, 2), null);
  });

  it('is a change that was made before', () => {
    const stuck = stuckIn(worked(there, other, there), 2);
    assert.match(stuck?.message ?? '', /Round 3 made the very change that round 1 had made/);
  });

  it('is a file that goes back and forth, whatever else is done', () => {
    const mixed = edit('a.ts', 'A', 'B', a) + other;
    const stuck = stuckIn(
      worked(
        mixed,
        `${back}${edit('b.ts', '1', '2', ['+new in b'])}`,
        there + edit('c.ts', '1', '2', ['+new in c', '+and more']),
      ),
      2,
    );
    assert.equal(stuck?.cause, 'oscillation');
    assert.match(stuck.message, /a\.ts is back where it had been, in rounds 2 and 3/);
  });

  it('is lines edited back and forth in a file that grows', () => {
    const rounds = worked(
      edit('a b.ts', '1', '2', [...a, '+const one = 1;']),
      edit('a b.ts', '2', '3', [...b, '+const two = 2;']),
      edit('a b.ts', '3', '4', [...a, '+const three = 3;']),
    );
    const stuck = stuckIn(rounds, 2);
    assert.match(
      stuck?.message ?? '',
      /2 of the 3 changed lines of round 3 had been edited back and forth before, in a b\.ts/,
    );
  });

  it('is no code that moves, and no brace that comes and goes', () => {
    const moved = (from: string, to: string, n: number) =>
      edit('a.ts', from, to, [
        '-const moved = true;',
        '+const moved = true;',
        `${n % 2 === 0 ? '-' : '+'}  }`,
        `+const step${n} = ${n};`,
      ]);
    assert.equal(
      stuckIn(worked(moved('1', '2', 1), moved('2', '3', 2), moved('3', '4', 3), moved('4', '5', 4)), 2),
      null,
    );
  });

  it('is not seen in work that only ever adds (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z ]{4,20}$/), { minLength: 1, maxLength: 8 }), (texts) => {
        const patches = texts.map((text, at) => edit('a.ts', `s${at}`, `s${at + 1}`, [`+${at} ${text}`]));
        assert.equal(stuckIn(worked(...patches), 0), null);
      }),
    );
  });
});

describe('the rounds of a log', () => {
  const verdict = (score: number): Verdict => ({
    status: 'not_approved',
    approved: false,
    score,
    source: 'json',
    reason: 'json_not_approved',
    warnings: [],
    summary: '',
    findings: [],
    previous: [],
    suggestions: [],
  });
  const checkpoint = (label: string, tree: string): LoopEventBody => ({
    type: 'checkpoint.created',
    checkpoint: { id: `c-${tree}`, tree, label },
  });
  const round = (n: number, score: number, more: readonly LoopEventBody[] = []): LoopEventBody[] => [
    { type: 'round.started' },
    checkpoint(`after round ${n}`, `t${n}`),
    { type: 'review.scored', turn: 2 * n, verdict: verdict(score), approved: false, blockedBy: [] },
    ...more,
    { type: 'round.ended' },
  ];
  const logged = (...bodies: readonly LoopEventBody[]): readonly LoopEvent[] => {
    const log = createEventLog({ now: () => 0 });
    for (const body of bodies) log.append(body);
    return log.events;
  };

  it('have their findings, folder and ground', () => {
    const events = logged(
      checkpoint('before round 1', 't0'),
      ...round(1, 5, [{ type: 'finding.opened', finding: finding('F1') }]),
      checkpoint('before round 2', 't1b'),
      ...round(2, 7, [{ type: 'finding.updated', id: 'F1', status: 'fixed' }]),
    );
    const rounds = roundsOf(events);
    assert.deepEqual(
      rounds.map(({ round, score, open, tree, between }) => [round, score, open.counted, tree, between?.before.tree]),
      [
        [1, 5, 1, 't1', 't0'],
        [2, 7, 0, 't2', 't1b'],
      ],
    );
    assert.equal(bestRoundOf(events), 2);
  });

  it('begin anew where the person had a say: when the run ended and goes on, and after a pause', () => {
    const rounds = [checkpoint('before round 1', 't0'), ...round(1, 5), ...round(2, 5)];
    const ended: LoopEventBody = { type: 'run.ended', ending: { type: 'stopped' } };
    const numbers = (...bodies: readonly LoopEventBody[]) => roundsOf(logged(...bodies)).map((one) => one.round);
    assert.deepEqual(numbers(...rounds), [1, 2]);
    assert.deepEqual(numbers(...rounds, ended, ...round(3, 5)), [2, 3]);
    assert.deepEqual(numbers(...rounds, { type: 'run.resumed', feedback: null }, ...round(3, 5)), [2, 3]);
  });

  it('take the newest review of a round as its best', () => {
    const again: LoopEventBody[] = [
      { type: 'review.scored', turn: 9, verdict: verdict(3), approved: false, blockedBy: [] },
      { type: 'round.ended' },
    ];
    assert.equal(bestRoundOf(logged(...round(1, 5), ...round(2, 8))), 2);
    assert.equal(bestRoundOf(logged(...round(1, 5), ...round(2, 8), ...again)), 1);
    assert.equal(bestRoundOf(logged({ type: 'round.started' })), null);
    assert.deepEqual(
      roundsOf(logged(...round(1, 5), ...round(2, 8), ...again)).map((one) => one.score),
      [5, 3],
    );
  });
});
