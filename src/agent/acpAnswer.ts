import { type PromptBlockParams, prompt } from '../protocol/acpRequests.ts';
import { errorText } from '../shared/errors.ts';
import type { Connection } from '../transport/connection.ts';
import { ConnectionClosed, InvalidAnswer, PeerError } from '../transport/rpcErrors.ts';
import type { AcpEnd } from './acpOutcome.ts';
import { describeExit } from './claudeStart.ts';

/** Sends a prompt and waits for what ends its turn. `onDeath` gives what the process last said. Never rejects. */
export async function promptAnswer(
  connection: Connection,
  params: { readonly sessionId: string; readonly prompt: readonly PromptBlockParams[] },
  name: string,
  onDeath: (closed: ConnectionClosed) => string,
): Promise<AcpEnd> {
  try {
    const { value, wire } = await connection.request(prompt, params);
    return { type: 'result', value, wire };
  } catch (error) {
    if (error instanceof PeerError) return { type: 'error', wire: error.wire };
    if (error instanceof ConnectionClosed) {
      const said = onDeath(error);
      const words = `${name} ended before the turn was over: ${describeExit(error.exit)}`;
      const message = said === '' ? `${words}.` : `${words}\n${said}`;
      return { type: 'none', wire: null, outcome: { type: 'failed', cause: 'agentExit', message } };
    }
    const message = `${name} answered in a way that cannot be read. ${errorText(error)}`;
    const wire = error instanceof InvalidAnswer ? error.wire : null;
    return { type: 'none', wire, outcome: { type: 'failed', cause: 'protocol', message } };
  }
}
