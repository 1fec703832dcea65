import { type Dialect, type PlainAnswer, type StreamEncoder, type TokenCount, UNSCRIPTED_TEXT } from './dialect.ts';
import { readGeminiRequest, responseSchema } from './geminiRequest.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from './modelServer.ts';
import { sampleOf } from './schemaSample.ts';
import type { ContentStep, FailHint, Finish, ModelRequest, Story, ToolCall } from './story.ts';
import { say } from './story.ts';

const RPC_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const MODEL_PATH = /^\/v1(?:beta|alpha)?\/models\/([^:/?]+):(\w+)/;

/** A stand-in of the Gemini API. Clients: `GOOGLE_GEMINI_BASE_URL` and any `GEMINI_API_KEY`. */
export function startGemini(story: Story, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startModelServer(gemini(options), story);
}

function gemini(options: ModelServerOptions): Dialect {
  return {
    read(http, n) {
      const [, model = '', method = ''] = MODEL_PATH.exec(http.url) ?? [];
      switch (method) {
        case 'streamGenerateContent':
        case 'generateContent': {
          const stream = method === 'streamGenerateContent';
          const request = readGeminiRequest(http, n, model, stream ? 'main' : 'side');
          const wrongKey = options.apiKey !== undefined && http.headers['x-goog-api-key'] !== options.apiKey;
          const refusal = wrongKey ? fault(400, { message: 'API key not valid. Please pass a valid API key.' }) : null;
          return { type: 'model', request, stream, refusal };
        }
        case 'countTokens':
          return { type: 'plain', answer: { status: 200, body: { totalTokens: Math.ceil(http.raw.length / 4) } } };
        default:
          return { type: 'plain', answer: fault(404, { message: `no such route: ${http.method} ${http.url}` }) };
      }
    },
    stream: (request, _content, finish, tokens) => chunks(request, finish, tokens),
    whole: (request, content, finish, tokens) => ({
      ...envelope(request),
      candidates: [candidate(content.flatMap(partsOf).flat(), finishReason(finish))],
      usageMetadata: usageOf(tokens),
    }),
    fault,
    unscripted(request) {
      if (request.kind === 'main') return [say(UNSCRIPTED_TEXT)];
      const schema = responseSchema(request);
      return [say(schema === undefined ? UNSCRIPTED_TEXT : JSON.stringify(sampleOf(schema)))];
    },
  };
}

function fault(status: number, hint: FailHint): PlainAnswer {
  if (hint.body !== undefined) return { status, body: hint.body };
  const wait = hint.retryAfterSeconds;
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${wait}s` };
  const details = hint.details ?? (wait === undefined ? [] : [retry]);
  const message = hint.message ?? `scripted HTTP ${status}`;
  return {
    status,
    body: { error: { code: status, message, status: RPC_STATUS[status] ?? 'UNKNOWN', details } },
  };
}

const envelope = (request: ModelRequest) => ({ modelVersion: request.model, responseId: `response-${request.n}` });

const usageOf = (tokens: TokenCount) => ({
  promptTokenCount: tokens.input,
  candidatesTokenCount: tokens.output,
  totalTokenCount: tokens.input + tokens.output,
});

function candidate(parts: readonly object[], reason: string | null) {
  return { content: { role: 'model', parts }, index: 0, ...(reason === null ? {} : { finishReason: reason }) };
}

function finishReason(finish: Finish): string | null {
  switch (finish) {
    case 'natural':
      return 'STOP';
    case 'tokenLimit':
      return 'MAX_TOKENS';
    case 'refused':
      return 'SAFETY';
    case 'blocked':
    case 'missing':
      return null;
    default:
      return unreachable(finish);
  }
}

const callPart = ({ name, input, id }: ToolCall) => ({
  functionCall: { name, args: input, ...(id === undefined ? {} : { id }) },
});

/** The chunks of one step, each a list of parts. */
function partsOf(step: ContentStep): object[][] {
  switch (step.type) {
    case 'say': {
      if (step.text.length <= step.size) return [[{ text: step.text }]];
      const characters = Array.from(step.text);
      const pieces: object[][] = [];
      for (let at = 0; at < characters.length; at += step.size) {
        pieces.push([{ text: characters.slice(at, at + step.size).join('') }]);
      }
      return pieces;
    }
    case 'think':
      return [[{ text: step.text, thought: true }]];
    case 'call':
      return [step.calls.map(callPart)];
    case 'brokenCall':
      throw new Error('the Gemini API sends tool inputs as objects: a story for it has no brokenCall');
    default:
      return unreachable(step);
  }
}

/** The Gemini SDK splits events with a pattern whose dot stops at U+2028 and U+2029: escaped, as Google does. */
function event(payload: object): string {
  const json = JSON.stringify(payload).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  return `data: ${json}\r\n\r\n`;
}

function chunks(request: ModelRequest, finish: Finish, tokens: TokenCount): StreamEncoder {
  const reason = finishReason(finish);
  const usageMetadata = usageOf(tokens);
  let ended = false;
  return {
    open: () => '',
    *content(step, last) {
      const list = partsOf(step);
      for (const [index, parts] of list.entries()) {
        // The real API closes with its last content, in one chunk.
        ended = last && index === list.length - 1 && reason !== null;
        const end = ended ? { usageMetadata } : {};
        yield event({ ...envelope(request), candidates: [candidate(parts, ended ? reason : null)], ...end });
      }
    },
    settle: () => '',
    error: (status, message) => event({ error: { code: status, message, status: RPC_STATUS[status] ?? 'UNKNOWN' } }),
    close: () => {
      if (ended || finish === 'missing') return '';
      if (finish === 'blocked') {
        return event({
          ...envelope(request),
          promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] },
          usageMetadata,
        });
      }
      return event({ ...envelope(request), candidates: [candidate([], reason)], usageMetadata });
    },
  };
}

function unreachable(value: never): never {
  throw new Error(`unknown ${JSON.stringify(value)}`);
}
