import type * as z from 'zod';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { ServedRequest } from './connection.ts';
import { RequestRefused } from './rpcErrors.ts';

/** Serves requests whose parameters fit `schema`; others are answered with -32602. */
export function serve<S extends z.ZodType>(
  schema: S,
  handle: (params: z.output<S>, wire: WireObject, withdrawn: AbortSignal) => Promise<Json>,
): ServedRequest {
  return async (params, withdrawn) => {
    const parsed = parseWire(schema, null, params);
    if (parsed.type === 'known' && isWireObject(params)) return handle(parsed.value, params, withdrawn);
    const problem = parsed.type === 'invalid' ? parsed.problem : 'no object';
    throw new RequestRefused(RPC_ERROR.invalidParams, `Invalid params: ${problem}`);
  };
}
