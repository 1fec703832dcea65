import { geminiJsonSchema } from '../protocol/geminiStream.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { AgentEvent, Usage } from '../shared/agentEvents.ts';
import type { TurnOutcome } from '../shared/ending.ts';
import type { WireObject } from '../shared/wire.ts';
import { describeGeminiExit, exitCause, type GeminiExit, withFix } from './geminiExit.ts';
import type { GeminiTurnEnd } from './geminiTurn.ts';

/**
 * Reads the whole output of one turn of a version that has `--output-format json` only: everything is known at its end,
 * and of the tools nothing at all. Success is exit code 0 together with a `response`; an empty output is none (case C32).
 */
export function readGeminiJson(stdout: string, exit: GeminiExit): GeminiTurnEnd {
  const wire = objectIn(stdout);
  const parsed = wire === null ? null : parseWire(geminiJsonSchema, null, wire);
  const told = parsed?.type === 'known' ? parsed.value : null;
  const text = told?.error == null ? (told?.response ?? null) : null;
  const outcome: TurnOutcome =
    exit.code === 0 && text !== null ? { type: 'completed' } : failure(told?.error?.message ?? null, exit);
  const models = Object.entries(told?.stats?.models ?? {});
  const events: AgentEvent[] =
    text === null || text === '' || wire === null
      ? []
      : [{ type: 'message.chunk', wire, derived: { channel: 'message', messageId: '1', text } }];
  return {
    wire,
    outcome,
    texts: text === null || text === '' ? [] : [text],
    sessionId: told?.session_id ?? null,
    models: models.map(([name]) => name),
    usage: told?.stats?.models == null ? null : usageOf(models.map(([, { tokens }]) => tokens ?? {})),
    warnings: [],
    denials: [],
    events,
  };
}

function failure(said: string | null, exit: GeminiExit): TurnOutcome {
  const words = said ?? `Gemini CLI ended without a result (${describeGeminiExit(exit)}).`;
  const cause = exitCause(exit) ?? (said === null ? 'noResult' : 'agentError');
  return { type: 'failed', cause, message: withFix(words, exit) };
}

function usageOf(
  all: readonly {
    readonly prompt?: number | undefined;
    readonly candidates?: number | undefined;
    readonly cached?: number | undefined;
  }[],
): Usage {
  const sum = (of: 'prompt' | 'candidates' | 'cached') => all.reduce((total, one) => total + (one[of] ?? 0), 0);
  return { inputTokens: sum('prompt'), outputTokens: sum('candidates'), cachedTokens: sum('cached'), costUsd: null };
}

function objectIn(stdout: string): WireObject | null {
  const start = stdout.indexOf('{');
  if (start < 0) return null;
  try {
    const parsed: unknown = JSON.parse(stdout.slice(start));
    return isWireObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
