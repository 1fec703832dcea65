import { createAcpAgent } from '../../src/agent/acpAgent.ts';
import { ACP_DEPS } from '../../src/agent/acpDeps.ts';
import { servedMethods } from '../../src/agent/acpServices.ts';
import { createClientServices } from '../../src/loop/runServices.ts';
import { createCommandGrants } from '../../src/scheduler/commandGrants.ts';
import type { FileService } from '../../src/scheduler/fileService.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { decide } from '../../src/scheduler/policy.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { createWriteGrants } from '../../src/scheduler/writeGrants.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionMode, PermissionRequest } from '../../src/shared/permission.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { resolvePath } from '../../src/workspace/resolvePath.ts';
import { createTerminalService } from '../../src/workspace/terminals.ts';
import { createFakePeer, type FakePeer } from './acpPeer.ts';

export interface FilesGroundOptions {
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly files: FileService;
  readonly role?: Role;
  /** `edits` unless another is given. */
  readonly mode?: PermissionMode;
  /** Whether a person is there to be asked; nobody is unless it is said. */
  readonly interactive?: boolean;
}

/** An agent in a turn that asks for files over its wire, and all of ours that answers it. */
export interface FilesGround {
  readonly peer: FakePeer;
  readonly events: readonly LoopEventBody[];
  /** Sends a request of session `s1`, or of the one that the parameters name; gives the whole answer. */
  ask(method: string, params: WireObject): Promise<WireObject>;
  /** Settles with the next question of the log that nobody has waited for yet. */
  question(): Promise<Question>;
  /** Answers an open question as the person; false: it was not open. */
  answer(permissionId: string, optionId: string): boolean;
  /** Ends the turn and begins the next one. */
  nextTurn(): Promise<void>;
  cancelTurn(): void;
  end(): Promise<void>;
}

export type Question = Extract<LoopEventBody, { readonly type: 'permission.requested' }>;

/** Starts the agent (of no name that we know quirks of) and its first turn. */
export async function startFilesGround(options: FilesGroundOptions): Promise<FilesGround> {
  const { folder, files, role = 'execute', mode = 'edits', interactive = false } = options;
  const events: LoopEventBody[] = [];
  const questions: Question[] = [];
  const waiting: ((question: Question) => void)[] = [];
  const append = (body: LoopEventBody): void => {
    events.push(body);
    if (body.type !== 'permission.requested') return;
    const waiter = waiting.shift();
    if (waiter === undefined) questions.push(body);
    else waiter(body);
  };
  let turn = 0;
  const turnOf = () => turn;
  const decideFor = (asking: Role, request: PermissionRequest) =>
    decide(request, {
      role: asking,
      mode,
      folder,
      interactive,
      resolvePath,
      caseInsensitive: process.platform === 'win32' || process.platform === 'darwin',
      rules: [],
      firstEdit: false,
    });
  const grants = createWriteGrants(resolvePath);
  const broker = createPermissionBroker({
    append,
    decide: decideFor,
    turnOf,
    onWaiting: () => undefined,
    onAllowed: (asking, request, option) => grants.allowed(asking, turn, request, option),
  });
  const scheduler = createScheduler({ append, turnOf });
  const services = createClientServices(role, {
    folder,
    files,
    scheduler,
    grants,
    terminals: createTerminalService(),
    commandGrants: createCommandGrants(),
    nextTerminalId: () => 'terminal-1',
    after: ACP_DEPS.after,
    permissions: broker.port(role),
    decide: decideFor,
    turnOf,
    append,
  });
  const peer = createFakePeer();
  const agent = createAcpAgent(
    {
      launch: {
        ref: { id: 'gemini', name: 'The agent', protocol: 'acp', version: null },
        command: '/bin/agent',
        args: [],
        env: {},
      },
      role,
      folder,
      mode,
      trusted: true,
      model: null,
      permissions: broker.port(role),
      emit: (event) => append({ ...event, turn, role }),
    },
    { ...ACP_DEPS, spawn: () => peer, env: {}, services: servedMethods(services) },
  );
  const ready = agent.ready();
  const hello = await peer.expect('initialize');
  peer.answer(hello, { protocolVersion: 1, agentInfo: { name: 'some-agent', version: '1.0.0' } });
  peer.answer(await peer.expect('session/new'), { sessionId: 's1' });
  await ready;

  let stop = new AbortController();
  let prompt: WireObject = {};
  let done: Promise<unknown> = Promise.resolve();
  const begin = async () => {
    turn += 1;
    stop = new AbortController();
    done = agent.prompt('Go on.', stop.signal);
    prompt = await peer.expect('session/prompt');
  };
  await begin();

  let id = 0;
  return {
    peer,
    events,
    async ask(method, params) {
      id += 1;
      peer.send({ jsonrpc: '2.0', id, method, params: { sessionId: 's1', ...params } });
      let answer = await peer.next();
      // What we tell of ourselves meanwhile, such as a cancel.
      while (answer.id === undefined) answer = await peer.next();
      if (answer.id !== id) throw new Error(`Not the answer to ${id}: ${JSON.stringify(answer)}`);
      return answer;
    },
    question: () => {
      const known = questions.shift();
      return known === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(known);
    },
    answer: (permissionId, optionId) => broker.answer(permissionId, { outcome: 'selected', optionId }),
    async nextTurn() {
      peer.answer(prompt, { stopReason: 'end_turn' });
      await done;
      broker.settleAll('turnEnded', role);
      scheduler.cancel(role);
      await begin();
    },
    cancelTurn() {
      stop.abort('user');
      broker.settleAll('sessionCancel', role);
      scheduler.cancel(role);
    },
    async end() {
      broker.settleAll('dispose');
      await scheduler.dispose();
      peer.exit();
      await done;
      await agent.dispose();
    },
  };
}
