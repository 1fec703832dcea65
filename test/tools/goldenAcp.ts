import { ACP_DEPS, createAcpAgent } from '../../src/agent/acpAgent.ts';
import { ACP } from '../../src/protocol/acp.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { AgentRef, Json, PermissionAnswer, PermissionMode, WireObject } from '../../src/shared/events.ts';
import type { ServedRequest } from '../../src/transport/connection.ts';
import { RequestRefused } from '../../src/transport/rpcErrors.ts';
import { createGoldenPeer } from './goldenPeer.ts';
import { createGoldenRun } from './goldenRun.ts';
import type { SentMessage } from './goldenSchema.ts';
import type { Row, Transcript } from './goldenTranscript.ts';

const GEMINI: AgentRef = { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null };
const CLAUDE_OVER_ACP: AgentRef = { id: 'claude-acp', name: 'Claude over ACP', protocol: 'acp', version: null };

export interface AcpReplay {
  readonly golden: string;
  /** Every message that our client sent. */
  readonly sent: readonly SentMessage[];
}

/** A request of the agent that our side has not answered yet: a question to a person, or a file to serve. */
type Asked =
  | { readonly type: 'question'; readonly permissionId: string }
  | { readonly type: 'served'; readonly answer: (response: WireObject) => void };

/**
 * Replays a recording against our ACP agent. The agent's side is said in its recorded order, with the ids of our
 * requests; our side is asked to do what the client of then did, where it does such things.
 */
export async function replayAcp({ name, args, rows }: Transcript): Promise<AcpReplay> {
  const run = createGoldenRun();
  const peer = createGoldenPeer(run);
  /** Recorded id → the id of our request. */
  const ids = new Map<Json, Json>();
  const asked = new Map<Json, Asked>();
  let requests: WireObject[] = [];
  let waiting: { readonly serve: (served: Asked) => void } | null = null;
  const sent: SentMessage[] = [];
  /** The agent's request id → its method. */
  const methods = new Map<Json, string>();

  const service: ServedRequest = () =>
    new Promise((resolve, reject) => {
      const answer = (response: WireObject): void => {
        const { error, result = null } = response;
        if (error === undefined) {
          resolve(result);
          return;
        }
        const { code, message } = isWireObject(error) ? error : { code: -32002, message: error };
        reject(new RequestRefused(typeof code === 'number' ? code : -32603, String(message)));
      };
      const serve = waiting?.serve;
      if (serve === undefined) answer({ result: null });
      else serve({ type: 'served', answer });
    });

  const agent = createAcpAgent(
    {
      launch: {
        ref: name.startsWith('gemini/') ? GEMINI : CLAUDE_OVER_ACP,
        command: '/bin/agent',
        args,
        env: {},
      },
      role: 'execute',
      folder: '/project',
      mode: modeOf(rows),
      trusted: true,
      model: null,
      permissions: run.permissions,
      emit: run.emit,
    },
    {
      ...ACP_DEPS,
      spawn: () => peer.child,
      env: {},
      services: new Map(servedIn(rows).map((method) => [method, service])),
      after: () => () => undefined,
      disposeMs: 1,
    },
  );

  const take = (): void => {
    const fresh = peer.take();
    for (const message of fresh) {
      const method = message.method ?? methods.get(message.id ?? null);
      sent.push({ method: String(method), message });
    }
    requests.push(...fresh.filter(({ id, method }) => id !== undefined && method !== undefined));
  };
  /** Lets our side act; answers what it asks for and the client of then did not. */
  const settle = async (rest: readonly Row[]): Promise<void> => {
    await run.settle();
    take();
    const unheard = requests.filter(
      ({ method }) => !rest.some((row) => row.dir === 'in' && row.line?.method === method),
    );
    if (unheard.length === 0) return;
    requests = requests.filter((one) => !unheard.includes(one));
    for (const { id = null, method = null } of unheard) {
      run.remark(`${String(method)} is answered with {}: the client of then did not send it`);
      peer.sayObject({ jsonrpc: '2.0', id, result: {} });
    }
    await settle(rest);
  };

  let starting: Promise<boolean> | null = null;
  let started = false;

  const wrote = (line: WireObject): void => {
    const { id, method, params } = line;
    if (method === undefined) {
      if (id !== undefined) answered(id, line);
      return;
    }
    if (id === undefined) {
      if (method === ACP.cancel) run.cancel();
      return;
    }
    if (method === 'initialize' && starting === null) {
      starting = run.start(agent).then((up) => {
        started = up;
        return up;
      });
    }
    if (method === 'session/prompt') {
      if (started && !run.isPrompting()) run.prompt(agent, textOf(params));
      else run.remark('a prompt that our client does not send now');
    }
  };
  const answered = (id: Json, line: WireObject): void => {
    const open = asked.get(id);
    asked.delete(id);
    if (open?.type === 'served') open.answer(line);
    if (open?.type === 'question') run.answer(open.permissionId, answerOf(line));
  };

  for (const [index, row] of rows.entries()) {
    run.at(row);
    const rest = rows.slice(index + 1);
    if (row.dir === 'in' && row.line !== undefined) {
      wrote(row.line);
      await run.settle();
      take();
      const { id, method } = row.line;
      const ours = requests.find((one) => one.method === method);
      if (id !== undefined && ours !== undefined) {
        ids.set(id, ours.id ?? null);
        requests.splice(requests.indexOf(ours), 1);
      }
    } else if (row.dir === 'out') {
      const { id, method } = row.line ?? {};
      const known = run.questions();
      if (id !== undefined && method !== undefined) {
        methods.set(id, String(method));
        waiting = { serve: (served) => asked.set(id, served) };
      }
      if (id === undefined || method !== undefined || row.line === undefined) peer.say(row);
      else if (ids.has(id)) peer.say(row, { ...row.line, id: ids.get(id) ?? null });
      else run.remark('an answer to what our client does not send');
      await settle(rest);
      waiting = null;
      const [question] = run.questions().filter((one) => !known.includes(one));
      if (id !== undefined && question !== undefined) {
        asked.set(id, { type: 'question', permissionId: question.permissionId });
      }
    } else if (row.dir === 'err') peer.warn(row.text);
    else if (row.dir === 'exit') peer.exit(row);
    else if (row.dir === 'eof' && !run.isPrompting()) await agent.dispose();
    await settle(rest);
  }
  await agent.dispose();
  await settle([]);
  return { golden: run.finish(), sent };
}

/** The mode of a run whose client sets the session's mode as the client of then did before its first prompt. */
function modeOf(rows: readonly Row[]): PermissionMode {
  for (const row of rows) {
    const { method, params } = row.dir === 'in' ? (row.line ?? {}) : {};
    if (method === 'session/prompt') return 'ask';
    if (method !== 'session/set_mode' || !isWireObject(params)) continue;
    return params.modeId === 'plan' ? 'read-only' : params.modeId === 'default' ? 'ask' : 'edits';
  }
  return 'ask';
}

/** The file methods that the client of then offered. */
function servedIn(rows: readonly Row[]): readonly string[] {
  const hello = rows.flatMap((row) => (row.dir === 'in' && row.line?.method === 'initialize' ? [row.line.params] : []));
  const capabilities = isWireObject(hello[0]) ? hello[0].clientCapabilities : null;
  const fs = isWireObject(capabilities) && isWireObject(capabilities.fs) ? capabilities.fs : {};
  return [
    ...(fs.readTextFile === true ? [ACP.readTextFile] : []),
    ...(fs.writeTextFile === true ? [ACP.writeTextFile] : []),
  ];
}

/** The first text of a prompt. */
function textOf(params: Json | undefined): string {
  const blocks = isWireObject(params) && Array.isArray(params.prompt) ? params.prompt : [];
  const [text] = blocks.flatMap((block) => (isWireObject(block) && typeof block.text === 'string' ? [block.text] : []));
  return text ?? '';
}

/** A recorded answer to a permission request; one that is none counts as cancelled. */
function answerOf({ result }: WireObject): PermissionAnswer {
  const outcome = isWireObject(result) && isWireObject(result.outcome) ? result.outcome : {};
  return outcome.outcome === 'selected' && typeof outcome.optionId === 'string'
    ? { outcome: 'selected', optionId: outcome.optionId }
    : { outcome: 'cancelled' };
}
