import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadReplay } from '../../src/loop/loadReplay.ts';
import { replayTrace } from '../../src/loop/replayTrace.ts';
import { LogError } from '../../src/session/logFormat.ts';
import type { TraceLine } from '../../src/session/trace.ts';
import type { AgentProtocol, Role } from '../../src/shared/agentEvents.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { PRODUCT, RUN } from '../session/events.ts';

const agentOf = (protocol: AgentProtocol) => ({ id: 'x', name: 'Agent X', protocol, version: null });
const start = (role: Role, protocol: AgentProtocol): TraceLine => ({
  ms: 0,
  role,
  dir: 'start',
  agent: agentOf(protocol),
  command: '/bin/x',
  args: [],
});
const says = (role: Role, dir: 'in' | 'out', ...messages: readonly (object | string)[]): TraceLine[] =>
  messages.map((message, index) => ({
    ms: index,
    role,
    dir,
    line: typeof message === 'string' ? message : JSON.stringify(message),
  }));
const exit = (role: Role): TraceLine => ({
  ms: 9,
  role,
  dir: 'exit',
  code: 1,
  signal: null,
  error: null,
  stderr: 'oops',
});
const replay = (...lines: readonly TraceLine[]) => replayTrace({ run: RUN, lines, problems: [] });
const types = (lines: readonly TraceLine[]) => replay(...lines).map(({ type }) => type);

const CLAUDE: readonly TraceLine[] = [
  start('execute', 'claude-stream-json'),
  ...says('execute', 'out', {
    type: 'control_request',
    request_id: 'initialize',
    request: { subtype: 'initialize' },
  }),
  ...says('execute', 'in', {
    type: 'control_response',
    response: { subtype: 'success', request_id: 'initialize', response: {} },
  }),
  ...says('execute', 'out', { type: 'user', message: { role: 'user', content: 'Fix it' } }),
  ...says('execute', 'in', {
    type: 'control_request',
    request_id: 'r1',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'rm x' },
      tool_use_id: 't1',
    },
  }),
  ...says('execute', 'out', {
    type: 'control_response',
    response: { subtype: 'success', request_id: 'r1', response: { behavior: 'deny', message: 'No.' } },
  }),
  ...says(
    'execute',
    'in',
    { type: 'assistant', message: { id: 'm1', model: 'opus', content: [{ type: 'text', text: 'I leave it.' }] } },
    { type: 'result', subtype: 'success', is_error: false, session_id: 's1', result: 'I leave it.' },
  ),
];

const ACP: readonly TraceLine[] = [
  start('review', 'acp'),
  ...says('review', 'out', { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
  ...says('review', 'in', {
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: 1, agentInfo: { name: 'gemini-cli', version: '0.61.0' } },
  }),
  ...says('review', 'out', { jsonrpc: '2.0', id: 1, method: 'session/new', params: {} }),
  ...says('review', 'in', { jsonrpc: '2.0', id: 1, result: { sessionId: 'g1' } }),
  ...says('review', 'out', {
    jsonrpc: '2.0',
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 'g1', prompt: [{ type: 'text', text: 'Review it' }] },
  }),
  ...says('review', 'in', {
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: 'g1',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Good.' } },
    },
  }),
];

describe('replayTrace', () => {
  it('reads Claude Code’s wire by its own reader: the prompt, the question with its answer, the words, the end', () => {
    const events = replay(...CLAUDE);
    const view = reduce(EMPTY_VIEW, events);
    const items = view.rounds.at(-1)?.items ?? [];
    const turn = items.find((item) => item.type === 'turn');
    assert.ok(turn?.type === 'turn');
    assert.deepEqual([turn.prompt, turn.outcome?.type], ['Fix it', 'completed']);
    const question = items.find((item) => item.type === 'permission');
    assert.ok(question?.type === 'permission');
    assert.equal(question.request.command, 'rm x');
    assert.deepEqual(question.resolution?.answer, { outcome: 'selected', optionId: 'deny', message: 'No.' });
    const message = items.find((item) => item.type === 'message');
    assert.equal(message?.type === 'message' && message.text, 'I leave it.');
    assert.ok(view.ready.execute);
  });

  it('reads an ACP wire by its own reader, and a process that died in the turn', () => {
    const events = replay(...ACP, exit('review'));
    const view = reduce(EMPTY_VIEW, events);
    assert.equal(view.agents.review?.version, '0.61.0');
    const items = view.rounds.at(-1)?.items ?? [];
    const turn = items.find((item) => item.type === 'turn');
    assert.ok(turn?.type === 'turn' && turn.outcome?.type === 'failed');
    assert.match(turn.outcome.message, /exit code 1\. oops/);
    const message = items.find((item) => item.type === 'message');
    assert.equal(message?.type === 'message' && message.text, 'Good.');
  });

  it('reads Gemini CLI headless: a prompt of several lines that is no JSON, and a process a turn', () => {
    const events = replay(
      start('review', 'gemini-stream-json'),
      ...says('review', 'out', 'Review it,', '{"and":"this"}'),
      ...says(
        'review',
        'in',
        { type: 'init', session_id: 'g', model: 'm', timestamp: 't' },
        { type: 'message', role: 'assistant', content: 'Fine.', delta: true },
        { type: 'result', status: 'success', stats: {} },
      ),
      exit('review'),
    );
    const started = events.find((event) => event.type === 'turn.started');
    assert.equal(started?.type === 'turn.started' && started.prompt, 'Review it,\n{"and":"this"}');
    const ended = events.filter((event) => event.type === 'turn.ended');
    assert.deepEqual(
      ended.map((event) => event.type === 'turn.ended' && event.derived.outcome.type),
      ['completed'],
    );
  });

  it('counts rounds by the executor’s turns and invents neither verdict nor ending', () => {
    const told = types([...CLAUDE, ...ACP, ...CLAUDE.slice(3)]);
    assert.equal(told.filter((type) => type === 'round.started').length, 2);
    assert.ok(!told.includes('review.scored') && !told.includes('run.ended'));
    const numbers = replay(...CLAUDE, ...ACP).map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  });

  it('leaves noise and lines of an unknown start aside', () => {
    assert.deepEqual(types([...says('execute', 'in', 'noise', '{"type":"result"}'), exit('execute')]), ['run.started']);
    assert.deepEqual(types([CLAUDE[0] ?? exit('execute'), ...says('execute', 'in', 'noise')]), ['run.started']);
  });
});

describe('loadReplay', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-replay-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const header = JSON.stringify({ format: 'cgloop-run', version: 1, product: PRODUCT });
  const event = JSON.stringify({ seq: 1, at: 5, round: 0, type: 'run.started', run: RUN });

  it('takes a log by its file, its folder or its run’s id', async () => {
    const directory = path.join(folder, 'runs', '20260131-142530-abc123');
    fs.mkdirSync(directory, { recursive: true });
    const file = path.join(directory, 'log.jsonl');
    fs.writeFileSync(file, `${header}\n${event}\n{"torn`);
    for (const named of [file, directory, '20260131']) {
      const { source, events, problems } = await loadReplay(named, folder);
      assert.deepEqual([source, events.length, problems], ['log', 1, []], named);
    }
  });

  it('takes a log of another name, and a trace', async () => {
    const other = path.join(folder, 'saved.jsonl');
    fs.writeFileSync(other, `${header}\n${event}\n`);
    assert.equal((await loadReplay(other, folder)).events.length, 1);
    const trace = path.join(folder, 'trace.jsonl');
    const head = JSON.stringify({ format: 'cgloop-trace', version: 1, product: PRODUCT, run: RUN });
    fs.writeFileSync(trace, `${head}\n${CLAUDE.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const replayed = await loadReplay(trace, folder);
    assert.equal(replayed.source, 'trace');
    assert.ok(replayed.events.some(({ type }) => type === 'turn.ended'));
  });

  it('says what it wants of a file that is neither, and of one that is not there', async () => {
    const file = path.join(folder, 'x.txt');
    fs.writeFileSync(file, 'words');
    await assert.rejects(loadReplay(file, folder), LogError);
    await assert.rejects(loadReplay(path.join(folder, 'none'), folder), /no file and no run/);
  });
});
