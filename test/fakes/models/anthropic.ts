import { createHash } from 'node:crypto';
import { readAnthropicRequest } from './anthropicRequest.ts';
import { type Dialect, type PlainAnswer, type StreamEncoder, type TokenCount, UNSCRIPTED_TEXT } from './dialect.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from './modelServer.ts';
import type { ContentStep, FailHint, Finish, ModelRequest, Story } from './story.ts';
import { say } from './story.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** A stand-in of the Anthropic Messages API. Clients: `ANTHROPIC_BASE_URL` and any `ANTHROPIC_API_KEY`. */
export function startAnthropic(story: Story, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startModelServer(anthropic(options), story);
}

function anthropic(options: ModelServerOptions): Dialect {
  return {
    read(http, n) {
      const path = http.url.split('?')[0];
      if (http.method === 'HEAD') return { type: 'plain', answer: { status: 200, body: '' } };
      if (path === '/v1/messages/count_tokens') {
        return { type: 'plain', answer: { status: 200, body: { input_tokens: Math.ceil(http.raw.length / 4) } } };
      }
      if (http.method !== 'POST' || path !== '/v1/messages') {
        return { type: 'plain', answer: fault(404, { message: `no such route: ${http.method} ${path}` }) };
      }
      const { request, stream, pairingError } = readAnthropicRequest(http, n);
      const key = http.headers['x-api-key'] ?? http.headers.authorization?.replace(/^Bearer /, '');
      const wrongKey = key === undefined || (options.apiKey !== undefined && key !== options.apiKey);
      const refusal = wrongKey
        ? fault(401, { message: 'invalid x-api-key' })
        : pairingError === null
          ? null
          : fault(400, { message: pairingError });
      return { type: 'model', request, stream, refusal };
    },
    stream: (request, content, finish, tokens) => messageEvents(request, content, finish, tokens),
    whole: (request, content, finish, tokens) => ({
      ...messageHead(request),
      content: content.flatMap((step, index) => blocksOf(step, request, index).map((one) => one.whole)),
      stop_reason: stopReason(finish, content),
      stop_sequence: null,
      usage: { ...inputUsage(tokens), output_tokens: tokens.output },
    }),
    fault,
    unscripted: () => [say(UNSCRIPTED_TEXT)],
  };
}

function fault(status: number, hint: FailHint): PlainAnswer {
  const error = { type: ERROR_TYPES[status] ?? 'api_error', message: hint.message ?? `scripted HTTP ${status}` };
  const wait = hint.retryAfterSeconds;
  return {
    status,
    body: hint.body ?? { type: 'error', error },
    ...(wait === undefined ? {} : { headers: { 'retry-after': String(wait) } }),
  };
}

/** An id that depends on nothing but the request and the place in its answer. */
function idOf(prefix: string, request: ModelRequest, place: string): string {
  const hash = createHash('sha256').update(`${request.n} ${place} ${request.raw}`).digest('hex');
  return `${prefix}_${hash.slice(0, 24)}`;
}

function messageHead(request: ModelRequest) {
  return { id: idOf('msg', request, 'head'), type: 'message', role: 'assistant', model: request.model };
}

function inputUsage(tokens: TokenCount) {
  return { input_tokens: tokens.input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
}

function stopReason(finish: Finish, content: readonly ContentStep[]): string {
  switch (finish) {
    case 'tokenLimit':
      return 'max_tokens';
    case 'refused':
    case 'blocked':
      return 'refusal';
    case 'natural':
    case 'missing':
      return content.some((step) => step.type === 'call' || step.type === 'brokenCall') ? 'tool_use' : 'end_turn';
    default:
      return unreachable(finish);
  }
}

/** One content block: as a whole, as its empty start, and as its deltas. */
interface Block {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

function blocksOf(step: ContentStep, request: ModelRequest, index: number): Block[] {
  switch (step.type) {
    case 'say': {
      const pieces = cutInto(step.text, step.size);
      return [
        {
          whole: { type: 'text', text: step.text },
          start: { type: 'text', text: '' },
          deltas: pieces.map((text) => ({ type: 'text_delta', text })),
        },
      ];
    }
    case 'think': {
      const signature = 'c2lnbmF0dXJl';
      return [
        {
          whole: { type: 'thinking', thinking: step.text, signature },
          start: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            { type: 'thinking_delta', thinking: step.text },
            { type: 'signature_delta', signature },
          ],
        },
      ];
    }
    case 'call':
      return step.calls.map((one, place) => {
        const id = one.id ?? idOf('toolu', request, `${index}.${place}`);
        return toolBlock(id, one.name, one.input, JSON.stringify(one.input));
      });
    case 'brokenCall':
      return [toolBlock(idOf('toolu', request, String(index)), step.name, {}, step.json)];
    default:
      return unreachable(step);
  }
}

function toolBlock(id: string, name: string, input: object, json: string): Block {
  return {
    whole: { type: 'tool_use', id, name, input },
    start: { type: 'tool_use', id, name, input: {} },
    deltas: cutInto(json, 2_000).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  };
}

/** Whole characters only: half of a surrogate pair is not valid UTF-8. */
function cutInto(text: string, size: number): string[] {
  if (text.length <= size) return text === '' ? [] : [text];
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

function messageEvents(
  request: ModelRequest,
  content: readonly ContentStep[],
  finish: Finish,
  tokens: TokenCount,
): StreamEncoder {
  let index = -1;
  let open = false;
  const settle = () => {
    if (!open) return '';
    open = false;
    return event('content_block_stop', { index });
  };
  return {
    open: () =>
      event('message_start', {
        message: {
          ...messageHead(request),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...inputUsage(tokens), output_tokens: 1 },
        },
      }),
    *content(step) {
      for (const block of blocksOf(step, request, content.indexOf(step))) {
        const before = settle();
        index += 1;
        open = true;
        const start = before + event('content_block_start', { index, content_block: block.start });
        const [first, ...others] = block.deltas.map((delta) => event('content_block_delta', { index, delta }));
        yield start + (first ?? '');
        yield* others;
      }
    },
    settle,
    error: (status, message) => event('error', { error: { type: ERROR_TYPES[status] ?? 'api_error', message } }),
    close: () => {
      if (finish === 'missing') return settle();
      const end = { stop_reason: stopReason(finish, content), stop_sequence: null };
      const usage = { output_tokens: tokens.output };
      return settle() + event('message_delta', { delta: end, usage }) + event('message_stop', {});
    },
  };
}

function unreachable(value: never): never {
  throw new Error(`unknown ${JSON.stringify(value)}`);
}
