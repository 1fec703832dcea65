import { ACP, readTextFileParams, writeTextFileParams } from '../protocol/acp.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import { FileRefused } from '../scheduler/fileService.ts';
import { WorkEnded } from '../scheduler/scheduler.ts';
import { type ServedRequest, serve } from '../transport/connection.ts';
import { RequestRefused } from '../transport/rpcErrors.ts';

/** The methods of ACP that are served by these services; what is in the map is offered to the agent. */
export function servedMethods({ files }: ClientServices): ReadonlyMap<string, ServedRequest> {
  const methods = new Map<string, ServedRequest>();
  if (files !== null) {
    methods.set(
      ACP.readTextFile,
      serve(readTextFileParams, (params, _wire, withdrawn) => answered(files.read(params, withdrawn))),
    );
    methods.set(
      ACP.writeTextFile,
      serve(writeTextFileParams, (params, wire, withdrawn) => answered(files.write(params, wire, withdrawn))),
    );
  }
  return methods;
}

/** What was thrown on our side, as the error of the wire. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileRefused) throw new RequestRefused(codeOf(error), error.message);
    if (error instanceof WorkEnded) {
      const code = error.reason === 'stopped' ? RPC_ERROR.requestCancelled : RPC_ERROR.internal;
      throw new RequestRefused(code, error.message);
    }
    throw error;
  }
}

/** -32002 says that there is no such file, and an agent then makes it: nothing else may say so. */
function codeOf({ problem }: FileRefused): number {
  switch (problem) {
    case 'missing':
      return RPC_ERROR.resourceNotFound;
    case 'invalid':
      return RPC_ERROR.invalidParams;
    default:
      return RPC_ERROR.internal;
  }
}
