import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { ChildExit } from './childProcess.ts';

/** The peer answered with an error. `wire` is its error object, verbatim. */
export class PeerError extends Error {
  readonly code: number;
  readonly wire: WireObject;
  constructor(wire: WireObject) {
    super(typeof wire.message === 'string' ? wire.message : JSON.stringify(wire));
    this.name = 'PeerError';
    this.code = typeof wire.code === 'number' ? wire.code : RPC_ERROR.internal;
    this.wire = wire;
  }
}

/** The peer's result does not have the shape that the protocol gives it. */
export class InvalidAnswer extends Error {
  readonly wire: Json;
  constructor(method: string, problem: string, wire: Json) {
    super(`${method}: ${problem}`);
    this.name = 'InvalidAnswer';
    this.wire = wire;
  }
}

/** The peer is gone: how it ended, and the newest of its stderr. */
export class ConnectionClosed extends Error {
  readonly exit: ChildExit;
  readonly stderrTail: string;
  constructor(exit: ChildExit, stderrTail: string) {
    super('The connection is closed.');
    this.name = 'ConnectionClosed';
    this.exit = exit;
    this.stderrTail = stderrTail;
  }
}

/** To be thrown by what serves a request: the error that the peer gets as its answer. */
export class RequestRefused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = 'RequestRefused';
    this.code = code;
  }
}
