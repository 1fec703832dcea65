import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TurnResult } from '../../src/agent/agent.ts';
import type { ClaudeExit } from '../../src/agent/claudeOutcome.ts';
import type { ClaudeReader, ClaudeStep } from '../../src/agent/claudeReader.ts';
import { createClaudeReader } from '../../src/agent/deriveClaude.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** One recorded line: `in` is what the client sent, `out` what the CLI said. */
export interface RecordedLine {
  readonly dir: 'in' | 'out';
  readonly line: WireObject;
}

/** The lines of a transcript of Claude Code 2.1.197 that went over its stdin and stdout; see `test/transcripts/README.md`. */
export function transcript(name: string): readonly RecordedLine[] {
  const file = fileURLToPath(new URL(`../transcripts/claude/${name}.jsonl`, import.meta.url));
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((text): RecordedLine[] => {
      const record: unknown = JSON.parse(text);
      if (!isWireObject(record)) throw new Error(`not a record: ${text}`);
      const { dir, line } = record;
      return (dir === 'in' || dir === 'out') && isWireObject(line) ? [{ dir, line }] : [];
    });
}

export interface ReplayedTurn {
  readonly events: readonly AgentEvent[];
  readonly notes: readonly NonNullable<ClaudeStep['note']>[];
  readonly result: ReturnType<ClaudeReader['end']>['result'];
}

/**
 * Feeds a transcript to the reader as it was recorded: a sent user line begins a turn, a sent interrupt is the user's,
 * a `result` that ends the turn closes it. A one-shot transcript has no user line and is one turn. What comes outside of a turn belongs to the next one.
 */
export function replay(name: string): readonly ReplayedTurn[] {
  const reader = createClaudeReader('/project');
  reader.beginTurn();
  const turns: ReplayedTurn[] = [];
  let events: AgentEvent[] = [];
  let notes: NonNullable<ClaudeStep['note']>[] = [];
  const asked = new Map<string, { readonly toolCallId: string; readonly wire: WireObject }>();
  for (const { dir, line } of transcript(name)) {
    if (dir === 'in') {
      if (line.type === 'user') reader.beginTurn();
      const { request, response } = line;
      if (isWireObject(request) && request.subtype === 'interrupt') reader.interrupted('user');
      if (isWireObject(response) && typeof response.request_id === 'string' && isWireObject(response.response)) {
        const question = asked.get(response.request_id);
        const allowed = response.response.behavior === 'allow';
        if (question !== undefined) events.push(...reader.answered(question.toolCallId, allowed, question.wire));
      }
      continue;
    }
    const step = reader.push(line);
    events.push(...step.events);
    if (step.note === null) continue;
    notes.push(step.note);
    if (step.note.type === 'ask') {
      asked.set(step.note.requestId, { toolCallId: step.note.ask.tool_use_id, wire: step.note.wire });
    }
    if (step.note.type !== 'result') continue;
    const end = reader.end(null);
    turns.push({ events: [...events, ...end.events], notes, result: end.result });
    events = [];
    notes = [];
  }
  return turns;
}

/** The turn's messages as a person sees them at its end, in order of their first words; withdrawn ones are left out. */
export function shownTexts(
  events: readonly AgentEvent[],
  channel: 'message' | 'thought' = 'message',
): readonly string[] {
  const texts = new Map<string, string>();
  for (const { type, derived } of events.filter(
    (one) => one.type === 'message.chunk' || one.type === 'message.replaced',
  )) {
    if (type === 'message.chunk' && derived.channel === channel) {
      texts.set(derived.messageId, (texts.get(derived.messageId) ?? '') + derived.text);
    } else if (type === 'message.replaced' && derived.channel === channel) {
      if (derived.reason === 'withdrawn') texts.delete(derived.messageId);
      else texts.set(derived.messageId, derived.text);
    }
  }
  return [...texts.values()];
}

/** Reads one whole turn: the events of its lines and its judgement. `exit` null: the process lives on. */
export function readClaudeTurn(
  lines: readonly WireObject[],
  exit: ClaudeExit | null,
  folder = '/',
): { readonly events: readonly AgentEvent[]; readonly result: TurnResult; readonly sessionId: string | null } {
  const reader = createClaudeReader(folder);
  reader.beginTurn();
  const events = lines.flatMap((raw) => reader.push(raw).events);
  const end = reader.end(exit);
  return { events: [...events, ...end.events], result: end.result, sessionId: reader.sessionId() };
}
