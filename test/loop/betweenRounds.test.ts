import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Agent, TurnResult } from '../../src/agent/agent.ts';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { createPauseGate, type PauseGate, personsWordOf } from '../../src/loop/pauseGate.ts';
import { countersOf, resumePointOf, resumeProblem } from '../../src/loop/resumePoint.ts';
import { createTurnRunner } from '../../src/loop/runTurn.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { createEventLog, type EventLog } from '../../src/session/eventLog.ts';
import { endingOf } from '../../src/session/replay.ts';
import type { Role, Usage } from '../../src/shared/agentEvents.ts';
import type { Ending, TurnOutcome } from '../../src/shared/ending.ts';
import type { LoopEvent, RunHeader } from '../../src/shared/events.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { english } from '../../src/shared/translate.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
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
const AGENT = { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null } as const;
const HEADER: RunHeader = {
  ...OPTIONS,
  id: 'r1',
  executor: AGENT,
  reviewer: { ...AGENT, id: 'gemini', name: 'Gemini CLI' },
};

interface Told {
  readonly score: number;
  readonly findings?: readonly string[];
  readonly previous?: readonly { readonly id: string; readonly status: 'fixed' | 'open' }[];
}
const review = ({ score, findings = [], previous = [] }: Told) => {
  const approved = score >= 9;
  const found = findings.map((title) => ({ severity: 'major', file: 'a.ts', line: 1, title, detail: 'd' }));
  const json = { score, approved, summary: `worth ${score}`, findings: found, previous, suggestions: [] };
  return `In my words.\n\`\`\`json\n${JSON.stringify(json)}\n\`\`\`\n${approved ? 'APPROVED' : ''}`;
};

/** What happens in a run while it is under way, by the person's hand. */
interface Hand {
  readonly log: EventLog;
  readonly pause: PauseGate;
  readonly stop: AbortController;
  files: string;
  readonly tick: (minutes: number) => void;
}

interface Script {
  /** What the executor leaves in the file in its nth turn, from 1; absent: something new. */
  readonly files?: (turn: number, hand: Hand) => string;
  readonly outcome?: (turn: number) => TurnOutcome;
  readonly review: (turn: number, hand: Hand) => Told;
  readonly usage?: Usage;
  readonly answer?: string | null;
}

/** Tree id to what is in the file. */
const TREES = new Map<string, string>();

/** Plays a run whose folder holds one file with one line, from where `past` stops. */
async function play(
  script: Script,
  options: Partial<RunOptions> = {},
  {
    past = [],
    folder = 'start',
    onEvent = () => undefined,
  }: {
    readonly past?: readonly LoopEvent[];
    /** What is in the file when it begins. */
    readonly folder?: string;
    readonly onEvent?: (event: LoopEvent, hand: Hand) => void;
  } = {},
) {
  const wanted = { ...OPTIONS, ...options };
  const { budget, rounds } = wanted;
  const header = { ...HEADER, rounds, ...(budget === undefined ? {} : { budget }) };
  let now = 0;
  const log = createEventLog({ now: () => now, past });
  const from = resumePointOf(past, wanted.reviewAgain);
  const used = countersOf(past);
  log.append(from === null ? { type: 'run.started', run: header } : { type: 'run.continued', run: header });
  const stop = new AbortController();
  const pause = createPauseGate({
    append: (body) => log.append(body),
    interactive: wanted.interactive,
    askBetweenRounds: wanted.askBetweenRounds ?? false,
    stopped: stop.signal,
  });
  const hand: Hand = {
    log,
    pause,
    stop,
    files: folder,
    tick(minutes) {
      now += minutes * 60_000;
    },
  };
  const patchOf = (from: string, to: string) =>
    from === to
      ? ''
      : `diff --git a/a.ts b/a.ts\nindex ${from}..${to} 100644\n@@ -1 +1 @@\n-${TREES.get(from)}\n+${TREES.get(to)}\n`;
  const snapshot = () => {
    const tree = createHash('sha1').update(hand.files).digest('hex');
    TREES.set(tree, hand.files);
    return tree;
  };
  const prompts: Record<Role, string[]> = { execute: [], review: [] };
  const agent = (role: Role): Agent => ({
    ready: async () => ({ ref: AGENT, sessionId: 's', model: null }),
    async prompt(prompt): Promise<TurnResult> {
      const nth = prompts[role].push(prompt);
      const outcome: TurnOutcome = (role === 'execute' ? script.outcome?.(nth) : undefined) ?? { type: 'completed' };
      if (role === 'execute') hand.files = script.files?.(nth, hand) ?? `work ${past.length}.${nth} of the executor`;
      const text = role === 'execute' ? `did ${nth}` : review(script.review(nth, hand));
      const derived = { channel: 'message', messageId: `${role}-${nth}`, text } as const;
      log.append({ type: 'message.chunk', wire: {}, derived, turn: turns.turnOf(role), role });
      return { wire: {}, outcome, texts: [text], usage: script.usage ?? null, models: [], denials: [] };
    },
    dispose: async () => undefined,
  });
  const broker = createPermissionBroker({
    append: (body) => log.append(body),
    decide: () => ({ type: 'ask', offers: [] }),
    turnOf: () => 0,
    onWaiting: () => undefined,
    givenOut: used.permissions,
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
    stopped: stop.signal,
  });
  log.subscribe((event) => onEvent(event, hand));
  const ending: Ending = await runLoop(
    {
      log,
      t: english,
      turns,
      pause,
      budget: createBudgetGate({ log, t: english, ask: async () => script.answer ?? null }),
      unsaved: null,
      paths: { folder: '/p', resolvePath: (file) => file, caseInsensitive: false },
      stopped: stop.signal,
      marker: () => 'm4rk3r',
      checks: null,
      revive: async () => false,
      reviewing: REVIEWING,
      checkpoints: {
        ...NO_TEXTS,
        snapshot: async (label) => ({ id: snapshot(), tree: snapshot(), label }),
        treeNow: async () => snapshot(),
        changes: async (before, after) => ({
          files: before.tree === after.tree ? [] : [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }],
          patch: patchOf(before.tree, after.tree),
        }),
      },
    },
    wanted,
    from === null ? null : { ...from, remembers: true },
  );
  log.append({ type: 'run.ended', ending });
  return { ending, prompts, events: log.events };
}

const types = (events: readonly LoopEvent[]) => events.map(({ type }) => type);
const labels = (events: readonly LoopEvent[]) =>
  events.flatMap((event) => (event.type === 'checkpoint.created' ? [event.checkpoint.label] : []));
/** Once the loop has come to rest where it waits. */
const atRest = (act: () => void) => void setImmediate(act);
const SIX = { score: 6, findings: ['No test', 'Slow'] };

describe('a run that leads nowhere', () => {
  const oneNewProblem = (nth: number) => ({
    score: 8,
    findings: [`Problem ${nth}`],
    previous: nth === 1 ? [] : [{ id: `F${nth - 1}`, status: 'fixed' as const }],
  });

  it('C77: with three rounds it has exactly three, and the best one is named', async () => {
    const { ending, prompts } = await play({ review: oneNewProblem }, { rounds: 3 });
    assert.deepEqual(ending, { type: 'notApproved', cause: 'roundLimit', score: 8, bestRound: 1 });
    assert.equal(prompts.execute.length, 3);
  });

  it('C77: with more rounds it ends with the third, as a plateau with its numbers', async () => {
    const { ending, prompts } = await play({ review: oneNewProblem }, { rounds: 20 });
    const message = 'The open findings did not become fewer over the last 2 rounds: 1 → 1 → 1.';
    assert.deepEqual(ending, { type: 'notApproved', cause: 'plateau', score: 8, bestRound: 1, message });
    assert.equal(prompts.execute.length, 3);
  });

  it('goes to its limit when plateauRounds is 0, and to an approval whenever that comes', async () => {
    const off = await play({ review: oneNewProblem }, { rounds: 6, plateauRounds: 0 });
    assert.deepEqual([off.ending.type, off.prompts.execute.length], ['notApproved', 6]);
    const late = await play({ review: (nth) => (nth === 3 ? { score: 9 } : oneNewProblem(nth)) }, { rounds: 6 });
    assert.equal(late.ending.type, 'approved', 'an approval comes before every other ending');
  });

  it('ends as an oscillation when the folder is back where it was refused', async () => {
    const { ending, prompts } = await play(
      {
        files: (nth) => (nth % 2 === 1 ? 'const a = "left";' : 'const a = "right";'),
        review: (nth) => ({ score: 5 + nth, findings: Array.from({ length: 9 - nth }, (_, at) => `P${nth}.${at}`) }),
      },
      { rounds: 9 },
    );
    assert.equal(ending.type === 'notApproved' && ending.cause, 'oscillation');
    assert.match(
      (ending.type === 'notApproved' && ending.message) || '',
      /After round 3 the folder is as it was after round 1/,
    );
    assert.equal(ending.type === 'notApproved' && ending.bestRound, 3);
    assert.equal(prompts.execute.length, 3);
  });

  it('is seen across a kill as well: the diffs of earlier rounds are made again', async () => {
    const script: Script = {
      files: (nth) => (nth % 2 === 1 ? 'const a = "left";' : 'const a = "right";'),
      review: (nth) => ({ score: 5, findings: Array.from({ length: 9 - nth }, (_, at) => `P${nth}.${at}`) }),
    };
    const { events } = await play(script, { rounds: 2 });
    const killed = events.slice(0, -1);
    const { ending } = await play({ ...script, files: () => 'const a = "left";' }, { rounds: 9 }, { past: killed });
    assert.equal(ending.type === 'notApproved' && ending.cause, 'oscillation');
  });

  it('has as many rounds again when the person goes on with it', async () => {
    const { events } = await play({ review: oneNewProblem }, { rounds: 20 });
    const { prompts, ending } = await play(
      { review: (nth) => oneNewProblem(nth + 3) },
      { rounds: 20 },
      { past: events },
    );
    assert.equal(prompts.execute.length, 2);
    assert.equal(ending.type === 'notApproved' && ending.cause, 'plateau');
  });
});

describe('the person between two rounds', () => {
  it('is waited for after each round that was not approved, and sends the review as it came', async () => {
    const { events, ending, prompts } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      { askBetweenRounds: true },
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'run.paused') atRest(() => assert.equal(pause.proceed(null), true));
        },
      },
    );
    assert.equal(ending.type, 'approved');
    const told = events.find((event) => event.type === 'run.paused');
    assert.deepEqual(told?.type === 'run.paused' && [told.reason, told.why], [
      'betweenRounds',
      'Round 1 is over: 6/10, 2 open findings.',
    ]);
    assert.match(prompts.execute[1] ?? '', /In my words\.[\s\S]*F1[\s\S]*F2/);
    const [ended, paused, resumed, started] = ['round.ended', 'run.paused', 'run.resumed', 'round.started'].map(
      (type) =>
        events.findLastIndex(
          (event) => event.type === type && event.round <= 2 && (type !== 'round.ended' || event.round === 1),
        ),
    );
    assert.ok((ended ?? 0) < (paused ?? 0) && (paused ?? 0) < (resumed ?? 0) && (resumed ?? 0) < (started ?? 0));
    assert.equal(events.filter(({ type }) => type === 'run.paused').length, 1, 'not after the approval');
  });

  it('edits the review, chooses findings and adds an instruction, and only that goes back', async () => {
    const feedback = { findings: ['F2'], text: 'Only the speed matters.', instruction: 'Keep it short.' };
    const { prompts } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      { askBetweenRounds: true },
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'run.paused') atRest(() => pause.proceed(feedback));
        },
      },
    );
    const [, second = ''] = prompts.execute;
    assert.match(second, /Only the speed matters\./);
    assert.match(second, /F2 \(major\)/);
    assert.match(second, /Keep it short\./);
    assert.doesNotMatch(second, /F1|No test|In my words/);
  });

  it('keeps what it leaves out from the executor without editing, and open for the reviewer', async () => {
    const feedback = { findings: ['F2'], text: null, instruction: null };
    const { prompts } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      { askBetweenRounds: true },
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'run.paused') atRest(() => pause.proceed(feedback));
        },
      },
    );
    assert.match(prompts.execute[1] ?? '', /worth 6/);
    assert.doesNotMatch(prompts.execute[1] ?? '', /F1|No test/);
    assert.match(prompts.review[1] ?? '', /F1[\s\S]*No test/);
  });

  it('is waited for once after a wish to pause, which can be taken back', async () => {
    const paused: string[] = [];
    const { ending } = await play(
      { review: (nth) => (nth === 4 ? { score: 9 } : { score: nth, findings: [`P${nth}`] }) },
      { rounds: 5, plateauRounds: 0 },
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'turn.started' && event.role === 'review') {
            if (event.round === 1) pause.want(true);
            if (event.round === 2) {
              pause.want(true);
              pause.want(false);
            }
          }
          if (event.type === 'run.paused') {
            paused.push(event.reason);
            assert.equal(pause.wanted, false);
            atRest(() => pause.proceed(null));
          }
        },
      },
    );
    assert.equal(ending.type, 'approved');
    assert.deepEqual(paused, ['user']);
  });

  it('is told of a plateau instead of an ending when the person is asked anyway', async () => {
    const whys: string[] = [];
    await play(
      { review: (nth) => ({ score: 8, findings: [`P${nth}`] }) },
      { rounds: 4 },
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'turn.started' && event.round === 3) pause.want(true);
          if (event.type !== 'run.paused') return;
          whys.push(event.why);
          atRest(() => pause.proceed(null));
        },
      },
    );
    assert.match(whys[0] ?? '', /^Round 3 is over: 8\/10, 3 open findings\. The open findings did not become fewer/);
  });

  it('is waited for with the reason that something else demands', async () => {
    const { events } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      {},
      {
        onEvent: (event, { pause }) => {
          if (event.type === 'round.started' && event.round === 1) pause.demand('headMoved', 'You committed.');
          if (event.type === 'run.paused') atRest(() => pause.proceed(null));
        },
      },
    );
    const paused = events.filter((event) => event.type === 'run.paused');
    assert.deepEqual(
      paused.map((event) => event.type === 'run.paused' && [event.reason, event.why]),
      [['headMoved', 'You committed.']],
    );
  });

  it('is not waited for where nobody is there', async () => {
    const { events, ending } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      { askBetweenRounds: true, interactive: false },
    );
    assert.equal(ending.type, 'approved');
    assert.ok(!types(events).includes('run.paused'));
  });

  it('may change the folder meanwhile: that is not the executor’s work', async () => {
    const { events, prompts } = await play(
      { review: (nth) => (nth === 1 ? SIX : { score: 9 }) },
      { askBetweenRounds: true },
      {
        onEvent: (event, hand) => {
          if (event.type !== 'run.paused') return;
          atRest(() => {
            hand.files = 'typed by the person';
            hand.pause.proceed(null);
          });
        },
      },
    );
    assert.deepEqual(labels(events), ['before round 1', 'after round 1', 'before round 2', 'after round 2']);
    assert.match(prompts.review[1] ?? '', /-typed by the person/);
  });

  it('writes notes at any time, each for the next execution and once', async () => {
    const { prompts } = await play(
      { review: (nth) => (nth === 3 ? { score: 9 } : { score: 5 + nth, findings: nth === 1 ? ['A', 'B'] : [] }) },
      { rounds: 4 },
      {
        onEvent: (event, { log }) => {
          if (event.round !== 1) return;
          if (event.type === 'turn.started') log.append({ type: 'user.note', text: `said while ${event.role} ran` });
        },
      },
    );
    const [first = '', second = '', third = ''] = prompts.execute;
    assert.doesNotMatch(first, /said while/);
    assert.match(second, /said while execute ran[\s\S]*said while review ran/);
    assert.doesNotMatch(third, /said while/);
  });

  it('is asked again when the run goes on after it was stopped, or killed, in a pause', async () => {
    const { events, ending } = await play(
      { review: () => SIX },
      { askBetweenRounds: true },
      {
        onEvent: (event, { stop }) => {
          if (event.type === 'run.paused') atRest(() => stop.abort());
        },
      },
    );
    assert.equal(ending.type, 'stopped');
    for (const past of [events, events.slice(0, -1)]) {
      const point = resumePointOf(past);
      assert.deepEqual([point?.round, point?.step, point?.paused?.reason], [2, 'execute', 'betweenRounds']);
      assert.equal(reduce(EMPTY_VIEW, past).paused === null, past === events, 'a run that ended does not wait');
      let pauses = 0;
      const next = await play(
        { review: () => ({ score: 9 }) },
        {},
        {
          past,
          onEvent: (event, { pause }) => {
            if (event.type !== 'run.paused') return;
            pauses++;
            atRest(() => pause.proceed({ findings: null, text: null, instruction: 'After the pause.' }));
          },
        },
      );
      assert.deepEqual([next.ending.type, pauses], ['approved', 1]);
      assert.match(next.prompts.execute[0] ?? '', /F1[\s\S]*After the pause\./);
      assert.ok(
        !types(next.events.slice(past.length))
          .slice(0, types(next.events.slice(past.length)).indexOf('run.paused'))
          .includes('round.started'),
      );
    }
    const nobody = await play({ review: () => ({ score: 9 }) }, { interactive: false }, { past: events });
    assert.equal(nobody.ending.type, 'approved', 'a pause that nobody can end is none');
  });

  it('has its words sent again with an execution that did not come to its end', async () => {
    const feedback = { findings: ['F1'], text: null, instruction: 'Mind the tests.' };
    const { events } = await play(
      {
        review: () => SIX,
        outcome: (nth) => (nth === 2 ? { type: 'failed', cause: 'agentExit', message: 'gone' } : { type: 'completed' }),
      },
      { askBetweenRounds: true },
      {
        onEvent: (event, { pause, log }) => {
          if (event.type === 'run.paused') atRest(() => pause.proceed(feedback));
          if (event.type === 'turn.started' && event.role === 'review')
            log.append({ type: 'user.note', text: 'A note.' });
        },
      },
    );
    assert.deepEqual(personsWordOf(events), { paused: null, feedback, notes: ['A note.'] });
    const { prompts } = await play({ review: () => ({ score: 9 }) }, {}, { past: events });
    assert.match(prompts.execute[0] ?? '', /was interrupted[\s\S]*F1[\s\S]*A note\.[\s\S]*Mind the tests\./);
    assert.doesNotMatch(prompts.execute[0] ?? '', /F2/);
  });
});

describe('a budget of a run', () => {
  const usage = { inputTokens: 90, outputTokens: 10, cachedTokens: null, costUsd: null };

  it('ends it before the round that would pass it, with what was used and the best round', async () => {
    const { ending, events, prompts } = await play(
      { usage, review: (nth) => ({ score: nth, findings: [`P${nth}`] }) },
      { budget: { tokens: 500 }, rounds: 9 },
    );
    assert.deepEqual(ending, { type: 'overBudget', limit: 'tokens', used: 400, allowed: 500, score: 2, bestRound: 2 });
    assert.equal(prompts.execute.length, 2);
    assert.equal(events.at(-2)?.type, 'round.ended', 'no round is begun for it');
  });

  it('never cuts a turn: what passes it is asked about after the turn', async () => {
    const { ending, prompts } = await play({ usage, review: () => ({ score: 9 }) }, { budget: { tokens: 50 } });
    assert.deepEqual(ending, {
      type: 'overBudget',
      limit: 'tokens',
      used: 100,
      allowed: 50,
      score: null,
      bestRound: null,
    });
    assert.deepEqual([prompts.execute.length, prompts.review.length], [1, 0]);
  });

  it('is no matter to a run that ends anyway', async () => {
    const approved = await play({ usage, review: () => ({ score: 9 }) }, { budget: { tokens: 200 } });
    assert.equal(approved.ending.type, 'approved');
    const limit = await play({ usage, review: () => ({ score: 2 }) }, { budget: { tokens: 200 }, rounds: 1 });
    assert.equal(limit.ending.type === 'notApproved' && limit.ending.cause, 'roundLimit');
  });

  it('counts what was used before the run was gone on with', async () => {
    const { events } = await play({ usage, review: () => SIX }, { budget: { tokens: 250 } });
    const { ending, prompts } = await play(
      { usage, review: () => ({ score: 9 }) },
      { budget: { tokens: 300 } },
      { past: events },
    );
    assert.deepEqual([ending.type, prompts.execute.length], ['overBudget', 0]);
  });

  it('does not count the minutes of a pause', async () => {
    const { ending } = await play(
      {
        files: (nth, { tick }) => {
          tick(2);
          return `two minutes ${nth}`;
        },
        review: (nth) => (nth === 2 ? { score: 9 } : SIX),
      },
      { budget: { minutes: 5 }, askBetweenRounds: true },
      {
        onEvent: (event, { pause, tick }) => {
          if (event.type !== 'run.paused') return;
          tick(600);
          atRest(() => pause.proceed(null));
        },
      },
    );
    assert.equal(ending.type, 'approved');
  });
});

describe('another review of the last round', () => {
  it('is made of a run that was approved, and counts', async () => {
    const { events } = await play({ review: () => ({ score: 9 }) });
    assert.match(resumeProblem(events, endingOf(events), resumePointOf(events), 3) ?? '', /it was approved/);
    const point = resumePointOf(events, true);
    assert.deepEqual([point?.round, point?.step], [1, 'review']);
    assert.equal(resumeProblem(events, endingOf(events), point, 1, true), null);
    const {
      ending,
      prompts,
      events: all,
    } = await play(
      { review: () => ({ score: 4, findings: ['Missed'] }) },
      { reviewAgain: true, rounds: 1 },
      { past: events, folder: 'work 0.1 of the executor' },
    );
    assert.deepEqual(ending, { type: 'notApproved', cause: 'roundLimit', score: 4, bestRound: 1 });
    assert.deepEqual([prompts.execute.length, prompts.review.length], [0, 1]);
    assert.match(prompts.review[0] ?? '', /did 1/, 'with what the executor said');
    assert.match(prompts.review[0] ?? '', /-start\n\+work/, 'and the diff of the run');
    assert.deepEqual(new Set(all.slice(events.length).map((event) => event.round)), new Set([1]));
    const view = reduce(EMPTY_VIEW, all);
    assert.deepEqual(
      [view.scores, view.findings.map(({ title }) => title)],
      [[{ round: 1, score: 4, approved: false }], ['Missed']],
    );
    const next = await play({ review: () => ({ score: 9 }) }, { rounds: 2 }, { past: all });
    assert.match(next.prompts.execute[0] ?? '', /score 4 of 10[\s\S]*Missed/, 'what goes on from there heeds it');
  });

  it('is made again when it was cut off', async () => {
    const { events } = await play({ review: () => SIX }, { rounds: 1 });
    const { events: all } = await play(
      { review: () => ({ score: 5 }) },
      { reviewAgain: true, rounds: 1 },
      { past: events },
    );
    const scored = all.findLastIndex(({ type }) => type === 'review.scored');
    for (let cut = all.findLastIndex((event) => event.type === 'turn.started') + 1; cut <= scored + 1; cut++) {
      assert.deepEqual(
        [resumePointOf(all.slice(0, cut))?.round, resumePointOf(all.slice(0, cut))?.step],
        [1, 'review'],
        `cut at ${cut}`,
      );
      assert.equal(resumePointOf(all.slice(0, cut))?.last?.verdict.score, 6);
    }
    assert.equal(resumePointOf(all)?.step, 'execute');
    assert.equal(resumePointOf(all)?.last?.verdict.score, 5);
  });

  it('is refused where the last round did not come to its end', async () => {
    const { events } = await play({
      review: () => SIX,
      outcome: () => ({ type: 'failed', cause: 'quota', message: 'none left' }),
    });
    const why = (past: readonly LoopEvent[]) => resumeProblem(past, endingOf(past), resumePointOf(past, true), 3, true);
    assert.match(why(events) ?? '', /nothing to review/);
    const { events: two } = await play({
      review: () => SIX,
      outcome: (nth) => (nth === 2 ? { type: 'failed', cause: 'quota', message: '' } : { type: 'completed' }),
    });
    assert.match(why(two) ?? '', /was not executed to the end/);
  });
});
