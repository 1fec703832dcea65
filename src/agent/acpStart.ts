import {
  ACP,
  ACP_VERSION,
  type InitializeResult,
  initialize,
  type NewSessionResult,
  newSession,
  setConfigOption,
  setMode,
  setModel,
} from '../protocol/acp.ts';
import type { Connection } from '../transport/connection.ts';
import { ConnectionClosed, InvalidAnswer, PeerError } from '../transport/rpcErrors.ts';
import { failureOf } from './acpOutcome.ts';
import { type AgentContext, type AgentLaunch, AgentStartError } from './agent.ts';
import { describeExit, startError } from './claudeStart.ts';
import type { Quirks } from './quirks.ts';

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
      terminal: false,
    },
    clientInfo: CLIENT_INFO,
  });
  if (value.protocolVersion === ACP_VERSION) return value;
  const what = `it speaks version ${value.protocolVersion} of the Agent Client Protocol, and this program version ${ACP_VERSION}`;
  throw startError('protocol', launch, `${what}. Update the older of the two`, '');
}

/** A session in the folder, without servers of ours. */
export async function openSession(connection: Connection, context: AgentContext): Promise<NewSessionResult> {
  const { value } = await connection.request(newSession, { cwd: context.folder, mcpServers: [] });
  return value;
}

/**
 * Sets the session's mode for the role. A mode that the agent lacks or refuses (acp-25-untrusted) does not end the
 * start: the agent asks more often then, and what it asks is answered by the policy. Gives the reason, or null.
 */
export async function chooseMode(
  connection: Connection,
  context: AgentContext,
  session: NewSessionResult,
  quirks: Quirks,
): Promise<string | null> {
  const modeId = quirks.mode(context.role, context.mode);
  const { sessionId, modes } = session;
  const name = context.launch.ref.name;
  if (modes?.currentModeId === modeId) return null;
  if (modes == null || !modes.availableModes.some((mode) => mode.id === modeId)) {
    return `${name} offers no mode "${modeId}": what it asks for is decided here instead.`;
  }
  try {
    await connection.request(setMode, { sessionId, modeId });
    return null;
  } catch (error) {
    if (error instanceof PeerError)
      return `The mode "${modeId}" was refused. ${failureOf(error.wire, name, signInHint(context.launch)).message}`;
    throw error;
  }
}

/** Sets the model that was asked for; gives the one that the session has. Gemini CLI takes any name (acp-14-set-mode-model). */
export async function chooseModel(
  connection: Connection,
  context: AgentContext,
  session: NewSessionResult,
): Promise<string | null> {
  const { sessionId, models, configOptions } = session;
  const option = configOptions?.find((one) => one.category === 'model');
  const current = typeof option?.currentValue === 'string' ? option.currentValue : (models?.currentModelId ?? null);
  const { model } = context;
  if (model === null || model === current) return current;
  if (option !== undefined) {
    await connection.request(setConfigOption, { sessionId, configId: option.id, value: model });
  } else if (models != null) {
    await connection.request(setModel, { sessionId, modelId: model });
  } else {
    throw startError('agentError', context.launch, `it offers no choice of models, and "${model}" was asked for`, '');
  }
  return model;
}

/** Whatever went wrong on the way, as the one error that callers know. */
export function asStartError(error: unknown, launch: AgentLaunch, stderr: string): AgentStartError {
  if (error instanceof AgentStartError) return error;
  if (error instanceof ConnectionClosed) {
    const reason = error.exit.error === null ? 'agentExit' : 'spawn';
    return startError(reason, launch, describeExit(error.exit), error.stderrTail);
  }
  if (error instanceof PeerError) {
    const { cause, message } = failureOf(error.wire, launch.ref.name, signInHint(launch));
    if (cause === 'signIn') return startError('signIn', launch, message, '');
    return startError('agentError', launch, message, stderr);
  }
  const text = error instanceof Error ? error.message : String(error);
  return startError(error instanceof InvalidAnswer ? 'protocol' : 'agentError', launch, text, stderr);
}

/** The way out when nothing came within the time limit. */
export function startLimitError(launch: AgentLaunch, ms: number, stderr: string): AgentStartError {
  return startError('startLimit', launch, `no answer within ${ms / 1000} s. ${signInHint(launch)}`, stderr);
}

/** The way to sign in. Gemini CLI asks for it on a terminal of its own only: over ACP it would print to our wire. */
export function signInHint(launch: AgentLaunch): string {
  return launch.ref.id === 'gemini'
    ? 'Run "gemini" in a terminal and sign in there, or set GEMINI_API_KEY.'
    : `Run "${launch.command}" in a terminal and sign in there.`;
}
