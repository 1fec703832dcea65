import { createAcpAgent } from '../../src/agent/acpAgent.ts';
import type { AcpDeps } from '../../src/agent/acpDeps.ts';
import type { Agent, AgentContext } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import type { ToolCallPatch } from '../../src/shared/toolCall.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import type { ChildOptions } from '../../src/transport/childProcess.ts';
import { createFakePeer, type FakePeer, type FakePeerOptions } from './acpPeer.ts';

/** A question of the agent that the test has not answered yet. */
export interface Question {
  readonly request: PermissionRequest;
  readonly wire: WireObject;
  readonly withdrawn: AbortSignal;
  readonly answer: (answer: PermissionAnswer) => void;
}

/** An ACP agent on a fake peer, with timers that run only when the test says so. */
export interface AcpSetup {
  readonly agent: Agent;
  /** The process that is started first. */
  readonly peer: FakePeer;
  readonly peers: readonly FakePeer[];
  /** How the program was started, each time. */
  readonly starts: readonly ChildOptions[];
  readonly events: readonly AgentEvent[];
  readonly questions: readonly Question[];
  /** Milliseconds of the timers that run, in order of their start. */
  timers(): readonly number[];
  /** Lets a timer run off, the oldest unless a place is given. */
  expire(place?: number): void;
  /** Cards as the events leave them, by tool call id. */
  cards(): Readonly<Record<string, Partial<ToolCallPatch>>>;
  codes(): readonly string[];
  /** Plays the start up to `ready`: `initialize`, `session/new`, and the mode where one is set. */
  start(session?: WireObject): Promise<void>;
}

/** Gemini CLI's answers at the start (acp-01-basic), shortened. */
export const INITIALIZED: WireObject = {
  protocolVersion: 1,
  agentInfo: { name: 'gemini-cli', title: 'Gemini CLI', version: '0.61.0' },
  authMethods: [{ id: 'gemini-api-key', name: 'Gemini API key' }],
};
export const SESSION: WireObject = {
  sessionId: 's1',
  modes: {
    availableModes: ['default', 'autoEdit', 'yolo', 'plan'].map((id) => ({ id, name: id })),
    currentModeId: 'default',
  },
  models: { availableModels: [{ modelId: 'auto', name: 'Auto' }], currentModelId: 'auto' },
};

export function setupAcp(
  options: {
    readonly context?: Partial<AgentContext>;
    readonly deps?: Partial<AcpDeps>;
    readonly peer?: FakePeerOptions;
    /** How often the program can be started; once when absent. */
    readonly peers?: number;
  } = {},
): AcpSetup {
  const peers = Array.from({ length: options.peers ?? 1 }, () => createFakePeer(options.peer));
  const [peer = createFakePeer(options.peer)] = peers;
  const starts: ChildOptions[] = [];
  const events: AgentEvent[] = [];
  const questions: Question[] = [];
  const running: { readonly ms: number; readonly callback: () => void }[] = [];
  const agent = createAcpAgent(
    {
      launch: {
        ref: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null },
        command: '/bin/gemini',
        args: ['--acp'],
        env: {},
      },
      role: 'execute',
      folder: '/w',
      mode: 'ask',
      trusted: true,
      model: null,
      permissions: {
        request: (request, wire, withdrawn) =>
          new Promise((answer) => {
            questions.push({ request, wire, withdrawn, answer });
          }),
      },
      emit: (event) => events.push(event),
      ...options.context,
    },
    {
      spawn: (child) => {
        starts.push(child);
        return peers[starts.length - 1] ?? peer;
      },
      env: {},
      services: new Map(),
      after: (ms, callback) => {
        const timer = { ms, callback };
        running.push(timer);
        return () => {
          const place = running.indexOf(timer);
          if (place >= 0) running.splice(place, 1);
        };
      },
      startMs: 45_000,
      mcpMs: 10_000,
      replayMs: 3_000,
      cancelMs: 5_000,
      ...options.deps,
    },
  );
  return {
    agent,
    peer,
    peers,
    starts,
    events,
    questions,
    timers: () => running.map(({ ms }) => ms),
    expire: (place = 0) => running.splice(place, 1)[0]?.callback(),
    cards: () => cardsOf(events),
    codes: () => events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.code] : [])),
    async start(session = SESSION) {
      const ready = agent.ready();
      peer.answer(await peer.expect('initialize'), INITIALIZED);
      peer.answer(await peer.expect('session/new'), session);
      const mode = options.context?.mode ?? 'ask';
      if (session.modes !== undefined && (options.context?.role === 'review' || mode !== 'ask')) {
        peer.answer(await peer.expect('session/set_mode'), {});
      }
      await ready;
    },
  };
}

/** Folds tool call events as the view does. */
export function cardsOf(events: readonly AgentEvent[]): Readonly<Record<string, Partial<ToolCallPatch>>> {
  const cards: Record<string, Partial<ToolCallPatch>> = {};
  for (const event of events) {
    if (event.type !== 'toolCall.started' && event.type !== 'toolCall.updated') continue;
    const { toolCallId, ...rest } = event.derived;
    cards[toolCallId] = { ...cards[toolCallId], ...rest };
  }
  return cards;
}
