import type { AcpToolCall } from '../protocol/acp.ts';
import type { AgentEvent } from '../shared/agentEvents.ts';
import type {
  ToolCallPatch,
  ToolContent,
  ToolEndReason,
  ToolKind,
  ToolLocation,
  ToolState,
} from '../shared/toolCall.ts';
import type { WireObject } from '../shared/wire.ts';

/**
 * The tool calls of one turn. A permission request, a start and an update may each be the first word of a call, and
 * after a refusal Gemini CLI says nothing more of it (acp-04-permission-denied), so all three are upserts by id and what
 * is still open is closed with the turn.
 */
export interface AcpCalls {
  /** Whether this call has been heard of in the turn. */
  known(id: string): boolean;
  /** A `tool_call`. One with the id of an ended call is a new call (acp-36-thought-shapes). */
  start(call: AcpToolCall, wire: WireObject): AgentEvent;
  update(call: AcpToolCall, wire: WireObject): AgentEvent;
  ask(call: AcpToolCall, wire: WireObject): AgentEvent;
  /** The permission was given or refused; `wire` is our answer. */
  answered(id: string, allowed: boolean, wire: WireObject): AgentEvent | null;
  /** Closes what is open; from then on until the next turn what ends has been stopped. */
  stop(wire: WireObject): readonly AgentEvent[];
  /** The turn is over. `wire` is what ended it; null: the process is gone, and each call's last message stands for it. */
  end(wire: WireObject | null): readonly AgentEvent[];
}

export function createAcpCalls(): AcpCalls {
  /** Why a call ended, null while it is open. */
  const calls = new Map<string, 'reported' | ToolEndReason | null>();
  /** What was last said of a call. */
  const wires = new Map<string, WireObject>();
  let stopping = false;

  const upsert = (call: AcpToolCall, wire: WireObject): ToolCallPatch => {
    const id = call.toolCallId;
    wires.set(id, wire);
    const told = fieldsOf(call, wire);
    const end = calls.get(id) ?? null;
    const state = stateOf(call.status);
    const isEnd = state === 'success' || state === 'error';
    // What was refused or stopped stays so, whatever the agent calls it: a killed command is `completed` and one that
    // never ran `failed` (acp-08-cancel-midtool).
    if (end === 'denied' || end === 'stopped') return told;
    if (stopping && isEnd && end === null) {
      calls.set(id, 'stopped');
      return { ...told, state: 'cancelled', reason: 'stopped' };
    }
    if (state === null) {
      calls.set(id, end);
      return told;
    }
    calls.set(id, isEnd ? 'reported' : null);
    return state === 'error' ? { ...told, state, reason: 'failed' } : { ...told, state };
  };

  const close = (reason: 'stopped' | 'noResult', wire: WireObject | null): readonly AgentEvent[] => {
    const open = [...calls].filter(([, end]) => end === null);
    return open.map(([toolCallId]) => {
      calls.set(toolCallId, reason);
      return updated({ toolCallId, state: 'cancelled', reason }, wire ?? wires.get(toolCallId) ?? {});
    });
  };

  return {
    known: (id) => calls.has(id),
    start(call, wire) {
      if ((calls.get(call.toolCallId) ?? null) !== null) calls.delete(call.toolCallId);
      const patch = upsert(call, wire);
      return {
        type: 'toolCall.started',
        wire,
        derived: patch.state === undefined ? { ...patch, state: 'validating' } : patch,
      };
    },
    update: (call, wire) => updated(upsert(call, wire), wire),
    ask(call, wire) {
      calls.set(call.toolCallId, null);
      wires.set(call.toolCallId, wire);
      return updated({ ...fieldsOf(call, wire), state: 'awaitingApproval' }, wire);
    },
    answered(toolCallId, allowed, wire) {
      if (calls.get(toolCallId) !== null) return null;
      if (allowed) return updated({ toolCallId, state: 'executing' }, wire);
      calls.set(toolCallId, 'denied');
      return updated({ toolCallId, state: 'cancelled', reason: 'denied' }, wire);
    },
    stop(wire) {
      stopping = true;
      return close('stopped', wire);
    },
    end(wire) {
      const events = close(stopping ? 'stopped' : 'noResult', wire);
      calls.clear();
      wires.clear();
      stopping = false;
      return events;
    },
  };
}

function updated(derived: ToolCallPatch, wire: WireObject): AgentEvent {
  return { type: 'toolCall.updated', wire, derived };
}

/** What the message says of the call besides its state; what it leaves out stays as it was. */
function fieldsOf(call: AcpToolCall, wire: WireObject): ToolCallPatch {
  const { rawInput, rawOutput } = wire;
  return {
    toolCallId: call.toolCallId,
    ...(call.name == null ? {} : { toolName: call.name }),
    ...(call.title == null || call.title === '' ? {} : { title: call.title }),
    ...(call.kind == null ? {} : { kind: kindOf(call.kind) }),
    ...(call.content == null ? {} : { content: contentOf(call) }),
    ...(call.locations == null ? {} : { locations: locationsOf(call) }),
    ...(rawInput === undefined ? {} : { rawInput }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
  };
}

/** The kinds of ACP are ours too; a word that is none of them is `other`. */
export function kindOf(word: string | null | undefined): ToolKind {
  switch (word) {
    case 'read':
    case 'edit':
    case 'delete':
    case 'move':
    case 'search':
    case 'execute':
    case 'think':
    case 'fetch':
    case 'switch_mode':
      return word;
    default:
      return 'other';
  }
}

/** Null: not said, or a status that we do not know. */
function stateOf(status: string | null | undefined): ToolState | null {
  switch (status) {
    case 'pending':
      return 'validating';
    case 'in_progress':
      return 'executing';
    case 'completed':
      return 'success';
    case 'failed':
      return 'error';
    default:
      return null;
  }
}

/** Texts, diffs and terminals; of another kind of content its name. */
export function contentOf(call: AcpToolCall): readonly ToolContent[] {
  return (call.content ?? []).flatMap((item): ToolContent[] => {
    if (item.type === 'diff' && item.path !== undefined && item.newText !== undefined) {
      // Gemini CLI sends an empty old text for a new file and says `add` beside it (acp-02-write-default-fs-off).
      const isNew = item._meta?.kind === 'add' && item.oldText === '';
      const oldText = isNew ? null : (item.oldText ?? null);
      return [{ type: 'diff', path: item.path, oldText, newText: item.newText }];
    }
    if (item.type === 'terminal' && item.terminalId !== undefined) {
      return [{ type: 'terminal', terminalId: item.terminalId }];
    }
    if (item.type !== 'content') return [{ type: 'text', text: `[${item.type}]` }];
    if (item.content?.text !== undefined) return [{ type: 'text', text: item.content.text }];
    return [{ type: 'text', text: `[${item.content?.type ?? 'nothing'}]` }];
  });
}

function locationsOf(call: AcpToolCall): readonly ToolLocation[] {
  return (call.locations ?? []).map(({ path, line }) => (line == null || line < 1 ? { path } : { path, line }));
}
