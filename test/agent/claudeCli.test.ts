import assert from 'node:assert/strict';
import { type Agent, type AgentContext, AgentStartError } from '../../src/agent/agent.ts';
import { CLAUDE_DEPS, type ClaudeDeps, createClaudeAgent } from '../../src/agent/claudeCli.ts';
import { claudeArgs } from '../../src/agent/claudeCommand.ts';
import type { FileText } from '../../src/agent/claudeContent.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import type { FormValues } from '../../src/shared/question.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { type ClaudePeer, claudePeer, type PeerStep, STARTED, say } from '../fakes/claudePeer.ts';
import { gone } from '../transport/childProcessAlive.ts';

const WAITS: ClaudeDeps = { ...CLAUDE_DEPS, interruptMs: 150, idleMs: 100 };

/** Something that a test waits for. */
function signal() {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** The steps of one turn. */
const turn = (...steps: readonly PeerStep[]): readonly PeerStep[] => [{ await: 'user' }, { send: say.init }, ...steps];

describe('the Claude Code agent, on a scripted peer', () => {
  const peers: ClaudePeer[] = [];
  const agents: Agent[] = [];

  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.dispose()));
    for (const peer of peers.splice(0)) peer.remove();
  });

  /** An agent on a peer with this script, and everything that it reports. */
  function start(
    script: readonly PeerStep[],
    options: {
      readonly deps?: Partial<ClaudeDeps>;
      readonly answer?: AgentContext['permissions']['request'];
      readonly resume?: string;
    } = {},
  ) {
    const peer = claudePeer(script);
    const events: AgentEvent[] = [];
    const context: AgentContext = {
      launch: peer.launch,
      role: 'execute',
      folder: peer.folder,
      mode: 'ask',
      trusted: true,
      model: null,
      permissions: { request: options.answer ?? (async () => ({ outcome: 'cancelled' })) },
      ...(options.resume === undefined ? {} : { resume: { sessionId: options.resume } }),
      emit: (event) => events.push(event),
    };
    const agent = createClaudeAgent(context, { ...WAITS, ...options.deps });
    peers.push(peer);
    agents.push(agent);
    const cancel = new AbortController();
    return { peer, events, agent, cancel, prompt: (text = 'go') => agent.prompt(text, cancel.signal) };
  }

  /** The answers that the peer got to its questions. */
  const answers = (peer: ClaudePeer): readonly WireObject[] =>
    peer
      .received()
      .flatMap(({ type, response }) => (type === 'control_response' && isWireObject(response) ? [response] : []));

  const codes = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.code] : []));

  it('is ready before it knows its version, which the first turn tells, and starts one process', async () => {
    const init = { send: { ...say.init, claude_code_version: '2.1.197' } };
    const { agent, peer, prompt, events } = start([...STARTED, { await: 'user' }, init, { send: say.result() }]);
    const [first, second] = await Promise.all([agent.ready(), agent.ready()]);
    assert.equal(first.ref.version, null);
    assert.equal(second, first);
    await prompt('go');
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'session.updated' ? [event.derived] : [])),
      [{ sessionId: 's1', model: 'm', version: '2.1.197' }],
    );
    assert.equal(peer.received().filter(({ argv }) => argv !== undefined).length, 1);
  });

  it('C50, C51: hands prompts over stdin byte for byte, over two turns of one process', async () => {
    const { prompt, peer } = start([
      ...STARTED,
      ...turn({ send: say.text('one') }, { send: say.result({ result: 'one', total_cost_usd: 0.5 }) }),
      ...turn({ send: say.text('two') }, { send: say.result({ result: 'two', total_cost_usd: 0.75 }) }),
    ]);
    const nasty = `fix\n& calc.exe | %PATH% "quoted" ^ $(touch pwned) -p --help \u2028 ${'ü'.repeat(300_000)}`;
    const first = await prompt(nasty);
    const second = await prompt('-p');
    assert.deepEqual([first.texts, second.texts], [['one'], ['two']]);
    assert.deepEqual([first.usage?.costUsd, second.usage?.costUsd], [0.5, 0.25]);
    const [begin, ...lines] = peer.received();
    assert.deepEqual(
      lines.flatMap(({ type, message }) => (type === 'user' ? [message] : [])),
      [
        { role: 'user', content: nasty },
        { role: 'user', content: '-p' },
      ],
    );
    assert.ok(JSON.stringify(begin?.argv).length < 1_000);
  });

  it('C46: starts the program without the host’s own variables', async () => {
    const host = {
      ...process.env,
      CLAUDECODE: '1',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '1',
      HTTPS_PROXY: 'http://p',
    };
    const { agent, peer } = start([...STARTED], { deps: { env: host } });
    await agent.ready();
    const env = peer.received()[0]?.env ?? null;
    assert.ok(isWireObject(env));
    assert.deepEqual([env.CLAUDECODE, env.ELECTRON_RUN_AS_NODE, env.VSCODE_PID], [undefined, undefined, undefined]);
    assert.deepEqual([env.HTTPS_PROXY, env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS], ['http://p', '1']);
  });

  it('C40: ends the turn on the result, and the process that would stay', async () => {
    const { prompt, agent, peer } = start([
      { ignoreTerm: true },
      { grandchild: true },
      ...STARTED,
      ...turn({ send: say.text('done') }, { send: say.result() }),
    ]);
    assert.deepEqual((await prompt()).outcome, { type: 'completed' });
    await agent.dispose();
    const pid = peer.received().flatMap(({ grandchild }) => (typeof grandchild === 'number' ? [grandchild] : []))[0];
    assert.ok(pid !== undefined);
    await gone(pid);
  }).timeout(15_000);

  it('waits for the idle session where it is told, and not for ever', async () => {
    const { prompt } = start([
      ...STARTED,
      { await: 'user' },
      { send: say.state('running') },
      { send: say.result() },
      { send: say.state('idle') },
      { await: 'user' },
      { send: say.state('running') },
      { send: say.result() },
    ]);
    assert.equal((await prompt()).outcome.type, 'completed');
    assert.equal((await prompt()).outcome.type, 'completed');
  });

  it('ends a turn whose prompt was taken into one of the agent’s own, once the session is idle and stays so', async () => {
    const itself = { origin: { kind: 'task-notification' } };
    const { prompt, cancel } = start([
      ...STARTED,
      ...turn({ send: say.state('running') }, { send: say.text('both done') }, { send: say.result(itself) }),
      { send: say.state('idle') },
      // Here the prompt came just after that: its own turn follows, and counts.
      { await: 'user' },
      { send: say.result(itself) },
      { send: say.state('idle') },
      { send: say.state('running') },
      { send: say.init },
      { send: say.text('answered', 'm2') },
      { send: say.result({ origin: { kind: 'human' } }) },
      { send: say.state('idle') },
      // And stopped in such a turn, the process goes on.
      { await: 'user' },
      { send: say.state('running') },
      { await: 'interrupt' },
      {
        send: say.result({
          ...itself,
          subtype: 'error_during_execution',
          is_error: true,
          terminal_reason: 'aborted_tools',
        }),
      },
      { send: say.state('idle') },
    ]);
    const both = await prompt();
    assert.deepEqual([both.outcome.type, both.texts], ['completed', ['both done']]);
    assert.deepEqual((await prompt()).texts, ['answered']);
    const stopped = prompt();
    setImmediate(() => cancel.abort('user'));
    assert.deepEqual((await stopped).outcome, { type: 'cancelled', by: 'user' });
  }).timeout(5_000);

  it('fails the turn with code and last words when the process dies in it, and every later turn too', async () => {
    const { prompt, events } = start([
      ...STARTED,
      ...turn({ send: say.call('t1', 'Bash', { command: 'x' }) }, { stderr: 'out of memory\n' }, { exit: 137 }),
    ]);
    const { outcome } = await prompt();
    assert.deepEqual(outcome, {
      type: 'failed',
      cause: 'agentExit',
      message: 'Claude Code ended before the turn was over (exit code 137): out of memory',
    });
    const last = events.at(-1);
    assert.equal(last?.type === 'toolCall.updated' && last.derived.reason, 'noResult');
    const next = await prompt();
    assert.equal(next.outcome.type === 'failed' && next.outcome.cause, 'agentExit');
  });

  for (const [how, step] of [
    ['exits with 0', { exit: 0 }],
    ['is killed', { kill: 'SIGKILL' }],
  ] as const) {
    it(`takes no end without a result for a success: the process ${how}`, async () => {
      const { prompt } = start([...STARTED, ...turn({ send: say.text('APPROVED') }, step)]);
      const { outcome, wire } = await prompt();
      assert.equal(outcome.type === 'failed' && outcome.cause, 'agentExit');
      assert.equal(wire, null);
    });
  }

  it('reads on after noise, and says what was cut off at the end', async () => {
    const { prompt, events } = start([
      ...STARTED,
      ...turn({ raw: 'npm notice\n' }, { raw: '[1]\n' }, { send: say.text('ok') }, { send: say.result() }),
      ...turn({ raw: '{"type":"resu' }, { exit: 1 }),
    ]);
    assert.deepEqual((await prompt()).texts, ['ok']);
    assert.equal((await prompt()).outcome.type, 'failed');
    assert.deepEqual(codes(events), ['noise', 'notObject', 'truncatedEof']);
  });

  it('sends images as they are, files by their path, and says what it cannot send (94-image)', async () => {
    const { agent, peer, events } = start([...STARTED, ...turn({ send: say.result() })]);
    await agent.prompt('see', new AbortController().signal, [
      { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' },
      { type: 'image', data: 'AAAA', mimeType: 'image/tiff' },
      { type: 'file', path: '/p/a.ts' },
      { type: 'text', path: '/p/b.ts', text: 'unsaved' },
    ]);
    const prompt = peer.received().find(({ type }) => type === 'user')?.message;
    assert.ok(isWireObject(prompt ?? null));
    assert.deepEqual(isWireObject(prompt ?? null) && prompt, {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' } },
        { type: 'text', text: 'Attached file, to be read from the disk: /p/a.ts' },
        { type: 'text', text: 'The text of /p/b.ts as it stands, not saved yet:\n\nunsaved' },
      ],
    });
    assert.deepEqual(codes(events), ['agentWarning']);
  });

  describe('an earlier session', () => {
    const id = '99999999-2222-4333-8444-555555555555';
    const argv = (peer: ClaudePeer) => peer.received().flatMap((line) => (Array.isArray(line.argv) ? [line.argv] : []));

    it('C44: is gone on with by its id, never together with an id for a new one (71-resume)', async () => {
      const { agent, peer } = start([...STARTED], { resume: id });
      const ready = await agent.ready();
      assert.deepEqual([ready.sessionId, ready.resumed], [id, { history: [] }]);
      const [args = [], ...more] = argv(peer);
      assert.deepEqual([args[args.indexOf('--resume') + 1], args.includes('--session-id'), more], [id, false, []]);
      assert.deepEqual(
        peer.received().filter(({ type }) => type === 'user'),
        [],
        'nothing is sent again by itself',
      );
    });

    it('is replaced by a new one when it is gone, and the person is told (75-resume-unknown)', async () => {
      const { agent, peer, events, prompt } = start(
        [{ unknownSession: true }, ...STARTED, ...turn({ send: say.text('new') }, { send: say.result() })],
        { resume: id },
      );
      const ready = await agent.ready();
      assert.deepEqual([ready.sessionId, ready.resumed], [null, undefined]);
      assert.deepEqual(
        argv(peer).map((args) => args.includes('--resume')),
        [true, false],
      );
      assert.deepEqual(codes(events), ['agentWarning']);
      assert.match(JSON.stringify(events[0]), /no longer knows the session 99999999.*a new one is begun/);
      assert.deepEqual((await prompt()).texts, ['new']);
    });

    it('is not asked for by what is no UUID: nothing else of a log reaches a command line', async () => {
      const { agent, peer, events } = start([...STARTED], { resume: '--dangerously-skip-permissions' });
      assert.equal((await agent.ready()).resumed, undefined);
      assert.deepEqual(
        argv(peer).map((args) => args.includes('--resume') || args.includes('--dangerously-skip-permissions')),
        [false],
      );
      assert.deepEqual(codes(events), ['agentWarning']);
    });
  });

  it('begins no turn once it is being ended', async () => {
    const { agent, peer, prompt } = start([...STARTED]);
    await agent.ready();
    const done = prompt();
    await agent.dispose();
    assert.deepEqual((await done).outcome, { type: 'cancelled', by: 'user' });
    assert.ok(!peer.received().some(({ type }) => type === 'user'));
  });

  it('C54: ends a peer that heeds nothing in two seconds: 0.5 to stop by itself, 1.5 for SIGTERM, then SIGKILL', async () => {
    const asked = signal();
    const { agent, peer, prompt } = start(
      [{ ignoreTerm: true }, { grandchild: true }, ...STARTED, ...turn({ send: say.ask('r1', 't1', 'Bash', {}) })],
      {
        answer: () => {
          asked.give();
          return new Promise(() => {});
        },
      },
    );
    const done = prompt();
    await asked.given;
    const from = performance.now();
    await agent.dispose();
    const took = performance.now() - from;
    assert.ok(took >= 1_950 && took < 3_500, `it took ${Math.round(took)} ms`);
    const { outcome } = await done;
    assert.deepEqual(outcome, { type: 'cancelled', by: 'user' });
    assert.ok(
      peer
        .received()
        .some(({ request }) => isWireObject(request ?? null) && JSON.stringify(request).includes('interrupt')),
    );
    const pid = peer.received().flatMap(({ grandchild }) => (typeof grandchild === 'number' ? [grandchild] : []))[0];
    assert.ok(pid !== undefined);
    await gone(pid);
  }).timeout(15_000);

  describe('permissions', () => {
    const input = { command: 'npm run one', description: 'Run' };
    const suggestion = (behavior: string) => ({
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'npm run *' }],
      behavior,
      destination: 'localSettings',
    });
    const suggestions = {
      permission_suggestions: [
        suggestion('allow'),
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        { type: 'addDirectories', directories: ['/'], destination: 'session' },
      ],
    };
    const asking = (name: string, toolInput: object, more: object = {}) => [
      ...STARTED,
      ...turn(
        { send: say.call('t1', name, toolInput) },
        { send: say.ask('r1', 't1', name, toolInput, more) },
        { await: 'answer' },
        { send: say.result() },
      ),
    ];

    /** The one question of a turn and what the peer was answered. */
    async function ask(script: readonly PeerStep[], answer: PermissionAnswer) {
      const requests: PermissionRequest[] = [];
      const { prompt, peer } = start(script, {
        answer: async (request) => {
          requests.push(request);
          return answer;
        },
      });
      assert.equal((await prompt()).outcome.type, 'completed');
      assert.equal(requests.length, 1);
      return { request: requests[0], wire: answers(peer)[0], folder: peer.folder };
    }

    it('shows the whole command, and echoes the input when it is allowed once', async () => {
      const { request, wire } = await ask(asking('Bash', input, suggestions), {
        outcome: 'selected',
        optionId: 'allow',
      });
      assert.deepEqual([request?.command, request?.kind, request?.title], ['npm run one', 'execute', 'npm run one']);
      assert.deepEqual(
        request?.options.map(({ optionId, kind, scope }) => [optionId, kind, scope]),
        [
          ['allow', 'allow_once', undefined],
          ['allow-session', 'allow_always', 'Bash(npm run *)'],
          ['deny', 'reject_once', undefined],
        ],
      );
      assert.deepEqual(wire, {
        subtype: 'success',
        request_id: 'r1',
        response: { behavior: 'allow', updatedInput: input },
      });
    });

    it('sends back of the suggestions only the rule, and for this session only (18)', async () => {
      const answer = { outcome: 'selected', optionId: 'allow-session' } as const;
      const { wire } = await ask(asking('Bash', input, suggestions), answer);
      const rules = [{ toolName: 'Bash', ruleContent: 'npm run *' }];
      assert.deepEqual(wire?.response, {
        behavior: 'allow',
        updatedInput: input,
        updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
      });
    });

    it('offers "always" only where a rule that allows is suggested', async () => {
      const script = asking('Bash', input, {
        permission_suggestions: [suggestion('deny'), { type: 'setMode', mode: 'acceptEdits' }],
      });
      const { request, wire } = await ask(script, { outcome: 'selected', optionId: 'allow-session' });
      assert.deepEqual(
        request?.options.map(({ optionId }) => optionId),
        ['allow', 'deny'],
      );
      assert.ok(isWireObject(wire?.response ?? null) && JSON.stringify(wire?.response).includes('"deny"'));
    });

    it('denies with the person’s words, or with words of its own', async () => {
      const worded = await ask(asking('Bash', input), { outcome: 'selected', optionId: 'deny', message: 'Use docs/.' });
      assert.deepEqual(worded.wire?.response, { behavior: 'deny', message: 'Use docs/.' });
      const silent = await ask(asking('Bash', input), { outcome: 'selected', optionId: 'deny' });
      assert.deepEqual(silent.wire?.response, {
        behavior: 'deny',
        message: 'The user refused this. Do not try it another way.',
      });
      const settled = await ask(asking('Bash', input), { outcome: 'cancelled' });
      assert.equal(isWireObject(settled.wire?.response ?? null) && settled.wire?.subtype, 'success');
      assert.match(JSON.stringify(settled.wire), /"behavior":"deny","message":"The question was withdrawn/);
    });

    it('takes back what a turn of its own asked when the process ends', async () => {
      const taken = signal();
      const { agent } = start(
        [...STARTED, { send: say.ask('r1', 't1', 'Bash', { command: 'x' }) }, { await: 'end' }, { exit: 1 }],
        {
          answer: (_request, _wire, withdrawn) => {
            withdrawn.addEventListener('abort', taken.give);
            void agent.dispose();
            return new Promise(() => {});
          },
        },
      );
      await agent.ready();
      await taken.given;
    });

    it('compares with the file that a relative path is meant to be: of the folder of the run', async () => {
      const read: string[] = [];
      const { prompt, peer } = start(asking('Write', { file_path: 'a.txt', content: 'x' }), {
        deps: {
          readFile: async (file) => {
            read.push(file);
            return { type: 'missing' };
          },
        },
      });
      await prompt();
      assert.deepEqual(read, [`${peer.folder}/a.txt`]);
    });

    it('shows what an edit does to the file as it is', async () => {
      const edit = { file_path: '/p/a.txt', old_string: '$1', new_string: '$&' };
      const requests: PermissionRequest[] = [];
      const { prompt } = start(asking('Edit', edit, { blocked_path: '/p/link' }), {
        deps: { readFile: async () => ({ type: 'text', text: 'x $1 $1\n' }) },
        answer: async (request) => {
          requests.push(request);
          return { outcome: 'cancelled' };
        },
      });
      await prompt();
      assert.deepEqual(requests[0]?.content, [
        { type: 'diff', path: '/p/a.txt', oldText: 'x $1 $1\n', newText: 'x $& $1\n' },
      ]);
      assert.deepEqual([requests[0]?.paths, requests[0]?.kind], [['/p/a.txt', '/p/link'], 'edit']);
    });

    it('lets the person change what a Write or an Edit leaves, where the whole file is known', async () => {
      const changed = async (name: string, given: object, file: FileText) => {
        const requests: PermissionRequest[] = [];
        const { prompt, peer } = start(asking(name, given), {
          deps: { readFile: async () => file },
          answer: async (request) => {
            requests.push(request);
            return { outcome: 'selected', optionId: 'allow', changedText: 'mine\r\n' };
          },
        });
        await prompt();
        const [wire] = answers(peer);
        return { takes: requests[0]?.takesChange ?? false, response: wire?.response };
      };
      const missing = { type: 'missing' } as const;
      const text = { type: 'text', text: 'a\r\nb\r\n' } as const;
      const write = { file_path: '/p/a.txt', content: 'theirs\n' };
      assert.deepEqual(await changed('Write', write, missing), {
        takes: true,
        response: { behavior: 'allow', updatedInput: { ...write, content: 'mine\r\n' } },
      });
      const edit = { file_path: '/p/a.txt', old_string: 'a', new_string: 'c', replace_all: true };
      const whole = { old_string: 'a\nb\n', new_string: 'mine\n', replace_all: false };
      assert.deepEqual(await changed('Edit', edit, text), {
        takes: true,
        response: { behavior: 'allow', updatedInput: { ...edit, ...whole } },
      });
      const unread = { type: 'unread', why: 'too large' } as const;
      for (const [name, given, file] of [
        ['Write', write, unread],
        ['Edit', edit, missing],
        ['Edit', { ...edit, old_string: 'not there' }, text],
        ['Edit', { ...edit, old_string: '' }, text],
        ['Bash', input, text],
      ] as const) {
        const { takes, response } = await changed(name, given, file);
        assert.equal(takes, false, name);
        assert.match(JSON.stringify(response), /"behavior":"deny"/, 'a change that it cannot make is never left out');
      }
    });

    describe('questions and plans as forms', () => {
      const database = {
        question: 'Which database?',
        header: 'DB',
        multiSelect: false,
        options: [{ label: 'SQLite', description: 'A file' }, { label: 'Postgres' }],
      };
      const features = {
        question: 'Which features?',
        header: 'Features',
        multiSelect: true,
        options: [{ label: 'Search' }, { label: 'Tags' }, { label: 'Export' }],
      };
      const questions = [database, features];
      const script = asking('AskUserQuestion', { questions });
      const answer = (form: FormValues) => ({ outcome: 'selected', optionId: 'answer', form }) as const;

      it('makes a field of each question, of one label, of several, or of words of the person’s own (37)', async () => {
        const { request } = await ask(script, { outcome: 'selected', optionId: 'deny' });
        assert.deepEqual([request?.kind, request?.content], ['ask', []]);
        assert.deepEqual(
          request?.options.map(({ name, kind }) => [name, kind]),
          [
            ['Answer', 'allow_once'],
            ['Decline to answer', 'reject_once'],
          ],
        );
        const head = { required: true, freeText: true };
        assert.deepEqual(request?.form, {
          message: '',
          fields: [
            {
              ...head,
              id: 'q1',
              label: 'Which database?',
              type: 'choice',
              options: [
                { value: 'SQLite', label: 'SQLite', description: 'A file' },
                { value: 'Postgres', label: 'Postgres' },
              ],
            },
            {
              ...head,
              id: 'q2',
              label: 'Which features?',
              type: 'choices',
              options: ['Search', 'Tags', 'Export'].map((label) => ({ value: label, label })),
            },
          ],
        });
      });

      it('gives what was filled in as answers by question, several labels in one text', async () => {
        const { wire } = await ask(script, answer({ q1: 'DuckDB, in memory', q2: ['Search', 'Export'] }));
        assert.deepEqual(wire?.response, {
          behavior: 'allow',
          updatedInput: {
            questions,
            answers: { 'Which database?': 'DuckDB, in memory', 'Which features?': 'Search, Export' },
          },
        });
      });

      it('refuses for a form that is not filled in, and with words for one that is declined', async () => {
        for (const form of [{}, { q1: 'SQLite' }, { q1: 'SQLite', q2: [] }, { q1: 'SQLite', q2: 'Search' }]) {
          const { wire } = await ask(script, answer(form));
          assert.match(JSON.stringify(wire?.response), /^\{"behavior":"deny","message":"The user does not want to/);
        }
        const { wire } = await ask(script, { outcome: 'selected', optionId: 'deny', message: 'Decide yourself.' });
        assert.deepEqual(wire?.response, { behavior: 'deny', message: 'Decide yourself.' });
      });

      it('can only decline questions of a shape that it does not know', async () => {
        const { request } = await ask(asking('AskUserQuestion', { questions: [{ text: 'Which?' }] }), {
          outcome: 'cancelled',
        });
        assert.equal(request?.form, undefined);
        assert.deepEqual(
          request?.options.map(({ kind }) => kind),
          ['reject_once'],
        );
      });

      const plan = asking('ExitPlanMode', { plan: '# Plan', allowedPrompts: [{ tool: 'Bash', prompt: 'deploy' }] });

      it('shows a plan and leaves it to a person, granting nothing of what it wants allowed beforehand (36)', async () => {
        const { request, wire } = await ask(plan, { outcome: 'selected', optionId: 'allow' });
        assert.equal(request?.kind, 'ask');
        assert.deepEqual(request?.form, { message: '# Plan', fields: [] });
        assert.deepEqual(
          request?.options.map(({ name }) => name),
          ['Approve the plan', 'Keep planning'],
        );
        assert.deepEqual(wire?.response, { behavior: 'allow', updatedInput: { plan: '# Plan' } });
      });

      it('sends what a plan should be like instead', async () => {
        const worded = await ask(plan, { outcome: 'selected', optionId: 'deny', message: 'Smaller steps.' });
        assert.deepEqual(worded.wire?.response, { behavior: 'deny', message: 'Smaller steps.' });
        const silent = await ask(plan, { outcome: 'selected', optionId: 'deny' });
        assert.match(JSON.stringify(silent.wire?.response), /Revise it; change no file yet/);
      });
    });

    it('keeps several questions open and answers each by its own id', async () => {
      const open = new Map<string, (answer: PermissionAnswer) => void>();
      const both = signal();
      const { prompt, peer } = start(
        [
          ...STARTED,
          ...turn(
            { send: say.ask('r1', 't1', 'WebFetch', { url: 'https://a.example' }) },
            { send: say.ask('r2', 't2', 'WebFetch', { url: 'https://b.example' }) },
            { await: 'answer' },
            { await: 'answer' },
            { send: say.result() },
          ),
        ],
        {
          answer: (request) =>
            new Promise((resolve) => {
              open.set(request.toolCallId, resolve);
              if (open.size === 2) both.give();
            }),
        },
      );
      const done = prompt();
      await both.given;
      open.get('t2')?.({ outcome: 'selected', optionId: 'allow' });
      open.get('t1')?.({ outcome: 'selected', optionId: 'deny' });
      await done;
      assert.deepEqual(
        answers(peer).map(({ request_id }) => request_id),
        ['r2', 'r1'],
      );
    });

    it('lets a late answer go nowhere once the peer took its question back', async () => {
      const { prompt, peer } = start(
        [
          ...STARTED,
          ...turn(
            { send: say.ask('r1', 't1', 'Bash', { command: 'x' }) },
            { send: say.withdraw('r1') },
            { send: { type: 'control_request', request_id: 'r9', request: { subtype: 'mystery' } } },
            { await: 'answer' },
            { send: say.result() },
          ),
        ],
        {
          answer: (_request, _wire, withdrawn) =>
            new Promise((resolve) => {
              const allow = () => resolve({ outcome: 'selected', optionId: 'allow' });
              withdrawn.addEventListener('abort', allow);
            }),
        },
      );
      await prompt();
      assert.deepEqual(answers(peer), [{ subtype: 'error', request_id: 'r9', error: 'unsupported' }]);
    });
  });

  describe('cancel', () => {
    it('interrupts, settles the question and takes the peer’s result', async () => {
      const asked = signal();
      const { prompt, cancel, peer } = start(
        [
          ...STARTED,
          ...turn(
            { send: say.ask('r1', 't1', 'Bash', { command: 'x' }) },
            { await: 'interrupt' },
            { send: say.withdraw('r1') },
            { send: say.aborted },
          ),
          ...turn({ send: say.result() }),
        ],
        {
          answer: (_request, _wire, withdrawn) =>
            new Promise((resolve) => {
              withdrawn.addEventListener('abort', () => resolve({ outcome: 'cancelled' }));
              asked.give();
            }),
        },
      );
      const done = prompt();
      await asked.given;
      cancel.abort('user');
      const { outcome, wire } = await done;
      assert.deepEqual(outcome, { type: 'cancelled', by: 'user' });
      assert.equal(wire?.terminal_reason, 'aborted_streaming');
      assert.deepEqual(answers(peer), []);
      assert.ok(peer.received().some(({ request }) => isWireObject(request) && request.subtype === 'interrupt'));
    });

    it('ends a process that does not heed the interrupt, and names the time limit as the cause', async () => {
      const { prompt, cancel, events } = start([...STARTED, ...turn({ send: say.text('working') }), { await: 'end' }]);
      const done = prompt();
      while (!events.some((event) => event.type === 'message.chunk'))
        await new Promise((resolve) => setImmediate(resolve));
      cancel.abort('timeLimit');
      const { outcome, wire } = await done;
      assert.equal(outcome.type === 'failed' && outcome.cause, 'timeLimit');
      assert.equal(wire, null);
    });

    it('sends nothing when the turn was stopped before it began', async () => {
      const { agent, prompt, cancel, peer } = start([...STARTED]);
      await agent.ready();
      cancel.abort('user');
      assert.deepEqual((await prompt()).outcome, { type: 'cancelled', by: 'user' });
      assert.ok(!peer.received().some(({ type }) => type === 'user'));
    });

    it('interrupts by itself at a refused sign-in instead of waiting for ten tries', async () => {
      const retry = {
        type: 'system',
        subtype: 'api_retry',
        attempt: 1,
        max_retries: 10,
        retry_delay_ms: 554,
        error_status: 401,
        error: 'authentication_failed',
      };
      const { prompt, events } = start([
        ...STARTED,
        ...turn({ send: retry }, { await: 'interrupt' }, { send: say.aborted }),
      ]);
      const { outcome } = await prompt();
      assert.equal(outcome.type === 'failed' && outcome.cause, 'signIn');
      assert.deepEqual(codes(events), ['retrying']);
    });

    it('settles a turn under way when it is disposed of', async () => {
      const { prompt, agent, events } = start([...STARTED, ...turn({ send: say.text('working') }), { await: 'end' }]);
      const done = prompt();
      while (events.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([agent.dispose(), agent.dispose()]);
      assert.deepEqual((await done).outcome, { type: 'cancelled', by: 'user' });
    });
  });

  describe('start', () => {
    async function reasonOf(agent: Agent): Promise<{ reason: string; message: string }> {
      const error = await agent.ready().then(
        () => null,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof AgentStartError);
      return error;
    }

    it('says what is wrong when the program dies, with its last words', async () => {
      const { agent } = start([{ stderr: 'Error: no such option\n' }, { exit: 1 }]);
      const { reason, message } = await reasonOf(agent);
      assert.equal(reason, 'agentExit');
      assert.match(message, /exit code 1\nError: no such option$/);
    });

    it('C36: gives up on a program that never answers, and ends it', async () => {
      const { agent, prompt } = start([{ await: 'end' }], { deps: { startMs: 100 } });
      assert.equal((await reasonOf(agent)).reason, 'startLimit');
      const { outcome } = await prompt();
      assert.equal(outcome.type === 'failed' && outcome.cause, 'startLimit');
    });

    it('says that nobody is signed in before a turn is tried (59-missing-auth-persistent)', async () => {
      const account = { tokenSource: 'none', apiProvider: 'firstParty' };
      const { agent, events } = start([{ await: 'initialize' }, { answer: { account } }, { await: 'end' }]);
      const { reason, message } = await reasonOf(agent);
      assert.equal(reason, 'signIn');
      assert.match(message, /\/login/);
      assert.deepEqual(events, []);
    });

    it('says that the program is not there, and starts nothing after its end', async () => {
      const { peer } = start([]);
      const launch = { ...peer.launch, command: '/no/such/claude' };
      const permissions = { request: async () => ({ outcome: 'cancelled' }) as const };
      const context = { launch, role: 'review', folder: peer.folder, mode: 'ask', trusted: true, model: null } as const;
      const missing = createClaudeAgent({ ...context, permissions, emit: () => {} }, WAITS);
      assert.equal((await reasonOf(missing)).reason, 'spawn');
      const ended = createClaudeAgent({ ...context, launch: peer.launch, permissions, emit: () => {} }, WAITS);
      await ended.dispose();
      assert.equal((await reasonOf(ended)).reason, 'agentExit');
    });
  });
});

describe('claudeArgs', () => {
  const ref = { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null } as const;
  const base = {
    launch: { ref, command: 'claude', args: [], env: {} },
    role: 'execute',
    mode: 'ask',
    trusted: true,
    model: null,
  } as const;
  const argumentOf = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

  it('has the mode of the run, and never a mode without questions', () => {
    const modes = (['ask', 'edits', 'all', 'read-only'] as const).map((mode) =>
      argumentOf(claudeArgs({ ...base, mode }), '--permission-mode'),
    );
    assert.deepEqual(modes, ['default', 'acceptEdits', 'acceptEdits', 'plan']);
  });

  it('gives a reviewer only tools that read, and no servers', () => {
    const args = claudeArgs({ ...base, role: 'review', mode: 'all', model: 'opus' });
    assert.equal(argumentOf(args, '--tools'), 'Read,Glob,Grep');
    assert.equal(argumentOf(args, '--permission-mode'), 'plan');
    assert.equal(argumentOf(args, '--model'), 'opus');
    assert.ok(args.includes('--strict-mcp-config'));
  });

  it('C34: leaves the settings and servers of an untrusted folder aside', () => {
    const args = claudeArgs({ ...base, trusted: false });
    assert.equal(argumentOf(args, '--setting-sources'), '');
    assert.ok(args.includes('--strict-mcp-config'));
    assert.ok(!claudeArgs(base).includes('--setting-sources'));
  });
});
