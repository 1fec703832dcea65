import * as z from 'zod';
import type { PromptResult } from '../protocol/acp.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { FailureCause, Json, TurnOutcome, Usage, WireObject } from '../shared/events.ts';

/** What a `stopReason` that is neither an end nor a cancel means, for people. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_tokens: 'the answer reached the limit of tokens',
  max_turn_requests: 'it reached its limit of model requests in one turn',
  refusal: 'it refused to go on',
};

/** Judges a turn that the agent answered and that we did not cancel. Only `end_turn` is an end. */
export function outcomeOf(stopReason: string, agentName: string): TurnOutcome {
  if (stopReason === 'end_turn') return { type: 'completed' };
  if (stopReason === 'cancelled') return { type: 'cancelled', by: 'agent' };
  const why = Object.hasOwn(INCOMPLETE, stopReason) ? INCOMPLETE[stopReason] : `it stopped with "${stopReason}"`;
  return { type: 'incomplete', cause: stopReason, message: `${agentName} did not finish: ${why}.` };
}

/** An error answer of an agent in words and with its cause. */
export interface AgentFailure {
  readonly cause: Extract<FailureCause, 'signIn' | 'quota' | 'agentError'>;
  /** Code, message and details; one line, or several where the agent wrote several. */
  readonly message: string;
}

/**
 * What Google's API says, which Gemini CLI passes on as text in `message` (acp-18d-auth-wrong-key,
 * acp-23-api-500-forever); the HTTP status is the JSON-RPC code then.
 */
const googleError = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    status: z.string().optional(),
    details: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
  }),
});

/**
 * Reads an error object. Its `data.details` often holds the only useful words (acp-25-untrusted). `signInHint` is the
 * way out when credentials are missing or wrong.
 */
export function failureOf(wire: WireObject, agentName: string, signInHint: string): AgentFailure {
  const code = typeof wire.code === 'number' ? wire.code : RPC_ERROR.internal;
  const text = typeof wire.message === 'string' ? wire.message : JSON.stringify(wire.message ?? wire);
  const parsed = parseWire(googleError, null, jsonOf(text));
  const google = parsed.type === 'known' ? parsed.value.error : null;
  const said = google?.message ?? text;
  const details = detailsOf(wire.data);
  const words = details === null || said.includes(details) ? said : `${said}: ${details}`;
  const reasons = (google?.details ?? []).map(({ reason }) => reason);
  const cause = causeOf(code, google?.status, reasons);
  const message = `${agentName} answered with error ${code}: ${words}`;
  return { cause, message: cause === 'signIn' ? `${message.replace(/\.$/, '')}. ${signInHint}` : message };
}

function causeOf(
  code: number,
  status: string | undefined,
  reasons: readonly (string | undefined)[],
): AgentFailure['cause'] {
  if (code === RPC_ERROR.authRequired || code === 401 || code === 403) return 'signIn';
  if (status === 'UNAUTHENTICATED' || status === 'PERMISSION_DENIED') return 'signIn';
  if (reasons.includes('API_KEY_INVALID')) return 'signIn';
  return code === 429 || status === 'RESOURCE_EXHAUSTED' ? 'quota' : 'agentError';
}

function detailsOf(data: Json | undefined): string | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'string') return data;
  if (isWireObject(data) && typeof data.details === 'string') return data.details;
  const text = JSON.stringify(data);
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}

function jsonOf(text: string): unknown {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Tokens and models of the turn as Gemini CLI adds them up; other agents do not say. */
export function usageOf(
  result: PromptResult,
  costUsd: number | null,
): { usage: Usage | null; models: readonly string[] } {
  const quota = result._meta?.quota;
  const tokens = quota?.token_count;
  const models = [...new Set((quota?.model_usage ?? []).map(({ model }) => model))];
  if (tokens == null && costUsd === null) return { usage: null, models };
  const usage: Usage = {
    inputTokens: tokens?.input_tokens ?? null,
    outputTokens: tokens?.output_tokens ?? null,
    cachedTokens: null,
    costUsd,
  };
  return { usage, models };
}
