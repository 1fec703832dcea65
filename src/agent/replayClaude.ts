import { isWireObject } from '../protocol/parseWire.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { PermissionAnswer, PermissionRequest } from '../shared/permission.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { permissionOf } from './claudePermissions.ts';
import { isSignedIn } from './claudeStart.ts';
import { createClaudeReader } from './deriveClaude.ts';
import { asEvents, type ReplayStep, type WireReplay } from './replaySteps.ts';

/** Reads a trace of Claude Code. What a file held when it was asked about is not on the wire, so a diff of it has no old text. */
export function replayClaude(agent: AgentRef, folder: string): WireReplay {
  const reader = createClaudeReader(folder);
  const asked = new Map<string, { readonly request: PermissionRequest; readonly wire: WireObject }>();
  let turn = false;

  const end = (exit: Parameters<typeof reader.end>[0]): readonly ReplayStep[] => {
    if (!turn) return [];
    turn = false;
    const { events, result } = reader.end(exit);
    return [...asEvents(events), { type: 'end', result }];
  };

  function answered(response: WireObject): readonly ReplayStep[] {
    const { request_id: id } = response;
    const open = typeof id === 'string' ? asked.get(id) : undefined;
    if (open === undefined || typeof id !== 'string') return [];
    asked.delete(id);
    const told = isWireObject(response.response) ? response.response : {};
    const allowed = told.behavior === 'allow';
    const events = reader.answered(open.request.toolCallId, allowed, open.wire);
    return [{ type: 'answered', id, answer: answerOf(open.request, told) }, ...asEvents(events)];
  }

  return {
    start: () => [],
    out(object) {
      if (object === null) return [];
      if (object.type === 'user') {
        // Nothing told the end of a turn whose prompt was taken into another one.
        const ended = reader.folded() ? end(null) : [];
        turn = true;
        reader.beginTurn();
        const text = textOf(isWireObject(object.message) ? object.message.content : undefined);
        return [...ended, { type: 'prompt', text, sessionId: reader.sessionId() }];
      }
      if (object.type === 'control_response' && isWireObject(object.response)) return answered(object.response);
      if (isWireObject(object.request) && object.request.subtype === 'interrupt') reader.interrupted('user');
      return [];
    },
    in(object) {
      if (object === null) return [];
      const { events, note } = reader.push(object);
      const shown = asEvents(events);
      switch (note?.type) {
        case 'ask': {
          const { requestId: id, ask, wire } = note;
          const { request } = permissionOf(ask, { type: 'missing' }, folder);
          asked.set(id, { request, wire });
          return [...shown, { type: 'asked', id, wire, request }];
        }
        case 'withdrawn':
          if (!asked.delete(note.requestId)) return shown;
          return [...shown, { type: 'answered', id: note.requestId, answer: { outcome: 'cancelled' } }];
        case 'response':
          return note.requestId === 'initialize' && note.body !== null && isSignedIn(note.body)
            ? [...shown, { type: 'ready', agent }]
            : shown;
        case 'result':
          return [...shown, ...end(null)];
        default:
          return shown;
      }
    },
    exit: (exit) => end(reader.folded() ? null : exit),
  };
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .flatMap((block) => (isWireObject(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n\n');
}

/** The option of ours that such an answer comes from. */
function answerOf({ options }: PermissionRequest, told: WireObject): PermissionAnswer {
  const always = Array.isArray(told.updatedPermissions);
  const kind = told.behavior !== 'allow' ? 'reject_once' : always ? 'allow_always' : 'allow_once';
  const option = options.find((one) => one.kind === kind);
  if (option === undefined) return { outcome: 'cancelled' };
  const { message } = told;
  const words = typeof message === 'string' && message !== '' ? { message } : {};
  return { outcome: 'selected', optionId: option.optionId, ...words };
}
