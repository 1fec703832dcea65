import { createAcpAgent } from '../../src/agent/acpAgent.ts';
import { ACP_DEPS } from '../../src/agent/acpDeps.ts';
import { ACP } from '../../src/protocol/acp.ts';
import type { AgentRef } from '../../src/shared/agentEvents.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import {
  isSame,
  optionsIn,
  permissionAnswer,
  promptText,
  readAcpRecord,
  recordedFiles,
  resultFor,
} from './goldenAcpRecord.ts';
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
  const record = readAcpRecord(rows);
  const sent: SentMessage[] = [];
  /** Our requests that no recorded one has been matched with. */
  let requests: WireObject[] = [];
  /** Recorded id → our request. */
  const ids = new Map<Json, WireObject>();
  /** The agent's request id → its method. */
  const methods = new Map<Json, string>();
  const asked = new Map<Json, Asked>();
  let serving: ((served: Asked) => void) | null = null;
  /** As the agent told them last. */
  let configOptions: Json | undefined;
  let isStarted = false;
  let up = false;

  /** The answer that a file request got then. */
  const answered = (): Promise<WireObject> =>
    new Promise((answer) => {
      if (serving === null) answer({});
      else serving({ type: 'served', answer });
    });
  const files = run.files({ open: () => recordedFiles(answered), unsaved: () => [] }, record.mode);

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
      mode: record.mode,
      trusted: true,
      model: null,
      permissions: run.permissions,
      emit: run.emit,
      ...record.resume,
      askSignIn: async ({ choices, commands }) => {
        run.remark(`a sign-in is asked for: ${JSON.stringify({ choices: choices.map(({ id }) => id), commands })}`);
        return record.signIn;
      },
    },
    {
      ...ACP_DEPS,
      spawn: () => peer.child,
      env: {},
      services: new Map([...files].filter(([method]) => record.served.includes(method))),
      after: () => () => undefined,
    },
  );

  const take = (): void => {
    for (const message of peer.take()) {
      sent.push({ method: String(message.method ?? methods.get(message.id ?? null)), message });
      if (message.id !== undefined && message.method !== undefined) requests.push(message);
    }
  };
  /** Lets our side act; answers what it asks for and the client of then did not. */
  const settle = async (rest: readonly Row[]): Promise<void> => {
    await run.settle();
    take();
    const unheard = requests.filter((one) => !rest.some((row) => row.dir === 'in' && isSame(row.line, one)));
    if (unheard.length === 0) return;
    requests = requests.filter((one) => !unheard.includes(one));
    for (const { id = null, method = null } of unheard) {
      const result = method === 'session/new' ? { sessionId: 'another-session' } : {};
      run.remark(`${String(method)} is answered by the replay: the client of then did not send it`);
      peer.sayObject({ jsonrpc: '2.0', id, result });
    }
    await settle(rest);
  };

  /** Does what the client of then did, as far as our client does such things. */
  const act = ({ id, method, params, ...response }: WireObject): void => {
    if (method === ACP.cancel) run.cancel();
    if (id === undefined) return;
    if (method === undefined) {
      const open = asked.get(id);
      asked.delete(id);
      if (open?.type === 'served') open.answer(response);
      if (open?.type === 'question') run.answer(open.permissionId, permissionAnswer(response));
    } else if (method === 'initialize') {
      if (isStarted) return;
      isStarted = true;
      void run.start(agent).then((isUp) => {
        up = isUp;
      });
    } else if (method === 'session/prompt') {
      if (up && !run.isPrompting()) run.prompt(agent, promptText(params));
      else run.remark('a prompt that our client does not send now');
    }
  };

  const wrote = async (line: WireObject): Promise<void> => {
    act(line);
    await run.settle();
    take();
    const ours = requests.find((one) => isSame(line, one));
    if (line.id === undefined || ours === undefined) return;
    ids.set(line.id, ours);
    requests.splice(requests.indexOf(ours), 1);
  };

  const said = async (row: Extract<Row, { dir: 'out' }>, rest: readonly Row[]): Promise<void> => {
    const { id, method } = row.line ?? {};
    if (row.line === undefined || id === undefined || method !== undefined) {
      const known = run.questions();
      if (id !== undefined) {
        methods.set(id, String(method));
        serving = (served) => asked.set(id, served);
      }
      configOptions = optionsIn(row.line ?? {}) ?? configOptions;
      peer.say(row);
      await settle(rest);
      serving = null;
      const [question] = run.questions().filter((one) => !known.includes(one));
      if (id === undefined || question === undefined) return;
      asked.set(id, { type: 'question', permissionId: question.permissionId });
      return;
    }
    configOptions = optionsIn(row.line) ?? configOptions;
    const ours = ids.get(id);
    if (ours === undefined) run.remark('an answer to what our client does not send');
    else peer.say(row, { ...row.line, id: ours.id ?? null, ...resultFor(ours, configOptions) });
  };

  for (const [index, row] of rows.entries()) {
    const rest = rows.slice(index + 1);
    run.at(row);
    if (row.dir === 'in' && row.line !== undefined) await wrote(row.line);
    else if (row.dir === 'out') await said(row, rest);
    else if (row.dir === 'err') peer.warn(row.text);
    else if (row.dir === 'exit') peer.exit(row);
    else if (row.dir === 'eof' && !run.isPrompting()) await agent.dispose();
    await settle(rest);
  }
  await agent.dispose();
  await settle([]);
  return { golden: run.finish(), sent };
}
