import type { AgentContext } from '../../src/agent/agent.ts';
import { ACP } from '../../src/protocol/acp.ts';
import { RPC_ERROR } from '../../src/protocol/jsonrpc.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import { FileRefused, type FileSession } from '../../src/scheduler/fileService.ts';
import type { PermissionAnswer, PermissionMode } from '../../src/shared/permission.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import type { Row } from './goldenTranscript.ts';

/** What the client of an ACP recording did, as far as a replay does it too. */
export interface AcpRecord {
  /** The mode of the run: the one that the client set before its first prompt. */
  readonly mode: PermissionMode;
  /** The file methods that it offered. */
  readonly served: readonly string[];
  /** The session that it loaded instead of a new one. */
  readonly resume: Pick<AgentContext, 'resume'>;
  /** The way in which it signed in, or null. */
  readonly signIn: string | null;
}

export function readAcpRecord(rows: readonly Row[]): AcpRecord {
  const said = rows.flatMap((row) => (row.dir === 'in' && row.line !== undefined ? [row.line] : []));
  const first = said.findIndex(({ method }) => method === 'session/prompt');
  const before = first < 0 ? said : said.slice(0, first);
  const params = (wanted: string): WireObject | null => {
    const found = before.find(({ method }) => method === wanted)?.params;
    return found !== undefined && isWireObject(found) ? found : null;
  };
  const loaded = params('session/new') === null ? params('session/load')?.sessionId : undefined;
  const method = params('authenticate')?.methodId;
  return {
    mode: modeOf(params('session/set_mode')?.modeId),
    served: servedBy(params('initialize')),
    resume: typeof loaded === 'string' ? { resume: { sessionId: loaded } } : {},
    signIn: typeof method === 'string' ? method : null,
  };
}

function modeOf(modeId: Json | undefined): PermissionMode {
  if (modeId === undefined || modeId === 'default') return 'ask';
  return modeId === 'plan' ? 'read-only' : 'edits';
}

function servedBy(hello: WireObject | null): readonly string[] {
  const capabilities = hello?.clientCapabilities ?? null;
  const fs = isWireObject(capabilities) && isWireObject(capabilities.fs ?? null) ? capabilities.fs : {};
  if (!isWireObject(fs ?? null) || !isWireObject(fs)) return [];
  return [
    ...(fs.readTextFile === true ? [ACP.readTextFile] : []),
    ...(fs.writeTextFile === true ? [ACP.writeTextFile] : []),
  ];
}

/** Whether our request does what the recorded one did: a mode is set as an option where the agent has such. */
export function isSame(recorded: WireObject | undefined, { method, params }: WireObject): boolean {
  if (recorded?.method === method) return true;
  const setsMode = method === 'session/set_config_option' && isWireObject(params) && params.configId === 'mode';
  return setsMode && recorded?.method === 'session/set_mode';
}

/** The options of a session, where a message of the agent tells them all. */
export function optionsIn({ result, params }: WireObject): Json | undefined {
  if (isWireObject(result) && result.configOptions !== undefined) return result.configOptions;
  return isWireObject(params) && isWireObject(params.update) ? params.update.configOptions : undefined;
}

/** What the recorded answer lacks when our request was another one: the options, which are always told whole. */
export function resultFor({ method }: WireObject, configOptions: Json | undefined): WireObject {
  return method === 'session/set_config_option' && configOptions !== undefined ? { result: { configOptions } } : {};
}

/** The first text of a prompt. */
export function promptText(params: Json | undefined): string {
  const blocks = isWireObject(params) && Array.isArray(params.prompt) ? params.prompt : [];
  const [text] = blocks.flatMap((block) => (isWireObject(block) && typeof block.text === 'string' ? [block.text] : []));
  return text ?? '';
}

/** A recorded answer to a permission request; one that is none counts as cancelled. */
export function permissionAnswer({ result }: WireObject): PermissionAnswer {
  const outcome = isWireObject(result) && isWireObject(result.outcome) ? result.outcome : {};
  return outcome.outcome === 'selected' && typeof outcome.optionId === 'string'
    ? { outcome: 'selected', optionId: outcome.optionId }
    : { outcome: 'cancelled' };
}

/** The files as the client of then had them: what it answered, in the order of the agent's requests. */
export function recordedFiles(answered: () => Promise<WireObject>): FileSession {
  const served = async (): Promise<Json> => {
    const { result = null, error } = await answered();
    if (error === undefined) return result;
    const { code, message } = isWireObject(error) ? error : { code: RPC_ERROR.resourceNotFound, message: error };
    throw new FileRefused(code === RPC_ERROR.resourceNotFound ? 'missing' : 'failed', String(message));
  };
  return {
    locate: (path) => path,
    look: async () => null,
    async read() {
      const result = await served();
      return { text: isWireObject(result) && typeof result.content === 'string' ? result.content : '', from: 'disk' };
    },
    async write() {
      await served();
      return 'disk';
    },
  };
}
