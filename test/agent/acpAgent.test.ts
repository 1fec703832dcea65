import assert from 'node:assert/strict';
import fs from 'node:fs';
import { CLIENT_INFO } from '../../src/agent/acpStart.ts';
import { AgentStartError } from '../../src/agent/agent.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { chunk, permission, update } from '../fakes/acpPeer.ts';
import { INITIALIZED, SESSION, setupAcp } from '../fakes/acpSetup.ts';

const never = new AbortController().signal;
const endTurn: WireObject = { stopReason: 'end_turn' };

/** Waits until everything that was sent has been handled. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('createAcpAgent: start', () => {
  it('C03: says who it is, offers nothing that it does not serve, and opens a session in the folder', async () => {
    const { agent, peer, timers } = setupAcp();
    const ready = agent.ready();
    const initialize = await peer.expect('initialize');
    assert.deepEqual(initialize.params, {
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        auth: { terminal: true },
        elicitation: { form: {} },
        session: { configOptions: { boolean: {} } },
      },
      clientInfo: CLIENT_INFO,
    });
    assert.deepEqual(timers(), [45_000]);
    peer.answer(initialize, INITIALIZED);
    const session = await peer.expect('session/new');
    assert.deepEqual(session.params, { cwd: '/w', mcpServers: [] });
    peer.answer(session, SESSION);
    assert.deepEqual(await ready, {
      ref: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: '0.61.0' },
      sessionId: 's1',
      model: 'auto',
      takesImages: false,
    });
    assert.deepEqual(timers(), []);
    assert.equal(agent.ready(), agent.ready());
    assert.equal(peer.received.length, 2);
  });

  it('tells the version of package.json', () => {
    assert.equal(CLIENT_INFO.version, JSON.parse(fs.readFileSync('package.json', 'utf8')).version);
  });

  const modes = [
    ['review', 'ask', 'plan'],
    ['execute', 'edits', 'autoEdit'],
    ['execute', 'all', 'autoEdit'],
    ['execute', 'read-only', 'plan'],
  ] as const;
  for (const [role, mode, expected] of modes) {
    it(`sets mode ${expected} to ${role} with permission ${mode}`, async () => {
      const { peer, start } = setupAcp({ context: { role, mode } });
      await start();
      assert.deepEqual(peer.received.at(-1)?.params, { sessionId: 's1', modeId: expected });
    });
  }

  it('goes on without a mode that is not offered or refused, and says so', async () => {
    const lacking = setupAcp({ context: { role: 'review' } });
    await lacking.start({ sessionId: 's1' });
    assert.deepEqual(lacking.codes(), ['agentWarning']);

    const refusing = setupAcp({ context: { mode: 'edits' } });
    const ready = refusing.agent.ready();
    refusing.peer.answer(await refusing.peer.expect('initialize'), INITIALIZED);
    refusing.peer.answer(await refusing.peer.expect('session/new'), SESSION);
    const { id } = await refusing.peer.expect('session/set_mode');
    const details = 'Cannot enable privileged approval modes in an untrusted folder.';
    refusing.peer.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data: { details } } });
    await ready;
    const event = refusing.events.at(-1);
    assert.match(event?.type === 'diagnostic' ? event.derived.text : '', /untrusted folder/);
  });

  it('sets a model only when one is asked for, by the way that the agent offers', async () => {
    const legacy = setupAcp({ context: { model: 'gemini-2.5-flash' } });
    const ready = legacy.agent.ready();
    legacy.peer.answer(await legacy.peer.expect('initialize'), INITIALIZED);
    legacy.peer.answer(await legacy.peer.expect('session/new'), SESSION);
    const set = await legacy.peer.expect('session/set_model');
    assert.deepEqual(set.params, { sessionId: 's1', modelId: 'gemini-2.5-flash' });
    legacy.peer.answer(set, {});
    assert.equal((await ready).model, 'gemini-2.5-flash');

    const options = setupAcp({ context: { model: 'm2' } });
    const second = options.agent.ready();
    options.peer.answer(await options.peer.expect('initialize'), INITIALIZED);
    const configOptions = [
      { id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: 'm1', options: [] },
    ];
    options.peer.answer(await options.peer.expect('session/new'), { sessionId: 's1', configOptions });
    const config = await options.peer.expect('session/set_config_option');
    assert.deepEqual(config.params, { sessionId: 's1', configId: 'model', value: 'm2' });
    options.peer.answer(config, { configOptions });
    assert.equal((await second).model, 'm2');

    const none = setupAcp({ context: { model: 'm2' } });
    const third = none.agent.ready();
    none.peer.answer(await none.peer.expect('initialize'), INITIALIZED);
    none.peer.answer(await none.peer.expect('session/new'), { sessionId: 's1' });
    await assert.rejects(third, /no choice of models/);
  });

  /** Starts and gives the error with which the start ends. */
  async function failure(play: (setup: ReturnType<typeof setupAcp>) => Promise<void>): Promise<AgentStartError> {
    const setup = setupAcp();
    const ready = setup.agent.ready();
    const failed = ready.then(
      () => assert.fail('started'),
      (error) => error,
    );
    await play(setup);
    const error = await failed;
    assert.ok(error instanceof AgentStartError);
    assert.ok(setup.peer.stops > 0);
    assert.deepEqual(setup.timers(), []);
    const turn = await setup.agent.prompt('x', never);
    assert.deepEqual(turn.outcome, { type: 'failed', cause: error.reason, message: error.message });
    return error;
  }

  it('fails with signIn and the way out when there are no credentials (acp-18b-auth-missing-nobase)', async () => {
    const error = await failure(async ({ peer }) => {
      peer.answer(await peer.expect('initialize'), INITIALIZED);
      const { id } = await peer.expect('session/new');
      const message = 'Gemini API key is missing or not configured.';
      peer.send({ jsonrpc: '2.0', id, error: { code: -32000, message } });
    });
    assert.equal(error.reason, 'signIn');
    assert.match(error.message, /key is missing.*Run "gemini" in a terminal.*GEMINI_API_KEY/s);
  });

  it('fails with startLimit, naming the way to sign in, when nothing comes', async () => {
    const error = await failure(async ({ peer, expire }) => {
      await peer.expect('initialize');
      expire();
    });
    assert.equal(error.reason, 'startLimit');
    assert.match(error.message, /no answer within 45 s.*sign in/);
  });

  it('fails with agentExit, exit code and stderr when the process ends', async () => {
    const error = await failure(async ({ peer }) => {
      await peer.expect('initialize');
      peer.exit({ code: 41 }, 'Please set an Auth method\n');
    });
    assert.equal(error.reason, 'agentExit');
    assert.match(error.message, /\/bin\/gemini.*exit code 41\nPlease set an Auth method/s);
  });

  it('fails with spawn when there is no program', async () => {
    const error = await failure(async ({ peer }) => {
      peer.exit({ code: null, error: new Error('spawn /bin/gemini ENOENT') });
    });
    assert.equal(error.reason, 'spawn');
    assert.match(error.message, /ENOENT/);
  });

  it('fails with protocol for another version and for answers of another shape', async () => {
    const version = await failure(async ({ peer }) => {
      peer.answer(await peer.expect('initialize'), { ...INITIALIZED, protocolVersion: 2 });
    });
    assert.equal(version.reason, 'protocol');
    assert.match(version.message, /version 2/);
    const shape = await failure(async ({ peer }) => {
      peer.answer(await peer.expect('initialize'), INITIALIZED);
      peer.answer(await peer.expect('session/new'), { session: 's1' });
    });
    assert.equal(shape.reason, 'protocol');
    assert.match(shape.message, /session\/new: sessionId/);
  });

  it('fails with agentError and its details for any other error', async () => {
    const error = await failure(async ({ peer }) => {
      const { id } = await peer.expect('initialize');
      peer.send({
        jsonrpc: '2.0',
        id,
        error: { code: -32603, message: 'Internal error', data: { details: 'Directory does not exist: /w' } },
      });
    });
    assert.equal(error.reason, 'agentError');
    assert.match(error.message, /-32603: Internal error: Directory does not exist: \/w/);
  });

  it('ends a start that is disposed of, and starts none afterwards', async () => {
    const { agent, peer } = setupAcp();
    const ready = agent.ready();
    await peer.expect('initialize');
    await agent.dispose();
    await assert.rejects(ready, (error) => error instanceof AgentStartError && error.reason === 'agentExit');
    const second = setupAcp();
    await second.agent.dispose();
    await assert.rejects(second.agent.ready(), AgentStartError);
    assert.equal(second.peer.received.length, 0);
  });
});

describe('createAcpAgent: turns', () => {
  it('collects texts by message and reports usage and models', async () => {
    const { agent, peer, events, start } = setupAcp();
    await start();
    const before = events.length;
    const turn = agent.prompt('Say hello', never);
    const prompt = await peer.expect('session/prompt');
    assert.deepEqual(prompt.params, { sessionId: 's1', prompt: [{ type: 'text', text: 'Say hello' }] });
    const thought = (text: string) => update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
    peer.send(
      thought('****\nno subject here'),
      chunk('Hello '),
      chunk('wörld 👋\r\n'),
      update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'a.txt', kind: 'read', status: 'in_progress' }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' }),
      chunk('second'),
      chunk('[MODE_UPDATE] autoEdit'),
      chunk(' message'),
    );
    const quota = {
      token_count: { input_tokens: 11556, output_tokens: 31 },
      model_usage: [{ model: 'gemini-3.8-flash', token_count: { input_tokens: 11556, output_tokens: 31 } }],
    };
    peer.answer(prompt, { ...endTurn, _meta: { quota } });
    assert.deepEqual(await turn, {
      wire: { ...endTurn, _meta: { quota } },
      outcome: { type: 'completed' },
      texts: ['Hello wörld 👋\r\n', 'second message'],
      usage: { inputTokens: 11556, outputTokens: 31, cachedTokens: null, costUsd: null },
      models: ['gemini-3.8-flash'],
      denials: [],
    });
    assert.deepEqual(
      events
        .slice(before)
        .map((event) => (event.type === 'message.chunk' ? [event.derived.channel, event.derived.text] : event.type)),
      [
        ['thought', 'no subject here'],
        ['message', 'Hello '],
        ['message', 'wörld 👋\r\n'],
        'toolCall.started',
        'toolCall.updated',
        ['message', 'second'],
        'mode.updated',
        'options.updated',
        ['message', ' message'],
      ],
    );
  });

  it('C11: takes updates between turns, and those of other sessions once as a remark', async () => {
    const { agent, peer, events, codes, start } = setupAcp();
    await start();
    const before = events.length;
    peer.send(
      update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'init' }] }),
      update({ sessionUpdate: 'current_mode_update', modeId: 'plan' }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }, 's2'),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'y' } }, 's2'),
      update({ sessionUpdate: 'brand_new_2027' }),
      update({ sessionUpdate: 'brand_new_2027' }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '', mimeType: 'image/png' } }),
    );
    const turn = agent.prompt('x', never);
    peer.answer(await peer.expect('session/prompt'), endTurn);
    assert.deepEqual((await turn).texts, []);
    assert.deepEqual(codes(), ['unknownSession', 'unknownVariant', 'notShown']);
    const [commands, mode, options] = events.slice(before);
    assert.deepEqual(commands?.derived, { commands: [{ name: 'init', description: '' }] });
    assert.deepEqual(mode?.derived, { mode: 'plan' });
    const [chosen] = options?.type === 'options.updated' ? options.derived.options : [];
    assert.deepEqual([chosen?.id, chosen?.value], ['mode', 'plan']);
  });

  it('shows plan and cost of the turn', async () => {
    const { agent, peer, events, start } = setupAcp();
    await start();
    const cost = (amount: number) =>
      update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount, currency: 'USD' } });
    const first = agent.prompt('x', never);
    const one = await peer.expect('session/prompt');
    peer.send(cost(0.25));
    peer.answer(one, endTurn);
    await first;
    const second = agent.prompt('x', never);
    const two = await peer.expect('session/prompt');
    const entries = [
      { content: 'a', status: 'in_progress', priority: 'high' },
      { content: 'b', status: 'later' },
    ];
    peer.send(cost(0.75), update({ sessionUpdate: 'plan', entries }));
    peer.answer(two, endTurn);
    assert.equal((await second).usage?.costUsd, 0.5);
    assert.deepEqual(events.at(-1)?.derived, {
      entries: [
        { content: 'a', status: 'in_progress', priority: 'high' },
        { content: 'b', status: 'pending' },
      ],
    });
    const cleared = agent.prompt('/clear', never);
    const three = await peer.expect('session/prompt');
    peer.send(cost(0.1));
    peer.answer(three, endTurn);
    assert.equal((await cleared).usage?.costUsd, 0.1, 'a count that began anew is no refund');
  });

  it('tells once of updates that cannot be read for the same reason', async () => {
    const { peer, codes, start } = setupAcp();
    await start();
    const before = codes().length;
    for (let n = 0; n < 100; n++) peer.send(update({ sessionUpdate: 'usage_update', used: null, size: n }));
    peer.send(update({ sessionUpdate: 'tool_call' }));
    await settle();
    while (codes().length < before + 2) await settle();
    assert.deepEqual(codes().slice(before), ['invalid', 'invalid']);
  });

  const endings: [string, WireObject, object][] = [
    ['end_turn', endTurn, { type: 'completed' }],
    ['max_tokens', { stopReason: 'max_tokens' }, { type: 'incomplete', cause: 'max_tokens' }],
    ['max_turn_requests', { stopReason: 'max_turn_requests' }, { type: 'incomplete', cause: 'max_turn_requests' }],
    ['refusal', { stopReason: 'refusal' }, { type: 'incomplete', cause: 'refusal' }],
    ['a reason of tomorrow', { stopReason: 'toString' }, { type: 'incomplete', cause: 'toString' }],
    ['cancelled without our asking', { stopReason: 'cancelled' }, { type: 'cancelled', by: 'agent' }],
    ['no stop reason', {}, { type: 'failed', cause: 'protocol' }],
    ['odd metadata', { ...endTurn, _meta: { quota: 7 } }, { type: 'completed' }],
  ];
  for (const [name, result, expected] of endings) {
    it(`C29: keeps apart: ${name}`, async () => {
      const { agent, peer, start } = setupAcp();
      await start();
      const turn = agent.prompt('x', never);
      peer.answer(await peer.expect('session/prompt'), result);
      const { outcome, wire } = await turn;
      assert.deepEqual(
        { ...outcome, ...('message' in outcome ? { message: '' } : {}) },
        { ...expected, ...('message' in outcome ? { message: '' } : {}) },
      );
      assert.deepEqual(wire, result);
    });
  }

  const google = (code: number, status: string, reason?: string) =>
    JSON.stringify({ error: { code, message: 'the words', status, ...(reason ? { details: [{ reason }] } : {}) } });
  const errors: [WireObject, string, RegExp][] = [
    [
      { code: 400, message: google(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID') },
      'signIn',
      /error 400: the words\. Run "gemini" in a terminal/,
    ],
    [{ code: 401, message: google(401, 'UNAUTHENTICATED') }, 'signIn', /401: the words\. Run "gemini" in a terminal/],
    [{ code: 403, message: google(403, 'PERMISSION_DENIED') }, 'signIn', /403: the words\. Run "gemini" in a terminal/],
    [{ code: -32000, message: 'sign in' }, 'signIn', /-32000: sign in\. Run "gemini" in a terminal/],
    [{ code: 429, message: 'Rate limit' }, 'quota', /429: Rate limit$/],
    [{ code: 500, message: google(429, 'RESOURCE_EXHAUSTED') }, 'quota', /500: the words$/],
    [{ code: 500, message: 'terminated' }, 'agentError', /500: terminated$/],
    [
      { code: -32603, message: 'Internal error', data: { details: 'daily quota' } },
      'agentError',
      /-32603: Internal error: daily quota$/,
    ],
    [
      { code: -32603, message: 'Internal error', data: [{ path: ['a'] }] },
      'agentError',
      /Internal error: \[\{"path":\["a"\]\}\]$/,
    ],
    [{ code: 'x', message: { a: 1 } }, 'agentError', /-32603: \{"a":1\}$/],
  ];
  for (const [error, cause, words] of errors) {
    it(`fails with ${cause} and readable words: ${JSON.stringify(error).slice(0, 60)} (N58)`, async () => {
      const { agent, peer, start } = setupAcp();
      await start();
      const turn = agent.prompt('x', never);
      const { id } = await peer.expect('session/prompt');
      peer.send({ jsonrpc: '2.0', id, error });
      const { outcome, wire } = await turn;
      assert.ok(outcome.type === 'failed');
      assert.equal(outcome.cause, cause);
      assert.match(outcome.message, words);
      assert.doesNotMatch(outcome.message, /object Object/);
      assert.deepEqual(wire, error);
    });
  }

  it('fails with agentExit and keeps what was said when the process dies (N49)', async () => {
    const { agent, peer, codes, cards, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    await peer.expect('session/prompt');
    peer.send(
      chunk('half'),
      update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'a', status: 'in_progress' }),
    );
    peer.exit({ code: 55 }, 'out of memory\n');
    const { outcome, texts } = await turn;
    assert.ok(outcome.type === 'failed' && outcome.cause === 'agentExit');
    assert.match(outcome.message, /exit code 55\nout of memory/);
    assert.deepEqual(texts, ['half']);
    assert.deepEqual(codes(), ['exit']);
    assert.deepEqual(cards().t1, { title: 'a', state: 'cancelled', reason: 'noResult' });
    const next = await agent.prompt('again', never);
    assert.ok(next.outcome.type === 'failed' && next.outcome.cause === 'agentExit');
    assert.deepEqual(codes(), ['exit']);
  });

  it('says so when the process ends between turns, and not when we ended it', async () => {
    const alone = setupAcp();
    await alone.start();
    alone.peer.exit({ code: null, signal: 'SIGKILL' });
    await settle();
    assert.deepEqual(alone.codes(), ['exit']);
    const ended = setupAcp();
    await ended.start();
    await ended.agent.dispose();
    assert.deepEqual(ended.codes(), []);
  });

  it('refuses a second turn at a time, and sends nothing for a signal that is aborted already', async () => {
    const { agent, peer, start } = setupAcp();
    await start();
    const aborted = await agent.prompt('x', AbortSignal.abort('user'));
    assert.deepEqual(aborted.outcome, { type: 'cancelled', by: 'user' });
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    const second = await agent.prompt('y', never);
    assert.ok(second.outcome.type === 'failed' && second.outcome.cause === 'protocol');
    peer.answer(prompt, endTurn);
    assert.deepEqual((await turn).outcome, { type: 'completed' });
  });
});

describe('createAcpAgent: permissions', () => {
  it('GEMINI.md 0.6, C08, C26: asks in our words, answers with an offered option, and moves the card (N40)', async () => {
    const { agent, peer, questions, cards, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    peer.send(permission(2, 't1'));
    await settle();
    assert.deepEqual(questions[0]?.request, {
      toolCallId: 't1',
      title: 'Write hello.txt',
      kind: 'edit',
      options: [
        {
          optionId: 'proceed_always',
          name: 'Allow for this session',
          kind: 'allow_always',
          scope: 'every edit of this session, of any file',
        },
        { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
      ],
      content: [],
      paths: ['/w/hello.txt'],
      takesMessage: false,
    });
    assert.equal(cards().t1?.state, 'awaitingApproval');
    questions[0]?.answer({ outcome: 'selected', optionId: 'proceed_once' });
    assert.deepEqual(await peer.next(), {
      jsonrpc: '2.0',
      id: 2,
      result: { outcome: { outcome: 'selected', optionId: 'proceed_once' } },
    });
    assert.equal(cards().t1?.state, 'executing');
    peer.send(update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' }));
    peer.answer(prompt, endTurn);
    assert.deepEqual((await turn).denials, []);
    assert.deepEqual(cards().t1?.state, 'success');
  });

  it('GEMINI.md 0.5, 0.6, C20, C25: closes a refused card, of which Gemini CLI says nothing more (acp-04-permission-denied)', async () => {
    const { agent, peer, questions, cards, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    peer.send(permission('p', 't1'), permission('q', 't2', 'Write b'), permission('r', 't3', 'Write c'));
    await settle();
    questions[0]?.answer({ outcome: 'selected', optionId: 'cancel' });
    questions[1]?.answer({ outcome: 'cancelled' });
    questions[2]?.answer({ outcome: 'selected', optionId: 'proceed_always_and_save' });
    const cancelled = { outcome: { outcome: 'cancelled' } };
    assert.deepEqual(
      [await peer.next(), await peer.next(), await peer.next()].map(({ id, result }) => [id, result]),
      [
        ['p', { outcome: { outcome: 'selected', optionId: 'cancel' } }],
        ['q', cancelled],
        ['r', cancelled],
      ],
    );
    peer.answer(prompt, endTurn);
    assert.deepEqual((await turn).denials, ['Write hello.txt (edit)', 'Write b (edit)', 'Write c (edit)']);
    for (const id of ['t1', 't2', 't3']) {
      assert.deepEqual([cards()[id]?.state, cards()[id]?.reason], ['cancelled', 'denied']);
    }
  });

  it('keeps an option of an unknown kind and shows a command whole', async () => {
    const { agent, peer, questions, start } = setupAcp();
    await start();
    void agent.prompt('x', never);
    await peer.expect('session/prompt');
    const command = `for f in *; do\n  echo "$f"\ndone # ${'x'.repeat(500)}`;
    const toolCall = { toolCallId: 't1', title: command, kind: 'execute', content: null, status: 'pending' };
    const options = [{ optionId: 'later', name: 'Later', kind: 'allow_tomorrow' }];
    peer.send({
      jsonrpc: '2.0',
      id: 7,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall, options },
    });
    await settle();
    const { title, command: shown, options: offered } = questions[0]?.request ?? assert.fail('not asked');
    assert.deepEqual([title, shown, offered], ['for f in *; do', command, [{ ...options[0], kind: 'unknown' }]]);
  });

  it('takes no path of a question for none: relative ones and addresses of files are followed too', async () => {
    const { agent, peer, questions, start } = setupAcp();
    await start();
    void agent.prompt('x', never);
    await peer.expect('session/prompt');
    const named = ['/w/a.ts', '../secret', 'b.ts', 'file:///etc/my%20hosts', 'untitled:Untitled-1', 'file://host/%2F'];
    const toolCall = { toolCallId: 't1', kind: 'edit', locations: named.map((path) => ({ path })) };
    const options = [{ optionId: 'go', name: 'Go', kind: 'allow_once' }];
    peer.send({
      jsonrpc: '2.0',
      id: 6,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall, options },
    });
    await settle();
    assert.deepEqual(questions[0]?.request.paths, ['/w/a.ts', '/secret', '/w/b.ts', '/etc/my hosts']);
  });

  it('takes back what is open when the process ends between turns: nobody waits for an answer', async () => {
    const { peer, questions, start } = setupAcp();
    await start();
    peer.send(permission(7, 't1'));
    await settle();
    assert.equal(questions[0]?.withdrawn.aborted, false);
    peer.exit({ code: 1 });
    await settle();
    assert.equal(questions[0]?.withdrawn.aborted, true);
  });

  it('tells when the peer takes its question back', async () => {
    const { agent, peer, questions, start } = setupAcp();
    await start();
    void agent.prompt('x', never);
    await peer.expect('session/prompt');
    peer.send(permission(4, 't1'), { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 4 } });
    await settle();
    assert.equal(questions[0]?.withdrawn.aborted, true);
    questions[0]?.answer({ outcome: 'cancelled' });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 4, result: { outcome: { outcome: 'cancelled' } } });
  });

  it('answers malformed questions and those of other sessions with -32602', async () => {
    const { peer, questions, start } = setupAcp();
    await start();
    peer.send({ jsonrpc: '2.0', id: 1, method: 'session/request_permission', params: { sessionId: 's1' } });
    const other = permission(2, 't1');
    peer.send({ ...other, params: { sessionId: 's9', options: [], toolCall: { toolCallId: 't1' } } });
    const codes = [await peer.next(), await peer.next()].map(
      ({ error }) => error !== null && typeof error === 'object' && 'code' in error && error.code,
    );
    assert.deepEqual([codes, questions.length], [[-32602, -32602], 0]);
  });
});

describe('createAcpAgent: cancel and end', () => {
  it('C19: says session/cancel, answers open questions, stops the cards, then waits for the answer (N53)', async () => {
    const { agent, peer, questions, cards, timers, start } = setupAcp();
    await start();
    const stop = new AbortController();
    const turn = agent.prompt('x', stop.signal);
    const prompt = await peer.expect('session/prompt');
    peer.send(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't0',
        title: 'sleep 20',
        kind: 'execute',
        status: 'in_progress',
      }),
      permission(20, 't1'),
    );
    await settle();
    stop.abort('user');
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's1' } });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 20, result: { outcome: { outcome: 'cancelled' } } });
    assert.deepEqual([cards().t0?.reason, cards().t1?.reason], ['stopped', 'stopped']);
    assert.deepEqual(timers(), [5_000]);
    // Killed, never run, and asked for too late: acp-08-cancel-midtool.
    peer.send(
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't0',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'Command cancelled by user.' } }],
      }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't2', status: 'failed' }),
      permission(21, 't3'),
      chunk('late words'),
    );
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 21, result: { outcome: { outcome: 'cancelled' } } });
    questions[0]?.answer({ outcome: 'selected', optionId: 'proceed_once' });
    peer.answer(prompt, { stopReason: 'cancelled' });
    const { outcome, texts, denials } = await turn;
    assert.deepEqual([outcome, texts, denials], [{ type: 'cancelled', by: 'user' }, ['late words'], []]);
    assert.equal(questions.length, 1);
    for (const id of ['t0', 't1', 't2', 't3']) {
      assert.deepEqual([cards()[id]?.state, cards()[id]?.reason], ['cancelled', 'stopped'], id);
    }
    assert.deepEqual(cards().t0?.content, [{ type: 'text', text: 'Command cancelled by user.' }]);
    assert.deepEqual(timers(), []);
  });

  it('writes and starts nothing for an agent that goes on after the cancel', async () => {
    const served: string[] = [];
    const services = new Map(
      ['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/kill'].map((method) => [
        method,
        async () => {
          served.push(method);
          return {};
        },
      ]),
    );
    const { agent, peer, start } = setupAcp({ deps: { services } });
    await start();
    const stop = new AbortController();
    void agent.prompt('x', stop.signal);
    await peer.expect('session/prompt');
    stop.abort('user');
    await peer.expect('session/cancel');
    for (const [id, method] of [...services.keys()].entries()) {
      peer.send({ jsonrpc: '2.0', id, method, params: { sessionId: 's1' } });
    }
    const answers = [await peer.next(), await peer.next(), await peer.next(), await peer.next()];
    const refused = answers.filter(({ error }) => error !== undefined).map(({ id }) => id);
    assert.deepEqual(
      [refused, served],
      [
        [1, 2],
        ['fs/read_text_file', 'terminal/kill'],
      ],
    );
  });

  it('counts an error or an end after the cancel as cancelled, and goes on with the next turn', async () => {
    const { agent, peer, start } = setupAcp();
    await start();
    for (const body of [{ error: { code: 500, message: 'This operation was aborted' } }, { result: endTurn }]) {
      const stop = new AbortController();
      const turn = agent.prompt('x', stop.signal);
      const { id } = await peer.expect('session/prompt');
      stop.abort('user');
      await peer.expect('session/cancel');
      peer.send({ jsonrpc: '2.0', id, ...body });
      assert.deepEqual((await turn).outcome, { type: 'cancelled', by: 'user' });
    }
    const last = agent.prompt('x', never);
    peer.answer(await peer.expect('session/prompt'), endTurn);
    assert.deepEqual((await last).outcome, { type: 'completed' });
  });

  it('ends a process that does not answer a cancel in time; cancelled all the same', async () => {
    const { agent, peer, codes, expire, start } = setupAcp();
    await start();
    const stop = new AbortController();
    const turn = agent.prompt('x', stop.signal);
    await peer.expect('session/prompt');
    stop.abort('timeLimit');
    await peer.expect('session/cancel');
    expire();
    const { outcome } = await turn;
    assert.ok(outcome.type === 'failed' && outcome.cause === 'timeLimit');
    assert.equal(peer.stops > 0, true);
    assert.deepEqual(codes(), []);
  });

  it('GEMINI.md 0.2: disposes of a busy agent: cancel first, then the end; once', async () => {
    const { agent, peer, questions, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    await peer.expect('session/prompt');
    peer.send(permission(20, 't1'));
    await settle();
    const first = agent.dispose();
    assert.equal(agent.dispose(), first);
    await peer.expect('session/cancel');
    assert.equal((await peer.next()).id, 20);
    await first;
    assert.deepEqual((await turn).outcome, { type: 'cancelled', by: 'user' });
    assert.equal(questions.length, 1);
    const after = await agent.prompt('x', never);
    assert.ok(after.outcome.type === 'failed' && after.outcome.cause === 'agentExit');
  });

  it('closes cards without a result at the end of a turn, and takes a repeated id as a new call', async () => {
    const { agent, peer, cards, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    const call = { sessionUpdate: 'tool_call', toolCallId: 'read_file__my-id', title: 'a.txt', kind: 'read' };
    peer.send(
      update({ ...call, status: 'in_progress' }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'read_file__my-id', status: 'failed' }),
      update({ ...call, status: 'in_progress' }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't9', status: 'in_progress', title: 'Read a.ts' }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't9', status: 'completed' }),
    );
    peer.answer(prompt, endTurn);
    await turn;
    assert.deepEqual(cards()['read_file__my-id'], {
      title: 'a.txt',
      kind: 'read',
      state: 'cancelled',
      reason: 'noResult',
    });
    assert.deepEqual(cards().t9, { title: 'Read a.ts', state: 'success' });
  });
});
