import {
  type AcpToolCall,
  type PromptResult,
  type SessionUpdate,
  sessionUpdateParams,
  UPDATE_TAG,
} from '../protocol/acp.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type {
  AgentEvent,
  Diagnostic,
  Json,
  MessageChannel,
  PlanEntry,
  TurnOutcome,
  WireObject,
} from '../shared/events.ts';
import { createAcpCalls } from './acpCalls.ts';
import { createAcpMessages } from './acpMessages.ts';
import { failureOf, outcomeOf, usageOf } from './acpOutcome.ts';
import type { CancelReason, TurnResult } from './agent.ts';
import { interruptedOutcome } from './claudeOutcome.ts';
import type { Quirks } from './quirks.ts';

/** What ended a turn. */
export type AcpEnd =
  | { readonly type: 'result'; readonly value: PromptResult; readonly wire: Json }
  /** The agent's error object. */
  | { readonly type: 'error'; readonly wire: WireObject }
  /** No answer that could be read: the process is gone, or the answer was of another shape (`wire`). */
  | { readonly type: 'none'; readonly wire: Json; readonly outcome: TurnOutcome };

/** Reads what one session says, over all its turns. Pure: no clock, no process. Nothing throws. */
export interface AcpReader {
  beginTurn(): void;
  /** The parameters of one `session/update`; between turns too. */
  update(params: Json | undefined): readonly AgentEvent[];
  /** A permission request came; `wire` is its `toolCall`. */
  asked(call: AcpToolCall, wire: WireObject): readonly AgentEvent[];
  /** We answered it; `wire` is the answer. */
  answered(toolCallId: string, allowed: boolean, wire: WireObject): readonly AgentEvent[];
  /** We sent `session/cancel` with these parameters. */
  cancelled(reason: CancelReason, wire: WireObject): readonly AgentEvent[];
  /** The turn is over. What was refused in it, one line each, is known by the one who answered. */
  end(end: AcpEnd, denials: readonly string[]): { readonly events: readonly AgentEvent[]; readonly result: TurnResult };
}

/** `agentName` and `signInHint` are for messages to people; `sessionId` tells the session, null before there is one. */
export function createAcpReader(
  agentName: string,
  signInHint: string,
  quirks: () => Quirks,
  sessionId: () => string | null,
): AcpReader {
  const messages = createAcpMessages();
  const calls = createAcpCalls();
  /** Kinds of remarks that are made once. */
  const said = new Set<string>();
  let cost: number | null = null;
  let costBefore: number | null = null;
  let cancelReason: CancelReason | null = null;

  const once = (key: string, code: Diagnostic['code'], text: string, wire: WireObject): readonly AgentEvent[] => {
    if (said.has(key)) return [];
    said.add(key);
    return [diagnostic(wire, 'info', code, text)];
  };

  const chunk = (
    channel: MessageChannel,
    update: Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>,
    wire: WireObject,
  ): readonly AgentEvent[] => {
    const { type, text } = update.content;
    if (type !== 'text') {
      return once(`content ${type}`, 'unknownVariant', `${agentName} sent a message part of type "${type}".`, wire);
    }
    if (text === undefined) return [diagnostic(wire, 'warning', 'invalid', 'A text chunk without text.')];
    const mode = channel === 'message' ? quirks().modeInText(text) : null;
    if (mode !== null) return [{ type: 'mode.updated', wire, derived: { mode } }];
    const shown = channel === 'thought' ? quirks().thought(text) : text;
    return shown === '' ? [] : [messages.chunk(channel, shown, update.messageId ?? null, wire)];
  };

  const known = (update: SessionUpdate, wire: WireObject): readonly AgentEvent[] => {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return chunk('message', update, wire);
      case 'agent_thought_chunk':
        return chunk('thought', update, wire);
      case 'tool_call':
        messages.interrupt();
        return [calls.start(update, wire)];
      case 'tool_call_update':
        if (!calls.known(update.toolCallId)) messages.interrupt();
        return [calls.update(update, wire)];
      case 'plan':
        return [{ type: 'plan.updated', wire, derived: { entries: update.entries.map(planEntry) } }];
      case 'usage_update': {
        if (update.cost?.currency === 'USD') cost = update.cost.amount;
        const derived = { inputTokens: null, outputTokens: null, cachedTokens: null, costUsd: turnCost() };
        return [{ type: 'usage.updated', wire, derived }];
      }
      case 'current_mode_update': {
        const mode = update.currentModeId ?? update.modeId;
        if (mode === undefined) return [diagnostic(wire, 'warning', 'invalid', 'A mode update without a mode.')];
        return [{ type: 'mode.updated', wire, derived: { mode } }];
      }
      // Our own prompt again; what the agent offers; names. Nothing of it is shown in a run.
      case 'user_message_chunk':
      case 'config_option_update':
      case 'session_info_update':
      case 'available_commands_update':
        return [];
      default:
        return update satisfies never;
    }
  };

  const turnCost = (): number | null => (cost === null ? null : Math.round((cost - (costBefore ?? 0)) * 1e9) / 1e9);

  return {
    beginTurn() {
      messages.beginTurn();
      costBefore = cost;
      cancelReason = null;
    },
    update(params) {
      const raw = isWireObject(params) ? params : {};
      const wire = isWireObject(raw.update) ? raw.update : raw;
      const parsed = parseWire(sessionUpdateParams, UPDATE_TAG, params);
      switch (parsed.type) {
        case 'known': {
          const other = parsed.value.sessionId;
          const ours = sessionId();
          if (ours === null || other === ours) return known(parsed.value.update, wire);
          return once(`session ${other}`, 'unknownSession', `${agentName} sent an update of session "${other}".`, raw);
        }
        case 'unknownVariant': {
          const { variant } = parsed;
          return once(`update ${variant}`, 'unknownVariant', `${agentName} sent an unknown update "${variant}".`, wire);
        }
        case 'invalid':
          return [
            diagnostic(raw, 'warning', 'invalid', `${agentName} sent an update that cannot be read: ${parsed.problem}`),
          ];
        default:
          return parsed satisfies never;
      }
    },
    asked(call, wire) {
      messages.interrupt();
      return [calls.ask(call, wire)];
    },
    answered(toolCallId, allowed, wire) {
      const event = calls.answered(toolCallId, allowed, wire);
      return event === null ? [] : [event];
    },
    cancelled(reason, wire) {
      cancelReason ??= reason;
      return calls.stop(wire);
    },
    end(end, denials) {
      const wire = isWireObject(end.wire) ? end.wire : null;
      const { usage, models } =
        end.type === 'result' ? usageOf(end.value, turnCost()) : { usage: null, models: [] as const };
      const outcome = cancelReason === null ? judge(end, agentName, signInHint) : interruptedOutcome(cancelReason);
      const result: TurnResult = { wire, outcome, texts: messages.texts(), usage, models, denials };
      return { events: calls.end(wire), result };
    },
  };
}

function judge(end: AcpEnd, agentName: string, signInHint: string): TurnOutcome {
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

function planEntry(entry: Extract<SessionUpdate, { sessionUpdate: 'plan' }>['entries'][number]): PlanEntry {
  const { content, status, priority } = entry;
  const known = status === 'in_progress' || status === 'completed' ? status : 'pending';
  if (priority !== 'high' && priority !== 'medium' && priority !== 'low') return { content, status: known };
  return { content, status: known, priority };
}

function diagnostic(wire: WireObject, level: Diagnostic['level'], code: Diagnostic['code'], text: string): AgentEvent {
  return { type: 'diagnostic', wire, derived: { source: 'agent', level, code, text } };
}
