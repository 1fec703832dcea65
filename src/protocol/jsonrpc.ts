import type { Json, WireObject } from '../shared/wire.ts';
import { isWireObject } from './parseWire.ts';

/** JSON-RPC's codes and those that ACP adds (schema `ErrorCode`). Agents send others too, HTTP statuses among them. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  authRequired: -32000,
  resourceNotFound: -32002,
  requestCancelled: -32800,
} as const;

/** Both sides number independently: equal ids of the two directions have nothing to do with each other. */
export type RpcId = string | number;

/** What one object of a JSON-RPC wire is. Told by fields alone, so that each body is validated once, by its reader. */
export type Incoming =
  | { readonly type: 'request'; readonly id: RpcId; readonly method: string; readonly params: Json | undefined }
  | { readonly type: 'notification'; readonly method: string; readonly params: Json | undefined }
  | { readonly type: 'result'; readonly id: RpcId; readonly result: Json }
  /** `wire` is the error object verbatim; `fault` says what is wrong with the message besides, or is null. */
  | { readonly type: 'error'; readonly id: RpcId; readonly wire: WireObject; readonly fault: string | null }
  /** An error that answers nothing: the peer could not read something that we sent. */
  | { readonly type: 'orphanError'; readonly wire: WireObject }
  /** To be answered with -32600 and this id. */
  | { readonly type: 'invalidRequest'; readonly id: RpcId | null; readonly problem: string }
  | { readonly type: 'invalidResponse'; readonly id: RpcId | null; readonly problem: string };

/**
 * Tells requests, notifications and responses apart: `method` present means never a response; `id` null on a known
 * notification is taken as none. An error wins over a result beside it; an error that is no object is made one.
 */
export function classify(message: WireObject, isNotification: (method: string) => boolean): Incoming {
  const { method, id } = message;
  if (method === undefined) return classifyResponse(message);
  if (typeof method !== 'string') {
    return { type: 'invalidRequest', id: isId(id) ? id : null, problem: 'method is no string' };
  }
  if (isId(id)) return { type: 'request', id, method, params: message.params };
  if (id === undefined || (id === null && isNotification(method))) {
    return { type: 'notification', method, params: message.params };
  }
  return { type: 'invalidRequest', id: null, problem: `${method}: id is neither a string nor a number` };
}

function classifyResponse(message: WireObject): Incoming {
  const { id, result, error } = message;
  if (!isId(id)) {
    if (isWireObject(error)) return { type: 'orphanError', wire: error };
    return { type: 'invalidResponse', id: null, problem: 'a message without method and id' };
  }
  if (error !== undefined && error !== null) {
    // JSON-RPC 1 sends `result: null` beside an error; only a true result contradicts it.
    const both = result !== undefined && result !== null ? 'a response with both result and error' : null;
    if (isWireObject(error)) return { type: 'error', id, wire: error, fault: both };
    const message = typeof error === 'string' ? error : JSON.stringify(error);
    return {
      type: 'error',
      id,
      wire: { code: RPC_ERROR.internal, message },
      fault: both ?? 'a response whose error is no object',
    };
  }
  if (result === undefined) return { type: 'invalidResponse', id, problem: 'a response with neither result nor error' };
  return { type: 'result', id, result };
}

function isId(id: Json | undefined): id is RpcId {
  return typeof id === 'string' || typeof id === 'number';
}

/** One method that we call: the shape of its parameters and the schema of its result. */
export interface RequestType<P, S> {
  readonly method: string;
  readonly result: S;
  /** Carries the type only. */
  readonly params?: P;
}

/** Names a method that we call. `P` is given, the result's type follows from the schema. */
export function requestType<P>() {
  return <S>(method: string, result: S): RequestType<P, S> => ({ method, result });
}
