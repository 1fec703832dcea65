import type { PromptResult } from '../protocol/acpRequests.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { Usage } from '../shared/agentEvents.ts';
import type { FailureCause, TurnOutcome } from '../shared/ending.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { googleCause, readGoogleError } from './googleError.ts';

/** What ended a turn. */
export type AcpEnd =
  | { readonly type: 'result'; readonly value: PromptResult; readonly wire: Json }
  /** The agent's error object. */
  | { readonly type: 'error'; readonly wire: WireObject }
  /** No answer that could be read: the process is gone, or the answer was of another shape (`wire`). */
  | { readonly type: 'none'; readonly wire: Json; readonly outcome: Extract<TurnOutcome, { readonly type: 'failed' }> };

/** What a `stopReason` that is neither an end nor a cancel means, for people. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_tokens: 'the answer reached the limit of tokens',
  max_turn_requests: 'it reached its limit of model requests in one turn',
  refusal: 'it refused to go on',
};

/** Judges a turn that the agent answered and that we did not cancel. Only `end_turn` is an end. */
function outcomeOf(stopReason: string, agentName: string): TurnOutcome {
  if (stopReason === 'end_turn') return { type: 'completed' };
  if (stopReason === 'cancelled') return { type: 'cancelled', by: 'agent' };
  const why = Object.hasOwn(INCOMPLETE, stopReason) ? INCOMPLETE[stopReason] : `it stopped with "${stopReason}"`;
  return { type: 'incomplete', cause: stopReason, message: `${agentName} did not finish: ${why}.` };
}

/** Judges a turn that we did not cancel by what ended it. */
export function judge(end: AcpEnd, agentName: string, signInHint: string): TurnOutcome {
  switch (end.type) {
    case 'result':
      return outcomeOf(end.value.stopReason, agentName);
    case 'error':
      return { type: 'failed', ...failureOf(end.wire, agentName, signInHint) };
    case 'none':
      return end.outcome;
    default:
      return end satisfies never;
  }
}

/** An error answer of an agent in words and with its cause. */
export interface AgentFailure {
  readonly cause: Extract<FailureCause, 'signIn' | 'quota' | 'agentError'>;
  /** Code, message and details; one line, or several where the agent wrote several. */
  readonly message: string;
}

/**
 * Reads an error object. Its `data.details` often holds the only useful words (acp-25-untrusted). `signInHint` is the
 * way out when credentials are missing or wrong.
 */
export function failureOf(wire: WireObject, agentName: string, signInHint: string): AgentFailure {
  const code = typeof wire.code === 'number' ? wire.code : RPC_ERROR.internal;
  const text = typeof wire.message === 'string' ? wire.message : JSON.stringify(wire.message ?? wire);
  const google = readGoogleError(text);
  const said = google?.message ?? text;
  const details = detailsOf(wire.data);
  const words = details === null || said.includes(details) ? said : `${said}: ${details}`;
  const cause = code === RPC_ERROR.authRequired ? 'signIn' : googleCause(code, google);
  const message = `${agentName} answered with error ${code}: ${words}`;
  return { cause, message: cause === 'signIn' ? `${message.replace(/\.$/, '')}. ${signInHint}` : message };
}

function detailsOf(data: Json | undefined): string | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'string') return data;
  if (isWireObject(data) && typeof data.details === 'string') return data.details;
  const text = JSON.stringify(data);
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}

/** Tokens and models of the turn: the response's own `usage`, or what Gemini CLI adds up in `_meta`. */
export function usageOf(
  result: PromptResult,
  costUsd: number | null,
): { usage: Usage | null; models: readonly string[] } {
  const quota = result._meta?.quota;
  const counted = quota?.token_count;
  const tokens = result.usage ?? {
    inputTokens: counted?.input_tokens,
    outputTokens: counted?.output_tokens,
    cachedReadTokens: null,
  };
  const models = [...new Set((quota?.model_usage ?? []).map(({ model }) => model))];
  if (result.usage == null && counted == null && costUsd === null) return { usage: null, models };
  const usage: Usage = {
    inputTokens: tokens.inputTokens ?? null,
    outputTokens: tokens.outputTokens ?? null,
    cachedTokens: tokens.cachedReadTokens ?? null,
    costUsd,
  };
  return { usage, models };
}
