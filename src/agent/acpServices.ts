import { ACP, createTerminalParams, readTextFileParams, terminalParams, writeTextFileParams } from '../protocol/acp.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import type { RefusalKind, ServiceAnswer } from '../scheduler/serviceAnswer.ts';
import type { ServedRequest } from '../transport/connection.ts';
import { RequestRefused } from '../transport/rpcErrors.ts';
import { serve } from '../transport/serve.ts';

/** The methods of ACP that are served by these services; what is in the map is offered to the agent. */
export function servedMethods({ files, terminals }: ClientServices): ReadonlyMap<string, ServedRequest> {
  const methods = new Map<string, ServedRequest>();
  if (files !== null) {
    methods
      .set(
        ACP.readTextFile,
        serve(readTextFileParams, async (params, _wire, withdrawn) => resultOf(await files.read(params, withdrawn))),
      )
      .set(
        ACP.writeTextFile,
        serve(writeTextFileParams, async (params, wire, withdrawn) =>
          resultOf(await files.write(params, wire, withdrawn)),
        ),
      );
  }
  if (terminals !== null) {
    methods
      .set(
        ACP.createTerminal,
        serve(createTerminalParams, async (params, wire, withdrawn) =>
          resultOf(await terminals.create(params, wire, withdrawn)),
        ),
      )
      .set(
        ACP.terminalOutput,
        serve(terminalParams, async (params) => resultOf(terminals.output(params))),
      )
      .set(
        ACP.waitForTerminalExit,
        serve(terminalParams, async (params, _wire, withdrawn) =>
          resultOf(await terminals.waitForExit(params, withdrawn)),
        ),
      )
      .set(
        ACP.killTerminal,
        serve(terminalParams, async (params) => resultOf(await terminals.kill(params))),
      )
      .set(
        ACP.releaseTerminal,
        serve(terminalParams, async (params) => resultOf(await terminals.release(params))),
      );
  }
  return methods;
}

function resultOf<T>(answer: ServiceAnswer<T>): T {
  if (answer.type === 'result') return answer.value;
  throw new RequestRefused(CODES[answer.kind], answer.message);
}

/** -32002 says that there is no such file, and an agent then makes it: nothing else may say so. */
const CODES = {
  missing: RPC_ERROR.resourceNotFound,
  invalid: RPC_ERROR.invalidParams,
  stopped: RPC_ERROR.requestCancelled,
  failed: RPC_ERROR.internal,
} as const satisfies Record<RefusalKind, number>;
