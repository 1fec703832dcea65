import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { markInterrupted } from '../../src/shared/interrupted.ts';
import { reduce, SeqGapError } from '../../src/shared/reduce.ts';
import { isEnd } from '../../src/shared/toolState.ts';
import { sumUsage } from '../../src/shared/usage.ts';
import { EMPTY_VIEW, NO_USAGE, type RunView } from '../../src/shared/view.ts';
import { CLAUDE, HEADER, longRun, START, stamp, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';

const items = (view: RunView) => view.rounds.flatMap((round) => round.items);
const item = (view: RunView, key: string) => items(view).find((each) => each.key === key);
const inTurn = { turn: 1, role: 'execute', wire: {} } as const;

/** A log that has every kind of event, in more than one turn. */
const next = (before: readonly LoopEvent[], ...bodies: LoopEventBody[]): LoopEvent[] =>
  bodies.map((body, index) => ({
    seq: before.length + index + 1,
    at: START + (before.length + index) * 100,
    round: before.at(-1)?.round ?? 0,
    ...body,
  }));

describe('reduce', () => {
  it('takes the version of a program from whichever event tells it', () => {
    const told = { sessionId: 's1', model: null, version: '2.1.198' };
    const view = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'run.started', run: HEADER },
        { type: 'agent.ready', role: 'execute', agent: { ...CLAUDE, version: null } },
        { type: 'session.updated', ...inTurn, derived: told },
        { type: 'session.updated', ...inTurn, derived: { sessionId: 's2', model: null } },
      ]),
    );
    assert.deepEqual([view.agents.execute, view.agents.review], [{ ...CLAUDE, version: '2.1.198' }, HEADER.reviewer]);
  });

  it('tells the whole story of a run of two rounds', () => {
    const view = reduce(EMPTY_VIEW, TWO_ROUND_RUN);
    assert.equal(view.lastSeq, TWO_ROUND_RUN.length);
    assert.deepEqual(view.agents.execute, CLAUDE);
    assert.deepEqual(view.ready, { execute: true, review: true });
    assert.deepEqual(
      view.rounds.map(({ number, review, endedAt }) => [number, review?.verdict.score, endedAt !== null]),
      [
        [1, 6, true],
        [2, 9, true],
      ],
    );
    assert.deepEqual(view.scores, [
      { round: 1, score: 6, approved: false },
      { round: 2, score: 9, approved: true },
    ]);
    assert.deepEqual(
      view.findings.map(({ id, status }) => [id, status]),
      [
        ['F1', 'fixed'],
        ['F2', 'fixed'],
      ],
    );
    assert.deepEqual(view.ending, { type: 'approved', score: 9 });
    assert.equal(view.acting, null);
    assert.deepEqual(view.waiting, []);
  });

  it('keeps the items of a round in the order of their first events', () => {
    const view = reduce(EMPTY_VIEW, TWO_ROUND_RUN);
    assert.deepEqual(
      view.rounds[0]?.items.map((each) => each.type),
      [
        'turn',
        'message',
        'message',
        'plan',
        'tool',
        'permission',
        'tool',
        'diagnostic',
        'changes',
        'turn',
        'message',
        'review',
      ],
    );
  });

  it('joins the chunks of a message and merges the patches of a tool call', () => {
    const view = reduce(EMPTY_VIEW, TWO_ROUND_RUN);
    const message = item(view, 'm/1/execute/message/m1');
    assert.equal(message?.type === 'message' && message.text, 'I will fix the sum.');
    const tool = item(view, 't/1/execute/toolu_test');
    assert.ok(tool?.type === 'tool');
    assert.equal(tool.state, 'success');
    assert.equal(tool.title, 'npm test');
    assert.deepEqual(tool.content, [{ type: 'text', text: '1 passing\n' }]);
    assert.notEqual(tool.endedAt, null);
  });

  it('leaves a call as it ended, whatever is said of its state later, and begins a new card for a new call of its id', () => {
    const told = (derived: object, type: 'toolCall.started' | 'toolCall.updated' = 'toolCall.updated') =>
      ({ type, ...inTurn, derived: { toolCallId: 'c', ...derived } }) as const;
    const view = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'round.started' },
        told({ title: 'first', state: 'executing' }, 'toolCall.started'),
        told({ state: 'validating' }),
        told({ state: 'cancelled', reason: 'denied' }),
        told({ state: 'error', reason: 'failed', content: [{ type: 'text', text: 'late' }] }),
        told({ title: 'second' }, 'toolCall.started'),
        told({ state: 'success' }),
        told({ title: 'third', state: 'executing' }, 'toolCall.started'),
      ]),
    );
    const tools = items(view).flatMap((each) =>
      each.type === 'tool' ? [[each.key, each.title, each.state, each.reason, each.content?.length]] : [],
    );
    assert.deepEqual(tools, [
      ['t/1/execute/c', 'first', 'cancelled', 'denied', 1],
      ['t2/1/execute/c', 'second', 'success', undefined, undefined],
      ['t3/1/execute/c', 'third', 'executing', undefined, undefined],
    ]);
  });

  it('shows the output of a command in the card that names it, also in later rounds, the newest of it', () => {
    const before: LoopEventBody[] = [
      { type: 'round.started' },
      { type: 'toolCall.started', ...inTurn, derived: { toolCallId: 'c', state: 'executing' } },
      { type: 'terminal.started', turn: 1, role: 'execute', terminalId: 'x', command: 'npm test', cwd: '/p' },
      { type: 'terminal.output', terminalId: 'x', text: 'early ', skipped: 0 },
      {
        type: 'toolCall.updated',
        ...inTurn,
        derived: { toolCallId: 'c', content: [{ type: 'terminal', terminalId: 'x' }] },
      },
      { type: 'terminal.output', terminalId: 'x', text: 'late', skipped: 0 },
      { type: 'round.started' },
    ];
    const view = reduce(EMPTY_VIEW, stamp(before));
    const [card, terminal] = view.rounds[0]?.items ?? [];
    assert.ok(card?.type === 'tool' && terminal?.type === 'terminal');
    assert.deepEqual([terminal.output, terminal.card, terminal.cut], ['early late', card.key, false]);
    assert.equal(card.terminals?.[0], terminal);
    const end = { exitCode: null, signal: 'SIGKILL', by: 'stop' } as const;
    const more = stamp([
      ...before,
      { type: 'terminal.output', terminalId: 'x', text: `😀${'y'.repeat(31_999)}`, skipped: 0 },
      { type: 'terminal.ended', terminalId: 'x', end },
      { type: 'terminal.output', terminalId: 'unknown', text: 'z', skipped: 0 },
    ]);
    const after = reduce(view, more.slice(before.length));
    const [later] = after.rounds[0]?.items ?? [];
    assert.ok(later?.type === 'tool');
    assert.deepEqual(later.terminals?.[0]?.end, end);
    assert.deepEqual([later.terminals[0]?.output.length, later.terminals[0]?.cut], [31_999, true], 'no half character');
    assert.equal(view.rounds[0]?.items[0], card, 'the view that was given stays as it was');
  });

  it('shows only those requests of an agent that were not carried out', () => {
    const moved = {
      type: 'request.moved',
      turn: 1,
      role: 'execute',
      method: 'fs/write_text_file',
      subject: 'a',
    } as const;
    const view = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'round.started' },
        { ...moved, requestId: 'r1', state: 'validating' },
        { ...moved, requestId: 'r1', state: 'success' },
        { ...moved, requestId: 'r2', state: 'cancelled', reason: 'denied', why: 'No.' },
      ]),
    );
    assert.deepEqual(
      items(view).map((each) =>
        each.type === 'request' ? [each.subject, each.state, each.reason, each.why] : each.type,
      ),
      [['a', 'cancelled', 'denied', 'No.']],
    );
  });

  it('sums usage by role and leaves unknown what nobody said', () => {
    const view = reduce(EMPTY_VIEW, TWO_ROUND_RUN);
    assert.deepEqual(view.usage.execute, {
      inputTokens: 2000,
      outputTokens: 400,
      cachedTokens: null,
      costUsd: 0.03,
    });
    assert.equal(view.usage.review.inputTokens, 4000);
    assert.equal(view.usage.review.costUsd, null);
    assert.equal(view.rounds[0]?.usage.inputTokens, 5200);
    assert.equal(view.rounds[1]?.usage.outputTokens, 100);
  });

  it('shows an open question among those that wait, as the very item of its round', () => {
    const view = reduce(EMPTY_VIEW, WAITING_RUN);
    assert.equal(view.waiting.length, 1);
    assert.equal(view.waiting[0], item(view, 'p/q1'));
    assert.deepEqual(view.acting, { role: 'execute', turn: 1, since: START + 500 });
  });

  it('opens a run again that goes on: what the former processes left is closed, and the header is the new one', () => {
    const run = { ...HEADER, rounds: 7 };
    const continued = stamp([
      ...WAITING_RUN,
      { type: 'run.ended', ending: { type: 'stopped' } },
      { type: 'run.continued', run },
    ]);
    const view = reduce(EMPTY_VIEW, continued);
    assert.deepEqual(
      [view.ending, view.endedAt, view.acting, view.waiting, view.run?.rounds],
      [null, null, null, [], 7],
    );
    const question = item(view, 'p/q1');
    assert.equal(question?.type === 'permission' && question.resolution?.by, 'dispose');
    const tool = item(view, 't/1/execute/toolu_edit');
    assert.deepEqual(tool?.type === 'tool' && [tool.state, tool.reason], ['cancelled', 'noResult']);
    let split = EMPTY_VIEW;
    for (const event of continued) split = reduce(split, [event]);
    assert.deepEqual(split, view);
  });

  it('says who settled a question', () => {
    const question = item(reduce(EMPTY_VIEW, TWO_ROUND_RUN), 'p/q1');
    assert.ok(question?.type === 'permission');
    assert.equal(question.resolution?.by, 'user');
    assert.deepEqual(question.resolution?.answer, { outcome: 'selected', optionId: 'once' });
  });

  it('keeps the usage that the turn told on its way when its end tells none', () => {
    const before = reduce(EMPTY_VIEW, WAITING_RUN);
    const usage = { ...NO_USAGE, inputTokens: 7 };
    const view = reduce(
      before,
      next(
        WAITING_RUN,
        { type: 'usage.updated', ...inTurn, derived: usage },
        {
          type: 'turn.ended',
          turn: 1,
          role: 'execute',
          wire: null,
          derived: { outcome: { type: 'cancelled', by: 'user' }, usage: null, models: [] },
        },
      ),
    );
    assert.equal(view.usage.execute.inputTokens, 7);
  });

  it('replaces a message by its final text, and keeps the place of a withdrawn one', () => {
    const before = reduce(EMPTY_VIEW, WAITING_RUN);
    const replaced = (reason: 'final' | 'withdrawn', text: string) =>
      reduce(
        before,
        next(WAITING_RUN, {
          type: 'message.replaced',
          ...inTurn,
          derived: { channel: 'message', messageId: 'm1', text, reason },
        }),
      );
    const final = item(replaced('final', 'Fixed.'), 'm/1/execute/message/m1');
    assert.ok(final?.type === 'message' && final.text === 'Fixed.' && !final.withdrawn);
    const gone = item(replaced('withdrawn', ''), 'm/1/execute/message/m1');
    assert.ok(gone?.type === 'message' && gone.withdrawn);
    assert.equal(items(replaced('withdrawn', '')).length, items(before).length);
  });

  it('folds like diagnostics in a row into one item, and no others', () => {
    const line = (text: string, code: 'stderr' | 'noise'): LoopEventBody => ({
      type: 'diagnostic',
      ...inTurn,
      wire: null,
      derived: { source: 'transport', level: 'info', code, text },
    });
    const view = reduce(
      reduce(EMPTY_VIEW, WAITING_RUN),
      next(WAITING_RUN, line('a', 'stderr'), line('b', 'stderr'), line('c', 'noise')),
    );
    const told = items(view).filter((each) => each.type === 'diagnostic');
    assert.deepEqual(
      told.map(({ text, count }) => [text, count]),
      [
        ['a\nb', 2],
        ['c', 1],
      ],
    );
  });

  it('counts a repeated review of a round once, by the last', () => {
    const events = TWO_ROUND_RUN.slice(0, TWO_ROUND_RUN.findLastIndex((event) => event.type === 'review.scored') + 1);
    const again = events.at(-1);
    assert.ok(again?.type === 'review.scored');
    const view = reduce(
      reduce(EMPTY_VIEW, events),
      next(events, { ...again, turn: 5, approved: false, verdict: { ...again.verdict, score: 3 } }).map(
        (event, index) => ({ ...event, seq: events.length + index + 1 }),
      ),
    );
    assert.deepEqual(
      view.scores.map(({ round, score }) => [round, score]),
      [
        [1, 6],
        [2, 3],
      ],
    );
    assert.equal(view.rounds[1]?.review?.verdict.score, 3);
  });

  it('keeps what came before the first round in round 0', () => {
    const view = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'run.started', run: HEADER },
        {
          type: 'diagnostic',
          turn: 0,
          role: 'review',
          wire: null,
          derived: { source: 'agent', level: 'warning', code: 'agentWarning', text: 'old' },
        },
        { type: 'round.started' },
      ]),
    );
    assert.deepEqual(
      view.rounds.map(({ number, items }) => [number, items.length]),
      [
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('ignores the answer of a question that it does not know', () => {
    const view = reduce(
      reduce(EMPTY_VIEW, WAITING_RUN),
      next(WAITING_RUN, {
        type: 'permission.resolved',
        permissionId: 'other',
        by: 'policy',
        answer: { outcome: 'cancelled' },
      }),
    );
    assert.equal(view.waiting.length, 1);
  });

  it('holds what the person edited in a row a turn, each file once, and the truth of the round', () => {
    const truth = { unannounced: ['b'], unseen: [], outside: [], byUser: ['a'], byBoth: [], ranCommands: false };
    const { rounds } = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'run.started', run: HEADER },
        { type: 'round.started' },
        { type: 'user.edited', path: 'between' },
        { type: 'turn.started', turn: 1, role: 'review', prompt: '', wire: { sessionId: null, model: null } },
        { type: 'user.edited', path: 'a' },
        { type: 'user.edited', path: 'b' },
        { type: 'user.edited', path: 'a' },
        { type: 'round.changes', files: [], truth },
        { type: 'round.changes', files: [] },
      ]),
    );
    const items = rounds.flatMap((round) => round.items);
    assert.deepEqual(
      items.flatMap((item) => (item.type === 'edited' ? [[item.turn, item.role, ...item.paths]] : [])),
      [
        [0, null, 'between'],
        [1, 'review', 'a', 'b'],
      ],
    );
    assert.deepEqual(
      items.flatMap((item) => (item.type === 'changes' ? [item.truth] : [])),
      [truth, null],
    );
  });

  it('says when the run was undone', () => {
    const ref = { id: 'c', tree: 't', label: 'l' };
    const view = reduce(
      reduce(EMPTY_VIEW, TWO_ROUND_RUN),
      next(TWO_ROUND_RUN, { type: 'run.undone', restored: ref, replaced: ref }),
    );
    assert.equal(view.undoneAt, START + TWO_ROUND_RUN.length * 100);
  });

  it('shows that the person went on in a terminal, and that they came back', () => {
    const gone = [
      ...TWO_ROUND_RUN,
      ...next(TWO_ROUND_RUN, { type: 'handover.started', role: 'execute', wire: { sessionId: 's' } }),
    ];
    const handover = (log: readonly LoopEvent[]) => reduce(EMPTY_VIEW, log).rounds.at(-1)?.items.at(-1);
    const open = handover(gone);
    assert.deepEqual([open?.type, open?.type === 'handover' && open.endedAt], ['handover', null]);
    const back = handover([...gone, ...next(gone, { type: 'handover.ended', role: 'execute' })]);
    assert.equal(back?.type === 'handover' && back.endedAt, START + gone.length * 100);
    assert.equal(back?.key, open?.key);
  });

  it('refuses a gap, a repeated event and a start in the middle, and leaves the view as it was', () => {
    const view = reduce(EMPTY_VIEW, WAITING_RUN);
    const copy = structuredClone(view);
    for (const batch of [TWO_ROUND_RUN.slice(WAITING_RUN.length + 1), WAITING_RUN.slice(-1), TWO_ROUND_RUN])
      assert.throws(() => reduce(view, batch), SeqGapError);
    assert.throws(
      () => reduce(view, [...TWO_ROUND_RUN.slice(WAITING_RUN.length, -2), ...TWO_ROUND_RUN.slice(-1)]),
      SeqGapError,
    );
    assert.deepEqual(view, copy);
  });

  it('gives the same view by whatever batches the log comes', () => {
    const log = [...TWO_ROUND_RUN, ...next(TWO_ROUND_RUN, { type: 'usage.updated', ...inTurn, derived: NO_USAGE })];
    const whole = reduce(EMPTY_VIEW, log);
    fc.assert(
      fc.property(fc.array(fc.nat(log.length)), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), log.length];
        let view = EMPTY_VIEW;
        for (const [index, edge] of edges.entries()) view = reduce(view, log.slice(edge, edges[index + 1] ?? edge));
        assert.deepEqual(view, whole);
      }),
    );
  });

  it('changes no view that it was given', () => {
    const views = [EMPTY_VIEW];
    const copies = [structuredClone(EMPTY_VIEW)];
    for (const event of TWO_ROUND_RUN) {
      const view = reduce(views.at(-1) ?? EMPTY_VIEW, [event]);
      views.push(view);
      copies.push(structuredClone(view));
    }
    assert.deepEqual(views, copies);
  });

  it('keeps the identity of everything that a batch does not touch', () => {
    const before = reduce(EMPTY_VIEW, TWO_ROUND_RUN.slice(0, -8));
    const chunk: LoopEventBody = {
      type: 'message.chunk',
      turn: 3,
      role: 'execute',
      wire: {},
      derived: { channel: 'message', messageId: 'm2', text: '!' },
    };
    const after = reduce(before, next(TWO_ROUND_RUN.slice(0, -8), chunk, chunk));
    assert.equal(after.rounds[0], before.rounds[0]);
    assert.equal(after.findings, before.findings);
    assert.equal(after.scores, before.scores);
    assert.equal(after.waiting, before.waiting);
    assert.equal(after.usage, before.usage);
    const changed = items(after).filter((each, index) => each !== items(before)[index]);
    assert.deepEqual(
      changed.map((each) => each.key),
      ['m/3/execute/message/m2'],
    );
    assert.equal(reduce(after, []), after);
  });

  it('folds 13,000 events in one batch into the view that many batches give', () => {
    const log = longRun(13_000);
    const whole = reduce(EMPTY_VIEW, log);
    let view = EMPTY_VIEW;
    for (let from = 0; from < log.length; from += 400) view = reduce(view, log.slice(from, from + 400));
    assert.deepEqual(view, whole);
    assert.equal(whole.rounds[0]?.items.filter((each) => each.type === 'tool').length, 1299);
  });
});

describe('markInterrupted', () => {
  it('ends a check with the program that ran it, also when the run goes on', () => {
    const run = stamp([
      { type: 'run.started', run: HEADER },
      { type: 'round.started' },
      { type: 'check.started', checkId: 'c1', command: 'npm test', cwd: '/p', limitSeconds: 600 },
    ]);
    const before = reduce(EMPTY_VIEW, run);
    assert.equal(before.rounds.at(-1)?.checks[0]?.end, null);
    const goesOn = stamp([
      ...run.map(({ seq: _seq, at: _at, round: _round, ...body }) => body),
      { type: 'run.continued', run: HEADER },
    ]);
    for (const view of [markInterrupted(before), reduce(EMPTY_VIEW, goesOn)]) {
      const round = view.rounds.at(-1);
      assert.deepEqual(round?.checks[0]?.end, { passed: false, exitCode: null, signal: null, by: 'stop' });
      assert.ok(round?.items.includes(round.checks[0]));
    }
  });

  it('settles the open question as dispose and the open tool call as not reported', () => {
    const before = reduce(EMPTY_VIEW, WAITING_RUN);
    const view = markInterrupted(before);
    assert.equal(view.interrupted, true);
    assert.deepEqual(view.waiting, []);
    assert.equal(view.acting, null);
    const question = item(view, 'p/q1');
    assert.ok(question?.type === 'permission' && question.resolution?.by === 'dispose');
    const tool = item(view, 't/1/execute/toolu_edit');
    assert.ok(tool?.type === 'tool' && tool.state === 'cancelled' && tool.reason === 'noResult');
    assert.equal(before.waiting.length, 1);
    assert.equal(markInterrupted(view), view);
  });

  it('leaves a run that has ended as it is', () => {
    const view = reduce(EMPTY_VIEW, TWO_ROUND_RUN);
    assert.equal(markInterrupted(view), view);
  });
});

describe('usage and tool states', () => {
  it('adds figures, and unknown only to unknown', () => {
    const one = { inputTokens: 1, outputTokens: null, cachedTokens: null, costUsd: 0.5 };
    assert.deepEqual(sumUsage([one, null, { ...NO_USAGE, inputTokens: 2, outputTokens: 3 }]), {
      inputTokens: 3,
      outputTokens: 3,
      cachedTokens: null,
      costUsd: 0.5,
    });
  });

  it('knows the three ends', () => {
    assert.deepEqual(
      (['validating', 'awaitingApproval', 'scheduled', 'executing', 'success', 'error', 'cancelled'] as const).filter(
        isEnd,
      ),
      ['success', 'error', 'cancelled'],
    );
  });
});
