import type { Gate } from './gate.ts';

/** One model request as a story sees it, the same for both APIs. */
export interface ModelRequest {
  /** 1 for the first model request of the server, counted over all its stories. */
  readonly n: number;
  /** `side`: a call around the conversation (titles, routers, checks), not a turn of it. */
  readonly kind: 'main' | 'side';
  readonly model: string;
  readonly system: string;
  /** Text of the newest user message that is a prompt, without what the CLI itself wraps around it. */
  readonly prompt: string;
  /** All texts of the conversation, joined by line feeds. */
  readonly conversation: string;
  /** What the newest message answers to the model's tool calls; empty when it is a prompt. */
  readonly toolResults: readonly ToolResult[];
  /** Names of the tools that the CLI offers to the model. */
  readonly tools: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrived. */
  readonly raw: string;
}

export interface ToolResult {
  /** Name of the tool; empty when the request does not name it. */
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** All keys given must hold. A string is looked for as a substring, a RegExp is tested. */
export interface When {
  readonly prompt?: string | RegExp;
  readonly conversation?: string | RegExp;
  readonly system?: string | RegExp;
  readonly model?: string | RegExp;
  /** true: the newest message holds tool results; false: it holds none; a name: a result of that tool. */
  readonly afterTool?: boolean | string;
  readonly toolText?: string | RegExp;
  readonly toolFailed?: boolean;
  /** A tool of this exact name is offered. */
  readonly offers?: string;
  /** No tool of this exact name is offered. */
  readonly lacks?: string;
  readonly kind?: 'main' | 'side';
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

/** How an answer ends: by itself, at the token limit, refused, the prompt blocked, or with no end mark at all. */
export type Finish = 'natural' | 'tokenLimit' | 'refused' | 'blocked' | 'missing';

export type ContentStep =
  | { readonly type: 'say'; readonly text: string; readonly size: number; readonly everyMs: number }
  | { readonly type: 'think'; readonly text: string }
  | { readonly type: 'call'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'brokenCall'; readonly name: string; readonly json: string };

export type FaultStep =
  | { readonly type: 'fail'; readonly status: number; readonly hint: FailHint }
  | { readonly type: 'streamError'; readonly status: number; readonly message: string }
  | { readonly type: 'raw'; readonly bytes: string }
  | { readonly type: 'cut' }
  | { readonly type: 'hang' };

export type Step =
  | ContentStep
  | FaultStep
  | { readonly type: 'pause'; readonly ms: number }
  | { readonly type: 'hold'; readonly gate: Gate }
  | { readonly type: 'finish'; readonly finish: Finish }
  | { readonly type: 'usage'; readonly input: number; readonly output: number };

export interface FailHint {
  readonly message?: string;
  /** Sent the way of each API: `retry-after`, or a `RetryInfo` detail. */
  readonly retryAfterSeconds?: number;
  /** Google's `error.details`, instead of the RetryInfo. */
  readonly details?: readonly unknown[];
  /** Replaces the whole body, as a proxy's HTML page does. */
  readonly body?: string;
}

/** Plain text; `size` cuts it into deltas of so many characters, `everyMs` apart. */
export function say(text: string, options: { size?: number; everyMs?: number } = {}): Step {
  return { type: 'say', text, size: options.size ?? Math.max(1, text.length), everyMs: options.everyMs ?? 0 };
}

export function think(text: string): Step {
  return { type: 'think', text };
}

/** One tool call, named as the CLI offers it (`Edit`, `replace`, …). */
export function call(name: string, input: ToolCall['input'], id?: string): Step {
  return { type: 'call', calls: [id === undefined ? { name, input } : { name, input, id }] };
}

/** Several tool calls at once. */
export function calls(...list: readonly ToolCall[]): Step {
  return { type: 'call', calls: list };
}

/** A tool call whose input is not JSON. Anthropic only: the other API sends inputs as objects. */
export function brokenCall(name: string, json: string): Step {
  return { type: 'brokenCall', name, json };
}

/** Text of exactly `bytes` ASCII bytes; numbered, because Gemini CLI stops a model that repeats itself. */
export function fill(word: string, bytes: number): Step {
  const pieces: string[] = [];
  for (let length = 0, n = 0; length < bytes; n += 1) {
    const piece = `${word}${n} `;
    pieces.push(piece);
    length += piece.length;
  }
  return say(pieces.join('').slice(0, bytes), { size: 65_536 });
}

export function pause(ms: number): Step {
  return { type: 'pause', ms };
}

/** Silent until the test opens the gate; before any content not even headers are sent. */
export function hold(gate: Gate): Step {
  return { type: 'hold', gate };
}

/** Silent until the client goes away. */
export function hang(): Step {
  return { type: 'hang' };
}

/** Destroys the connection; as the first step before any byte of the answer. */
export function cut(): Step {
  return { type: 'cut' };
}

/** These bytes verbatim in the middle of the stream. */
export function raw(bytes: string): Step {
  return { type: 'raw', bytes };
}

/** An HTTP error. It must come before any content. */
export function fail(status: number, hint: FailHint = {}): Step {
  return { type: 'fail', status, hint };
}

/** An error inside a stream that began with 200. */
export function streamError(status: number, message: string): Step {
  return { type: 'streamError', status, message };
}

export function finish(how: Finish): Step {
  return { type: 'finish', finish: how };
}

/** The token counts of this answer; without it they are counted from the bytes. */
export function usage(input: number, output: number): Step {
  return { type: 'usage', input, output };
}

/** Steps, or a function that decides by the request. */
export type Reply = readonly Step[] | ((request: ModelRequest) => readonly Step[]);

export interface Scene {
  readonly name: string;
  readonly when: When;
  /** How many requests it answers. */
  readonly times: number;
  readonly reply: Reply;
}

/**
 * What a model says over a run, told in scenes. A request is answered by the first scene that fits and is not used up;
 * one that no scene answers counts as beyond the script.
 */
export interface Story {
  readonly title: string;
  readonly scenes: readonly Scene[];
  /** Adds a scene for requests that fit `when`. It answers one request unless `times` says otherwise. */
  when(when: When, options?: { name?: string; times?: number }): SceneStart;
  /** Adds a scene for the next main request, whatever it is. */
  next(...reply: readonly Step[]): Story;
}

export interface SceneStart {
  reply(...steps: readonly Step[]): Story;
  /** Decides by the request. */
  answer(reply: (request: ModelRequest) => readonly Step[]): Story;
}

/** An empty story; each `when(…).reply(…)` gives a longer one and leaves this as it was. */
export function story(title: string, scenes: readonly Scene[] = []): Story {
  const add = (when: When, options: { name?: string; times?: number }, reply: Reply): Story => {
    const name = options.name ?? `scene ${scenes.length + 1}`;
    return story(title, [...scenes, { name, when: { kind: 'main', ...when }, times: options.times ?? 1, reply }]);
  };
  return {
    title,
    scenes,
    when: (when, options = {}) => ({
      reply: (...steps) => add(when, options, steps),
      answer: (reply) => add(when, options, reply),
    }),
    next: (...reply) => add({}, {}, reply),
  };
}
