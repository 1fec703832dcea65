import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allowedOf, createBudgetGate, overrunOf, spendingOf } from '../../src/loop/budget.ts';
import { amountWords, untoldWords } from '../../src/loop/budgetWords.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { Role, Usage } from '../../src/shared/agentEvents.ts';
import type { LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import type { Budget } from '../../src/shared/roundEvents.ts';
import { english } from '../../src/shared/translate.ts';

const CLAUDE = { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null } as const;
const GEMINI = { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null } as const;
const header = (budget?: Budget): RunHeader => ({
  id: 'r',
  task: 't',
  folder: '/p',
  rounds: 9,
  threshold: 9,
  turnLimitSeconds: 60,
  permissionMode: 'edits',
  trusted: false,
  executor: CLAUDE,
  reviewer: GEMINI,
  ...(budget === undefined ? {} : { budget }),
});
const usage = (tokens: number | null, costUsd: number | null): Usage => ({
  inputTokens: tokens,
  outputTokens: tokens === null ? null : 0,
  cachedTokens: null,
  costUsd,
});
const COMPLETED = { type: 'completed' } as const;

/** A log under a clock that the test moves. */
function logOf(budget?: Budget) {
  let now = 0;
  const log = createEventLog({ now: () => now });
  log.append({ type: 'run.started', run: header(budget) });
  let turn = 0;
  const then = {
    log,
    append: (body: LoopEventBody) => void log.append(body),
    wait: (minutes: number) => {
      now += minutes * 60_000;
    },
    turn(role: Role, used: Usage | null, minutes = 0) {
      turn++;
      log.append({ type: 'turn.started', turn, role, prompt: '', wire: { sessionId: null, model: null } });
      then.wait(minutes);
      log.append({
        type: 'turn.ended',
        turn,
        role,
        wire: null,
        derived: { outcome: COMPLETED, usage: used, models: [] },
      });
    },
    round(execute: Usage | null, review: Usage | null, minutes: readonly [number, number] = [0, 0]) {
      log.append({ type: 'round.started' });
      then.turn('execute', execute, minutes[0]);
      then.turn('review', review, minutes[1]);
      log.append({ type: 'round.ended' });
    },
    question(minutes: number, answer: string | null, request: Partial<PermissionRequest> = {}) {
      const permissionId = `p${log.events.length}`;
      const base = {
        toolCallId: 'x',
        title: '',
        kind: 'ask',
        options: [],
        content: [],
        paths: [],
        takesMessage: false,
      } as const;
      log.append({
        type: 'permission.requested',
        turn: 0,
        role: 'execute',
        permissionId,
        wire: {},
        derived: { ...base, ...request },
      });
      then.wait(minutes);
      const given =
        answer === null ? ({ outcome: 'cancelled' } as const) : ({ outcome: 'selected', optionId: answer } as const);
      log.append({ type: 'permission.resolved', permissionId, by: 'user', answer: given });
    },
  };
  return then;
}
const minutes = (events: Parameters<typeof spendingOf>[0]) => spendingOf(events).used.minutes;

describe('what a run has used', () => {
  it('is the sum of all turns, and of the last round and turns by themselves', () => {
    const run = logOf();
    run.round(usage(100, 0.5), usage(10, null), [2, 1]);
    run.round(usage(200, 0.25), usage(20, null), [3, 1]);
    assert.deepEqual(spendingOf(run.log.events), {
      used: { tokens: 330, money: 0.75, minutes: 7 },
      lastRound: { tokens: 220, money: 0.25, minutes: 4 },
      lastTurn: { execute: { tokens: 200, money: 0.25, minutes: 3 }, review: { tokens: 20, money: 0, minutes: 1 } },
    });
  });

  it('counts a turn that was killed as far as it told, and once', () => {
    const run = logOf();
    run.append({ type: 'turn.started', turn: 1, role: 'execute', prompt: '', wire: { sessionId: null, model: null } });
    for (const tokens of [40, 70]) {
      run.append({ type: 'usage.updated', turn: 1, role: 'execute', wire: {}, derived: usage(tokens, null) });
    }
    assert.equal(spendingOf(run.log.events).used.tokens, 70);
  });

  it('does not count the time in which the person is waited for', () => {
    const run = logOf();
    run.append({ type: 'round.started' });
    run.wait(1);
    run.question(30, 'once');
    run.wait(1);
    run.append({ type: 'run.paused', reason: 'user', why: '' });
    run.wait(60);
    run.append({ type: 'run.resumed', feedback: null });
    run.wait(2);
    run.append({ type: 'round.ended' });
    assert.equal(minutes(run.log.events), 4);
  });

  it('does not count what lies between an end, or a kill, and the going on', () => {
    const run = logOf();
    run.wait(1);
    run.append({ type: 'run.ended', ending: { type: 'stopped' } });
    run.wait(600);
    run.append({ type: 'handover.started', role: 'execute', wire: { sessionId: 's' } });
    run.wait(600);
    run.append({ type: 'handover.ended', role: 'execute' });
    run.wait(600);
    run.append({ type: 'run.continued', run: header() });
    run.wait(2);
    run.append({ type: 'round.started' });
    run.wait(600);
    run.append({ type: 'run.continued', run: header() });
    run.wait(3);
    run.append({ type: 'round.started' });
    assert.equal(minutes(run.log.events), 6);
  });

  it('never falls as the log grows, and is the sum of its turns (property)', () => {
    const turns = fc.array(
      fc.record({
        role: fc.constantFrom('execute' as const, 'review' as const),
        tokens: fc.nat(1000),
        minutes: fc.nat(9),
      }),
    );
    fc.assert(
      fc.property(turns, (told) => {
        const run = logOf();
        for (const { role, tokens, minutes: took } of told) run.turn(role, usage(tokens, 0.5), took);
        const { events } = run.log;
        const at = events.map((_, end) => spendingOf(events.slice(0, end + 1)).used.tokens);
        assert.deepEqual(
          at,
          at.toSorted((a, b) => a - b),
        );
        const { used } = spendingOf(events);
        assert.equal(
          used.tokens,
          told.reduce((sum, one) => sum + one.tokens, 0),
        );
        assert.equal(used.money, told.length * 0.5);
        assert.ok(Math.abs(used.minutes - told.reduce((sum, one) => sum + one.minutes, 0)) < 1e-9);
      }),
    );
  });
});

describe('a budget', () => {
  const gateOf = (run: ReturnType<typeof logOf>, answers: readonly (string | null)[] = []) => {
    const asked: PermissionRequest[] = [];
    const left = [...answers];
    const gate = createBudgetGate({
      log: run.log,
      t: english,
      async ask(request) {
        asked.push(request);
        const answer = left.shift() ?? null;
        run.question(5, answer, request);
        return answer;
      },
    });
    return { gate, asked };
  };

  it('is not asked about where there is none', async () => {
    const run = logOf();
    run.round(usage(1e9, 1e9), usage(1e9, 1e9), [1e6, 1e6]);
    const { gate, asked } = gateOf(run);
    assert.equal(await gate.before('execute'), null);
    assert.deepEqual(asked, []);
  });

  it('is foreseen: what the last round took is likely to be taken again', () => {
    const run = logOf({ tokens: 1000 });
    run.round(usage(400, null), usage(50, null));
    assert.equal(overrunOf(run.log.events, 'execute'), null, '450 + 450 is within it');
    run.round(usage(200, null), usage(50, null));
    assert.equal(overrunOf(run.log.events, 'execute'), null, '700 + 250 too');
    run.round(usage(100, null), usage(50, null));
    assert.equal(overrunOf(run.log.events, 'execute'), null, 'exactly the limit is within it');
    run.append({ type: 'round.started' });
    run.turn('execute', usage(130, null));
    assert.deepEqual(overrunOf(run.log.events, 'review'), { limit: 'tokens', used: 980, allowed: 1000, expected: 50 });
  });

  it('ends the run where nobody is there to be asked', async () => {
    const run = logOf({ tokens: 100 });
    run.round(usage(60, null), usage(10, null));
    const { gate } = gateOf(run, [null]);
    assert.deepEqual(await gate.before('execute'), { limit: 'tokens', used: 70, allowed: 100 });
  });

  it('is asked about with the numbers, and ends the run when the person wants that', async () => {
    const run = logOf({ money: 1 });
    run.round(usage(10, 0.6), usage(10, null));
    const { gate, asked } = gateOf(run, ['end']);
    assert.deepEqual(await gate.before('execute'), { limit: 'money', used: 0.6, allowed: 1 });
    assert.equal(asked[0]?.asker, 'loop');
    assert.match(asked[0]?.title ?? '', /has used \$0\.60 of \$1\.00, and the last round took \$0\.60/);
    assert.match(
      asked[0]?.title ?? '',
      /Gemini CLI does not tell its cost: the limit of money counts only what Claude Code tells\./,
    );
    assert.deepEqual(asked[0]?.options.map(({ scope }) => scope).slice(0, 2), [
      'asked again before the next round',
      'to $1.50',
    ]);
  });

  it('goes on for one round without it, and asks again before the next', async () => {
    const run = logOf({ tokens: 100 });
    run.round(usage(60, null), null);
    const { gate, asked } = gateOf(run, ['goOn', 'end']);
    assert.equal(await gate.before('execute'), null);
    run.append({ type: 'round.started' });
    run.turn('execute', usage(60, null));
    assert.equal(await gate.before('review'), null, 'the review belongs to the round');
    run.turn('review', null);
    run.append({ type: 'round.ended' });
    assert.equal(asked.length, 1);
    assert.notEqual(await gate.before('execute'), null);
    assert.match(asked[1]?.title ?? '', /has used 120 tokens of the 100 tokens that it may use/);
  });

  it('is raised by half as often as the person wants, and a run that goes on keeps that', async () => {
    const run = logOf({ tokens: 100, minutes: 10 });
    run.round(usage(90, null), null, [1, 1]);
    const { gate, asked } = gateOf(run, ['raise', 'raise']);
    assert.equal(await gate.before('execute'), null);
    assert.equal(asked.length, 2, '180 is above 150 too');
    assert.deepEqual(allowedOf(run.log.events), { tokens: 225, minutes: 10 });
    run.append({ type: 'run.continued', run: header({ tokens: 300 }) });
    assert.deepEqual(allowedOf(run.log.events), { tokens: 300 }, 'what is asked for anew counts from then on');
  });

  it('asks for each limit by itself', async () => {
    const run = logOf({ tokens: 100, minutes: 10 });
    run.round(usage(90, null), null, [6, 1]);
    const { gate, asked } = gateOf(run, ['goOn', 'goOn']);
    assert.equal(await gate.before('execute'), null);
    assert.deepEqual(
      asked.map(({ toolCallId }) => toolCallId),
      ['budget/tokens', 'budget/minutes'],
    );
    assert.equal(minutes(run.log.events), 7, 'the person took ten minutes to answer');
  });

  it('says once what it cannot count', async () => {
    const run = logOf({ money: 5, tokens: 1e9 });
    run.round(usage(10, 0.1), null);
    const { gate } = gateOf(run);
    await gate.before('execute');
    await gate.before('review');
    const said = run.log.events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.text] : []));
    assert.deepEqual(said, [
      'Gemini CLI does not tell its tokens: the limit of tokens counts only what Claude Code tells.',
      'Gemini CLI does not tell its cost: the limit of money counts only what Claude Code tells.',
    ]);
    assert.equal(untoldWords(run.log.events, 'minutes', english), null);
  });

  it('says amounts with their units', () => {
    assert.deepEqual(
      [
        amountWords('tokens', 1_234_567.8, english),
        amountWords('money', 0.456, english),
        amountWords('minutes', 1, english),
        amountWords('minutes', 7.46, english),
      ],
      ['1,234,568 tokens', '$0.46', '1 minute', '7.5 minutes'],
    );
  });
});
