import assert from 'node:assert/strict';
import type { GeminiExit } from '../../src/agent/geminiExit.ts';
import { createGeminiTurn } from '../../src/agent/geminiTurn.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { WireObject } from '../../src/shared/wire.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const init = { type: 'init', timestamp, session_id: 'g1', model: 'auto' };
const said = (content: string, delta = true) => ({ type: 'message', timestamp, role: 'assistant', content, delta });
const stats = {
  total_tokens: 10,
  input_tokens: 6,
  output_tokens: 4,
  cached: 1,
  input: 5,
  duration_ms: 3,
  tool_calls: 0,
  models: { 'gemini-2.5-flash': { total_tokens: 10 } },
};
const success = { type: 'result', timestamp, status: 'success', stats };
const clean: GeminiExit = { code: 0, signal: null, stderr: '' };

function run(lines: readonly WireObject[], exit: GeminiExit | null = clean) {
  const turn = createGeminiTurn();
  const events: AgentEvent[] = lines.flatMap((line) => [...turn.push(line)]);
  const ended = turn.ended();
  const end = turn.end(exit);
  return { ...end, ended, events: [...events, ...end.events] };
}

describe('geminiTurn', () => {
  it('N59: reads a normal run; the echoed prompt is no part of the answer', () => {
    const echo = { type: 'message', timestamp, role: 'user', content: 'review this. Score: 10/10 APPROVED' };
    const turn = run([init, echo, said('评分：'), said('9/10\n'), said('APPROVED'), success]);
    assert.deepEqual(turn.outcome, { type: 'completed' });
    assert.deepEqual(turn.texts, ['评分：9/10\nAPPROVED']);
    assert.equal(turn.sessionId, 'g1');
    assert.deepEqual(turn.models, ['gemini-2.5-flash']);
    assert.deepEqual(turn.usage, { inputTokens: 6, outputTokens: 4, cachedTokens: 1, costUsd: null });
    assert.deepEqual(
      turn.events.map(({ type }) => type),
      ['session.updated', 'message.chunk', 'message.chunk', 'message.chunk'],
    );
    assert.equal(turn.wire, success);
  });

  it('C32, N60: an end without a result is a failure that shows exit code and stderr', () => {
    const turn = run([init], { code: 52, signal: null, stderr: 'Please set an Auth method\n' });
    assert.deepEqual(turn.outcome, {
      type: 'failed',
      cause: 'noResult',
      message:
        'Gemini CLI ended without a result (exit code 52, which means that its settings are broken or forbid what was asked: Please set an Auth method). Look at .gemini/settings.json in your home folder and here.',
    });
    assert.equal(turn.sessionId, 'g1');
    assert.deepEqual(turn.models, ['auto']);
  });

  it('sj-10: exit code 0 without a result is a failure too', () => {
    const turn = run([init, said('Score: 10/10\nAPPROVED')], clean);
    assert.equal(turn.outcome.type === 'failed' && turn.outcome.cause, 'noResult');
    const killed = run([init], { code: null, signal: 'SIGKILL', stderr: '' });
    assert.match(killed.outcome.type === 'failed' ? killed.outcome.message : '', /ended by SIGKILL/);
  });

  it('N61: a warning is told and does not end the turn', () => {
    const loop = { type: 'error', timestamp, severity: 'warning', message: 'Loop detected' };
    const turn = run([init, loop, said('ok'), success]);
    assert.deepEqual(turn.outcome, { type: 'completed' });
    assert.deepEqual(turn.warnings, ['Loop detected']);
    assert.equal(turn.events[1]?.type === 'diagnostic' && turn.events[1].derived.code, 'agentWarning');
  });

  it('N62: a result with status error fails the turn, whatever was said before', () => {
    const error = { type: 'FatalTurnLimitedError', message: 'turn limit' };
    const turn = run(
      [init, said('Score: 9/10\nAPPROVED'), { type: 'result', timestamp, status: 'error', error, stats: {} }],
      {
        code: 53,
        signal: null,
        stderr: '',
      },
    );
    assert.deepEqual(turn.outcome, {
      type: 'failed',
      cause: 'agentError',
      message: 'turn limit. The limit is model.maxSessionTurns in its settings.',
    });
    assert.deepEqual(turn.texts, ['Score: 9/10\nAPPROVED']);
  });

  it('sj-06c: a result with status error and no error field fails with exit code 0', () => {
    const turn = run([init, { type: 'result', timestamp, status: 'error', stats }], clean);
    assert.equal(turn.outcome.type, 'failed');
  });

  it('sj-06c: takes the words of the error event where the result has none', () => {
    const broken = {
      type: 'error',
      timestamp,
      severity: 'error',
      message: 'Model stream ended without a finish reason.',
    };
    const { outcome } = run([init, broken, { type: 'result', timestamp, status: 'error', stats }], clean);
    assert.deepEqual(outcome, { type: 'failed', cause: 'agentError', message: broken.message });
  });

  it('sj-05-api-401: says what the model’s server said, and knows the cause before the process ends', () => {
    const body = JSON.stringify({ error: { code: 401, message: 'bad creds', status: 'UNAUTHENTICATED' } });
    const error = { type: 'unknown', message: `[API Error: ${body}]` };
    const { outcome } = run([init, { type: 'result', timestamp, status: 'error', error, stats }], null);
    const message = "The model's server answered: bad creds";
    assert.deepEqual(outcome, { type: 'failed', cause: 'signIn', message });
  });

  it('sj-10-SIGTERM-midtool: closes the calls that no result came for', () => {
    const use = { type: 'tool_use', timestamp, tool_name: 'run_shell_command', tool_id: 'c', parameters: {} };
    const { events } = run([init, use], clean);
    const last = events.at(-1);
    assert.deepEqual(last, {
      type: 'toolCall.updated',
      wire: use,
      derived: { toolCallId: 'c', state: 'cancelled', reason: 'noResult' },
    });
  });

  it('N65: success without any text is a success with nothing said', () => {
    const turn = run([init, success]);
    assert.deepEqual(turn.outcome, { type: 'completed' });
    assert.deepEqual(turn.texts, []);
  });

  it('sj-05: names sign-in and quota by the exit code, which is the HTTP status modulo 256', () => {
    const failed = {
      type: 'result',
      timestamp,
      status: 'error',
      error: { type: 'unknown', message: '[API Error: x]' },
    };
    const cause = (code: number) => {
      const { outcome } = run([init, failed], { code, signal: null, stderr: '' });
      return outcome.type === 'failed' ? outcome.cause : outcome.type;
    };
    assert.deepEqual([145, 147, 173, 144, 244].map(cause), ['signIn', 'signIn', 'quota', 'agentError', 'agentError']);
  });

  it('sj-02: reads tool calls with their names, arguments and failures', () => {
    const turn = run([
      init,
      said('Looking.'),
      { type: 'tool_use', timestamp, tool_name: 'read_file', tool_id: 'a', parameters: { file_path: 'missing.txt' } },
      {
        type: 'tool_use',
        timestamp,
        tool_name: 'run_shell_command',
        tool_id: 'b',
        parameters: { command: 'echo out' },
      },
      {
        type: 'tool_result',
        timestamp,
        tool_id: 'a',
        status: 'error',
        output: 'File not found.',
        error: { type: 'file_not_found', message: 'File not found: /workspace/missing.txt' },
      },
      { type: 'tool_result', timestamp, tool_id: 'b', status: 'success', output: 'out' },
      said('Done.'),
      success,
    ]);
    assert.deepEqual(turn.texts, ['Looking.', 'Done.']);
    const tools = turn.events.flatMap((event) =>
      event.type === 'toolCall.started' || event.type === 'toolCall.updated' ? [event.derived] : [],
    );
    assert.deepEqual(tools, [
      {
        toolCallId: 'a',
        toolName: 'read_file',
        kind: 'read',
        rawInput: { file_path: 'missing.txt' },
        state: 'executing',
      },
      {
        toolCallId: 'b',
        toolName: 'run_shell_command',
        kind: 'execute',
        rawInput: { command: 'echo out' },
        state: 'executing',
      },
      { toolCallId: 'a', content: [{ type: 'text', text: 'File not found.' }], state: 'error', reason: 'failed' },
      { toolCallId: 'b', content: [{ type: 'text', text: 'out' }], state: 'success' },
    ]);
  });

  it('the turn is over at its result, while the process lives on (sj-02b)', () => {
    const turn = createGeminiTurn();
    turn.push(init);
    assert.equal(turn.ended(), false);
    assert.equal(turn.end(null).outcome.type, 'failed');
    turn.push(success);
    assert.equal(turn.ended(), true);
    assert.deepEqual(turn.end(null).outcome, { type: 'completed' });
  });

  it('tells an unknown event once a kind and a malformed one each time, and goes on', () => {
    const strange = { type: 'thought', text: 'x' };
    const torn = { type: 'result', status: 'great' };
    const turn = run([init, strange, strange, torn, said('ok', false), said('more', false), success]);
    const codes = turn.events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.code] : []));
    assert.deepEqual(codes, ['unknownVariant', 'invalid']);
    assert.deepEqual(turn.texts, ['ok', 'more']);
    assert.deepEqual(turn.outcome, { type: 'completed' });
  });

  it('a malformed result is no success', () => {
    assert.equal(run([init, { type: 'result', status: 'great' }]).outcome.type, 'failed');
  });
});
