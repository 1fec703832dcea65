import {
  type AcpContentBlock,
  type AcpToolCall,
  type SessionUpdate,
  sessionUpdateParams,
  UPDATE_TAG,
} from '../protocol/acp.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { AgentCommand, AgentEvent, Diagnostic, MessageChannel, PlanEntry, Usage } from '../shared/agentEvents.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { createAcpCalls } from './acpCalls.ts';
import { createAcpMessages } from './acpMessages.ts';
import type { AcpOptions } from './acpOptions.ts';
import { type AcpEnd, judge, usageOf } from './acpOutcome.ts';
import type { CancelReason, HistoryEntry, TurnResult } from './agent.ts';
import { brokenOutcome, brokenStream, doubtOf, tokensOf } from './brokenStream.ts';
import type { Quirks } from './quirks.ts';
import { interruptedOutcome } from './turnResults.ts';

/** Reads what one session says, over all its turns. Pure: no clock, no process. Nothing throws. */
export interface AcpReader {
  beginTurn(prompt: string): void;
  /** What is told from now on was said in an earlier process: it becomes history, not events. */
  beginReplay(): void;
  endReplay(): readonly HistoryEntry[];
  /** The session goes on from an earlier process, and had cost so much by then. */
  carry(costUsd: number): void;
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

/** What a reader is told of the one session that it reads. */
export interface ReadSession {
  /** For messages to people, as is `signInHint`. */
  readonly agentName: string;
  readonly signInHint: string;
  readonly quirks: () => Quirks;
  /** Null before there is one. */
  readonly sessionId: () => string | null;
  /** Kept up to date with what the agent tells of it. */
  readonly options: AcpOptions;
}

export function createAcpReader({ agentName, signInHint, quirks, sessionId, options }: ReadSession): AcpReader {
  const messages = createAcpMessages();
  const calls = createAcpCalls();
  /** Kinds of remarks that are made once. */
  const said = new Set<string>();
  let cost: number | null = null;
  let costBefore: number | null = null;
  let cancelReason: CancelReason | null = null;
  let context: NonNullable<Usage['context']> | null = null;
  let prompt = '';
  let replay: HistoryEntry[] | null = null;

  const once = (
    key: string,
    code: Diagnostic['code'],
    text: string,
    wire: WireObject,
    level: Diagnostic['level'] = 'info',
  ): readonly AgentEvent[] => {
    if (said.has(key)) return [];
    said.add(key);
    return [diagnostic(wire, level, code, text)];
  };

  const chunk = (
    channel: MessageChannel,
    update: Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>,
    wire: WireObject,
  ): readonly AgentEvent[] => {
    const { content, messageId = null } = update;
    const text = textOf(content);
    if (text === null) {
      const what = `${agentName} sent a message part of type "${content.type}", which is not shown.`;
      return once(`content ${content.type}`, 'notShown', what, wire);
    }
    if (text === undefined) return [diagnostic(wire, 'warning', 'invalid', 'A text chunk without text.')];
    const mode = channel === 'message' ? quirks().modeInText(text) : null;
    if (mode !== null) return modeEvents(mode, wire);
    const shown = channel === 'thought' ? quirks().thought(text) : text;
    return shown === '' ? [] : [messages.chunk(channel, shown, messageId, wire)];
  };

  const optionsEvent = (wire: WireObject): AgentEvent => ({
    type: 'options.updated',
    wire,
    derived: { options: options.all() },
  });

  const modeEvents = (mode: string, wire: WireObject): readonly AgentEvent[] => {
    options.setMode(mode);
    return [{ type: 'mode.updated', wire, derived: { mode } }, optionsEvent(wire)];
  };

  /** Words of the history; what else is told again is known from our own log. */
  const remember = (update: SessionUpdate, history: HistoryEntry[]): boolean => {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk': {
        const text = textOf(update.content) ?? '';
        const from = update.sessionUpdate === 'user_message_chunk' ? 'user' : 'agent';
        if (text !== '' && !(from === 'user' && quirks().replayNoise(text))) history.push({ from, text });
        return true;
      }
      case 'agent_thought_chunk':
      case 'tool_call':
      case 'tool_call_update':
      case 'plan':
        return true;
      default:
        return false;
    }
  };

  const known = (update: SessionUpdate, wire: WireObject): readonly AgentEvent[] => {
    if (replay !== null && remember(update, replay)) return [];
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
        context = { used: update.used, size: update.size };
        const derived = { inputTokens: null, outputTokens: null, cachedTokens: null, costUsd: turnCost(), context };
        return [{ type: 'usage.updated', wire, derived }];
      }
      case 'current_mode_update': {
        const mode = update.currentModeId ?? update.modeId;
        if (mode === undefined) return [diagnostic(wire, 'warning', 'invalid', 'A mode update without a mode.')];
        return modeEvents(mode, wire);
      }
      case 'config_option_update':
        options.replace(update.configOptions);
        return [optionsEvent(wire)];
      case 'available_commands_update':
        return [{ type: 'commands.updated', wire, derived: { commands: update.availableCommands.map(commandOf) } }];
      case 'notice': {
        const { severity, title, description } = update;
        const text = description == null ? title : `${title}\n${description}`;
        if (severity === 'error') return [diagnostic(wire, 'error', 'agentError', text)];
        return [diagnostic(wire, severity === 'warning' ? 'warning' : 'info', 'agentWarning', text)];
      }
      case 'user_message_chunk':
        return once(
          'user message',
          'notShown',
          `${agentName} repeats what it is asked; that is not shown twice.`,
          wire,
        );
      case 'session_info_update':
        return once('session info', 'notShown', `${agentName} names its session: ${update.title ?? 'no title'}`, wire);
      default:
        return update satisfies never;
    }
  };

  const turnCost = (): number | null => {
    const before = costBefore ?? 0;
    // A session that was cleared may count anew.
    return cost === null ? null : Math.round((cost < before ? cost : cost - before) * 1e9) / 1e9;
  };

  return {
    beginTurn(text) {
      prompt = text;
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
        case 'invalid': {
          const text = `${agentName} sent an update that cannot be read: ${parsed.problem}`;
          return once(text, 'invalid', text, raw, 'warning');
        }
        default:
          return parsed satisfies never;
      }
    },
    beginReplay() {
      replay = [];
    },
    endReplay() {
      const history = replay ?? [];
      replay = null;
      return history;
    },
    carry(costUsd) {
      cost ??= costUsd;
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
      const told = end.type === 'result' ? usageOf(end.value, turnCost()) : { usage: null, models: [] as const };
      const usage = told.usage === null || context === null ? told.usage : { ...told.usage, context };
      const texts = messages.texts();
      const tokens = tokensOf(told.usage);
      const broken = quirks().hidesBrokenStreams ? brokenStream({ prompt, texts, tokens }) : null;
      const judged = judge(end, agentName, signInHint);
      const outcome =
        cancelReason !== null
          ? interruptedOutcome(cancelReason)
          : broken === 'broken' && judged.type === 'completed'
            ? brokenOutcome(agentName)
            : judged;
      const doubt = outcome.type === 'completed' ? doubtOf(broken, agentName) : null;
      const result: TurnResult = { wire, outcome, texts, usage, models: told.models, denials };
      const remarks = doubt === null ? [] : [diagnostic(wire ?? {}, 'warning', 'agentWarning', doubt)];
      return { events: [...calls.end(wire ?? {}), ...remarks], result };
    },
  };
}

/** Text to show; null for a part that has none, undefined for a text that lacks it. */
function textOf({ type, text, uri, name, resource }: AcpContentBlock): string | null | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'resource_link':
      return uri == null ? null : `[${name ?? uri}](${uri})`;
    case 'resource':
      return resource?.text ?? null;
    default:
      return null;
  }
}

function commandOf(
  command: Extract<SessionUpdate, { sessionUpdate: 'available_commands_update' }>['availableCommands'][number],
): AgentCommand {
  const hint = command.input?.hint;
  const { name, description } = command;
  return { name, description: description ?? '', ...(hint == null ? {} : { hint }) };
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
