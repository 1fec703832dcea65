import assert from 'node:assert/strict';
import { nextSteps } from '../../src/cli/nextSteps.ts';
import { clock } from '../../src/cli/words.ts';
import { EXIT_CODES } from '../../src/loop/options.ts';
import type { Ending } from '../../src/shared/ending.ts';
import type { BudgetKind } from '../../src/shared/roundEvents.ts';
import { changes, count, duration, ending, score, usage } from '../../src/shared/runWords.ts';

const ENDINGS: readonly Ending[] = [
  { type: 'approved', score: 9.5 },
  { type: 'failed', role: 'review', cause: 'signIn', message: 'No key.' },
  { type: 'notApproved', cause: 'roundLimit', score: 7.5, bestRound: 2 },
  { type: 'noVerdict', message: 'The review is empty.' },
  { type: 'stopped' },
];

describe('words', () => {
  it('says durations as people do', () => {
    const said = [0, 400, 9_900, 9_960, 59_400, 59_600, 72_000, 3_600_000, 5_000_000, -5].map(duration);
    assert.deepEqual(said, [
      '0.0 s',
      '0.4 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1 m 00 s',
      '1 m 12 s',
      '1 h 00 m',
      '1 h 23 m',
      '0.0 s',
    ]);
  });

  it('runs a clock', () => {
    assert.deepEqual([-1, 999, 42_000, 3_665_000].map(clock), ['0:00', '0:00', '0:42', '61:05']);
  });

  it('leaves out what the agent did not say', () => {
    const told = { inputTokens: null, outputTokens: null, cachedTokens: 5, costUsd: null };
    assert.equal(usage(told), '');
    assert.equal(usage(null), '');
    assert.equal(usage({ ...told, inputTokens: 1200, outputTokens: 300, costUsd: 0.019 }), '1.5k tokens · $0.02');
    assert.equal(usage({ ...told, outputTokens: 2_500_000 }), '2.5M tokens');
  });

  it('counts', () => {
    assert.equal(count(1, 'file'), '1 file');
    assert.equal(count(0, 'file'), '0 files');
    assert.equal(changes([]), 'no files changed');
    const file = { path: 'a', status: 'modified', added: 2, removed: 1 } as const;
    assert.equal(changes([file, { ...file, added: null, removed: null }]), '2 files +2 −1');
    assert.equal(score(7.5), '7.5/10');
    assert.equal(score(null), '–');
  });

  it('says every ending with its cause, and what can be done next', () => {
    const lines = ENDINGS.map((one) => ending(one, [5, 7.5]));
    assert.deepEqual(lines, [
      'Approved with 9.5/10 (5 → 7.5).',
      'The reviewer failed: No key.',
      'Not approved when the rounds ran out: 7.5/10 (5 → 7.5). The best was round 2.',
      'No verdict, twice: The review is empty.',
      'Stopped.',
    ]);
    const spent = (limit: BudgetKind, used: number) =>
      ending({ type: 'overBudget', limit, used, allowed: 1, score: null, bestRound: null }, []);
    assert.equal(spent('minutes', 1 + 1 / 3), 'Over budget: 1.33 of 1 minutes were used.');
    assert.equal(spent('tokens', 123_456), 'Over budget: 123456 of 1 tokens were used.');
    const [, , notApproved] = ENDINGS;
    assert.ok(notApproved?.type === 'notApproved');
    const done = {
      id: 'r1',
      directory: '/s',
      kind: 'task',
      range: null,
      program: 'cgloop',
      rounds: 3,
      inWorktree: false,
    } as const;
    assert.match(nextSteps(notApproved, { ...done, open: 2 })[0] ?? '', /^The open findings stand above\. /);
    assert.match(nextSteps(notApproved, { ...done, open: 0 })[0] ?? '', /^No finding is open; /);
    const inWorktree = nextSteps(notApproved, { ...done, open: 0, inWorktree: true }).join('\n');
    assert.match(inWorktree, /cgloop worktree apply r1 .* cgloop worktree keep\|drop r1/);
    assert.doesNotMatch(inWorktree, /undo r1$/m);
    for (const one of ENDINGS) {
      const steps = nextSteps(one, {
        id: 'r1',
        directory: '/state/r1',
        kind: 'task',
        range: null,
        program: 'cgloop',
        rounds: 3,
        open: 0,
        inWorktree: false,
      });
      assert.ok(steps.some((step) => step.endsWith('cgloop undo r1')));
    }
    assert.deepEqual(
      ENDINGS.map((one) => EXIT_CODES[one.type]),
      [0, 1, 3, 4, 130],
    );
  });
});
