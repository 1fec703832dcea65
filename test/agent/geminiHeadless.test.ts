import assert from 'node:assert/strict';
import { type AgentContext, AgentStartError } from '../../src/agent/agent.ts';
import { createGeminiHeadlessAgent, type HeadlessDeps } from '../../src/agent/geminiHeadless.ts';
import type { GeminiProbe } from '../../src/agent/geminiProbe.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import { createProgramPeers } from '../fakes/programPeer.ts';

const never = new AbortController().signal;
const init = (session = 'g1') => ({ type: 'init', session_id: session, model: 'gemini-2.5-flash' });
const said = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
const stats = { input_tokens: 6, output_tokens: 4, cached: 1, models: { 'gemini-2.5-flash': {} } };
const success = { type: 'result', status: 'success', stats };

function setup(
  options: {
    readonly context?: Partial<AgentContext>;
    readonly deps?: Partial<HeadlessDeps>;
    readonly onStop?: 'exit' | 'nothing';
  } = {},
) {
  const peers = createProgramPeers(options.onStop);
  const events: AgentEvent[] = [];
  const running: { readonly ms: number; readonly callback: () => void }[] = [];
  const agent = createGeminiHeadlessAgent(
    {
      launch: {
        ref: { id: 'gemini-headless', name: 'Gemini CLI (headless)', protocol: 'gemini-stream-json', version: null },
        command: '/bin/gemini',
        args: [],
        env: { GEMINI_CLI_NO_RELAUNCH: '1' },
      },
      role: 'review',
      folder: '/w',
      mode: 'ask',
      trusted: true,
      model: null,
      permissions: { request: () => assert.fail('headless asks nothing') },
      emit: (event) => events.push(event),
      ...options.context,
    },
    {
      spawn: peers.spawn,
      version: async () => '0.61.0',
      probe: async () => ({ code: 42, signal: null, stderr: '' }),
      env: { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' },
      after: (ms, callback) => {
        const timer = { ms, callback };
        running.push(timer);
        return () => {
          const place = running.indexOf(timer);
          if (place >= 0) running.splice(place, 1);
        };
      },
      startMs: 60_000,
      lingerMs: 20,
      ...options.deps,
    },
  );
  const texts = () => events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.text] : []));
  return {
    agent,
    peers,
    events,
    texts,
    timers: () => running.map(({ ms }) => ms),
    expire: () => running.shift()?.callback(),
  };
}

describe('createGeminiHeadlessAgent', () => {
  it('starts a process a turn with the prompt on stdin, and goes on with the session of the one before', async () => {
    const { agent, peers, events, timers } = setup({ context: { model: 'gemini-2.5-flash' } });
    assert.deepEqual(await agent.ready(), {
      ref: { id: 'gemini-headless', name: 'Gemini CLI (headless)', protocol: 'gemini-stream-json', version: '0.61.0' },
      sessionId: null,
      model: 'gemini-2.5-flash',
      takesImages: false,
    });
    assert.equal(peers.started.length, 0);
    const first = agent.prompt('-p is no option here; @a.txt', never);
    const one = await peers.next();
    assert.equal(await one.inputEnded, '-p is no option here; @a.txt');
    const common = ['--output-format', 'stream-json', '--approval-mode', 'plan', '--model', 'gemini-2.5-flash'];
    assert.deepEqual(one.options.args, common);
    assert.equal(one.options.cwd, '/w');
    assert.deepEqual([one.options.env.GEMINI_CLI_NO_RELAUNCH, one.options.env.ELECTRON_RUN_AS_NODE], ['1', undefined]);
    assert.deepEqual(timers(), [60_000]);
    one.print(init(), { type: 'message', role: 'user', content: 'echo' }, said('9/'), said('10'), success);
    // The turn ends with its result; the process may live on (sj-02b-exit-after-shell).
    assert.deepEqual(await first, {
      wire: success,
      outcome: { type: 'completed' },
      texts: ['9/10'],
      usage: { inputTokens: 6, outputTokens: 4, cachedTokens: 1, costUsd: null },
      models: ['gemini-2.5-flash'],
      denials: [],
    });
    assert.deepEqual(timers(), []);
    const second = agent.prompt('again', never);
    // It is not given for ever.
    const two = await peers.next();
    assert.equal(one.stops, 1);
    assert.deepEqual(two.options.args, [...common, '--resume', 'g1']);
    two.print(init(), said('fine'), success);
    two.exit();
    assert.deepEqual((await second).texts, ['fine']);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'session.updated' ? [event.derived.sessionId] : [])),
      ['g1', 'g1'],
    );
    await agent.dispose();
  });

  const modes = [
    ['review', 'all', 'plan'],
    ['execute', 'ask', 'default'],
    ['execute', 'edits', 'auto_edit'],
    ['execute', 'all', 'auto_edit'],
    ['execute', 'read-only', 'plan'],
  ] as const;
  for (const [role, mode, expected] of modes) {
    it(`GEMINI.md 0.15: --approval-mode ${expected} to ${role} with permission ${mode}; what it cannot do is said once`, async () => {
      const { agent, peers, texts } = setup({ context: { role, mode } });
      for (let turn = 0; turn < 2; turn++) {
        const done = agent.prompt('x', never);
        const peer = await peers.next();
        assert.equal(peer.options.args[peer.options.args.indexOf('--approval-mode') + 1], expected);
        peer.print(init(), success);
        peer.exit();
        await done;
      }
      const [losses, limits, ...more] = texts();
      assert.match(losses ?? '', /Thoughts are not on this wire.*Edits are told without their text/);
      assert.equal(limits === undefined, role === 'review' || mode === 'read-only');
      assert.deepEqual(more, []);
    });
  }

  it('GEMINI.md 0.14, C32: no exit code is a success without a result, and each is told with its meaning', async () => {
    const exits: [number, string, RegExp][] = [
      [0, 'noResult', /as if all were well/],
      [1, 'noResult', /refused its arguments/],
      [41, 'signIn', /not signed in.*Set GEMINI_API_KEY/],
      [42, 'noResult', /input was refused/],
      [44, 'noResult', /sandbox/],
      [52, 'noResult', /settings are broken/],
      [53, 'noResult', /limit of turns/],
      [54, 'noResult', /full disk/],
      [55, 'agentError', /does not trust this folder.*--trust.*trust it there/],
      [130, 'noResult', /interrupted/],
      [145, 'signIn', /server answered 401/],
      [173, 'quota', /server answered 429/],
      [244, 'noResult', /server answered 500/],
      [99, 'noResult', /exit code 99: the reason/],
    ];
    for (const [code, cause, words] of exits) {
      const { agent, peers } = setup();
      const turn = agent.prompt('x', never);
      const peer = await peers.next();
      peer.print(init(), said('Score: 9/10\nAPPROVED'));
      peer.exit({ code }, 'Ripgrep is not available. Falling back to GrepTool.\nthe reason\n    at frame (x.js:1)\n');
      const { outcome } = await turn;
      assert.ok(outcome.type === 'failed');
      assert.equal(outcome.cause, cause, String(code));
      assert.match(outcome.message, words);
      assert.match(outcome.message, /the reason/);
      assert.doesNotMatch(outcome.message, /Ripgrep|at frame/);
    }
  });

  it('C34, C36: says before the first turn what would fail it, by a start without a prompt', async () => {
    const probes: [GeminiProbe, AgentStartError['reason'], RegExp][] = [
      [
        { code: 41, signal: null, stderr: 'Invalid auth method selected.\n' },
        'signIn',
        /not signed in: Invalid auth.*GEMINI_API_KEY/,
      ],
      [{ code: 52, signal: null, stderr: 'Error in settings.json\n' }, 'agentError', /settings are broken/],
      [{ code: 55, signal: null, stderr: 'not trusted\n' }, 'agentError', /does not trust this folder.*cgloop --trust/],
      [{ code: null, signal: null, stderr: '' }, 'spawn', /exit code unknown/],
      [null, 'startLimit', /waiting for a sign-in. Run "gemini" in a terminal/],
    ];
    for (const [told, reason, words] of probes) {
      const { agent, peers } = setup({ deps: { probe: async () => told } });
      await assert.rejects(agent.ready(), (error) => {
        assert.ok(error instanceof AgentStartError);
        assert.equal(error.reason, reason);
        assert.match(error.message, words);
        return true;
      });
      assert.equal(peers.started.length, 0);
    }
    const usage = 'Invalid values:\n  Argument: output-format, Given: "stream-json", Choices: "text", "json"\n';
    const old = setup({ deps: { probe: async () => ({ code: 1, signal: null, stderr: usage }) } });
    const turn = old.agent.prompt('x', never);
    const peer = await old.peers.next();
    assert.equal(peer.options.args[1], 'json');
    peer.printRaw('{"response":"ok"}');
    peer.exit();
    assert.deepEqual((await turn).texts, ['ok']);
  });

  it('C34: exit code 55 names the cause and both ways out', async () => {
    const { agent, peers } = setup();
    const turn = agent.prompt('x', never);
    (await peers.next()).exit({ code: 55 }, 'Gemini CLI is not running in a trusted directory. To proceed, …\n');
    const { outcome } = await turn;
    assert.match(
      outcome.type === 'failed' ? outcome.message : '',
      /not running in a trusted directory.*cgloop --trust.*trust the workspace/s,
    );
  });

  it('waits for the exit code of a result with an error, which alone tells what it was (sj-05-api-429-daily)', async () => {
    const { agent, peers } = setup();
    const turn = agent.prompt('x', never);
    const peer = await peers.next();
    const error = { type: 'unknown', message: '[API Error: quota]' };
    peer.print(init(), { type: 'result', status: 'error', error, stats: {} });
    peer.exit({ code: 173 });
    assert.deepEqual((await turn).outcome, { type: 'failed', cause: 'quota', message: '[API Error: quota]' });
  });

  it('C36: a program that prints nothing is stopped, and the way to sign in is told', async () => {
    const { agent, peers, expire } = setup();
    const turn = agent.prompt('x', never);
    const peer = await peers.next();
    expire();
    const { outcome } = await turn;
    assert.equal(peer.stops > 0, true);
    assert.deepEqual(outcome.type === 'failed' && outcome.cause, 'startLimit');
    assert.match(outcome.type === 'failed' ? outcome.message : '', /Run "gemini" in a terminal/);
  });

  it('refuses an empty prompt and one over 8 MB, and starts nothing for them', async () => {
    const { agent, peers } = setup();
    const big = await agent.prompt('é'.repeat(4 * 1024 * 1024 + 1), never);
    assert.match(big.outcome.type === 'failed' ? big.outcome.message : '', /8\.0 MB.*reads 8 MB.*would be cut/);
    const empty = await agent.prompt(' \n', never);
    assert.match(empty.outcome.type === 'failed' ? empty.outcome.message : '', /empty/);
    assert.equal(peers.started.length, 0);
    const largest = agent.prompt('x'.repeat(8 * 1024 * 1024), never);
    const peer = await peers.next();
    peer.print(init(), success);
    assert.deepEqual((await largest).outcome, { type: 'completed' });
  });

  it('begins a new session, with a word, when the old one is gone (sj-09-resume-4-bogus)', async () => {
    const { agent, peers, texts } = setup({ context: { resume: { sessionId: 'old' } } });
    const turn = agent.prompt('x', never);
    const first = await peers.next();
    assert.deepEqual(first.options.args.slice(-2), ['--resume', 'old']);
    first.exit({ code: 42 }, 'Error resuming session: Invalid session identifier "old".\n');
    const second = await peers.next();
    assert.ok(!second.options.args.includes('--resume'));
    assert.equal(await second.inputEnded, 'x');
    second.print(init('new'), said('ok'), success);
    assert.deepEqual((await turn).texts, ['ok']);
    assert.match(texts().at(-1) ?? '', /session of .* is gone/);
  });

  it('falls back to --output-format json for a version without stream-json, once and for all turns', async () => {
    const { agent, peers, events, texts } = setup();
    const turn = agent.prompt('x', never);
    (await peers.next()).exit(
      { code: 1 },
      'Invalid values:\n  Argument: output-format, Given: "stream-json", Choices: "text", "json"\nUsage: gemini [options]\n  -o, --output-format\n',
    );
    const second = await peers.next();
    assert.equal(second.options.args[1], 'json');
    const tokens = { prompt: 10, candidates: 2, cached: 1 };
    const answer = {
      session_id: 'j1',
      response: 'the answer',
      stats: { models: { pro: { tokens }, flash: { tokens } } },
    };
    second.printRaw(`Loaded cached credentials.\n${JSON.stringify(answer, null, 2)}\n`);
    second.exit();
    assert.deepEqual(await turn, {
      wire: answer,
      outcome: { type: 'completed' },
      texts: ['the answer'],
      usage: { inputTokens: 20, outputTokens: 4, cachedTokens: 2, costUsd: null },
      models: ['pro', 'flash'],
      denials: [],
    });
    assert.match(texts().at(-1) ?? '', /old version/);
    assert.equal(events.at(-1)?.type, 'message.chunk');

    const failing: [string, number, string, RegExp][] = [
      ['', 0, '', /without a result \(exit code 0/],
      ['', 144, `noise\n${JSON.stringify({ error: { type: 'Error', message: 'fake 400' } }, null, 2)}\n`, /fake 400/],
      [JSON.stringify({ session_id: 'j1', error: { message: 'no' } }), 1, '', /^no$/],
      ['{"response": "cut', 0, '', /without a result/],
    ];
    for (const [stdout, code, stderr, words] of failing) {
      const next = agent.prompt('x', never);
      const peer = await peers.next();
      assert.deepEqual(peer.options.args.slice(-2), ['--resume', 'j1']);
      peer.printRaw(stdout);
      peer.exit({ code }, stderr);
      const { outcome, texts: none } = await next;
      assert.match(outcome.type === 'failed' ? outcome.message : outcome.type, words);
      assert.deepEqual(none, []);
    }
  });

  it('tells the reviewer what was refused, and closes calls that no result came for', async () => {
    const { agent, peers, events } = setup({ context: { role: 'execute' } });
    const turn = agent.prompt('x', never);
    const peer = await peers.next();
    const use = (id: string, name: string) => ({ type: 'tool_use', tool_name: name, tool_id: id, parameters: {} });
    peer.print(init(), use('a', 'write_file'), {
      type: 'tool_result',
      tool_id: 'a',
      status: 'error',
      error: { type: 'tool_not_registered', message: 'Tool "write_file" not found.\nDid you mean …' },
    });
    peer.print(use('b', 'read_file'), success);
    const { denials } = await turn;
    assert.deepEqual(denials, ['write_file: Tool "write_file" not found.']);
    const last = events.at(-1);
    assert.deepEqual(last?.derived, { toolCallId: 'b', state: 'cancelled', reason: 'noResult' });
  });

  it('stops the process of a cancelled turn; a result that came all the same counts', async () => {
    const { agent, peers, events } = setup();
    const stop = new AbortController();
    const turn = agent.prompt('x', stop.signal);
    const peer = await peers.next();
    peer.print(init(), said('half'), { type: 'tool_use', tool_name: 'glob', tool_id: 'g', parameters: {} });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort('user');
    const { outcome, texts } = await turn;
    assert.deepEqual([outcome, texts, peer.stops], [{ type: 'cancelled', by: 'user' }, ['half'], 1]);
    assert.deepEqual(events.at(-1)?.derived, { toolCallId: 'g', state: 'cancelled', reason: 'stopped' });
    const late = new AbortController();
    const second = agent.prompt('x', late.signal);
    (await peers.next()).print(init(), success);
    await second;
    late.abort('user');
    const unsent = await agent.prompt('x', AbortSignal.abort('timeLimit'));
    assert.equal(unsent.outcome.type === 'failed' && unsent.outcome.cause, 'timeLimit');
    assert.equal(peers.started.length, 2);
  });

  it('fails with spawn, with a second turn at a time, and after its end', async () => {
    const { agent, peers } = setup();
    const turn = agent.prompt('x', never);
    const second = await agent.prompt('y', never);
    assert.equal(second.outcome.type === 'failed' && second.outcome.cause, 'protocol');
    (await peers.next()).exit({ code: null, error: new Error('spawn /bin/gemini ENOENT') });
    const { outcome } = await turn;
    assert.deepEqual(outcome.type === 'failed' && [outcome.cause, /ENOENT/.test(outcome.message)], ['spawn', true]);
    await agent.dispose();
    const after = await agent.prompt('x', never);
    assert.equal(after.outcome.type === 'failed' && after.outcome.cause, 'agentExit');
    const silent = setup({ deps: { probe: async () => ({ code: 1, signal: null, stderr: 'a broken program\n' }) } });
    await assert.rejects(silent.agent.ready(), AgentStartError);
    const unsent = await silent.agent.prompt('x', never);
    assert.equal(unsent.outcome.type === 'failed' && unsent.outcome.cause, 'agentError');
  });

  it('disposes of a busy agent', async () => {
    const { agent, peers } = setup();
    const turn = agent.prompt('x', never);
    await peers.next();
    await agent.dispose();
    assert.equal((await turn).outcome.type, 'failed');
  });
});
