import { setConfigOption, setMode, setModel } from '../protocol/acpRequests.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { WireObject } from '../shared/wire.ts';
import type { Connection } from '../transport/connection.ts';
import { PeerError } from '../transport/rpcErrors.ts';
import type { AcpOptions } from './acpOptions.ts';
import { failureOf } from './acpOutcome.ts';
import { signInHint } from './acpSignIn.ts';
import type { AgentContext, SessionControls } from './agent.ts';
import { startError } from './claudeStart.ts';
import type { Quirks } from './quirks.ts';

/** The session whose choices are made. */
export interface ChosenSession {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly options: AcpOptions;
  /** The options are other ones now; `wire` told so. */
  readonly changed: (wire: WireObject) => void;
}

/** The three requests that choose something, each followed by what the agent then has. */
export function sessionControls(session: () => ChosenSession, agentName: string): SessionControls {
  const told = async (work: (at: ChosenSession) => Promise<WireObject>): Promise<void> => {
    try {
      const at = session();
      at.changed(await work(at));
    } catch (error) {
      throw error instanceof PeerError ? new Error(failureOf(error.wire, agentName, '').message) : error;
    }
  };
  return {
    setMode: (modeId) => told((at) => chooseBy(at, 'mode', 'mode', modeId)),
    setModel: (modelId) => told((at) => chooseBy(at, 'model', 'model', modelId)),
    setConfigOption: (optionId, value) => told((at) => chooseBy(at, 'config', optionId, value)),
  };
}

/** Sets one thing. The answer is the wire, and the options follow it. */
async function chooseBy(
  { connection, sessionId, options }: ChosenSession,
  way: 'mode' | 'model' | 'config',
  id: string,
  value: string | boolean,
): Promise<WireObject> {
  if (way === 'config') {
    const params = typeof value === 'boolean' ? ({ type: 'boolean', value } as const) : { value };
    const answer = await connection.request(setConfigOption, { sessionId, configId: id, ...params });
    if (answer.value?.configOptions != null) options.replace(answer.value.configOptions);
    return isWireObject(answer.wire) ? answer.wire : {};
  }
  const chosen = String(value);
  const { wire } =
    way === 'mode'
      ? await connection.request(setMode, { sessionId, modeId: chosen })
      : await connection.request(setModel, { sessionId, modelId: chosen });
  if (way === 'mode') options.setMode(chosen);
  else options.setModel(chosen);
  return isWireObject(wire) ? wire : {};
}

/**
 * Sets the session's mode for the role. A mode that the agent lacks or refuses (acp-25-untrusted) does not end the
 * start: the agent asks more often then, and what it asks is answered by the policy. Gives the reason, or null.
 */
export async function chooseMode(at: ChosenSession, context: AgentContext, quirks: Quirks): Promise<string | null> {
  const wanted = quirks.modes(context.role, context.mode);
  const { name } = context.launch.ref;
  const offered = at.options.find('mode');
  const mode = wanted.find((one) => offered?.value === one || offered?.choices.includes(one) === true);
  if (offered === null || mode === undefined) {
    return `${name} offers no mode "${wanted[0] ?? ''}": what it asks for is decided here instead.`;
  }
  if (offered.value === mode) return null;
  try {
    at.changed(await chooseBy(at, offered.way, offered.id, mode));
    return null;
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return `The mode "${mode}" was refused. ${failureOf(error.wire, name, signInHint(context.launch)).message}`;
  }
}

/** Sets the model that was asked for; gives the one that the session has. Gemini CLI takes any name (acp-14-set-mode-model). */
export async function chooseModel(at: ChosenSession, context: AgentContext): Promise<string | null> {
  const offered = at.options.find('model');
  const current = offered?.value ?? null;
  const { model } = context;
  if (model === null || model === current) return current;
  if (offered === null) {
    throw startError('agentError', context.launch, `it offers no choice of models, and "${model}" was asked for`, '');
  }
  at.changed(await chooseBy(at, offered.way, offered.id, model));
  return model;
}
