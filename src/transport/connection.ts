import {
  CancellationReceiverStrategy,
  CancellationTokenSource,
  createMessageConnection,
  type Message,
  type NotificationMessage,
  ParameterStructures,
  type RequestMessage,
  ResponseError,
  type ResponseMessage,
} from 'vscode-jsonrpc/node';
import type * as z from 'zod';
import { ACP, cancelRequestParams } from '../protocol/acp.ts';
import { classify, type RequestType, RPC_ERROR, type RpcId } from '../protocol/jsonrpc.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { Diagnostic } from '../shared/agentEvents.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { Child } from './childProcess.ts';
import { NdjsonReader, NdjsonWriter } from './ndjsonStreams.ts';
import { ConnectionClosed, InvalidAnswer, PeerError, RequestRefused } from './rpcErrors.ts';

/** The other side: a child process, or what stands for one in a test. */
export type Peer = Pick<Child, 'stdin' | 'stdout' | 'stderrTail' | 'stop'>;

/** One remark about the wire; `wire` is the message that caused it, where it was one. */
export interface WireRemark {
  readonly code: Diagnostic['code'];
  readonly text: string;
  readonly wire: WireObject | null;
}

/**
 * Serves one method that the peer calls: what it resolves is the result, a thrown `RequestRefused` the error.
 * `withdrawn` is aborted when the peer takes the request back.
 */
export type ServedRequest = (params: Json | undefined, withdrawn: AbortSignal) => Promise<Json>;

export interface ConnectionHandlers {
  /** By method, called synchronously and in wire order. Other notifications are ignored. */
  readonly notifications: ReadonlyMap<string, (params: Json | undefined) => void>;
  /** By method; the synchronous part runs in wire order. Other requests are answered with -32601. */
  readonly requests: ReadonlyMap<string, ServedRequest>;
  readonly onRemark: (remark: WireRemark) => void;
  /** What goes out in place of an error object of ours, for a peer that does not understand it. */
  readonly errorWire?: (method: string, error: WireObject) => Json;
  /** Whether the peer understands `$/cancel_request`; asked when there is one to send. Yes when absent. */
  readonly takesCancelRequest?: () => boolean;
}

/** A result as validated, and as it stood on the wire. */
export interface Answer<T> {
  readonly value: T;
  readonly wire: Json;
}

export interface Connection {
  /** Rejects with `PeerError`, `InvalidAnswer` or `ConnectionClosed`. Settles after the effects of all that came before. */
  request<P extends object, S extends z.ZodType>(
    type: RequestType<P, S>,
    params: P,
    /** Aborted: the peer is told with `$/cancel_request` that nobody waits any more; the answer still settles this. */
    unwanted?: AbortSignal,
  ): Promise<Answer<z.output<S>>>;
  /** Sends a notification; one that can no longer be sent is dropped. */
  notify(method: string, params: object): void;
  /** Settles once all that was read has been handled, every request is settled and the peer is gone. Never rejects. */
  readonly closed: Promise<ConnectionClosed>;
}

/** A request or notification of the peer between its reading and its handling, a request until its answer. */
interface Arrival {
  /** Null for a notification, and for a request whose id is none. */
  readonly id: RpcId | null;
  readonly method: string;
  readonly params: Json | undefined;
  /** Null when there is nothing to withdraw. */
  readonly withdrawal: AbortController | null;
  /** Why it is no valid request, or null. */
  readonly fault: string | null;
}

/**
 * JSON-RPC with one peer over its stdio, by vscode-jsonrpc with two of its gaps closed: it leaves requests pending when
 * the peer dies, and loses what was already read when it is disposed at once. So the end of the peer's output is
 * followed by: handle what was read, end the peer, settle every request, dispose.
 *
 * What arrives goes through vscode-jsonrpc under numbers of ours: a peer may repeat an id, and 3 and "3" are two ids.
 */
export function createConnection(peer: Peer, handlers: ConnectionHandlers): Connection {
  const pending = new Set<RpcId>();
  const arrivals = new Map<string, Arrival>();
  let arrived = 0;
  let queued = 0;
  let outputEnded = false;
  let closing = false;
  let closedWith: ConnectionClosed | null = null;
  let markClosed: (closed: ConnectionClosed) => void = () => undefined;
  const closed = new Promise<ConnectionClosed>((resolve) => {
    markClosed = resolve;
  });

  const remark = (code: Diagnostic['code'], text: string, wire: WireObject | null): void =>
    handlers.onRemark({ code, text, wire });
  const isNotification = (method: string): boolean =>
    handlers.notifications.has(method) || method === ACP.cancelRequest;

  const close = async (): Promise<void> => {
    if (!outputEnded || queued > 0 || closing) return;
    closing = true;
    const exit = await peer.stop();
    closedWith = new ConnectionClosed(exit, peer.stderrTail());
    rpc.dispose();
    markClosed(closedWith);
  };

  const arrive = (id: RpcId | null, method: string, params: Json | undefined, fault: string | null = null): number => {
    arrivals.set(String(++arrived), {
      id,
      method,
      params,
      withdrawal: id === null ? null : new AbortController(),
      fault,
    });
    return arrived;
  };
  const enqueue = (message: RequestMessage | NotificationMessage | ResponseMessage): Message => {
    queued++;
    return message;
  };
  const take = (id: RpcId, object: WireObject): boolean => {
    const known = pending.delete(id);
    if (!known) remark('unknownResponseId', `A response to ${JSON.stringify(id)}, which was not asked`, object);
    return known;
  };

  /** Takes one object of the wire; gives what vscode-jsonrpc is to dispatch. */
  const accept = (object: WireObject): Message | null => {
    const incoming = classify(object, isNotification);
    switch (incoming.type) {
      case 'request': {
        const number = arrive(incoming.id, incoming.method, incoming.params);
        return enqueue({ jsonrpc: '2.0', id: number, method: String(number) });
      }
      case 'notification': {
        if (!isNotification(incoming.method)) return null;
        const number = arrive(null, incoming.method, incoming.params);
        return enqueue({ jsonrpc: '2.0', method: String(number) });
      }
      case 'result':
        if (!take(incoming.id, object)) return null;
        return enqueue({ jsonrpc: '2.0', id: incoming.id, result: incoming.result });
      case 'error':
        if (!take(incoming.id, object)) return null;
        if (incoming.fault !== null) remark('invalidResponse', incoming.fault, object);
        return enqueue(errorResponse(incoming.id, incoming.wire));
      case 'orphanError':
        remark('agentError', `The agent could not read a message: ${new PeerError(incoming.wire).message}`, object);
        return null;
      case 'invalidRequest': {
        const number = arrive(incoming.id, '', undefined, incoming.problem);
        return enqueue({ jsonrpc: '2.0', id: number, method: String(number) });
      }
      case 'invalidResponse':
        if (incoming.id !== null && !take(incoming.id, object)) return null;
        remark('invalidResponse', incoming.problem, object);
        if (incoming.id === null) return null;
        return enqueue(errorResponse(incoming.id, { code: RPC_ERROR.internal, message: incoming.problem }));
      default: {
        const impossible: never = incoming;
        return impossible;
      }
    }
  };

  const reader = new NdjsonReader(peer.stdout, {
    accept,
    onDiagnostic: ({ code, text }) => remark(code, text, null),
    onEnd: () => {
      outputEnded = true;
      void close();
    },
  });
  const outgoing = new NdjsonWriter(peer.stdin, {
    address: (message) => {
      if (closedWith !== null) return null;
      if (!('id' in message)) return message;
      if ('method' in message) {
        if (typeof message.id === 'number') pending.add(message.id);
        return message;
      }
      const name = String(message.id);
      const arrival = arrivals.get(name);
      if (arrival === undefined) return null;
      arrivals.delete(name);
      const answer = { ...message, id: arrival.id };
      if (!('error' in message) || handlers.errorWire === undefined || !isWireObject(message.error)) return answer;
      return { ...answer, error: handlers.errorWire(arrival.method, message.error) };
    },
    // A peer that does not read any more can neither be answered nor asked: its end settles all.
    onFailure: () => void peer.stop(),
  });

  const rpc = createMessageConnection(
    reader,
    outgoing,
    {
      error: (text) => remark('invalid', text, null),
      warn: () => undefined,
      info: () => undefined,
      log: () => undefined,
    },
    {
      cancellationStrategy: {
        // Theirs is a notification with numbers of its own wire; `withdraw` handles the peer's.
        receiver: CancellationReceiverStrategy.Message,
        sender: {
          sendCancellation: async (_rpc, requestId) => {
            if (handlers.takesCancelRequest?.() !== false) send(ACP.cancelRequest, { requestId });
          },
          cleanup: () => undefined,
        },
      },
      messageStrategy: {
        handleMessage: (message, next) => {
          queued--;
          const handled = next(message);
          void close();
          return handled;
        },
      },
    },
  );

  rpc.onNotification((name: string) => {
    const arrival = arrivals.get(name);
    arrivals.delete(name);
    if (arrival === undefined) return;
    if (arrival.method === ACP.cancelRequest) withdraw(arrivals, arrival.params);
    handlers.notifications.get(arrival.method)?.(arrival.params);
  });
  rpc.onRequest(async (name: string) => {
    const arrival = arrivals.get(name);
    if (arrival === undefined) return new ResponseError(RPC_ERROR.internal, 'The request is gone.');
    if (arrival.fault !== null) {
      return new ResponseError(RPC_ERROR.invalidRequest, `Invalid request: ${arrival.fault}`);
    }
    const handle = handlers.requests.get(arrival.method);
    if (handle === undefined || arrival.withdrawal === null) {
      return new ResponseError(RPC_ERROR.methodNotFound, `Method not found: ${arrival.method}`);
    }
    try {
      return await handle(arrival.params, arrival.withdrawal.signal);
    } catch (error) {
      if (error instanceof RequestRefused) return new ResponseError(error.code, error.message);
      const text = error instanceof Error ? error.message : String(error);
      remark('invalid', `${arrival.method} failed on our side: ${text}`, null);
      return new ResponseError(RPC_ERROR.internal, text);
    }
  });
  rpc.listen();

  function send(method: string, params: object): void {
    if (!outputEnded) rpc.sendNotification(method, ParameterStructures.byName, params).catch(() => undefined);
  }

  return {
    closed,
    notify: send,
    request: async (type, params, unwanted) => {
      if (outputEnded) throw await closed;
      const cancel = new CancellationTokenSource();
      const onUnwanted = (): void => cancel.cancel();
      let wire: Json;
      try {
        const asked = rpc.sendRequest<Json>(type.method, ParameterStructures.byName, params, cancel.token);
        if (unwanted?.aborted === true) onUnwanted();
        unwanted?.addEventListener('abort', onUnwanted, { once: true });
        wire = await asked;
      } catch (error) {
        if (closedWith !== null) throw closedWith;
        throw error instanceof ResponseError && isWireObject(error.data) ? new PeerError(error.data) : error;
      } finally {
        unwanted?.removeEventListener('abort', onUnwanted);
        cancel.dispose();
      }
      const parsed = parseWire(type.result, null, wire);
      if (parsed.type === 'known') return { value: parsed.value, wire };
      throw new InvalidAnswer(type.method, parsed.type === 'invalid' ? parsed.problem : parsed.variant, wire);
    },
  };
}

/** An error as vscode-jsonrpc keeps it whole: the peer's own object travels as `data`. */
function errorResponse(id: RpcId, wire: WireObject): ResponseMessage & { error: { data: WireObject } } {
  const { code, message } = new PeerError(wire);
  return { jsonrpc: '2.0', id, error: { code, message, data: wire } };
}

function withdraw(arrivals: ReadonlyMap<string, Arrival>, params: Json | undefined): void {
  const parsed = parseWire(cancelRequestParams, null, params);
  if (parsed.type !== 'known') return;
  for (const arrival of arrivals.values()) {
    if (arrival.id === parsed.value.requestId) arrival.withdrawal?.abort();
  }
}
