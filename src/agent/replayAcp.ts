import { ACP, requestPermissionParams } from '../protocol/acp.ts';
import { initialize, loadSession, newSession, prompt, resumeSession } from '../protocol/acpRequests.ts';
import { classify, type RpcId } from '../protocol/jsonrpc.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { createAcpOptions } from './acpOptions.ts';
import type { AcpEnd } from './acpOutcome.ts';
import { allows, permissionOf } from './acpPermissions.ts';
import { createAcpReader } from './deriveAcp.ts';
import { quirksOf } from './quirks.ts';
import { asEvents, type ReplayStep, type WireReplay } from './replaySteps.ts';

/** Reads a trace of an agent that speaks the Agent Client Protocol. */
export function replayAcp(agent: AgentRef, folder: string): WireReplay {
  const options = createAcpOptions();
  let quirks = quirksOf(null);
  let version: string | null = null;
  let sessionId: string | null = null;
  let promptId: RpcId | null = null;
  let denials: string[] = [];
  /** Our request → its method and the session that it names. */
  const requests = new Map<RpcId, { readonly method: string; readonly params: WireObject }>();
  const asked = new Map<RpcId, PermissionRequest>();
  const reader = createAcpReader({
    agentName: agent.name,
    signInHint: '',
    quirks: () => quirks,
    sessionId: () => sessionId,
    options,
  });

  const end = (how: AcpEnd): readonly ReplayStep[] => {
    promptId = null;
    const { events, result } = reader.end(how, denials);
    return [...asEvents(events), { type: 'end', result }];
  };

  function response(id: RpcId, result: Json): readonly ReplayStep[] {
    const { method, params } = requests.get(id) ?? { method: '', params: {} };
    requests.delete(id);
    if (id === promptId) {
      const parsed = parseWire(prompt.result, null, result);
      if (parsed.type === 'known') return end({ type: 'result', value: parsed.value, wire: result });
      const message = `${agent.name} answered in a way that cannot be read.`;
      return end({ type: 'none', wire: result, outcome: { type: 'failed', cause: 'protocol', message } });
    }
    switch (method) {
      case initialize.method: {
        const parsed = parseWire(initialize.result, null, result);
        version = parsed.type === 'known' ? (parsed.value.agentInfo?.version ?? null) : null;
        quirks = quirksOf(parsed.type === 'known' ? (parsed.value.agentInfo?.name ?? null) : null, version);
        return [];
      }
      case loadSession.method:
      case resumeSession.method:
      case newSession.method: {
        const parsed = parseWire(newSession.result.partial({ sessionId: true }), null, result);
        if (parsed.type !== 'known') return [];
        reader.endReplay();
        sessionId = parsed.value.sessionId ?? (typeof params.sessionId === 'string' ? params.sessionId : null);
        options.begin(parsed.value);
        return [{ type: 'ready', agent: { ...agent, version } }];
      }
      default:
        return [];
    }
  }

  function sent(id: RpcId, method: string, params: WireObject): readonly ReplayStep[] {
    requests.set(id, { method, params });
    if (method === loadSession.method) reader.beginReplay();
    if (method !== prompt.method) return [];
    promptId = id;
    denials = [];
    const text = textOf(params.prompt);
    reader.beginTurn(text);
    return [{ type: 'prompt', text, sessionId }];
  }

  function answered(id: RpcId, result: WireObject): readonly ReplayStep[] {
    const request = asked.get(id);
    if (request === undefined) return [];
    asked.delete(id);
    const { outcome, optionId } = isWireObject(result.outcome) ? result.outcome : {};
    const answer =
      outcome === 'selected' && typeof optionId === 'string'
        ? ({ outcome: 'selected', optionId } as const)
        : ({ outcome: 'cancelled' } as const);
    const step: ReplayStep = { type: 'answered', id: String(id), answer };
    const allowed = promptId === null ? null : allows(request, answer);
    if (allowed === null) return [step];
    if (!allowed) denials.push(`${request.title} (${request.kind})`);
    return [step, ...asEvents(reader.answered(request.toolCallId, allowed, result))];
  }

  return {
    start: () => [],
    out(object) {
      if (object === null) return [];
      const message = classify(object, () => true);
      if (message.type === 'request') {
        return sent(message.id, message.method, isWireObject(message.params) ? message.params : {});
      }
      if (message.type === 'result' && isWireObject(message.result)) return answered(message.id, message.result);
      if (message.type === 'notification' && message.method === ACP.cancel && promptId !== null) {
        return asEvents(reader.cancelled('user', isWireObject(message.params) ? message.params : {}));
      }
      return [];
    },
    in(object) {
      if (object === null) return [];
      const message = classify(object, () => true);
      switch (message.type) {
        case 'notification':
          return message.method === ACP.sessionUpdate ? asEvents(reader.update(message.params)) : [];
        case 'request': {
          if (message.method !== ACP.requestPermission || !isWireObject(message.params)) return [];
          const wire = message.params;
          const parsed = parseWire(requestPermissionParams, null, wire);
          if (parsed.type !== 'known') return [];
          const request = permissionOf(parsed.value, wire, quirks, folder);
          asked.set(message.id, request);
          const events = reader.asked(parsed.value.toolCall, isWireObject(wire.toolCall) ? wire.toolCall : {});
          return [...asEvents(events), { type: 'asked', id: String(message.id), wire, request }];
        }
        case 'result':
          return response(message.id, message.result);
        case 'error':
          requests.delete(message.id);
          return message.id === promptId ? end({ type: 'error', wire: message.wire }) : [];
        default:
          return [];
      }
    },
    exit({ code, signal, stderr }) {
      if (promptId === null) return [];
      const how = signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`;
      const message = `${agent.name} ended before the turn was over: ${how}. ${stderr.trim()}`.trim();
      return end({ type: 'none', wire: null, outcome: { type: 'failed', cause: 'agentExit', message } });
    },
  };
}

function textOf(blocks: Json | undefined): string {
  return (Array.isArray(blocks) ? blocks : [])
    .flatMap((block) => (isWireObject(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n\n');
}
