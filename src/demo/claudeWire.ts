import { type Pace, pieces } from './pace.ts';
import { createSend, type Surroundings } from './peer.ts';

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

interface Denial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: object;
}

/** The lines that Claude Code prints, in the order in which 2.1.197 prints them (04-stream-json-partial, b0-two-round-loop). */
export interface ClaudeWire {
  readonly model: string;
  readonly send: (object: object) => void;
  /** Answers a control request of the peer. */
  respond(requestId: string, response?: object): void;
  refuse(requestId: string, error: string): void;
  state(state: 'running' | 'requires_action' | 'idle'): void;
  startTurn(mode: string): void;
  /** One assistant message, its text in pieces as it comes. Rejects when stopped, after printing what was said so far. */
  stream(blocks: readonly Block[], pace: Pace, stopped: AbortSignal): Promise<void>;
  /** One assistant message that calls a tool; gives the call's id. */
  toolUse(name: string, input: object, pace: Pace, stopped: AbortSignal): Promise<string>;
  toolResult(toolUseId: string, content: string, isError: boolean, structured: object | string): void;
  denied(denial: Denial): void;
  endTurn(result: string): void;
  interruptTurn(inTool: boolean): void;
}

const TOOLS = ['Edit', 'Read', 'Write'];

export function createClaudeWire({ output, folder, env }: Surroundings): ClaudeWire {
  const model = 'demo-executor';
  const sessionId = `00000000-0000-4000-8000-${String(process.pid).padStart(12, '0')}`;
  const tellsState = env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS === '1';
  const sendLine = createSend(output);
  let count = 0;
  let written = 0;
  let read = 0;
  let denials: Denial[] = [];

  const next = (prefix: string) => `${prefix}_demo${String(++count).padStart(4, '0')}`;
  const send = (line: object) => sendLine({ ...line, session_id: sessionId });
  const event = (inner: object) => send({ type: 'stream_event', event: inner, parent_tool_use_id: null });
  const state = (value: 'running' | 'requires_action' | 'idle') => {
    if (tellsState) send({ type: 'system', subtype: 'session_state_changed', state: value });
  };

  async function stream(blocks: readonly Block[], pace: Pace, stopped: AbortSignal): Promise<void> {
    const id = next('msg');
    const head = { id, type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null };
    const usage = { input_tokens: read, cache_read_input_tokens: 0, output_tokens: 1 };
    const complete = (block: Block) =>
      send({ type: 'assistant', message: { ...head, content: [block], usage }, parent_tool_use_id: null });
    event({ type: 'message_start', message: { ...head, content: [], usage } });
    for (const [index, block] of blocks.entries()) {
      let said = '';
      event({ type: 'content_block_start', index, content_block: emptied(block) });
      try {
        for (const piece of pieces(contentOf(block))) {
          await pace(35, stopped);
          said += piece;
          event({ type: 'content_block_delta', index, delta: deltaOf(block, piece) });
        }
      } catch (error) {
        if (block.type === 'text' && said !== '') complete({ type: 'text', text: said });
        throw error;
      }
      complete(block);
      written += Math.ceil(contentOf(block).length / 4);
      event({ type: 'content_block_stop', index });
    }
    const reason = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    event({
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: written },
    });
    event({ type: 'message_stop' });
  }

  function end(fields: object): void {
    send({
      type: 'result',
      ...fields,
      num_turns: 1,
      total_cost_usd: 0,
      usage: { input_tokens: read, cache_read_input_tokens: 0, output_tokens: written },
      modelUsage: { [model]: { inputTokens: read, outputTokens: written, costUSD: 0 } },
      permission_denials: denials,
    });
    state('idle');
  }

  const user = (content: object, more: object = {}) =>
    send({ type: 'user', message: { role: 'user', content: [content] }, parent_tool_use_id: null, ...more });

  return {
    model,
    send: sendLine,
    respond(requestId, response) {
      const body = response === undefined ? {} : { response };
      sendLine({ type: 'control_response', response: { subtype: 'success', request_id: requestId, ...body } });
    },
    refuse(requestId, error) {
      sendLine({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } });
    },
    state,
    startTurn(mode) {
      written = 0;
      read = 1200;
      denials = [];
      state('running');
      const init = { cwd: folder, tools: TOOLS, mcp_servers: [], model, permissionMode: mode, slash_commands: [] };
      send({ type: 'system', subtype: 'init', ...init, claude_code_version: '1.0.0', output_style: 'default' });
      send({ type: 'system', subtype: 'status', status: 'requesting' });
    },
    stream,
    async toolUse(name, input, pace, stopped) {
      const id = next('toolu');
      await stream([{ type: 'tool_use', id, name, input }], pace, stopped);
      return id;
    },
    toolResult(toolUseId, content, isError, structured) {
      read += Math.ceil(content.length / 4);
      const failed = isError ? { is_error: true } : {};
      user({ type: 'tool_result', tool_use_id: toolUseId, content, ...failed }, { tool_use_result: structured });
    },
    denied: (denial) => denials.push(denial),
    endTurn(result) {
      const fields = { is_error: false, api_error_status: null, result, stop_reason: 'end_turn' };
      end({ subtype: 'success', ...fields, terminal_reason: 'completed' });
    },
    interruptTurn(inTool) {
      const text = inTool ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]';
      user({ type: 'text', text });
      const reason = inTool ? 'aborted_tools' : 'aborted_streaming';
      end({ subtype: 'error_during_execution', is_error: true, stop_reason: null, terminal_reason: reason });
    },
  };
}

function contentOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return JSON.stringify(block.input);
    default:
      return block satisfies never;
  }
}

function emptied(block: Block): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block satisfies never;
  }
}

function deltaOf(block: Block, piece: string): object {
  switch (block.type) {
    case 'text':
      return { type: 'text_delta', text: piece };
    case 'thinking':
      return { type: 'thinking_delta', thinking: piece };
    case 'tool_use':
      return { type: 'input_json_delta', partial_json: piece };
    default:
      return block satisfies never;
  }
}
