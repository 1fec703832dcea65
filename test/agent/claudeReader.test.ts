import assert from 'node:assert/strict';
import { createClaudeReader } from '../../src/agent/deriveClaude.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { ToolCallPatch } from '../../src/shared/toolCall.ts';
import { readClaudeTurn, replay, shownTexts, transcript } from './claudeTranscript.ts';

/** The last known state of each tool call, in order of appearance. */
function toolCalls(events: readonly AgentEvent[]): readonly ToolCallPatch[] {
  const calls = new Map<string, ToolCallPatch>();
  for (const event of events) {
    if (event.type !== 'toolCall.started' && event.type !== 'toolCall.updated') continue;
    calls.set(event.derived.toolCallId, { ...calls.get(event.derived.toolCallId), ...event.derived });
  }
  return [...calls.values()];
}

/** The first turn of a transcript. */
function only(name: string) {
  const [turn] = replay(name);
  if (turn === undefined) throw new Error(`${name} holds no whole turn`);
  return turn;
}

function diagnostics(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'diagnostic' ? [`${event.derived.code}: ${event.derived.text}`] : [],
  );
}

describe('the reader of Claude Code, on recorded lines', () => {
  it('reads three turns of one process, each with its own texts and its own cost (10)', () => {
    const turns = replay('10-persistent-three-turns');
    assert.deepEqual(
      turns.map(({ result }) => [result.outcome, result.texts, result.usage?.inputTokens, result.usage?.costUsd]),
      [
        [{ type: 'completed' }, ['Creating.', 'Round one done.'], 3429, 0.01867],
        [{ type: 'completed' }, ['Round two done.'], 1812, 0.00931],
        [{ type: 'completed' }, ['Round three done.'], 3770, 0.020075],
      ],
    );
    assert.deepEqual(turns[0]?.result.models, ['claude-opus-4-8']);
    assert.equal(turns[0]?.result.wire?.subtype, 'success');
  });

  it('C43: shows a text once, though it comes as deltas, as a complete line and in the result (b0)', () => {
    const [first, second] = replay('b0-two-round-loop');
    assert.deepEqual(shownTexts(first?.events ?? []), ['I will write the function first.', 'sort.py is written.']);
    assert.deepEqual(shownTexts(first?.events ?? [], 'thought'), ['A small file is enough.']);
    assert.deepEqual(first?.result.texts, ['I will write the function first.', 'sort.py is written.']);
    assert.deepEqual(shownTexts(second?.events ?? []), ['The review asks for a docstring.', 'Docstring added.']);
    assert.deepEqual(diagnostics(second?.events ?? []), ['retrying: Waiting 1 s (attempt 1 of 3): overloaded 529']);
  });

  for (const name of ['57-cut-mid-stream', '57-stream-error-overloaded']) {
    it(`withdraws partial text whose message never came whole (${name})`, () => {
      const { events, result } = only(name);
      assert.ok(events.some((event) => event.type === 'message.chunk' && event.derived.text === 'This tex'));
      assert.deepEqual(shownTexts(events), ['second attempt complete']);
      assert.deepEqual(result.texts, ['second attempt complete']);
      const withdrawn = events.filter(
        (event) => event.type === 'message.replaced' && event.derived.reason === 'withdrawn',
      );
      assert.equal(withdrawn.length, 1);
    });
  }

  it('matches results of parallel calls by id, in whatever order they come (40)', () => {
    const { events } = only('40-parallel-reads');
    assert.deepEqual(
      toolCalls(events).map(({ title, kind, state, reason, content }) => [title, kind, state, reason, content]),
      [
        ['Read a.txt', 'read', 'success', undefined, [{ type: 'text', text: '1\tA\n2\t' }]],
        ['Read b.txt', 'read', 'success', undefined, [{ type: 'text', text: '1\tB\n2\t' }]],
        [
          'Read missing.txt',
          'read',
          'error',
          'failed',
          [{ type: 'text', text: 'File does not exist. Note: your current working directory is /project.' }],
        ],
        ['Run a command', 'execute', 'success', undefined, [{ type: 'text', text: 'slow' }]],
        ['Run a command', 'execute', 'success', undefined, [{ type: 'text', text: 'quick' }]],
      ],
    );
  });

  it('gives the whole file before and after an edit, and plain words after a failed one (41)', () => {
    const calls = toolCalls(only('41-edit').events);
    const path = '/project/a.txt';
    assert.deepEqual(
      calls.filter(({ toolName }) => toolName !== 'Read').map(({ state, content }) => [state, content]),
      [
        ['error', [{ type: 'text', text: 'File has not been read yet. Read it first before writing to it.' }]],
        ['success', [{ type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: 'one\nTWO\nthree\n' }]],
        ['error', [{ type: 'text', text: 'String to replace not found in file.\nString: no such text' }]],
        ['error', calls[4]?.content],
        ['success', [{ type: 'diff', path, oldText: 'one\nTWO\nthree\n', newText: 'onE\nTWO\nthrEE\n' }]],
        ['success', [{ type: 'diff', path, oldText: 'onE\nTWO\nthrEE\n', newText: 'one\nTWO\nthree\nfour\n' }]],
      ],
    );
    assert.deepEqual(calls[0]?.locations, [{ path }]);
  });

  it('tells a failed command by its own words (42)', () => {
    const calls = toolCalls(only('42-bash-failing').events);
    assert.deepEqual(calls[0]?.content, [{ type: 'text', text: 'Exit code 3\nout\nerr' }]);
    assert.equal(calls[0]?.reason, 'failed');
    assert.deepEqual(calls[3]?.content, [
      { type: 'text', text: 'ok\n/project\n/' },
      { type: 'text', text: '\nShell cwd was reset to /project' },
    ]);
  });

  it('asks for approval, and keeps a refusal apart from a failure (12-two-permission-requests-at-once)', () => {
    const [turn] = replay('12-two-permission-requests-at-once');
    const asks = turn?.notes.filter((note) => note.type === 'ask') ?? [];
    assert.equal(asks.length, 5);
    assert.deepEqual(
      toolCalls(turn?.events ?? []).map(({ toolName, state, reason }) => [toolName, state, reason]),
      ['Write', 'Write', 'Bash', 'WebFetch', 'WebFetch'].map((name) => [name, 'cancelled', 'denied']),
    );
    assert.deepEqual(turn?.result.outcome, { type: 'completed' });
    assert.deepEqual(turn?.result.denials, [
      'Write: Write a.txt',
      'Write: Write b.txt',
      'Bash: npm test',
      'WebFetch: Fetch https://example.org',
      'WebFetch: Fetch https://example.com',
    ]);
    const waiting = turn?.events.find(
      (event) => event.type === 'toolCall.updated' && event.derived.state === 'awaitingApproval',
    );
    assert.equal(waiting?.wire?.type, 'control_request');
  });

  it('runs an approved call before its result comes (18-session-rule)', () => {
    const [turn] = replay('18-session-rule');
    const states = turn?.events.flatMap((event) =>
      event.type === 'toolCall.updated' && event.derived.toolCallId === 'toolu_6af523b303a673599e3f292f'
        ? [event.derived.state]
        : [],
    );
    assert.deepEqual(states, ['awaitingApproval', 'executing', 'error']);
  });

  it('marks what the CLI refused by itself as denied (34-dontAsk-stdio)', () => {
    const { events, result } = only('34-dontAsk-stdio');
    assert.deepEqual(
      toolCalls(events).map(({ reason }) => reason),
      ['denied', 'denied', 'denied'],
    );
    assert.deepEqual(result.denials, ['Write: Write a.txt', 'Bash: rm -rf x', 'Bash: npm test']);
  });

  it('withdraws the open question and ends the turn as cancelled after our interrupt (19)', () => {
    const [turn, next] = replay('19-permission-pending-interrupt');
    assert.deepEqual(
      turn?.notes.map((note) => note.type),
      ['ask', 'withdrawn', 'response', 'result'],
    );
    assert.deepEqual(turn?.result.outcome, { type: 'cancelled', by: 'user' });
    assert.deepEqual(
      toolCalls(turn?.events ?? []).map(({ state, reason, content }) => [state, reason, content]),
      [['cancelled', 'stopped', undefined]],
    );
    assert.deepEqual(next?.result.texts, ['second turn answered']);
  });

  it('ends an interrupted text as cancelled and reads on (20, 21-interrupt-while-bash)', () => {
    const [streaming, after] = replay('20-interrupt-while-streaming');
    assert.deepEqual(streaming?.result.outcome, { type: 'cancelled', by: 'user' });
    assert.equal(shownTexts(streaming?.events ?? []).length, 1);
    assert.deepEqual(after?.result.texts, ['After the interrupt.']);
    const [command] = replay('21-interrupt-while-bash');
    assert.deepEqual(
      toolCalls(command?.events ?? []).map(({ state, reason }) => [state, reason]),
      [['cancelled', 'stopped']],
    );
  });

  it('says who ended a turn that we did not interrupt: the agent (91-steer-priority-now)', () => {
    assert.deepEqual(only('91-steer-priority-now').result.outcome, { type: 'cancelled', by: 'agent' });
  });

  it('puts a sub-agent’s calls under its call and keeps its prompt to itself (46)', () => {
    const { events, result } = only('46-subagent');
    const [agent, ...children] = toolCalls(events);
    assert.deepEqual([agent?.title, agent?.kind, agent?.parentId], ['Do a subtask', 'think', undefined]);
    assert.deepEqual(
      children.map(({ parentId, state }) => [parentId, state]),
      [
        [agent?.toolCallId, 'success'],
        [agent?.toolCallId, 'success'],
      ],
    );
    assert.deepEqual(result.texts, ['ok']);
  });

  it('takes a plan where the wire gives a whole list (45, 48-todo-env)', () => {
    const plans = (name: string) =>
      only(name).events.flatMap((event) => (event.type === 'plan.updated' ? [event.derived.entries] : []));
    assert.deepEqual(plans('45-tasks-todo'), [
      [
        { content: 'Write tests', status: 'completed' },
        { content: 'Run tests', status: 'pending' },
      ],
    ]);
    assert.deepEqual(plans('48-todo-env'), [[{ content: 'a', status: 'in_progress' }]]);
  });

  it('follows the permission mode that the CLI tells (36)', () => {
    const [turn] = replay('36-plan-mode-exit-plan');
    const modes = turn?.events.flatMap((event) => (event.type === 'mode.updated' ? [event.derived.mode] : []));
    assert.deepEqual(modes, ['plan', 'default']);
  });

  it('hides what the CLI writes to its model (62-empty-reply)', () => {
    const { events } = only('62-empty-reply');
    assert.deepEqual(shownTexts(events), ['after empty']);
  });

  it('lets a background command’s own turn end no turn of ours (43-bash-background)', () => {
    const [turn, ...more] = replay('43-bash-background');
    assert.deepEqual(turn?.result.texts, ['started']);
    assert.deepEqual(more, []);
    const reader = createClaudeReader('/project');
    reader.beginTurn();
    const results = transcript('43-bash-background').filter(({ line }) => line.type === 'result');
    const unasked = results[1]?.line ?? {};
    assert.equal(reader.push(unasked).note, null);
  });

  it('counts what a turn of its own cost with the next turn, and takes neither its texts nor its error', () => {
    const result = (fields: object) => ({
      type: 'result',
      subtype: 'success',
      is_error: false,
      terminal_reason: 'completed',
      session_id: 's1',
      ...fields,
    });
    const said = (text: string, error?: string) => ({
      type: 'assistant',
      message: { id: text, model: text, content: [{ type: 'text', text }] },
      ...(error === undefined ? {} : { error }),
    });
    const reader = createClaudeReader('/project');
    reader.push({ ...said('by itself') });
    reader.push({ ...said('API Error', 'rate_limit') });
    assert.equal(reader.push(result({ total_cost_usd: 0.25, origin: { kind: 'task-notification' } })).note, null);
    reader.beginTurn();
    reader.push(said('mine'));
    reader.push(said('theirs'));
    reader.push(result({ total_cost_usd: 0.5, origin: { kind: 'task-notification' } }));
    reader.push(said('mine again'));
    reader.push(result({ total_cost_usd: 1 }));
    const { outcome, texts, models, usage } = reader.end(null).result;
    assert.deepEqual([outcome.type, texts, models, usage?.costUsd], ['completed', ['mine again'], ['mine again'], 1]);
  });

  it('takes off what a resumed session had cost before, where the version counts it in (71-resume: 2.1.197 does not)', () => {
    const costs = (version: string, ...totals: readonly number[]) => {
      const reader = createClaudeReader('/project', () => 2);
      return totals.map((total) => {
        reader.beginTurn();
        reader.push({ type: 'system', subtype: 'init', session_id: 's1', claude_code_version: version });
        reader.push({ type: 'result', subtype: 'success', session_id: 's1', total_cost_usd: total });
        return reader.end(null).result.usage?.costUsd;
      });
    };
    assert.deepEqual(costs('2.1.197', 0.5, 3), [0.5, 2.5]);
    assert.deepEqual(costs('2.1.318', 2.5, 3), [0.5, 0.5]);
    assert.deepEqual(costs('2.1.318', 0.25, 0.5), [0.25, 0.25], 'its transcript kept no total');
  });

  it('tells the session and its model, and again only when they change (93-slash-commands)', () => {
    const sessions = (name: string) =>
      replay(name).flatMap(({ events }) =>
        events.flatMap((event) => (event.type === 'session.updated' ? [event.derived] : [])),
      );
    assert.equal(sessions('10-persistent-three-turns').length, 1);
    const [{ model, version } = {}] = sessions('10-persistent-three-turns');
    assert.deepEqual([model, version], ['claude-opus-4-8[1m]', '2.1.197']);
    const cleared = sessions('93-slash-commands').map(({ sessionId }) => sessionId);
    assert.equal(new Set(cleared).size, cleared.length);
    assert.ok(cleared.length > 1);
  });

  it('C38: judges an error by all three fields, and never takes its text for work (54, 55, 56, 59, N67)', () => {
    const judged = (name: string) => {
      const { result, events } = only(name);
      assert.deepEqual(result.texts, [], name);
      assert.deepEqual(shownTexts(events), [], name);
      const { outcome } = result;
      return outcome.type === 'failed' ? [outcome.cause, outcome.message.slice(0, 24)] : [outcome.type];
    };
    assert.deepEqual(judged('54-api-500-forever-max-retries-2'), ['agentError', 'API Error: 500 Internal ']);
    assert.deepEqual(judged('55-api-400-too-long'), ['agentError', 'Prompt is too long · the']);
    assert.deepEqual(judged('55-api-404-model'), ['agentError', "There's an issue with th"]);
    assert.deepEqual(judged('56-api-credit'), ['quota', 'Credit balance is too lo']);
    assert.deepEqual(judged('59-missing-auth-persistent'), ['signIn', 'Not logged in · Please r']);
  });

  it('calls a turn that stopped early incomplete, by upstream’s own word (60, 61, 63, 64)', () => {
    const cause = (name: string) => {
      const outcome = replay(name)[0]?.result.outcome;
      return outcome?.type === 'incomplete' ? outcome.cause : outcome?.type;
    };
    assert.equal(cause('60-stop-max-tokens'), 'max_output_tokens');
    assert.equal(cause('61-stop-refusal'), 'refusal');
    assert.equal(cause('63-max-turns-persistent'), 'max_turns');
    assert.equal(cause('64-max-budget'), 'max_budget_usd');
    assert.deepEqual(replay('60-stop-max-tokens')[0]?.result.texts, ['truncated te', 'continued', 'c3', 'c4']);
  });

  it('asks for an interrupt at the first refused sign-in, and calls the turn failed (50)', () => {
    const reader = createClaudeReader('/project');
    reader.beginTurn();
    const lines = transcript('50-api-401-interrupt-while-retrying').flatMap(({ dir, line }) =>
      dir === 'out' ? [line] : [],
    );
    const notes = lines.slice(0, 2).map((line) => reader.push(line).note?.type);
    assert.deepEqual(notes, [undefined, 'signInFailed']);
    for (const line of lines.slice(2)) if (reader.push(line).note?.type === 'result') break;
    const { outcome } = reader.end(null).result;
    assert.equal(outcome.type === 'failed' && outcome.cause, 'signIn');
  });

  it('says that the model was changed (53-fallback-model)', () => {
    const { events } = only('53-fallback-model');
    assert.equal(diagnostics(events).at(-1), 'agentWarning: Switched to Sonnet 5 due to high demand for Opus 4.8');
  });
});

describe('the reader of Claude Code, on lines nobody recorded', () => {
  const init = { type: 'system', subtype: 'init', session_id: 'c1' };

  it('says an unknown kind once and refuses an unknown request', () => {
    const reader = createClaudeReader('/project');
    const first = reader.push({ type: 'system', subtype: 'brand_new' });
    assert.deepEqual(diagnostics(first.events), [
      'unknownVariant: Claude Code sent an unknown line "system/brand_new".',
    ]);
    assert.deepEqual(reader.push({ type: 'system', subtype: 'brand_new' }).events, []);
    assert.equal(reader.push({ type: 'brand_new' }).events.length, 1);
    const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'hook_callback' } };
    assert.deepEqual(reader.push(request).note, { type: 'refuse', requestId: 'r1', error: 'unsupported' });
  });

  it('tells once that the limit of the account is near, or reached, and nothing while it is not', () => {
    const reader = createClaudeReader('/project');
    const told = ['allowed', 'allowed_warning', 'allowed_warning', 'rejected', 'other', null].flatMap((status) =>
      diagnostics(reader.push({ type: 'rate_limit_event', rate_limit_info: { status } }).events),
    );
    assert.deepEqual(told, [
      'agentWarning: The usage limit of this Claude account is near.',
      'agentWarning: The usage limit of this Claude account is reached.',
    ]);
  });

  it('answers a malformed question with an error, so that the turn does not hang', () => {
    const reader = createClaudeReader('/project');
    const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 7 } };
    const { note, events } = reader.push(request);
    assert.equal(note?.type, 'refuse');
    assert.match(diagnostics(events)[0] ?? '', /^invalid: .*tool_name/);
  });

  it('ends the turn as failed when its result cannot be read', () => {
    const { result } = readClaudeTurn([init, { type: 'result', subtype: 5 }], null);
    assert.equal(result.outcome.type === 'failed' && result.outcome.cause, 'protocol');
  });

  it('tells the exit and the last words of a process that died in the turn, and closes its calls', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'sleep 9' } };
    const assistant = { type: 'assistant', message: { id: 'm1', content: [call] }, parent_tool_use_id: null };
    const { events, result } = readClaudeTurn([init, assistant], { code: 3, signal: null, stderr: 'no memory\n' });
    assert.deepEqual(result.outcome, {
      type: 'failed',
      cause: 'agentExit',
      message: 'Claude Code ended before the turn was over (exit code 3): no memory',
    });
    assert.deepEqual(
      toolCalls(events).map(({ title, state, reason }) => [title, state, reason]),
      [['sleep 9', 'cancelled', 'noResult']],
    );
  });

  it('joins deltas that no message_start announced with the line that follows (N66)', () => {
    const delta = (text: string) => ({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    });
    const assistant = { type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: 'Hello' }] } };
    const { events, result } = readClaudeTurn([delta('Hel'), delta('lo'), assistant], null);
    assert.deepEqual(shownTexts(events), ['Hello']);
    assert.deepEqual(result.texts, ['Hello']);
  });
});
