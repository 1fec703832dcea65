import assert from 'node:assert/strict';
import type { Agent, TurnResult } from '../../src/agent/agent.ts';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { bestRoundOf } from '../../src/loop/convergence.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { createPauseGate } from '../../src/loop/pauseGate.ts';
import { countersOf, openQuestionsOf, resumePointOf, resumeProblem } from '../../src/loop/resumePoint.ts';
import { createTurnRunner } from '../../src/loop/runTurn.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { endingOf } from '../../src/session/replay.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { Ending, TurnOutcome } from '../../src/shared/ending.ts';
import type { LoopEvent, RunHeader } from '../../src/shared/events.ts';
import type { CheckpointRef } from '../../src/shared/fileEvents.ts';
import { english } from '../../src/shared/translate.ts';
import { NO_TEXTS, REVIEWING } from './reviewing.ts';

const OPTIONS: RunOptions = {
  ...DEFAULTS,
  task: 'Sort the list.',
  folder: '/p',
  executorModel: null,
  reviewerModel: null,
  trusted: true,
  interactive: true,
  stateFolder: '/s',
  executablePaths: {},
};
const agentRef = { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null } as const;
const HEADER: RunHeader = { ...OPTIONS, id: 'r1', executor: agentRef, reviewer: { ...agentRef, id: 'gemini' } };

const verdict = (score: number, approved: boolean, findings: object[] = []) =>
  `\`\`\`json\n${JSON.stringify({ score, approved, summary: 's', findings, previous: [], suggestions: [] })}\n\`\`\`\n${approved ? 'APPROVED' : ''}`;
const SIX = verdict(6, false, [{ severity: 'major', file: 'a.ts', line: 1, title: 'No test', detail: 'd' }]);
const NINE = verdict(9, true);
const DIED: TurnOutcome = { type: 'failed', cause: 'agentExit', message: 'Claude Code ended' };

interface Played {
  readonly ending: Ending;
  readonly events: readonly LoopEvent[];
  readonly prompts: Readonly<Record<Role, readonly string[]>>;
}

/** What one agent does in its turns: what it says, or how its turn ends otherwise. `work` changes the folder. */
type Turn = string | TurnOutcome;

/** Plays the loop from where `past` stops, on agents that say these things. The folder is one string. */
async function play(
  script: Readonly<Record<Role, readonly Turn[]>>,
  past: readonly LoopEvent[] = [],
  more: { readonly remembers?: boolean; readonly revive?: readonly boolean[]; readonly rounds?: number } = {},
): Promise<Played> {
  const log = createEventLog({ now: () => 0, past });
  const from = resumePointOf(past);
  const used = countersOf(past);
  log.append(from === null ? { type: 'run.started', run: HEADER } : { type: 'run.continued', run: HEADER });
  const broker = createPermissionBroker({
    append: (body) => log.append(body),
    decide: () => ({ type: 'ask', offers: [] }),
    turnOf: () => 0,
    onWaiting: () => undefined,
    givenOut: used.permissions,
  });
  const prompts: Record<Role, string[]> = { execute: [], review: [] };
  let work = past.length;
  const agent = (role: Role): Agent => ({
    ready: async () => ({ ref: agentRef, sessionId: 's', model: null }),
    async prompt(prompt): Promise<TurnResult> {
      prompts[role].push(prompt);
      const said = script[role][prompts[role].length - 1];
      assert.ok(said !== undefined, `an unexpected turn of ${role}`);
      if (role === 'execute') work++;
      const text = typeof said === 'string' ? said : 'half of it';
      const messageId = `${role}-${prompts[role].length}`;
      const derived = { channel: 'message', messageId, text } as const;
      log.append({ type: 'message.chunk', wire: {}, derived, turn: turns.turnOf(role), role });
      const outcome: TurnOutcome = typeof said === 'string' ? { type: 'completed' } : said;
      return { wire: {}, outcome, texts: [text], usage: null, models: [], denials: [] };
    },
    dispose: async () => undefined,
  });
  const turns = createTurnRunner({
    t: english,
    log,
    broker,
    scheduler: { cancel: () => undefined },
    agents: { execute: agent('execute'), review: agent('review') },
    clock: { now: () => 0, after: () => () => undefined },
    turnsBefore: used.turns,
    limitSeconds: 1,
    stopped: new AbortController().signal,
  });
  const revive = [...(more.revive ?? [])];
  const ending = await runLoop(
    {
      log,
      t: english,
      turns,
      unsaved: null,
      paths: { folder: '/p', resolvePath: (file) => file, caseInsensitive: false },
      stopped: new AbortController().signal,
      marker: () => 'm',
      checks: null,
      revive: async () => revive.shift() ?? false,
      reviewing: REVIEWING,
      pause: createPauseGate({
        append: (body) => log.append(body),
        interactive: false,
        askBetweenRounds: false,
        stopped: new AbortController().signal,
      }),
      budget: createBudgetGate({ log, t: english, ask: async () => null }),
      reviewed: null,
      checkpoints: {
        ...NO_TEXTS,
        snapshot: async (label): Promise<CheckpointRef> => ({ id: `c${work}`, tree: `t${work}`, label }),
        treeNow: async () => `t${work}`,
        changes: async (before, after) => ({ files: [], patch: `PATCH ${before.tree}..${after.tree}` }),
      },
    },
    { ...OPTIONS, rounds: more.rounds ?? 3 },
    from === null ? null : { ...from, remembers: more.remembers ?? true },
  );
  log.append({ type: 'run.ended', ending });
  return { ending, events: log.events, prompts };
}

const whole = () => play({ execute: ['did one', 'did two'], review: [SIX, NINE] });
const INTERRUPTED = /^Your work on this was interrupted/;

describe('a run that goes on', () => {
  it('ends as it would have, wherever it was cut, with every round executed and judged', async () => {
    const { events } = await whole();
    for (let cut = 1; cut < events.length - 1; cut++) {
      const past = events.slice(0, cut);
      const at = `cut before ${events[cut]?.type} ${cut}`;
      const point = resumePointOf(past);
      assert.ok(point !== null, at);
      const reviewsLeft = 2 - past.filter(({ type }) => type === 'round.ended').length;
      const review = [SIX, NINE].slice(2 - reviewsLeft);
      const { ending, events: all, prompts } = await play({ execute: ['did again', 'did two'], review }, past);
      assert.deepEqual(ending, { type: 'approved', score: 9 }, at);
      assert.deepEqual(all.slice(0, cut), past, at);
      assert.equal(prompts.review.length, reviewsLeft, at);
      const turns = all.flatMap((event) => (event.type === 'turn.started' ? [event.turn] : []));
      assert.deepEqual(turns, [...new Set(turns)], `${at}: no turn number twice`);
      const rounds = all.filter(({ type }) => type === 'round.started').length;
      assert.equal(rounds, 2, at);
      for (const prompt of [...prompts.execute, ...prompts.review]) assert.ok(prompt.includes(OPTIONS.task), at);
      assert.equal(INTERRUPTED.test(prompts.execute[0] ?? ''), point.step === 'goOn', at);
      assert.deepEqual(
        all.flatMap((event) => (event.type === 'finding.opened' ? [event.finding.id] : [])).slice(-1),
        ['F1'],
        at,
      );
    }
  });

  it('asks for an interrupted execution again in words that say so, with what the executor wrote before', async () => {
    const { events } = await play({ execute: [DIED], review: [] });
    assert.equal(resumePointOf(events)?.step, 'goOn');
    const { prompts, ending } = await play({ execute: ['the rest'], review: [NINE] }, events, { remembers: false });
    assert.match(prompts.execute[0] ?? '', INTERRUPTED);
    assert.match(prompts.execute[0] ?? '', /half of it/);
    assert.match(prompts.review[0] ?? '', /half of it[\s\S]*the rest/, 'the reviewer reads both parts');
    assert.equal(ending.type, 'approved');
    const remembered = await play({ execute: ['the rest'], review: [NINE] }, events);
    assert.doesNotMatch(remembered.prompts.execute[0] ?? '', /half of it/, 'its session holds it');
  });

  it('only reviews what was executed already, over the diff of the whole run', async () => {
    const { events } = await whole();
    const worked = events.findLastIndex((event) => event.type === 'turn.ended' && event.role === 'execute') + 1;
    const { prompts } = await play({ execute: [], review: [NINE] }, events.slice(0, worked));
    assert.deepEqual(prompts.execute, []);
    assert.match(prompts.review[0] ?? '', /did two/);
    assert.match(prompts.review[0] ?? '', /PATCH t0\.\./, 'from before the run');
    assert.match(prompts.review[0] ?? '', /F1/, 'with the open finding');
  });

  it('goes on after its last round when it is given more', async () => {
    const { events, ending } = await play({ execute: ['one'], review: [SIX] }, [], { rounds: 1 });
    assert.equal(ending.type, 'notApproved');
    const point = resumePointOf(events);
    assert.deepEqual([point?.round, point?.step, bestRoundOf(events)], [2, 'execute', 1]);
    assert.match(resumeProblem(events, endingOf(events), point, 1) ?? '', /allow more with --rounds/);
    assert.equal(resumeProblem(events, endingOf(events), point, 2), null);
    const { prompts, ending: then } = await play({ execute: ['two'], review: [NINE] }, events, { rounds: 2 });
    assert.match(prompts.execute[0] ?? '', /score 6 of 10[\s\S]*F1 \(major\)/);
    assert.equal(then.type, 'approved');
  });

  it('is refused where there is nothing to go on with', async () => {
    const { events } = await whole();
    const why = (log: readonly LoopEvent[]) => resumeProblem(log, endingOf(log), resumePointOf(log), 3);
    assert.match(why(events) ?? '', /it was approved/);
    assert.match(why([]) ?? '', /does not say what it worked on/);
    const checkpoint = { id: 'c', tree: 't', label: 'l' };
    const stamp = { seq: events.length, at: 0, round: 1 };
    const undone: LoopEvent = { ...stamp, type: 'run.undone', restored: checkpoint, replaced: checkpoint };
    assert.match(why([...events.slice(0, -1), undone]) ?? '', /it was undone/);
  });

  it('knows the questions that nobody settled', () => {
    const stamp = { at: 0, round: 1 };
    const asked = (seq: number, permissionId: string): LoopEvent => ({
      ...stamp,
      seq,
      type: 'permission.requested',
      turn: 1,
      role: 'execute',
      permissionId,
      wire: {},
      derived: { toolCallId: 't', title: 't', kind: 'edit', options: [], content: [], paths: [], takesMessage: false },
    });
    const answer = { outcome: 'cancelled' } as const;
    const settled: LoopEvent = {
      ...stamp,
      seq: 3,
      type: 'permission.resolved',
      permissionId: 'p1',
      by: 'user',
      answer,
    };
    assert.deepEqual(openQuestionsOf([asked(1, 'p1'), asked(2, 'p2'), settled]), ['p2']);
  });
});

describe('an executor that dies in its turn', () => {
  it('is asked to go on only when the person wants it, each time', async () => {
    const { ending, prompts } = await play({ execute: [DIED, DIED, 'all done'], review: [NINE] }, [], {
      revive: [true, true],
    });
    assert.equal(ending.type, 'approved');
    assert.equal(prompts.execute.length, 3);
    assert.doesNotMatch(prompts.execute[0] ?? '', INTERRUPTED);
    for (const prompt of prompts.execute.slice(1)) assert.match(prompt, INTERRUPTED);
    assert.match(prompts.review[0] ?? '', /half of it[\s\S]*all done/);
  });

  it('ends the run when the person does not, and nothing is sent again', async () => {
    const { ending, prompts } = await play({ execute: [DIED], review: [] });
    assert.deepEqual(ending, { type: 'failed', role: 'execute', cause: 'agentExit', message: 'Claude Code ended' });
    assert.equal(prompts.execute.length, 1);
  });

  it('ends the run without a question when it failed in another way', async () => {
    const quota: TurnOutcome = { type: 'failed', cause: 'quota', message: 'q' };
    const { ending } = await play({ execute: [quota], review: [] }, [], { revive: [true] });
    assert.equal(ending.type === 'failed' && ending.cause, 'quota');
  });
});
