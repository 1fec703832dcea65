import type { ClaudeLine, ClaudeToolAsk } from '../protocol/claudeStream.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { AgentEvent, PlanEntry } from '../shared/agentEvents.ts';
import type { ToolCallPatch } from '../shared/toolCall.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { resultContent } from './claudeContent.ts';
import { describeClaudeTool } from './claudeTools.ts';

/** The tool calls of one process that have begun and not ended. Results are matched by id only (40-parallel-reads). */
export interface ClaudeCalls {
  /** A `tool_use` block came. Whether the call will ask is not known yet, and most do not: it counts as running. */
  start(id: string, name: string, input: WireObject, parentId: string | null, wire: WireObject): AgentEvent;
  ask(ask: ClaudeToolAsk, wire: WireObject): AgentEvent;
  allowed(id: string, wire: WireObject): readonly AgentEvent[];
  denied(id: string): void;
  results(line: Extract<ClaudeLine, { type: 'user' }>, wire: WireObject): readonly AgentEvent[];
  /** The turn is over: no result will come any more. `wire` null: the process is gone. */
  close(reason: 'noResult' | 'stopped', wire: WireObject | null): readonly AgentEvent[];
}

interface OpenCall {
  readonly name: string;
  readonly wire: WireObject;
  denied: boolean;
}

export function createClaudeCalls(folder: string): ClaudeCalls {
  const calls = new Map<string, OpenCall>();

  const open = (id: string, name: string, input: WireObject, wire: WireObject) => {
    calls.set(id, { name, wire, denied: false });
    const { kind, title, locations } = describeClaudeTool(name, input, folder);
    return { toolCallId: id, toolName: name, title, kind, locations, rawInput: input };
  };

  return {
    start(id, name, input, parentId, wire) {
      const parent = parentId === null ? {} : { parentId };
      const derived = { ...open(id, name, input, wire), ...parent, state: 'executing' } as const;
      return { type: 'toolCall.started', wire, derived };
    },
    ask({ tool_use_id: id, tool_name: name, input }, wire) {
      const call = calls.has(id) ? { toolCallId: id } : open(id, name, input, wire);
      return { type: 'toolCall.updated', wire, derived: { ...call, state: 'awaitingApproval' } };
    },
    allowed(id, wire) {
      if (!calls.has(id)) return [];
      return [{ type: 'toolCall.updated', wire, derived: { toolCallId: id, state: 'executing' } }];
    },
    denied(id) {
      const call = calls.get(id);
      if (call !== undefined) call.denied = true;
    },
    results(line, wire) {
      // Text in a user line is an echo, a notice to the model or a sub-agent's prompt: none is shown (62-empty-reply).
      if (typeof line.message.content === 'string') return [];
      return line.message.content.flatMap((block): AgentEvent[] => {
        const id = block.tool_use_id;
        if (block.type !== 'tool_result' || id === undefined) return [];
        const call = calls.get(id);
        calls.delete(id);
        const structured = line.tool_use_result;
        const end = block.is_error === true ? endOf(call, structured) : ({ state: 'success' } as const);
        // The result of a stopped call is an instruction to the model, not what the call gave.
        const isStopped = 'reason' in end && end.reason === 'stopped';
        const content = isStopped ? {} : { content: resultContent(call?.name ?? null, block.content, structured) };
        const updated = { type: 'toolCall.updated', wire, derived: { toolCallId: id, ...end, ...content } } as const;
        const entries = end.state === 'success' ? planOf(call?.name, structured) : null;
        return entries === null ? [updated] : [updated, { type: 'plan.updated', wire, derived: { entries } }];
      });
    },
    close(reason, wire) {
      const events = [...calls].map(
        ([toolCallId, call]): AgentEvent => ({
          type: 'toolCall.updated',
          wire: wire ?? call.wire,
          derived: { toolCallId, state: 'cancelled', reason },
        }),
      );
      calls.clear();
      return events;
    },
  };
}

function endOf(call: OpenCall | undefined, structured: Json | undefined): Pick<ToolCallPatch, 'state' | 'reason'> {
  // What the CLI writes for a running tool and for an open question when it is interrupted (21-interrupt-while-bash).
  if (structured === 'User rejected tool use') return { state: 'cancelled', reason: 'stopped' };
  if (call?.denied === true) return { state: 'cancelled', reason: 'denied' };
  return { state: 'error', reason: 'failed' };
}

/** The whole list where the wire gives one: `TodoWrite` (48-todo-env) and `TaskList` (45-tasks-todo). */
function planOf(name: string | undefined, structured: Json | undefined): readonly PlanEntry[] | null {
  if (structured === undefined || !isWireObject(structured)) return null;
  const [list, field] =
    name === 'TodoWrite' ? [structured.newTodos, 'content'] : name === 'TaskList' ? [structured.tasks, 'subject'] : [];
  if (!Array.isArray(list) || field === undefined) return null;
  return list.filter(isWireObject).flatMap((one): PlanEntry[] => {
    const { status, [field]: content } = one;
    if (typeof content !== 'string') return [];
    return status === 'pending' || status === 'in_progress' || status === 'completed' ? [{ content, status }] : [];
  });
}
