import * as z from 'zod';
import { createAcpOptions } from '../../src/agent/acpOptions.ts';
import { createAcpReader } from '../../src/agent/deriveAcp.ts';
import { quirksOf } from '../../src/agent/quirks.ts';
import { ACP, readTextFileParams, writeTextFileParams } from '../../src/protocol/acp.ts';
import { RPC_ERROR, requestType } from '../../src/protocol/jsonrpc.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { ToolState } from '../../src/shared/toolCall.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import { createConnection, type ServedRequest } from '../../src/transport/connection.ts';
import { serve } from '../../src/transport/serve.ts';
import { createObjectParser } from '../../src/transport/ndjson.ts';
import { ConnectionClosed, PeerError, RequestRefused } from '../../src/transport/rpcErrors.ts';
import type { TurnResult } from '../../src/agent/agent.ts';
import { createFakePeer, type FakePeer } from '../fakes/acpPeer.ts';
import { cardsOf, SESSION, setupAcp } from '../fakes/acpSetup.ts';
import { caseWord, type NdjsonInput, type Outcome } from './ndjson.ts';

/** What became of one open request, in the words of the cases. */
type Settled = { readonly resolved: Json } | { readonly rejected: { readonly [key: string]: Json } };

/**
 * Plays the bytes to an agent whose prompt is open, or, for other requests, to a bare connection with the same reader.
 * The numbers of open requests are reached by earlier requests that were answered.
 */
export function playRpc(input: NdjsonInput, chunks: readonly Buffer[]): Promise<Outcome> {
  const pending = input.state?.pending ?? [];
  const [only] = pending;
  const isTurn = pending.length === 1 && only?.method === 'session/prompt' && only.id >= 2;
  return isTurn ? playAgent(input, chunks, only.id) : playConnection(input, chunks);
}

async function playAgent(input: NdjsonInput, chunks: readonly Buffer[], promptId: number): Promise<Outcome> {
  const clicks = new Map<string, string>();
  for (const action of input.userActions ?? []) {
    if ('click' in action) clicks.set(toolCallAsked(chunks, action.onPermission), action.click);
  }
  const { agent, peer, events, start } = setupAcp({
    deps: { services: servicesOf(input) },
    context: {
      permissions: {
        request: ({ toolCallId }) => {
          const optionId = clicks.get(toolCallId);
          return optionId === undefined
            ? new Promise(() => undefined)
            : Promise.resolve({ outcome: 'selected', optionId });
        },
      },
    },
  });
  const session = input.state?.session ?? 's1';
  await start({ ...SESSION, sessionId: session });
  const stop = new AbortController();
  for (let id = 2; id < promptId; id++) {
    const earlier = agent.prompt('an earlier turn', stop.signal);
    peer.answer(await peer.expect('session/prompt'), { stopReason: 'end_turn' });
    await earlier;
  }
  let result: TurnResult | null = null;
  let textAtResolve: string | null = null;
  void agent.prompt('the turn', stop.signal).then((settled) => {
    result = settled;
    textAtResolve = textOf(events);
  });
  const { id } = await peer.expect('session/prompt');
  if (id !== promptId) throw new Error(`the prompt went out as ${JSON.stringify(id)}`);
  const before = { received: peer.received.length, events: events.length };

  await play(peer, input, chunks);
  if (input.userActions?.some((action) => 'cancel' in action)) {
    stop.abort('user');
    await idle(10);
  }
  const outcome = outcomeOf(events.slice(before.events), peer.received.slice(before.received), {
    [promptId]: result === null ? 'pending' : settledOf(result),
  });
  const message = result === null ? '' : messageOf(result);
  await agent.dispose();
  return {
    ...outcome,
    user_message: [message, outcome.user_message].join('\n'),
    text_at_resolve: textAtResolve ?? undefined,
  };
}

async function playConnection(input: NdjsonInput, chunks: readonly Buffer[]): Promise<Outcome> {
  const peer = createFakePeer();
  const events: AgentEvent[] = [];
  const session = input.state?.session ?? 's1';
  const reader = createAcpReader({
    agentName: 'The agent',
    signInHint: '',
    quirks: () => quirksOf(null),
    sessionId: () => session,
    options: createAcpOptions(),
  });
  const connection = createConnection(peer, {
    notifications: new Map([[ACP.sessionUpdate, (params: Json | undefined) => events.push(...reader.update(params))]]),
    requests: servicesOf(input),
    onRemark: ({ code, text, wire }) =>
      events.push({ type: 'diagnostic', wire, derived: { source: 'transport', level: 'warning', code, text } }),
  });
  reader.beginTurn('');
  const outcomes: Record<string, Settled | 'pending'> = {};
  let next = 0;
  for (const { id, method } of [...(input.state?.pending ?? [])].sort((a, b) => a.id - b.id)) {
    for (; next < id; next++) {
      const earlier = connection.request(requestType<object>()('earlier', z.json()), {});
      peer.answer(await peer.expect('earlier'), null);
      await earlier;
    }
    outcomes[id] = 'pending';
    void connection.request(requestType<object>()(method, z.json()), {}).then(
      ({ wire }) => {
        outcomes[id] = { resolved: wire };
      },
      (error) => {
        outcomes[id] = { rejected: error instanceof PeerError ? { code: error.code } : reasonOf(error) };
      },
    );
    await peer.expect(method);
    next++;
  }
  const before = peer.received.length;
  await play(peer, input, chunks);
  const outcome = outcomeOf(events, peer.received.slice(before), { ...outcomes });
  peer.exit();
  await connection.closed;
  return outcome;
}

function reasonOf(error: unknown): { readonly [key: string]: Json } {
  return { reason: error instanceof ConnectionClosed ? 'agent_exited' : String(error) };
}

/** Sends the bytes as they were cut, then the end where there is one, and waits until all has been handled. */
async function play(peer: FakePeer, input: NdjsonInput, chunks: readonly Buffer[]): Promise<void> {
  let lines = 10;
  for (const chunk of chunks) {
    peer.sendRaw(chunk);
    await idle(2);
    lines += chunk.filter((byte) => byte === 0x0a).length;
  }
  if (input.eof) {
    const { code, signal, stderr = '' } = input.exit ?? {};
    peer.exit(signal === 'SIGKILL' || signal === 'SIGTERM' ? { code: null, signal } : { code: code ?? 0 }, stderr);
  }
  // One message is handled a turn of the event loop.
  await idle(2 * lines);
}

async function idle(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** What the case says that we offer. Files are not served yet, so what is asked for does not exist. */
function servicesOf(input: NdjsonInput): ReadonlyMap<string, ServedRequest> {
  const caps = input.state?.caps ?? {};
  const missing = (): Promise<Json> =>
    Promise.reject(new RequestRefused(RPC_ERROR.resourceNotFound, 'Resource not found'));
  const services = new Map<string, ServedRequest>();
  if (caps.readTextFile) services.set(ACP.readTextFile, serve(readTextFileParams, missing));
  if (caps.writeTextFile) services.set(ACP.writeTextFile, serve(writeTextFileParams, missing));
  return services;
}

/** The tool call that the permission request with this id is about. */
function toolCallAsked(chunks: readonly Buffer[], id: string | number): string {
  let found = '';
  const parser = createObjectParser({
    onDiagnostic: () => undefined,
    onObject: (message) => {
      if (message.method !== ACP.requestPermission || message.id !== id || !isWireObject(message.params)) return;
      const { toolCall } = message.params;
      if (isWireObject(toolCall) && typeof toolCall.toolCallId === 'string') found = toolCall.toolCallId;
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return found;
}

function settledOf(result: TurnResult): Settled {
  const { outcome, wire } = result;
  if (wire !== null && typeof wire.stopReason === 'string') return { resolved: wire };
  if (outcome.type === 'failed' && outcome.cause === 'agentExit') return { rejected: { reason: 'agent_exited' } };
  if (wire === null) return { rejected: { reason: outcome.type } };
  return { rejected: { code: typeof wire.code === 'number' ? wire.code : RPC_ERROR.internal } };
}

function messageOf({ outcome }: TurnResult): string {
  return 'message' in outcome ? outcome.message : '';
}

function textOf(events: readonly AgentEvent[]): string {
  return events
    .map((event) => (event.type === 'message.chunk' && event.derived.channel === 'message' ? event.derived.text : ''))
    .join('');
}

function outcomeOf(
  events: readonly AgentEvent[],
  received: readonly WireObject[],
  outcomes: Readonly<Record<string, Settled | 'pending'>>,
): Outcome {
  const remarks = events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived] : []));
  return {
    outcomes,
    replies: received.filter((message) => message.method === undefined),
    notifications_sent: received.filter((message) => message.method !== undefined && message.id === undefined),
    text: textOf(events),
    diagnostics: remarks.map(({ code }) => caseWord(code)),
    cards: cardsIn(events),
    user_message: remarks.map(({ text }) => text).join('\n'),
  };
}

/** Title and status of each tool call. */
export function cardsIn(events: readonly AgentEvent[]): Json {
  const cards = Object.entries(cardsOf(events)).map(([id, { title, state }]): [string, Json] => [
    id,
    { ...(title === undefined ? {} : { title }), ...(state === undefined ? {} : { status: statusOf(state) }) },
  ]);
  return Object.fromEntries(cards);
}

/** Our state in ACP's words, where it has one. */
function statusOf(state: ToolState): string {
  switch (state) {
    case 'validating':
    case 'awaitingApproval':
    case 'scheduled':
      return 'pending';
    case 'executing':
      return 'in_progress';
    case 'success':
      return 'completed';
    case 'error':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    default:
      return state satisfies never;
  }
}
