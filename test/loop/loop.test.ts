import assert from 'node:assert/strict';
import type { Agent, TurnResult } from '../../src/agent/agent.ts';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { createPauseGate } from '../../src/loop/pauseGate.ts';
import { type CheckReport, type CheckRunner, NO_CHECKS } from '../../src/loop/runChecks.ts';
import { createTurnRunner } from '../../src/loop/runTurn.ts';
import type { Clock } from '../../src/loop/turnLimit.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { Ending, TurnOutcome } from '../../src/shared/ending.ts';
import type { CheckpointRef } from '../../src/shared/fileEvents.ts';
import type { CheckEvidence } from '../../src/shared/roundEvents.ts';
import { english } from '../../src/shared/translate.ts';
import { NO_TEXTS, REVIEWING } from './reviewing.ts';

const OPTIONS: RunOptions = {
  ...DEFAULTS,
  task: 'Sort the list.\nKeep `APPROVED` out of it.',
  folder: '/p',
  executorModel: null,
  reviewerModel: null,
  trusted: true,
  interactive: true,
  stateFolder: '/s',
  executablePaths: {},
};

const COMPLETED: TurnOutcome = { type: 'completed' };
const turn = (text: string, outcome: TurnOutcome = COMPLETED): TurnResult => ({
  wire: {},
  outcome,
  texts: text === '' ? [] : [text],
  usage: null,
  models: [],
  denials: [],
});
const verdict = (score: number, approved: boolean, findings: object[] = []) =>
  turn(
    `\`\`\`json\n${JSON.stringify({ score, approved, summary: 's', findings, previous: [], suggestions: [] })}\n\`\`\`\n${approved ? 'APPROVED' : ''}`,
  );
const finding = (title: string, severity = 'major') => ({ severity, file: 'a.ts', line: 1, title, detail: 'd' });

type Script = (prompt: string, signal: AbortSignal, ground: Ground) => TurnResult | Promise<TurnResult>;
interface Ground {
  files: string;
  readonly stop: AbortController;
  readonly tick: (ms: number) => void;
  readonly ask: (role: Role) => Promise<unknown>;
  readonly answer: (id: string) => boolean;
  /** The person saves a file. */
  readonly saves: (path: string) => void;
}

/** Runs the loop on scripted agents; the folder is one string. */
async function play(
  scripts: { execute: Script[]; review: Script[] },
  options: Partial<RunOptions> = {},
  /** Saves what is unsaved before the agents go on; gives whether there was any. */
  settle: ((ground: Ground) => boolean) | null = null,
  /** What the checks of each round say, and do to the folder. */
  checks: readonly ((ground: Ground) => Partial<CheckReport>)[] | null = null,
) {
  const stop = new AbortController();
  const prompts: Record<Role, string[]> = { execute: [], review: [] };
  const trees: string[] = [];
  const treeOf = (files: string) => {
    if (!trees.includes(files)) trees.push(files);
    return `tree${trees.indexOf(files)}`;
  };
  let now = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const log = createEventLog({ now: () => 0 });
  const broker = createPermissionBroker({
    append: (body) => log.append(body),
    decide: () => ({ type: 'ask' }),
    turnOf: (role) => turns.turnOf(role),
    onWaiting: (role, waiting) => turns.setWaiting(role, waiting),
  });
  const ground: Ground = {
    files: '',
    stop,
    tick(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
    ask: (role) =>
      broker.port(role).request(
        {
          toolCallId: 't',
          title: 't',
          kind: 'edit',
          options: [{ optionId: 'once', name: 'Allow', kind: 'allow_once' }],
          content: [],
          paths: [],
          takesMessage: false,
        },
        {},
        new AbortController().signal,
      ),
    answer: (id) => broker.answer(id, { outcome: 'selected', optionId: 'once' }),
    saves: (path) => void log.append({ type: 'user.edited', path }),
  };
  const agent = (role: Role): Agent => ({
    ready: async () => ({ ref: { id: role, name: role, protocol: 'acp', version: '1' }, sessionId: 's', model: null }),
    async prompt(prompt, signal) {
      prompts[role].push(prompt);
      const script = scripts[role][prompts[role].length - 1];
      assert.ok(script, `an unexpected turn of ${role}: ${prompt.slice(0, 80)}`);
      return script(prompt, signal, ground);
    },
    dispose: async () => {},
  });
  const turns = createTurnRunner({
    t: english,
    log,
    broker,
    scheduler: { cancel: () => undefined },
    agents: { execute: agent('execute'), review: agent('review') },
    clock,
    limitSeconds: OPTIONS.turnLimitSeconds,
    stopped: stop.signal,
  });
  const ending: Ending = await runLoop(
    {
      log,
      t: english,
      turns,
      unsaved: settle === null ? null : { settle: async () => settle(ground) },
      paths: { folder: '/p', resolvePath: (file) => file, caseInsensitive: false },
      stopped: stop.signal,
      marker: () => 'm4rk3r',
      checks: checks === null ? null : scriptedChecks(checks, ground),
      revive: async () => false,
      reviewing: REVIEWING,
      pause: createPauseGate({
        append: (body) => log.append(body),
        interactive: true,
        askBetweenRounds: false,
        stopped: stop.signal,
      }),
      budget: createBudgetGate({ log, t: english, ask: async () => null }),
      reviewed: null,
      checkpoints: {
        ...NO_TEXTS,
        snapshot: async (label): Promise<CheckpointRef> => ({
          id: treeOf(ground.files),
          tree: treeOf(ground.files),
          label,
        }),
        treeNow: async () => treeOf(ground.files),
        changes: async (from, to) => ({
          files: from.tree === to.tree ? [] : [{ path: 'a.ts', status: 'modified' as const, added: 1, removed: 0 }],
          patch: from.tree === to.tree ? '' : `PATCH ${from.tree}..${to.tree}`,
        }),
      },
    },
    { ...OPTIONS, ...options },
  );
  return { ending, prompts, log, left: timers.size };
}

function scriptedChecks(rounds: readonly ((ground: Ground) => Partial<CheckReport>)[], ground: Ground): CheckRunner {
  let count = 0;
  return {
    begin: async () => {},
    run: async () => ({ ...NO_CHECKS, ...rounds[count++]?.(ground) }),
  };
}

const writes =
  (text: string): Script =>
  (_prompt, _signal, ground) => {
    ground.files += text;
    return turn(`wrote ${text}`);
  };
const says =
  (result: TurnResult): Script =>
  () =>
    result;

describe('the loop', () => {
  const RED: CheckEvidence = {
    command: 'npm test',
    end: { passed: false, exitCode: 1, signal: null, by: 'itself' },
    tail: '1 failing: größer',
  };
  const GREEN: CheckEvidence = { ...RED, end: { ...RED.end, passed: true, exitCode: 0 }, tail: '2 passing' };

  it('is not approved while a check is red, whatever the review says, and tells both agents', async () => {
    const { ending, prompts, log } = await play(
      { execute: [writes('one;'), writes('two;')], review: [says(verdict(10, true)), says(verdict(10, true))] },
      {},
      null,
      [() => ({ ran: [RED], blockedBy: ['The check "npm test" is red: exit code 1.'] }), () => ({ ran: [GREEN] })],
    );
    assert.deepEqual(ending, { type: 'approved', score: 10 });
    const reviews = log.events.flatMap((event) => (event.type === 'review.scored' ? [event] : []));
    assert.deepEqual(
      reviews.map(({ approved, blockedBy }) => [approved, blockedBy]),
      [
        [false, ['The check "npm test" is red: exit code 1.']],
        [true, []],
      ],
    );
    assert.match(prompts.review[0] ?? '', /\$ npm test\nfailed \(exit code 1\)\n1 failing: größer/);
    assert.match(prompts.review[1] ?? '', /\$ npm test\npassed \(exit code 0\)\n2 passing/);
    assert.match(prompts.execute[1] ?? '', /did not pass[\s\S]*\$ npm test\nfailed \(exit code 1\)\n1 failing: größer/);
  });

  it('ends unapproved when the last round’s check is red', async () => {
    const { ending } = await play(
      { execute: [writes('one;')], review: [says(verdict(10, true))] },
      { rounds: 1 },
      null,
      [() => ({ ran: [RED], blockedBy: ['red'] })],
    );
    assert.equal(ending.type, 'notApproved');
  });

  it('is held up by no check that was skipped, and tells the reviewer of it and of what was changed', async () => {
    const { ending, prompts } = await play({ execute: [writes('one;')], review: [says(verdict(10, true))] }, {}, null, [
      () => ({
        skipped: [{ command: 'make lint', why: 'You skipped it in this run.' }],
        changes: [
          {
            type: 'definition',
            command: 'npm test',
            file: 'package.json',
            before: '"test": "mocha"',
            after: '"test": "exit 0"',
          },
          { type: 'testsRemoved', files: ['test/a.test.js'] },
        ],
      }),
    ]);
    assert.equal(ending.type, 'approved');
    for (const told of [
      /\$ make lint\n.*You skipped it/,
      /package\.json[\s\S]*"mocha"[\s\S]*"exit 0"/,
      /test\/a\.test\.js/,
    ])
      assert.match(prompts.review[0] ?? '', told);
  });

  it('reviews what the checks left, and holds nothing that they wrote against the executor', async () => {
    const wrote = (ground: Ground) => {
      ground.files += 'snapshot;';
      return { ran: [GREEN] };
    };
    const { ending, prompts, log } = await play(
      {
        execute: [writes('one;'), writes('two;')],
        review: [says(verdict(5, false, [finding('x')])), says(verdict(9, true))],
      },
      {},
      null,
      [wrote, () => ({ ran: [GREEN] })],
    );
    assert.equal(ending.type, 'approved', 'the folder is as it was reviewed');
    const labels = log.events.flatMap((event) => (event.type === 'checkpoint.created' ? [event.checkpoint.label] : []));
    assert.deepEqual(labels, ['before round 1', 'after round 1', 'after the checks of round 1', 'after round 2']);
    const written = log.events.filter((event) => event.type === 'checks.wrote');
    assert.deepEqual(
      written.map(({ round }) => round),
      [1],
    );
    assert.match(prompts.review[0] ?? '', /checks themselves changed[\s\S]*a\.ts/);
    assert.match(prompts.review[1] ?? '', /PATCH tree2\.\.tree3/, 'the round begins with what they wrote');
  });

  it('stops in its checks without a review', async () => {
    const { ending, prompts } = await play({ execute: [writes('one;')], review: [] }, {}, null, [
      (ground) => {
        ground.stop.abort();
        return {};
      },
    ]);
    assert.deepEqual([ending, prompts.review], [{ type: 'stopped' }, []]);
  });

  it('counts what is saved from the editors before an agent goes on as nobody’s work of a round', async () => {
    const saved: string[] = [];
    // Before the first round, before each review, and before the second round.
    const texts = ['typed first;', 'typed before the review;', 'typed before round 2;', ''];
    const { prompts, log } = await play(
      {
        execute: [writes('one;'), writes('two;')],
        review: [says(verdict(6, false, [finding('No test')])), says(verdict(9, true))],
      },
      {},
      (ground) => {
        const text = texts[saved.length] ?? '';
        saved.push(text);
        ground.files += text;
        return text !== '';
      },
    );
    assert.equal(saved.length, 4);
    const labels = log.events.flatMap((event) => (event.type === 'checkpoint.created' ? [event.checkpoint] : []));
    assert.deepEqual(
      labels.map(({ label }) => label),
      ['before round 1', 'after round 1', 'saved by the user in round 1', 'before round 2', 'after round 2'],
    );
    const [start, work, , second, third] = labels.map(({ tree }) => tree);
    assert.ok(prompts.review[0]?.includes(`PATCH ${start}..${work}`), 'without what was typed before and after');
    assert.ok(prompts.review[1]?.includes(`PATCH ${second}..${third}`));
    assert.equal(log.events.at(-1)?.type, 'round.ended');
  });

  it('feeds findings back and ends when the review approves', async () => {
    const { ending, prompts, log } = await play({
      execute: [writes('one'), writes('two')],
      review: [says(verdict(6, false, [finding('No test'), finding('Slow')])), says(verdict(9, true))],
    });
    // The second review does not mention the findings: majors stay open, and do not block.
    assert.deepEqual(ending, { type: 'approved', score: 9 });
    for (const prompt of prompts.execute)
      assert.ok(prompt.includes(OPTIONS.task), 'every prompt holds the task verbatim');
    assert.match(prompts.execute[1] ?? '', /No test[\s\S]*Slow/);
    assert.match(prompts.review[1] ?? '', /PATCH tree0\.\.tree2/, 'the diff of the run');
    assert.match(prompts.review[1] ?? '', /PATCH tree1\.\.tree2/, 'the diff of the round');
    assert.match(prompts.review[1] ?? '', /wrote two/);
    const kinds = log.events.map((e) => e.type);
    assert.equal(kinds.filter((k) => k === 'round.started').length, 2);
    assert.equal(kinds.filter((k) => k === 'round.ended').length, 2);
  });

  it('logs who changed what, and tells the reviewer what is the person’s, in later rounds too', async () => {
    const edits =
      (text: string): Script =>
      (...given) => {
        given[2].saves('a.ts');
        return writes(text)(...given);
      };
    const { prompts, log } = await play({
      execute: [edits('1'), writes('2')],
      review: [says(verdict(6, false)), says(verdict(9, true))],
    });
    const truths = log.events.flatMap((event) => (event.type === 'round.changes' ? [event.truth] : []));
    assert.deepEqual(
      truths.map((truth) => [truth?.byUser, truth?.unannounced]),
      [
        [['a.ts'], []],
        [[], ['a.ts']],
      ],
    );
    assert.match(prompts.review[0] ?? '', /Changed by the person during the run:\n- a\.ts/);
    assert.match(prompts.review[1] ?? '', /by the person and by the executor during the run:\n- a\.ts/);
    assert.match(prompts.review[1] ?? '', /no tool call of the executor says so:\n- a\.ts/);
  });

  it('C77: stops at the round limit, and names the best round', async () => {
    const { ending, prompts } = await play({
      execute: [writes('1'), writes('2'), writes('3')],
      review: [
        says(verdict(8, false, [finding('A')])),
        says(verdict(8.5, false, [finding('B')])),
        says(verdict(8, false, [finding('C')])),
      ],
    });
    assert.deepEqual(ending, { type: 'notApproved', cause: 'roundLimit', score: 8, bestRound: 2 });
    assert.equal(prompts.execute.length, 3, 'nobody executes after the last review');
  });

  it('ends without a verdict when the review is unusable twice', async () => {
    const { ending, prompts, log } = await play({
      execute: [writes('1')],
      review: [says(turn('Nice.')), says(turn('Really nice.'))],
    });
    assert.equal(ending.type, 'noVerdict');
    assert.match(prompts.review[1] ?? '', /no score/i, 'the retry says why');
    assert.equal(log.events.filter((e) => e.type === 'review.scored').length, 2);
  });

  it('goes on when the second answer can be read', async () => {
    const { ending } = await play({ execute: [writes('1')], review: [says(turn('')), says(verdict(9.5, true))] });
    assert.deepEqual(ending, { type: 'approved', score: 9.5 });
  });

  for (const cause of ['max_tokens', 'refusal', 'max_turn_requests', 'brand_new']) {
    it(`C29: an approving text of a review that ended with ${cause} is no approval`, async () => {
      const cut = turn('Score: 9/10\n\nAPPROVED', {
        type: 'incomplete',
        cause,
        message: `The agent stopped: ${cause}`,
      });
      const { ending, log } = await play({ execute: [writes('1')], review: [says(cut), says(cut)] });
      assert.deepEqual(ending, { type: 'noVerdict', message: `The agent stopped: ${cause}` });
      assert.ok(!log.events.some((e) => e.type === 'review.scored'));
    });
  }

  it('does not review a failed turn', async () => {
    const { ending, prompts } = await play({
      execute: [says(turn('I did it', { type: 'failed', cause: 'quota', message: 'Quota is used up.' }))],
      review: [],
    });
    assert.deepEqual(ending, { type: 'failed', role: 'execute', cause: 'quota', message: 'Quota is used up.' });
    assert.equal(prompts.review.length, 0);
  });

  it('C74: a failed review is a failure, not feedback', async () => {
    const { ending, prompts } = await play({
      execute: [writes('1')],
      review: [
        says(turn('Score: 9/10\nAPPROVED', { type: 'failed', cause: 'agentError', message: '[API Error: 429]' })),
      ],
    });
    assert.deepEqual(ending, { type: 'failed', role: 'review', cause: 'agentError', message: '[API Error: 429]' });
    assert.equal(prompts.execute.length, 1);
  });

  it('does not count an approval of a folder that changed under the review', async () => {
    const { ending, log } = await play(
      {
        execute: [writes('1'), writes('2')],
        review: [
          (_p, _s, ground) => {
            ground.files += 'by the reviewer';
            return verdict(10, true);
          },
          says(verdict(9, true)),
        ],
      },
      { rounds: 2 },
    );
    const [first, second] = log.events.flatMap((e) => (e.type === 'review.scored' ? [e] : []));
    assert.equal(first?.verdict.approved, true);
    assert.equal(first?.approved, false);
    assert.match(first?.blockedBy.join() ?? '', /changed while it was reviewed/);
    assert.equal(second?.approved, true);
    assert.deepEqual(ending, { type: 'approved', score: 9 });
  });

  it('keeps an unmentioned blocker open, and it blocks', async () => {
    const { ending, log } = await play(
      {
        execute: [writes('1'), writes('2')],
        review: [says(verdict(3, false, [finding('Data loss', 'blocker')])), says(verdict(10, true))],
      },
      { rounds: 2 },
    );
    assert.deepEqual(ending, { type: 'notApproved', cause: 'roundLimit', score: 10, bestRound: 2 });
    const last = log.events.flatMap((e) => (e.type === 'review.scored' ? [e] : [])).at(-1);
    assert.match(last?.blockedBy.join() ?? '', /Data loss/);
  });

  it('says that nothing changed, and has the text judged', async () => {
    const { ending, prompts } = await play({
      execute: [says(turn('The answer is 42.'))],
      review: [says(verdict(9, true))],
    });
    assert.equal(ending.type, 'approved');
    assert.match(prompts.review[0] ?? '', /The answer is 42\./);
  });

  for (const role of ['execute', 'review'] as const) {
    it(`stops while the ${role === 'execute' ? 'executor' : 'reviewer'} works, settling its open question`, async () => {
      const stopping: Script = async (_prompt, signal, ground) => {
        const question = ground.ask(role);
        ground.stop.abort();
        assert.equal(signal.aborted, true);
        assert.deepEqual(await question, { outcome: 'cancelled' });
        return turn('', { type: 'cancelled', by: 'user' });
      };
      const { ending, log, left } = await play({
        execute: role === 'execute' ? [stopping] : [writes('1')],
        review: role === 'review' ? [stopping] : [],
      });
      assert.deepEqual(ending, { type: 'stopped' });
      const settled = log.events.flatMap((e) => (e.type === 'permission.resolved' ? [e.by] : []));
      assert.deepEqual(settled, ['sessionCancel']);
      assert.equal(left, 0, 'no timer is left');
    });
  }

  it('C80: waits for a silent agent up to the turn limit, then the turn has failed with its cause', async () => {
    const silent: Script = (_prompt, signal, ground) => {
      ground.tick(12 * 60_000);
      assert.equal(signal.aborted, false, 'silence ends nothing');
      ground.tick(48 * 60_000);
      assert.equal(signal.reason, 'timeLimit');
      return turn('', { type: 'cancelled', by: 'user' });
    };
    const { ending } = await play({ execute: [silent], review: [] });
    assert.ok(ending.type === 'failed' && ending.cause === 'timeLimit');
    assert.match(ending.message, /3600 s/);
  });

  it('does not count the time that the person takes to answer', async () => {
    const patient: Script = async (_prompt, signal, ground) => {
      ground.tick(59 * 60_000);
      const question = ground.ask('execute');
      ground.tick(10 * 3_600_000);
      ground.answer('p1');
      await question;
      assert.equal(signal.aborted, false);
      ground.tick(60_000);
      assert.equal(signal.reason, 'timeLimit');
      return turn('', { type: 'cancelled', by: 'user' });
    };
    const { ending } = await play({ execute: [patient], review: [] });
    assert.ok(ending.type === 'failed' && ending.cause === 'timeLimit');
  });
});
