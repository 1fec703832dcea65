import { ACP, type RequestPermissionParams, requestPermissionParams } from '../protocol/acp.ts';
import { type CreateElicitationParams, createElicitationParams } from '../protocol/acpElicitation.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { PermissionAnswer, PermissionRequest } from '../shared/permission.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { ServedRequest } from '../transport/connection.ts';
import { RequestRefused } from '../transport/rpcErrors.ts';
import { serve } from '../transport/serve.ts';
import { formRequest, formWire } from './acpForms.ts';
import { allows, outcomeWire, permissionOf } from './acpPermissions.ts';
import type { AgentContext } from './agent.ts';
import type { AcpReader } from './deriveAcp.ts';
import type { Quirks } from './quirks.ts';

/** As much of a turn under way as its questions need. */
export interface AskingTurn {
  /** Aborted with the cancel: every open question is answered `cancelled` at once. */
  readonly stopped: AbortController;
  /** What was refused, one line each. */
  readonly denials: string[];
}

interface QuestionParts {
  readonly context: AgentContext;
  readonly reader: Pick<AcpReader, 'asked' | 'answered'>;
  readonly quirks: () => Quirks;
  readonly sessionId: () => string | null;
  /** The turn under way; null between turns. */
  readonly turn: () => AskingTurn | null;
  /** Runs what waits for a person: that time does not count as the agent's. */
  readonly unhurried: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What one agent asks of the person, and what it asks of the services that are there for it. */
export interface AcpQuestions {
  /** By method: these services, held to our session, and the agent's questions. */
  served(services: ReadonlyMap<string, ServedRequest>): ReadonlyMap<string, ServedRequest>;
  /** The process is gone, and nobody waits for its answers: what is open between turns is withdrawn. */
  abandon(): void;
}

/** What changes something: not any more in a turn that is being stopped. */
const CHANGES: ReadonlySet<string> = new Set([ACP.writeTextFile, ACP.createTerminal]);

export function createAcpQuestions(parts: QuestionParts): AcpQuestions {
  const { context, reader, quirks, sessionId, turn } = parts;
  const { emit } = context;
  const gone = new AbortController();
  let forms = 0;

  async function askPermission(
    params: RequestPermissionParams,
    wire: WireObject,
    withdrawn: AbortSignal,
  ): Promise<Json> {
    if (params.sessionId !== sessionId()) {
      throw new RequestRefused(RPC_ERROR.invalidParams, `Session not found: ${params.sessionId}`);
    }
    const asking = turn();
    const toolCall = isWireObject(wire.toolCall) ? wire.toolCall : {};
    for (const event of reader.asked(params.toolCall, toolCall)) emit(event);
    const request = permissionOf(params, wire, quirks(), context.folder);
    const stopped = asking?.stopped.signal ?? null;
    const answer = await answerTo(request, wire, withdrawn);
    const told = outcomeWire(request, answer);
    // After the turn, or in a turn that is being cancelled, the card has been closed already.
    if (turn() !== asking || stopped?.aborted === true || withdrawn.aborted) return told;
    const allowed = allows(request, answer);
    if (allowed === null) return told;
    if (!allowed) asking?.denials.push(`${request.title} (${request.kind})`);
    for (const event of reader.answered(request.toolCallId, allowed, told)) emit(event);
    return told;
  }

  /** `cancelled` as soon as the turn is being cancelled, also when it is that already. */
  async function answerTo(
    request: PermissionRequest,
    wire: WireObject,
    withdrawn: AbortSignal,
  ): Promise<PermissionAnswer> {
    const stopped = turn()?.stopped.signal ?? null;
    if (stopped?.aborted === true) return { outcome: 'cancelled' };
    const either = AbortSignal.any([withdrawn, gone.signal]);
    return earlier(
      parts.unhurried(() => context.permissions.request(request, wire, either)),
      stopped,
    );
  }

  async function askForm(params: CreateElicitationParams, wire: WireObject, withdrawn: AbortSignal): Promise<Json> {
    if (params.sessionId != null && params.sessionId !== sessionId()) {
      throw new RequestRefused(RPC_ERROR.invalidParams, `Session not found: ${params.sessionId}`);
    }
    if (params.mode !== 'form') {
      throw new RequestRefused(RPC_ERROR.invalidParams, 'Only forms were offered (clientCapabilities.elicitation).');
    }
    forms += 1;
    return formWire(await answerTo(formRequest(params, `form-${forms}`), wire, withdrawn));
  }

  /** Only of our session, and changes only while the turn goes on. */
  function ofThisSession(method: string, handle: ServedRequest): ServedRequest {
    return async (params, withdrawn) => {
      const named = isWireObject(params) ? params.sessionId : undefined;
      if (typeof named === 'string' && named !== sessionId()) {
        throw new RequestRefused(RPC_ERROR.invalidParams, `Session not found: ${named}`);
      }
      if (CHANGES.has(method) && turn()?.stopped.signal.aborted === true) {
        throw new RequestRefused(
          RPC_ERROR.requestCancelled,
          'The turn is being stopped, so nothing is written or started any more.',
        );
      }
      return handle(params, withdrawn);
    };
  }

  return {
    abandon: () => gone.abort(),
    served: (services) =>
      new Map([
        ...[...services].map(([method, handle]) => [method, ofThisSession(method, handle)] as const),
        [ACP.requestPermission, serve(requestPermissionParams, askPermission)],
        [ACP.createElicitation, serve(createElicitationParams, askForm)],
      ]),
  };
}

/** The answer, or `cancelled` when the turn is stopped before it. */
function earlier(answer: Promise<PermissionAnswer>, stopped: AbortSignal | null): Promise<PermissionAnswer> {
  if (stopped === null) return answer;
  return new Promise((resolve) => {
    stopped.addEventListener('abort', () => resolve({ outcome: 'cancelled' }), { once: true });
    void answer.then(resolve);
  });
}
