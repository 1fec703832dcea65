import { type GeminiEvent, geminiEventSchema } from '../protocol/geminiStream.ts';
import { parseWire } from '../protocol/parseWire.ts';
import type { AgentEvent, Diagnostic, Usage } from '../shared/agentEvents.ts';
import type { FailureCause, TurnOutcome } from '../shared/ending.ts';
import type { WireObject } from '../shared/wire.ts';
import { describeGeminiExit, exitCause, type GeminiExit, withFix } from './geminiExit.ts';
import { googleCause, readGoogleError } from './googleError.ts';
import { geminiToolKind } from './toolKind.ts';

/** How a headless turn ended and what was said in it. */
export interface GeminiTurnEnd {
  /** The `result` line, verbatim; null when none came. */
  readonly wire: WireObject | null;
  readonly outcome: TurnOutcome;
  /** Every message of the agent in order, tool calls between them; the echoed prompt is none. */
  readonly texts: readonly string[];
  readonly sessionId: string | null;
  /** The real models; before the end only `init` tells one, and that may be `auto`. */
  readonly models: readonly string[];
  readonly usage: Usage | null;
  /** What the agent warned of, in its own words. */
  readonly warnings: readonly string[];
  /** What it was refused, one line each. */
  readonly denials: readonly string[];
  /** Closes the cards of calls that no result came for (sj-10-SIGTERM-midtool). */
  readonly events: readonly AgentEvent[];
}

/** Reads one headless turn, line by line. Pure: no clock, no process. */
export interface GeminiTurn {
  /** What one line of the stream means, in order. Never throws. */
  push(raw: WireObject): readonly AgentEvent[];
  /** Whether the `result` came: the turn is over then, though the process may live on for seconds (sj-02b). */
  ended(): boolean;
  /** The judgement. `exit` null: the process still lives. Only a `result` with status success is a success (sj-06, sj-10). */
  end(exit: GeminiExit | null): GeminiTurnEnd;
}

/** Errors of tools that were refused, not tried: by a policy, or by not being offered at all (sj-03-mode-default). */
const REFUSALS: ReadonlySet<string> = new Set(['policy_violation', 'tool_not_registered']);

export function createGeminiTurn(): GeminiTurn {
  const texts: string[] = [];
  const warnings: string[] = [];
  const unknown = new Set<string>();
  const denials: string[] = [];
  /** Calls without a result yet: their tools, and what announced them. */
  const calls = new Map<string, { readonly name: string; readonly wire: WireObject }>();
  /** The last `error` event: a broken stream's result has no words of its own (sj-06c-no-finish). */
  let lastError: string | null = null;
  let sessionId: string | null = null;
  let model: string | null = null;
  let result: { readonly wire: WireObject; readonly event: Extract<GeminiEvent, { type: 'result' }> } | null = null;
  /** Whether the next text goes on with the last message. */
  let open = false;

  function read(event: GeminiEvent, wire: WireObject): readonly AgentEvent[] {
    switch (event.type) {
      case 'init':
        sessionId = event.session_id;
        model = event.model;
        return [{ type: 'session.updated', wire, derived: { sessionId, model } }];
      case 'message': {
        if (event.role === 'user') return [];
        if (open && event.delta === true) texts[texts.length - 1] += event.content;
        else texts.push(event.content);
        open = event.delta === true;
        const messageId = String(texts.length);
        return [{ type: 'message.chunk', wire, derived: { channel: 'message', messageId, text: event.content } }];
      }
      case 'tool_use': {
        open = false;
        calls.set(event.tool_id, { name: event.tool_name, wire });
        const kind = geminiToolKind(event.tool_name) ?? 'other';
        const derived = { toolCallId: event.tool_id, toolName: event.tool_name, kind, rawInput: event.parameters };
        return [{ type: 'toolCall.started', wire, derived: { ...derived, state: 'executing' } }];
      }
      case 'tool_result': {
        const { type = '', message: why = '' } = event.error ?? {};
        if (REFUSALS.has(type)) denials.push(`${calls.get(event.tool_id)?.name ?? 'A tool'}: ${why.split('\n', 1)[0]}`);
        calls.delete(event.tool_id);
        const text = event.output !== undefined && event.output !== '' ? event.output : event.error?.message;
        const content = text === undefined ? {} : { content: [{ type: 'text', text }] as const };
        const derived = { toolCallId: event.tool_id, ...content };
        return event.status === 'success'
          ? [{ type: 'toolCall.updated', wire, derived: { ...derived, state: 'success' } }]
          : [{ type: 'toolCall.updated', wire, derived: { ...derived, state: 'error', reason: 'failed' } }];
      }
      case 'error':
        if (event.severity === 'error') {
          lastError = event.message;
          return [diagnostic(wire, 'error', 'agentError', event.message)];
        }
        warnings.push(event.message);
        return [diagnostic(wire, 'warning', 'agentWarning', event.message)];
      case 'result':
        result ??= { wire, event };
        return [];
      default:
        return event satisfies never;
    }
  }

  return {
    push(raw) {
      const parsed = parseWire(geminiEventSchema, 'type', raw);
      switch (parsed.type) {
        case 'known':
          return read(parsed.value, raw);
        case 'unknownVariant':
          if (unknown.has(parsed.variant)) return [];
          unknown.add(parsed.variant);
          return [diagnostic(raw, 'info', 'unknownVariant', `Gemini CLI sent an unknown event "${parsed.variant}".`)];
        case 'invalid':
          return [diagnostic(raw, 'warning', 'invalid', `Gemini CLI sent a malformed event: ${parsed.problem}`)];
        default:
          return parsed satisfies never;
      }
    },
    ended: () => result !== null,
    end(exit) {
      const stats = result?.event.stats;
      const models = Object.keys(stats?.models ?? {});
      return {
        wire: result?.wire ?? null,
        outcome: judge(result?.event ?? null, lastError, exit),
        texts: [...texts],
        sessionId,
        models: models.length > 0 ? models : model === null ? [] : [model],
        usage:
          stats === undefined
            ? null
            : {
                inputTokens: stats.input_tokens ?? null,
                outputTokens: stats.output_tokens ?? null,
                cachedTokens: stats.cached ?? null,
                costUsd: null,
              },
        warnings: [...warnings],
        denials: [...denials],
        events: [...calls].map(([toolCallId, { wire }]) => ({
          type: 'toolCall.updated',
          wire,
          derived: { toolCallId, state: 'cancelled', reason: 'noResult' },
        })),
      };
    },
  };
}

function judge(
  result: Extract<GeminiEvent, { type: 'result' }> | null,
  lastError: string | null,
  exit: GeminiExit | null,
): TurnOutcome {
  if (result?.status === 'success') return { type: 'completed' };
  if (result === null) {
    const message = withFix(`Gemini CLI ended without a result (${describeGeminiExit(exit)}).`, exit);
    return { type: 'failed', cause: exitCause(exit) ?? 'noResult', message };
  }
  const said = result.error?.message ?? lastError ?? 'Gemini CLI reported an error without a word about it.';
  const google = googleErrorIn(said);
  const cause = exitCause(exit) ?? google?.cause ?? 'agentError';
  return { type: 'failed', cause, message: withFix(google?.message ?? said, exit) };
}

/** What Google's API says, where the CLI passes its answer on as it came: `[API Error: {"error":…}]` (sj-05-api-400). */
function googleErrorIn(said: string): { readonly cause: FailureCause; readonly message: string } | null {
  const text = /^\[API Error: (\{[\s\S]*\})\]/.exec(said)?.[1];
  const error = text === undefined ? null : readGoogleError(text);
  if (error === null) return null;
  return { cause: googleCause(null, error), message: `The model's server answered: ${error.message}` };
}

function diagnostic(wire: WireObject, level: Diagnostic['level'], code: Diagnostic['code'], text: string): AgentEvent {
  return { type: 'diagnostic', wire, derived: { source: 'agent', level, code, text } };
}
