import { ACP, ACP_VERSION } from '../protocol/acp.ts';
import { type InitializeResult, initialize } from '../protocol/acpRequests.ts';
import { errorText } from '../shared/errors.ts';
import type { Connection } from '../transport/connection.ts';
import { ConnectionClosed, InvalidAnswer, PeerError } from '../transport/rpcErrors.ts';
import { failureOf } from './acpOutcome.ts';
import { signInHint } from './acpSignIn.ts';
import { type AgentLaunch, AgentStartError } from './agent.ts';
import { describeExit, startError } from './claudeStart.ts';

/** Who we say that we are. */
export const CLIENT_INFO = { name: 'cgloop', title: 'Claude–Gemini Loop', version: '0.1.0' } as const;

/** Says `initialize`. What we offer is what we serve: `serves` tells for a method. */
export async function initializeAgent(
  connection: Connection,
  launch: AgentLaunch,
  serves: (method: string) => boolean,
): Promise<InitializeResult> {
  const { value } = await connection.request(initialize, {
    protocolVersion: ACP_VERSION,
    clientCapabilities: {
      fs: { readTextFile: serves(ACP.readTextFile), writeTextFile: serves(ACP.writeTextFile) },
      terminal: TERMINAL_METHODS.every(serves),
      auth: { terminal: true },
      elicitation: { form: {} },
      session: { configOptions: { boolean: {} } },
    },
    clientInfo: CLIENT_INFO,
  });
  if (value.protocolVersion === ACP_VERSION) return value;
  const what = `it speaks version ${value.protocolVersion} of the Agent Client Protocol, and this program version ${ACP_VERSION}`;
  throw startError('protocol', launch, `${what}. Update the older of the two`, '');
}

/** One capability stands for all five (ACP, terminals.mdx). */
const TERMINAL_METHODS = [
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
] as const;

/** Whether the program ended because it does not know its arguments: yargs says so with its usage (sj-07-bad-flag). */
export function knowsNoArguments(error: unknown): boolean {
  if (!(error instanceof ConnectionClosed) || error.exit.code === null || error.exit.code === 0) return false;
  return /unknown (argument|option)|usage:/i.test(error.stderrTail);
}

/** Whatever went wrong on the way, as the one error that callers know. `commands` sign in when they are run in a terminal. */
export function asStartError(
  error: unknown,
  launch: AgentLaunch,
  stderr: string,
  commands: readonly string[] = [],
): AgentStartError {
  if (error instanceof AgentStartError) return error;
  if (error instanceof ConnectionClosed) {
    const reason = error.exit.error === null ? 'agentExit' : 'spawn';
    return startError(reason, launch, describeExit(error.exit), error.stderrTail);
  }
  if (error instanceof PeerError) {
    const hint = commands.length === 0 ? signInHint(launch) : `Run this in a terminal: ${commands.join('   or: ')}`;
    const { cause, message } = failureOf(error.wire, launch.ref.name, hint);
    if (cause === 'signIn') return startError('signIn', launch, message, '');
    return startError('agentError', launch, message, stderr);
  }
  const text = errorText(error);
  return startError(error instanceof InvalidAnswer ? 'protocol' : 'agentError', launch, text, stderr);
}

/** The way out when nothing came within the time limit. */
export function startLimitError(launch: AgentLaunch, ms: number, stderr: string): AgentStartError {
  return startError('startLimit', launch, `no answer within ${ms / 1000} s. ${signInHint(launch)}`, stderr);
}
