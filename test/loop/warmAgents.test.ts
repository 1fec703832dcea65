import assert from 'node:assert/strict';
import { type Agent, type AgentContext, type AgentReady, AgentStartError } from '../../src/agent/agent.ts';
import { createLateAgent, type RunEnds } from '../../src/loop/lateAgent.ts';
import { DEFAULTS } from '../../src/loop/options.ts';
import { type WarmOptions, warmAgents } from '../../src/loop/warmAgents.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';

const OPTIONS: WarmOptions = {
  ...DEFAULTS,
  folder: '/',
  executorModel: null,
  reviewerModel: null,
  trusted: true,
  stateFolder: '/state',
  executablePaths: {},
};
const ref = { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null } as const;
const LAUNCH = { onlyReads: true, ref, command: '/bin/claude', args: [], env: {} } as const;
const EXIT: AgentEvent = {
  type: 'diagnostic',
  wire: null,
  derived: { source: 'transport', level: 'warning', code: 'exit', text: 'gone' },
};
const SERVES = { files: null };
const IDLE = 600_000;

/** Warm agents on fakes: every start is kept, and can be brought up or failed. */
function ground({ isFound = true } = {}) {
  const started: {
    readonly context: AgentContext;
    readonly up: () => void;
    readonly fail: () => void;
    isDisposed: boolean;
  }[] = [];
  const timers = new Set<() => void>();
  const offers: unknown[] = [];
  const warm = warmAgents({
    onOffer: (agent, change) => offers.push([agent, change]),
    after: (_ms, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    find: async () => (isFound ? { execute: LAUNCH, review: LAUNCH } : null),
    createAgent(context): Agent {
      let up: AgentReady | null = null;
      let settle: (result: AgentReady | AgentStartError) => void = () => undefined;
      const ready = new Promise<AgentReady>((resolve, reject) => {
        settle = (result) => (result instanceof AgentStartError ? reject(result) : resolve(result));
      });
      // Nobody may be there to hear of it.
      ready.catch(() => undefined);
      const one = {
        context,
        up: () => {
          up = { ref, sessionId: null, model: null, takesImages: true };
          settle(up);
        },
        fail: () => settle(new AgentStartError('signIn', 'not signed in')),
        isDisposed: false,
      };
      started.push(one);
      return {
        ready: () => ready,
        prompt: () => assert.fail('no turn is asked for'),
        dispose: async () => {
          one.isDisposed = true;
        },
      };
    },
  });
  return {
    warm,
    started,
    offers,
    disposed: () => started.map(({ isDisposed }) => isDisposed),
    timers,
    idle: () => {
      for (const timer of [...timers]) {
        timers.delete(timer);
        timer();
      }
    },
  };
}

/** Lets everything happen that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('warm agents', () => {
  it('are started once for a run to come, and taken over by it once', async () => {
    const { warm, started, disposed, timers } = ground();
    warm.warm(OPTIONS, SERVES, IDLE);
    warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    assert.deepEqual(
      started.map(({ context }) => [context.role, context.folder, context.trusted, context.mode]),
      [
        ['execute', '/', true, 'ask'],
        ['review', '/', true, 'ask'],
      ],
    );
    assert.equal(timers.size, 1, 'each call begins the idle time anew');
    for (const one of started) one.up();
    const taken = await warm.take(OPTIONS, SERVES);
    assert.ok(taken !== null);
    assert.equal(timers.size, 0);
    assert.equal(await warm.take(OPTIONS, SERVES), null);
    assert.deepEqual(
      [await taken.execute.agent.ready(), disposed()],
      [{ ref, sessionId: null, model: null, takesImages: true }, [false, false]],
    );
  });

  it('tell what can be asked of them before there is a run, and tell it to the run too', async () => {
    const { warm, started, offers } = ground();
    warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    const commands = [{ name: 'review', description: 'Reviews' }];
    const choices = [{ value: 'a', label: 'A' }];
    const model = { id: 'model', name: 'Model', category: 'model', type: 'choice', value: 'a', choices } as const;
    started[0]?.context.emit({ type: 'commands.updated', wire: {}, derived: { commands } });
    started[0]?.context.emit({ type: 'options.updated', wire: {}, derived: { options: [model] } });
    started[1]?.up();
    await settled();
    assert.deepEqual(offers, [
      [OPTIONS.executor, { commands }],
      [OPTIONS.executor, { models: choices }],
      [OPTIONS.reviewer, { images: true }],
    ]);
    const taken = await warm.take(OPTIONS, SERVES);
    const heard: string[] = [];
    taken?.execute.bind({
      permissions: { request: async () => ({ outcome: 'cancelled' }) },
      services: { files: null, terminals: null },
      emit: ({ type }) => heard.push(type),
    });
    assert.deepEqual(heard, ['commands.updated', 'options.updated']);
    started[0]?.context.emit({ type: 'commands.updated', wire: {}, derived: { commands: [] } });
    assert.equal(offers.length, 3, 'what a run hears is the run’s');
  });

  it('can be taken while they still come up, and what then goes wrong is told to the run', async () => {
    const { warm, started, disposed } = ground();
    warm.warm(OPTIONS, SERVES, IDLE);
    const taken = await warm.take(OPTIONS, SERVES);
    started[0]?.fail();
    await assert.rejects(async () => taken?.execute.agent.ready(), /not signed in/);
    await settled();
    assert.deepEqual(disposed(), [false, false], 'they are the run’s to end');
  });

  for (const [what, other] of [
    ['another agent', { reviewer: 'claude' }],
    ['another model', { executorModel: 'opus' }],
    ['another mode', { permissionMode: 'edits' }],
    ['another folder', { folder: '/usr' }],
    ['another key', { secrets: { claude: { ANTHROPIC_API_KEY: 'k' } } }],
  ] as const) {
    it(`are ended and not taken for ${what}`, async () => {
      const { warm, started, disposed } = ground();
      warm.warm(OPTIONS, SERVES, IDLE);
      await settled();
      assert.equal(await warm.take({ ...OPTIONS, ...other }, SERVES), null);
      assert.deepEqual(disposed(), [true, true]);
      warm.warm(OPTIONS, SERVES, IDLE);
      warm.warm({ ...OPTIONS, ...other }, SERVES, IDLE);
      await settled();
      assert.equal(started.length, 6);
      assert.deepEqual(disposed(), [true, true, true, true, false, false]);
    });
  }

  it('are not started in an untrusted folder, nor when a program is missing', async () => {
    const untrusted = ground();
    untrusted.warm.warm({ ...OPTIONS, trusted: false }, SERVES, IDLE);
    await settled();
    assert.deepEqual([untrusted.started, untrusted.timers.size], [[], 0]);
    const missing = ground({ isFound: false });
    missing.warm.warm(OPTIONS, SERVES, IDLE);
    assert.equal(await missing.warm.take(OPTIONS, SERVES), null);
  });

  it('are ended after the idle time, and can be started again', async () => {
    const { warm, idle, disposed } = ground();
    warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    idle();
    await settled();
    assert.deepEqual(disposed(), [true, true]);
    assert.equal(await warm.take(OPTIONS, SERVES), null);
    warm.warm(OPTIONS, SERVES, IDLE);
    assert.ok((await warm.take(OPTIONS, SERVES)) !== null);
  });

  it('are forgotten when one of them does not come up, or ends by itself', async () => {
    const failed = ground();
    failed.warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    failed.started[0]?.up();
    failed.started[1]?.fail();
    await settled();
    assert.equal(await failed.warm.take(OPTIONS, SERVES), null);
    assert.deepEqual(failed.disposed(), [true, true]);

    const ended = ground();
    ended.warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    for (const one of ended.started) one.up();
    ended.started[0]?.context.emit(EXIT);
    assert.equal(await ended.warm.take(OPTIONS, SERVES), null);
    assert.deepEqual(ended.disposed(), [true, true]);
  });

  it('are gone with the window, and none is started after it', async () => {
    const { warm, disposed, started } = ground();
    warm.warm(OPTIONS, SERVES, IDLE);
    await warm.dispose();
    warm.warm(OPTIONS, SERVES, IDLE);
    await settled();
    assert.ok(disposed().every(Boolean));
    assert.ok(started.length <= 2);
  });
});

describe('an agent that is started before its run', () => {
  it('keeps what it tells, is refused what it asks for, and is joined to the run as it is', async () => {
    let ends: RunEnds | null = null;
    const told: AgentEvent[] = [];
    const late = createLateAgent(
      (given) => {
        ends = given;
        return { ready: () => assert.fail(), prompt: () => assert.fail(), dispose: async () => undefined };
      },
      { files: true, terminals: false },
    );
    const of = (): RunEnds => ends ?? assert.fail();
    const request = {
      toolCallId: 't',
      title: 't',
      kind: 'edit',
      options: [],
      content: [],
      paths: [],
      takesMessage: false,
    } as const;
    const { signal } = new AbortController();
    const read = { sessionId: 's', path: '/a' };
    of().emit(EXIT);
    assert.equal(late.isGone, true);
    assert.deepEqual(await of().permissions.request(request, {}, signal), { outcome: 'cancelled' });
    assert.equal(of().services?.terminals, null, 'what is not served is not offered');
    assert.deepEqual(await of().services?.files?.read(read, signal), {
      type: 'refused',
      kind: 'stopped',
      message: 'No turn is under way.',
    });

    const content = { type: 'result', value: { content: 'x' } } as const;
    late.bind({
      permissions: { request: async () => ({ outcome: 'selected', optionId: 'once' }) },
      services: { files: { read: async () => content, write: () => assert.fail() }, terminals: null },
      emit: (event) => told.push(event),
    });
    assert.deepEqual(told, [EXIT]);
    of().emit(EXIT);
    assert.equal(told.length, 2);
    assert.deepEqual(await of().permissions.request(request, {}, signal), { outcome: 'selected', optionId: 'once' });
    assert.deepEqual(await of().services?.files?.read(read, signal), content);
  });
});
