import assert from 'node:assert/strict';
import type { SignInQuestion } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { chunk, update } from '../fakes/acpPeer.ts';
import { INITIALIZED, SESSION, setupAcp } from '../fakes/acpSetup.ts';

const never = new AbortController().signal;
const launch = {
  ref: { id: 'other', name: 'Other', protocol: 'acp', version: null },
  command: '/bin/other agent',
  args: ['--acp'],
  env: {},
} as const;
const OTHER: WireObject = { protocolVersion: 1, agentInfo: { name: 'other', version: '1.0.0' } };
const stdio = (name: string) => ({ type: 'stdio', name, command: `/bin/${name}`, args: [], env: { A: '1' } }) as const;
const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};
const texts = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.text] : []));

describe('ACP session: sign-in', () => {
  const authMethods = [
    { id: 'login', name: 'Log in', description: 'In a browser' },
    { id: 'terminal', name: 'Terminal', type: 'terminal', args: ['login', "it's"], env: { SETUP: '1' } },
  ];
  const refusal = { code: -32000, message: 'Authentication required' };

  it('C06: asks the person only when session/new asks, signs in as chosen, and tries once more', async () => {
    const asked: SignInQuestion[] = [];
    const { agent, peer, timers } = setupAcp({
      context: {
        launch,
        askSignIn: async (question) => {
          asked.push(question);
          // The person's time does not count.
          assert.deepEqual(timers(), []);
          return 'login';
        },
      },
    });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), { ...OTHER, authMethods });
    const { id } = await peer.expect('session/new');
    peer.send({ jsonrpc: '2.0', id, error: refusal });
    const sent = await peer.expect('authenticate');
    assert.deepEqual(sent.params, { methodId: 'login' });
    peer.answer(sent, {});
    peer.answer(await peer.expect('session/new'), { sessionId: 's1' });
    assert.equal((await ready).sessionId, 's1');
    const [question] = asked;
    assert.equal(question?.message, 'Authentication required');
    assert.deepEqual(
      question?.choices.map(({ id: choice, name }) => [choice, name]),
      [['login', 'Log in']],
    );
    assert.match(question?.choices[0]?.changes ?? '', /home folder/);
    assert.deepEqual(question?.commands, ["SETUP=1 '/bin/other agent' --acp login 'it'\\''s'"]);
  });

  it('C06: fails with the commands for a terminal when nobody consents, and never authenticates a terminal method', async () => {
    for (const askSignIn of [undefined, async () => null, async () => 'terminal']) {
      const { agent, peer } = setupAcp({ context: { launch, ...(askSignIn === undefined ? {} : { askSignIn }) } });
      const ready = agent.ready();
      peer.answer(await peer.expect('initialize'), { ...OTHER, authMethods });
      const { id } = await peer.expect('session/new');
      peer.send({ jsonrpc: '2.0', id, error: refusal });
      await assert.rejects(ready, /Run this in a terminal: SETUP=1 '\/bin\/other agent' --acp login/);
      assert.equal(peer.received.length, 2);
    }
  });

  it('C06: another error brings no sign-in, and its details are told', async () => {
    const { agent, peer } = setupAcp({ context: { launch, askSignIn: () => assert.fail('asked') } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), { ...OTHER, authMethods });
    const { id } = await peer.expect('session/new');
    const details = 'You have exhausted your daily quota';
    peer.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data: { details } } });
    await assert.rejects(ready, /-32603: Internal error: You have exhausted your daily quota/);
  });

  it('GEMINI.md 0.13: never offers Google’s login over the wire, and a key only when it is in the environment', async () => {
    const gemini = {
      ...INITIALIZED,
      authMethods: [
        { id: 'oauth-personal', name: 'Log in with Google' },
        { id: 'gemini-api-key', name: 'Gemini API key' },
        { id: 'vertex-ai', name: 'Vertex AI' },
      ],
    };
    const asked: SignInQuestion[] = [];
    for (const env of [{}, { GEMINI_API_KEY: 'secret' }]) {
      const { agent, peer } = setupAcp({
        context: {
          askSignIn: async (question) => {
            asked.push(question);
            return null;
          },
        },
        deps: { env },
      });
      const ready = agent.ready();
      peer.answer(await peer.expect('initialize'), gemini);
      const { id } = await peer.expect('session/new');
      peer.send({ jsonrpc: '2.0', id, error: refusal });
      await assert.rejects(ready, /Run "gemini" in a terminal/);
    }
    assert.equal(asked.length, 1);
    assert.deepEqual(
      asked[0]?.choices.map(({ id }) => id),
      ['gemini-api-key'],
    );
    assert.match(asked[0]?.choices[0]?.changes ?? '', /\.gemini\/settings\.json/);
    assert.ok(!JSON.stringify(asked).includes('secret'));
  });
});

describe('ACP session: what else a wire brings', () => {
  it('C01: a log line before the handshake is one quiet remark', async () => {
    const { agent, peer, events } = setupAcp({ context: { launch } });
    const ready = agent.ready();
    const hello = await peer.expect('initialize');
    peer.sendRaw(`Loaded cached credentials.\n${JSON.stringify({ jsonrpc: '2.0', id: hello.id, result: OTHER })}\n`);
    peer.answer(await peer.expect('session/new'), { sessionId: 's1' });
    await ready;
    const [noise, ...more] = events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived] : []));
    assert.deepEqual([noise?.code, noise?.level, noise?.text], ['noise', 'info', 'Loaded cached credentials.']);
    assert.ok(more.every(({ code }) => code !== 'noise'));
  });

  it('C09: whoever awaits the turn already has the text that came in one read with its end', async () => {
    const { agent, peer, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    const { id } = await peer.expect('session/prompt');
    const end = { jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } };
    const lines = [chunk('Score: 9/10\n\nAPP'), chunk('ROVED'), end].map((line) => `${JSON.stringify(line)}\n`);
    peer.sendRaw(lines.join(''));
    assert.deepEqual((await turn).texts, ['Score: 9/10\n\nAPPROVED']);
  });

  it('C18: the process and its session are in the folder of the run', async () => {
    const { peer, starts, start } = setupAcp({ context: { folder: '/projects/one' } });
    await start();
    const session = peer.received.find(({ method }) => method === 'session/new');
    assert.deepEqual(session?.params, { cwd: '/projects/one', mcpServers: [] });
    assert.deepEqual(
      starts.map(({ cwd }) => cwd),
      ['/projects/one'],
    );
  });

  it('C27: an update leaves what it does not name, and an empty list replaces', async () => {
    const { agent, peer, cards, start } = setupAcp();
    await start();
    void agent.prompt('x', never);
    await peer.expect('session/prompt');
    const content = [{ type: 'content', content: { type: 'text', text: 'half' } }];
    const call = { toolCallId: 't1', title: 'Read a.ts', kind: 'read', rawInput: { path: 'a.ts' }, content };
    peer.send(
      update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' }),
    );
    await settle();
    const { title, rawInput, state, content: kept } = cards().t1 ?? {};
    assert.deepEqual(
      [title, rawInput, state, kept],
      ['Read a.ts', { path: 'a.ts' }, 'success', [{ type: 'text', text: 'half' }]],
    );
    peer.send(update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', content: [] }));
    await settle();
    assert.deepEqual([cards().t1?.content, cards().t1?.title], [[], 'Read a.ts']);
  });

  it('a notice is a remark by its severity, and what is not drawn is said once', async () => {
    const { peer, events, start } = setupAcp();
    await start();
    const from = events.length;
    const notice = (severity: string) => update({ sessionUpdate: 'notice', severity, title: 'T', description: 'd' });
    const info = update({ sessionUpdate: 'session_info_update', title: 'A name' });
    peer.send(notice('error'), notice('warning'), notice('info'), info, info);
    await settle();
    const told = events.slice(from).flatMap((event) => (event.type === 'diagnostic' ? [event.derived] : []));
    assert.deepEqual(
      told.map(({ code, level }) => [code, level]),
      [
        ['agentError', 'error'],
        ['agentWarning', 'warning'],
        ['agentWarning', 'info'],
        ['notShown', 'info'],
      ],
    );
  });
});

describe('ACP session: an old program', () => {
  const old = { ...launch, args: ['--acp'], oldArgs: ['--experimental-acp'] };

  it('C04: is started once more with the old name of the flag', async () => {
    const { agent, peers, codes } = setupAcp({ context: { launch: old }, peers: 2 });
    const ready = agent.ready();
    await peers[0]?.expect('initialize');
    peers[0]?.exit({ code: 1 }, 'Usage: gemini [options]\n\nUnknown argument: acp\n');
    const second = peers[1] ?? assert.fail('one peer');
    second.answer(await second.expect('initialize'), OTHER);
    second.answer(await second.expect('session/new'), { sessionId: 's1' });
    await ready;
    assert.deepEqual(codes().slice(0, 1), ['agentWarning']);
  });

  it('C04: is not started again once nobody waits for its start', async () => {
    const { agent, peers, peer, expire } = setupAcp({
      context: { launch: old },
      peers: 2,
      peer: { onStop: 'nothing' },
    });
    const ready = agent.ready();
    await peer.expect('initialize');
    expire();
    await settle();
    peer.exit({ code: 1 }, 'Usage: gemini [options]\n');
    await assert.rejects(ready, /no answer within 45 s/);
    await settle();
    assert.equal(peers[1]?.received.length, 0);
  });

  it('C04: is not started again when it ends for another reason, nor a third time', async () => {
    const crash = setupAcp({ context: { launch: old }, peers: 2 });
    const ready = crash.agent.ready();
    await crash.peers[0]?.expect('initialize');
    crash.peers[0]?.exit({ code: 1 }, 'out of memory\n');
    await assert.rejects(ready, /out of memory/);
    const twice = setupAcp({ context: { launch: old }, peers: 3 });
    const failed = twice.agent.ready();
    for (const peer of twice.peers.slice(0, 2)) {
      await peer.expect('initialize');
      peer.exit({ code: 1 }, 'Unknown argument: acp\n');
    }
    await assert.rejects(failed, /Unknown argument/);
    assert.deepEqual(
      [...crash.peers.slice(1), ...twice.peers.slice(2)].map(({ received }) => received.length),
      [0, 0],
    );
  });
});

describe('ACP session: an earlier one', () => {
  const resume = { sessionId: 'old1' };

  it('goes on by session/resume where it is offered', async () => {
    const { agent, peer } = setupAcp({ context: { launch, resume } });
    const ready = agent.ready();
    const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {} } };
    peer.answer(await peer.expect('initialize'), { ...OTHER, agentCapabilities });
    const asked = await peer.expect('session/resume');
    assert.deepEqual(asked.params, { sessionId: 'old1', cwd: '/w', mcpServers: [] });
    peer.answer(asked, {});
    const { sessionId, resumed } = await ready;
    assert.deepEqual([sessionId, resumed], ['old1', { history: [] }]);
  });

  it('counts the cost of a turn without what the session had cost before', async () => {
    const { agent, peer } = setupAcp({ context: { launch, resume: { ...resume, costUsd: 2 } } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), { ...OTHER, agentCapabilities: { loadSession: true } });
    peer.answer(await peer.expect('session/load'), null);
    await ready;
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    const cost = { amount: 2.5, currency: 'USD' };
    peer.send(update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost }, 'old1'));
    peer.answer(prompt, { stopReason: 'end_turn' });
    assert.equal((await turn).usage?.costUsd, 0.5);
  });

  it('acp-13c: takes what session/load tells again, until the commands come, as history and not as messages', async () => {
    const { agent, peer, events, timers } = setupAcp({ context: { resume } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), { ...INITIALIZED, agentCapabilities: { loadSession: true } });
    const asked = await peer.expect('session/load');
    const say = (sessionUpdate: string, text: string) =>
      update({ sessionUpdate, content: { type: 'text', text } }, 'old1');
    peer.send(say('user_message_chunk', '<session_context>\nhidden\n</session_context>'));
    peer.answer(asked, { modes: SESSION.modes ?? null });
    peer.send(
      say('user_message_chunk', 'read a.txt'),
      say('agent_thought_chunk', '**Plan**\nthink'),
      say('agent_message_chunk', 'I read.'),
      update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'ReadFile', status: 'completed' }, 'old1'),
      say('user_message_chunk', '[Function Response: read_file][Function Response: write_file]'),
      say('agent_message_chunk', 'It says A.'),
    );
    await settle();
    assert.deepEqual(timers(), [45_000, 3_000]);
    peer.send(update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'init' }] }, 'old1'));
    assert.deepEqual((await ready).resumed, {
      history: [
        { from: 'user', text: 'read a.txt' },
        { from: 'agent', text: 'I read.' },
        { from: 'agent', text: 'It says A.' },
      ],
    });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['commands.updated', 'options.updated'],
    );
    assert.deepEqual(timers(), []);
    const turn = agent.prompt('more', never);
    const prompt = await peer.expect('session/prompt');
    peer.send(update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'after load' } }, 'old1'));
    peer.answer(prompt, { stopReason: 'end_turn' });
    assert.deepEqual((await turn).texts, ['after load']);
  });

  it('GEMINI.md 0.12: is replaced by a new one, with a word, when it is gone or cannot be taken up', async () => {
    const details = 'Invalid session identifier "old1".';
    const gone = setupAcp({ context: { resume } });
    const ready = gone.agent.ready();
    gone.peer.answer(await gone.peer.expect('initialize'), {
      ...INITIALIZED,
      agentCapabilities: { loadSession: true },
    });
    const { id } = await gone.peer.expect('session/load');
    gone.peer.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data: { details } } });
    gone.peer.answer(await gone.peer.expect('session/new'), SESSION);
    assert.equal((await ready).sessionId, 's1');
    assert.match(texts(gone.events)[0] ?? '', /earlier session cannot go on.*Invalid session identifier/);

    const never1 = setupAcp({ context: { launch, resume } });
    const second = never1.agent.ready();
    never1.peer.answer(await never1.peer.expect('initialize'), OTHER);
    never1.peer.answer(await never1.peer.expect('session/new'), { sessionId: 's1' });
    assert.equal((await second).resumed, undefined);
    assert.match(texts(never1.events)[0] ?? '', /cannot go on with an earlier session/);
  });
});

describe('ACP session: servers', () => {
  const agentCapabilities = { mcpCapabilities: { http: true } };
  const names = (message: WireObject) => {
    const { params } = message;
    const servers = params !== null && typeof params === 'object' && 'mcpServers' in params ? params.mcpServers : [];
    return Array.isArray(servers) ? servers.map(({ name }) => name) : [];
  };

  it('gives an executor its servers, as the agent takes them, and a reviewer none', async () => {
    const web = { type: 'http', name: 'web', url: 'http://localhost:1', headers: { X: 'y' } } as const;
    const events = { type: 'sse', name: 'events', url: 'http://localhost:2', headers: {} } as const;
    const mcpServers = [stdio('files'), web, events];
    const { agent, peer, events: told } = setupAcp({ context: { launch: { ...launch, mcpServers } } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), { ...OTHER, agentCapabilities });
    const session = await peer.expect('session/new');
    assert.deepEqual(session.params, {
      cwd: '/w',
      mcpServers: [
        { name: 'files', command: '/bin/files', args: [], env: [{ name: 'A', value: '1' }] },
        { type: 'http', name: 'web', url: 'http://localhost:1', headers: [{ name: 'X', value: 'y' }] },
      ],
    });
    peer.answer(session, { sessionId: 's1' });
    await ready;
    assert.match(texts(told)[0] ?? '', /cannot reach servers of this type: events/);

    const reviewer = setupAcp({ context: { role: 'review', launch: { ...launch, mcpServers } } });
    void reviewer.agent.ready();
    reviewer.peer.answer(await reviewer.peer.expect('initialize'), { ...OTHER, agentCapabilities });
    assert.deepEqual(names(await reviewer.peer.expect('session/new')), []);
  });

  it('acp-50-mcp-hung: goes on without the silent server, and names it', async () => {
    const mcpServers = [stdio('good'), stdio('hung')];
    const { agent, peer, events, expire, timers } = setupAcp({ context: { launch: { ...launch, mcpServers } } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), OTHER);
    const first = await peer.expect('session/new');
    assert.deepEqual(
      [names(first), timers()],
      [
        ['good', 'hung'],
        [45_000, 10_000],
      ],
    );
    expireLast(expire, timers);
    const withdrawn = await peer.expect('$/cancel_request');
    assert.deepEqual(withdrawn.params, { requestId: first.id });
    const [good, hung] = [await peer.expect('session/new'), await peer.expect('session/new')];
    assert.deepEqual([names(good), names(hung)], [['good'], ['hung']]);
    peer.answer(good, { sessionId: 'probe' });
    await settle();
    expireLast(expire, timers);
    await peer.expect('$/cancel_request');
    const last = await peer.expect('session/new');
    assert.deepEqual(names(last), ['good']);
    peer.answer(last, { sessionId: 's1' });
    peer.answer(first, { sessionId: 'late' });
    assert.equal((await ready).sessionId, 's1');
    assert.match(texts(events)[0] ?? '', /No answer within 10 s from the server hung: Other works without it/);
    assert.deepEqual(timers(), []);
  });

  it('tries servers in sessions of their own, never by loading the earlier one again, and closes those', async () => {
    const mcpServers = [stdio('good'), stdio('hung')];
    const context = { launch: { ...launch, mcpServers }, resume: { sessionId: 'old1' } };
    const { agent, peer, expire, timers } = setupAcp({ context });
    const ready = agent.ready();
    const capabilities = { loadSession: true, sessionCapabilities: { close: {} } };
    peer.answer(await peer.expect('initialize'), { ...OTHER, agentCapabilities: capabilities });
    await peer.expect('session/load');
    expireLast(expire, timers);
    await peer.expect('$/cancel_request');
    const [good, hung] = [await peer.expect('session/new'), await peer.expect('session/new')];
    peer.answer(good, { sessionId: 'probe' });
    assert.deepEqual((await peer.expect('session/close')).params, { sessionId: 'probe' });
    expireLast(expire, timers);
    await peer.expect('$/cancel_request');
    const last = await peer.expect('session/load');
    assert.deepEqual(names(last), ['good']);
    peer.answer(last, null);
    assert.equal((await ready).sessionId, 'old1');
    peer.answer(hung, { sessionId: 'late' });
    assert.deepEqual((await peer.expect('session/close')).params, { sessionId: 'late' });
  });

  it('never sends $/cancel_request to gemini-cli', async () => {
    const gemini = { ...launch, mcpServers: [stdio('hung')] };
    const { agent, peer, expire, timers } = setupAcp({ context: { launch: gemini } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), INITIALIZED);
    await peer.expect('session/new');
    expireLast(expire, timers);
    const bare = await peer.expect('session/new');
    assert.deepEqual(names(bare), []);
    peer.answer(bare, SESSION);
    await ready;
  });
});

/** Lets the newest timer run off. */
function expireLast(expire: (place?: number) => void, timers: () => readonly number[]): void {
  expire(timers().length - 1);
}

describe('ACP session: what can be chosen', () => {
  const configOptions = (mode: string) => [
    {
      id: 'perm',
      name: 'Permissions',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: [
        { value: 'default', name: 'Manual' },
        { value: 'auto', name: 'Auto' },
      ],
    },
    {
      id: 'effort',
      name: 'Effort',
      category: 'thought_level',
      type: 'select',
      currentValue: 'low',
      options: [{ group: 'g', name: 'G', options: [{ value: 'low', name: 'Low' }] }],
    },
    { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
    { id: 'odd', name: 'Odd', type: 'slider', currentValue: 7 },
  ];
  const modes = { currentModeId: 'auto', availableModes: [{ id: 'default', name: 'Manual' }] };

  it('is one list; an option of the category mode counts before the modes (a1-acp-new-node20)', async () => {
    const { agent, peer, events } = setupAcp({ context: { launch } });
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), OTHER);
    peer.answer(await peer.expect('session/new'), { sessionId: 's1', modes, configOptions: configOptions('auto') });
    const set = await peer.expect('session/set_config_option');
    assert.deepEqual(set.params, { sessionId: 's1', configId: 'perm', value: 'default' });
    peer.answer(set, { configOptions: configOptions('default') });
    await ready;
    const last = events.at(-1);
    assert.deepEqual(last?.type === 'options.updated' && last.derived.options.map(({ id, value }) => [id, value]), [
      ['perm', 'default'],
      ['effort', 'low'],
      ['fast', false],
    ]);

    const { controls } = agent;
    const fast = controls?.setConfigOption('fast', true);
    const asked = await peer.expect('session/set_config_option');
    assert.deepEqual(asked.params, { sessionId: 's1', configId: 'fast', type: 'boolean', value: true });
    peer.answer(asked, { configOptions: [] });
    await fast;
    const refused = controls?.setMode('yolo');
    const { id } = await peer.expect('session/set_mode');
    peer.send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such mode' } });
    await assert.rejects(async () => refused, /-32602: no such mode/);
  });

  it('old agents: modes and models, each by its own request', async () => {
    const { agent, peer, events, start } = setupAcp();
    await assert.rejects(async () => agent.controls?.setMode('plan'), /no session yet/);
    await start();
    const model = agent.controls?.setModel('gemini-2.5-flash');
    peer.answer(await peer.expect('session/set_model'), {});
    await model;
    const mode = agent.controls?.setMode('plan');
    peer.answer(await peer.expect('session/set_mode'), {});
    await mode;
    const last = events.at(-1);
    assert.deepEqual(last?.type === 'options.updated' && last.derived.options.map(({ id, value }) => [id, value]), [
      ['mode', 'plan'],
      ['model', 'gemini-2.5-flash'],
    ]);
  });
});

describe('ACP session: forms', () => {
  const form = (more: WireObject = {}): WireObject => ({
    jsonrpc: '2.0',
    id: 9,
    method: 'elicitation/create',
    params: {
      sessionId: 's1',
      mode: 'form',
      message: 'Which one?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9, format: 'email', default: 'a@b.c' },
          size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
          count: { type: 'integer', minimum: 1, maximum: 3 },
          sure: { type: 'boolean', default: true },
          tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, maxItems: 1 },
        },
        required: ['name'],
      },
      ...more,
    },
  });

  it('asks with a form and answers what was filled in, declined or cancelled', async () => {
    const { peer, questions, start } = setupAcp();
    await start();
    peer.send(form());
    await settle();
    assert.deepEqual(questions[0]?.request, {
      toolCallId: 'form-1',
      title: 'Which one?',
      kind: 'ask',
      options: [
        { optionId: 'accept', name: 'Send', kind: 'allow_once' },
        { optionId: 'decline', name: 'Decline', kind: 'reject_once' },
      ],
      content: [],
      paths: [],
      takesMessage: false,
      form: {
        message: 'Which one?',
        fields: [
          {
            id: 'name',
            label: 'Name',
            description: '(format: email)',
            required: true,
            type: 'text',
            minLength: 1,
            maxLength: 9,
            initial: 'a@b.c',
          },
          {
            id: 'size',
            label: 'size',
            required: false,
            type: 'choice',
            options: [{ value: 's', label: 'Small' }],
            freeText: false,
          },
          { id: 'count', label: 'count', required: false, type: 'number', integer: true, minimum: 1, maximum: 3 },
          { id: 'sure', label: 'sure', required: false, type: 'boolean', initial: true },
          {
            id: 'tags',
            label: 'tags',
            required: false,
            type: 'choices',
            options: [
              { value: 'x', label: 'x' },
              { value: 'y', label: 'y' },
            ],
            freeText: false,
            maxItems: 1,
          },
        ],
      },
    });
    const filled = { name: 'x@y.z', count: 2, tags: ['x'] };
    questions[0]?.answer({ outcome: 'selected', optionId: 'accept', form: filled });
    assert.deepEqual((await peer.next()).result, { action: 'accept', content: filled });
    peer.send(form(), form({ sessionId: null, requestId: 1 }));
    await settle();
    questions[1]?.answer({ outcome: 'selected', optionId: 'decline' });
    assert.deepEqual((await peer.next()).result, { action: 'decline' });
    questions[2]?.answer({ outcome: 'cancelled' });
    assert.deepEqual((await peer.next()).result, { action: 'cancel' });
  });

  it('does not count the time of the person, also of several forms, as that of the start', async () => {
    const { agent, peer, questions, timers } = setupAcp();
    const ready = agent.ready();
    peer.answer(await peer.expect('initialize'), INITIALIZED);
    const session = await peer.expect('session/new');
    assert.deepEqual(timers(), [45_000]);
    peer.send(form({ sessionId: null, requestId: 1 }), form({ sessionId: null, requestId: 1 }));
    await settle();
    assert.deepEqual(timers(), []);
    questions[0]?.answer({ outcome: 'cancelled' });
    await peer.next();
    assert.deepEqual(timers(), []);
    questions[1]?.answer({ outcome: 'cancelled' });
    await peer.next();
    assert.deepEqual(timers(), [45_000]);
    peer.answer(session, SESSION);
    await ready;
  });

  it('is cancelled with the turn, and refuses a page, another session and what it cannot draw', async () => {
    const { agent, peer, questions, start } = setupAcp();
    await start();
    const stop = new AbortController();
    const turn = agent.prompt('x', stop.signal);
    const prompt = await peer.expect('session/prompt');
    peer.send(form({ toolCallId: 't1' }));
    await settle();
    assert.equal(questions[0]?.request.toolCallId, 't1');
    stop.abort('user');
    await peer.expect('session/cancel');
    assert.deepEqual((await peer.next()).result, { action: 'cancel' });
    peer.answer(prompt, { stopReason: 'cancelled' });
    await turn;
    peer.send(
      form({ mode: 'url', url: 'https://example.org', elicitationId: 'e1' }),
      form({ sessionId: 's9' }),
      form({ requestedSchema: { properties: { a: { type: 'object' } } } }),
      { jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'unknown' } },
    );
    const errors = [await peer.next(), await peer.next(), await peer.next()].map(({ error }) => error);
    assert.deepEqual(
      errors.map((error) => error !== null && typeof error === 'object' && 'code' in error && error.code),
      [-32602, -32602, -32602],
    );
    assert.equal(questions.length, 1);
  });
});

describe('ACP session: streams that broke', () => {
  const end = (tokens: number | null): WireObject => ({
    stopReason: 'end_turn',
    ...(tokens === null
      ? {}
      : { _meta: { quota: { token_count: { input_tokens: tokens, output_tokens: 0 }, model_usage: [] } } }),
  });

  async function played(chunks: readonly string[], result: WireObject) {
    const { agent, peer, events, start } = setupAcp();
    await start();
    const turn = agent.prompt('x', never);
    const prompt = await peer.expect('session/prompt');
    peer.send(...chunks.map(chunk));
    peer.answer(prompt, result);
    const { outcome, texts: said } = await turn;
    return { outcome, said, remarks: texts(events) };
  }

  it('GEMINI.md 0.10, acp-24-stream-nofinish: an end_turn without a counted token and with one text four times is no end', async () => {
    const { outcome, said } = await played(['partial ', 'partial ', 'partial ', 'partial '], end(0));
    assert.deepEqual([outcome.type, outcome.type === 'incomplete' && outcome.cause], ['incomplete', 'brokenStream']);
    assert.deepEqual(said, ['partial partial partial partial ']);
  });

  it('says a doubt and concludes nothing where the same could be a whole answer', async () => {
    const once = await played(['a whole answer, or half of one'], end(0));
    assert.deepEqual(once.outcome, { type: 'completed' });
    assert.match(once.remarks[0] ?? '', /counted no tokens/);
    const beginning = 'The review of the change, in which I say what I think of it. ';
    const twice = await played([beginning, beginning, 'Score: 9/10'], end(100));
    assert.deepEqual(twice.outcome, { type: 'completed' });
    assert.match(twice.remarks[0] ?? '', /begins with the same words twice/);
    const plain = await played(['ha ha ha'], end(100));
    assert.deepEqual([plain.outcome, plain.remarks], [{ type: 'completed' }, []]);
    assert.deepEqual((await played(['x x '], end(null))).remarks, []);
  });
});
