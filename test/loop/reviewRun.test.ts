import assert from 'node:assert/strict';
import type { Agent, TurnResult } from '../../src/agent/agent.ts';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { DEFAULTS, type RunKind, type RunOptions } from '../../src/loop/options.ts';
import { createPauseGate } from '../../src/loop/pauseGate.ts';
import { countersOf, resumePointOf, resumeProblem } from '../../src/loop/resumePoint.ts';
import { reviewTask } from '../../src/loop/reviewRun.ts';
import { createTurnRunner } from '../../src/loop/runTurn.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { endingOf } from '../../src/session/replay.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEvent, RunHeader } from '../../src/shared/events.ts';
import type { Feedback } from '../../src/shared/roundEvents.ts';
import { english } from '../../src/shared/translate.ts';
import { GEMINI, HEADER } from '../fakes/events.ts';
import { NO_TEXTS, REVIEWING } from './reviewing.ts';

const RANGE = 'main...HEAD';
const optionsOf = (kind: RunKind, more: Partial<RunOptions>): RunOptions => ({
  ...DEFAULTS,
  task: reviewTask(kind === 'review' ? 'review' : 'fix', RANGE),
  kind,
  range: RANGE,
  folder: '/p',
  executorModel: null,
  reviewerModel: null,
  trusted: false,
  interactive: true,
  stateFolder: '/s',
  executablePaths: {},
  rounds: kind === 'review' ? 1 : 3,
  ...more,
});
const review = (score: number, titles: readonly string[]) => {
  const approved = score >= 9;
  const findings = titles.map((title) => ({ severity: 'major', file: 'a.ts', line: 1, title, detail: 'd' }));
  const json = { score, approved, summary: 's', findings, previous: [], suggestions: [] };
  return `\`\`\`json\n${JSON.stringify(json)}\n\`\`\`\n${approved ? 'APPROVED' : ''}`;
};

interface Played {
  readonly kind: RunKind;
  readonly reviews: readonly string[];
  readonly options?: Partial<RunOptions>;
  readonly past?: readonly LoopEvent[];
  readonly isCheckedOut?: boolean;
  /** What the person says when the run waits. */
  readonly feedback?: Feedback | null;
}

/** Plays the loop on one line of text that each execution changes; the reviewed changes begin at `base`. */
async function play({ kind, reviews, options = {}, past = [], isCheckedOut = true, feedback = null }: Played) {
  const wanted = optionsOf(kind, options);
  const log = createEventLog({ now: () => 0, past });
  const from = resumePointOf(past);
  const used = countersOf(past);
  const run: RunHeader = { ...HEADER, task: wanted.task, kind, range: RANGE, rounds: wanted.rounds };
  log.append(from === null ? { type: 'run.started', run } : { type: 'run.continued', run });
  const stopped = new AbortController().signal;
  const pause = createPauseGate({
    append: (body) => log.append(body),
    interactive: wanted.interactive,
    askBetweenRounds: false,
    stopped,
  });
  const pauses: string[] = [];
  log.subscribe((event) => {
    if (event.type !== 'run.paused') return;
    pauses.push(event.reason);
    setImmediate(() => pause.proceed(feedback));
  });
  let text = 'changed';
  const prompts: Record<Role, string[]> = { execute: [], review: [] };
  const agent = (role: Role): Agent => ({
    ready: async () => ({ ref: GEMINI, sessionId: 's', model: null }),
    async prompt(prompt): Promise<TurnResult> {
      const nth = prompts[role].push(prompt);
      if (role === 'execute') text = `solved ${nth}`;
      const said = role === 'execute' ? `I solved it, ${nth}.` : reviews[nth - 1];
      assert.ok(said !== undefined, 'an unexpected review');
      const derived = { channel: 'message', messageId: `${role}${nth}`, text: said } as const;
      log.append({ type: 'message.chunk', wire: {}, derived, turn: turns.turnOf(role), role });
      return { wire: {}, outcome: { type: 'completed' }, texts: [said], usage: null, models: [], denials: [] };
    },
    dispose: async () => undefined,
  });
  const turns = createTurnRunner({
    t: english,
    log,
    broker: createPermissionBroker({
      append: (body) => log.append(body),
      decide: () => ({ type: 'ask', offers: [] }),
      turnOf: () => 0,
      onWaiting: () => undefined,
      givenOut: used.permissions,
    }),
    scheduler: { cancel: () => undefined },
    // Nobody is there who could execute a review.
    agents: { review: agent('review'), ...(kind === 'review' ? {} : { execute: agent('execute') }) },
    clock: { now: () => 0, after: () => () => undefined },
    turnsBefore: used.turns,
    limitSeconds: 1,
    stopped,
  });
  const patchOf = (before: string, after: string) => (before === after ? '' : `-${before}\n+${after}\n`);
  const ending = await runLoop(
    {
      log,
      t: english,
      turns,
      pause,
      budget: createBudgetGate({ log, t: english, ask: async () => null }),
      unsaved: null,
      paths: { folder: '/p', resolvePath: (file) => file, caseInsensitive: false },
      stopped,
      marker: () => 'm4rk3r',
      checks: null,
      revive: async () => false,
      reviewing: REVIEWING,
      checkpoints: {
        ...NO_TEXTS,
        snapshot: async (label) => ({ id: text, tree: text, label }),
        treeNow: async () => text,
        changes: async (before, after) => ({ files: [], patch: patchOf(before.tree, after.tree) }),
      },
      reviewed: {
        range: RANGE,
        base: 'b4se',
        isCheckedOut,
        changes: async () => ({
          files: [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }],
          patch: patchOf('base', text),
        }),
      },
    },
    wanted,
    from === null ? null : { ...from, remembers: false },
  );
  log.append({ type: 'run.ended', ending });
  return { ending, prompts, pauses, events: log.events };
}

describe('a run that only reviews', () => {
  it('asks the reviewer alone, tells what it is about, and ends with its verdict', async () => {
    const { ending, prompts, pauses, events } = await play({ kind: 'review', reviews: [review(6, ['Slow'])] });
    assert.deepEqual(ending, { type: 'notApproved', cause: 'roundLimit', score: 6, bestRound: 1 });
    const [prompt = ''] = prompts.review;
    assert.match(prompt, /^You are an expert reviewer\. Somebody changed the files below/);
    assert.match(prompt, /# What is reviewed\n\n<<<DATA m4rk3r>>>\nmain\.\.\.HEAD\n<<<END m4rk3r>>>/);
    assert.match(prompt, /# All changes \(diff\)\n\n<<<DATA m4rk3r>>>\n-base\n\+changed\n/);
    assert.doesNotMatch(prompt, /executor|# Task|No checks/i);
    assert.deepEqual(pauses, []);
    const told = events.find((event) => event.type === 'changes.reviewed');
    assert.deepEqual(told?.type === 'changes.reviewed' && [told.base, told.files.length, told.round], ['b4se', 1, 1]);
    assert.ok(!events.some(({ type }) => type === 'round.changes'), 'no round of it changed anything');
  });

  it('says when other versions of the files stand in the folder', async () => {
    const { ending, prompts } = await play({ kind: 'review', reviews: [review(10, [])], isCheckedOut: false });
    assert.deepEqual(ending, { type: 'approved', score: 10 });
    assert.match(prompts.review[0] ?? '', /not what these changes lead to/);
  });

  it('is made again after it was interrupted, and cannot be gone on with once it is over', async () => {
    const { events } = await play({ kind: 'review', reviews: [review(6, ['Slow'])] });
    const cut = events.slice(
      0,
      events.findIndex(({ type }) => type === 'turn.ended'),
    );
    assert.deepEqual([resumePointOf(cut)?.round, resumePointOf(cut)?.step], [1, 'review']);
    const again = await play({ kind: 'review', reviews: [review(9, [])], past: cut });
    assert.equal(again.ending.type, 'approved');
    assert.equal(again.events.filter(({ type }) => type === 'round.started').length, 1);
    const problem = resumeProblem(events, endingOf(events), resumePointOf(events), 5);
    assert.match(problem ?? '', /it was a review, and is over: "cgloop fix"/);
  });
});

describe('a run that fixes what its review finds', () => {
  const two = [review(5, ['Slow', 'Untested']), review(9, [])];

  it('waits after the review, and gives the executor the findings that the person chose', async () => {
    const feedback = { findings: ['F2'], text: null, instruction: null };
    const { ending, prompts, pauses } = await play({ kind: 'fix', reviews: two, feedback });
    assert.equal(ending.type, 'approved');
    assert.deepEqual(pauses, ['betweenRounds'], 'only after the review that nobody worked for');
    const [prompt = '', ...more] = prompts.execute;
    assert.deepEqual(more, []);
    assert.match(prompt, /^Changes in the current folder were reviewed \(round 2 of at most 3\)/);
    assert.match(prompt, /F2 \(major\) a\.ts:1: Untested/);
    assert.doesNotMatch(prompt, /Slow|# Task/);
  });

  it('gives all of them where nobody is there, and has all the changes judged again', async () => {
    const { ending, prompts, pauses, events } = await play({
      kind: 'fix',
      reviews: two,
      options: { interactive: false },
    });
    assert.equal(ending.type, 'approved');
    assert.deepEqual(pauses, []);
    assert.match(prompts.execute[0] ?? '', /Slow[\s\S]*Untested/);
    const [, again = ''] = prompts.review;
    assert.match(again, /^You are an expert reviewer\. Changes were reviewed, and another agent then worked/);
    assert.match(again, /# All changes \(diff\)\n\n<<<DATA m4rk3r>>>\n-base\n\+solved 1\n/);
    assert.match(again, /-changed\n\+solved 1\n/, 'and those of the round');
    assert.ok(again.includes('I solved it, 1.'));
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'changes.reviewed' || event.type === 'round.changes' ? [[event.type, event.round]] : [],
      ),
      [
        ['changes.reviewed', 1],
        ['round.changes', 2],
      ],
    );
  });

  it('executes nothing when the review approves at once', async () => {
    const { ending, prompts } = await play({ kind: 'fix', reviews: [review(9.5, [])] });
    assert.deepEqual([ending, prompts.execute], [{ type: 'approved', score: 9.5 }, []]);
  });
});
