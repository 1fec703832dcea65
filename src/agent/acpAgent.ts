import {
  ACP,
  prompt as promptRequest,
  type RequestPermissionParams,
  requestPermissionParams,
} from '../protocol/acp.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { Diagnostic, Json, PermissionAnswer, WireObject } from '../shared/events.ts';
import { type Child, type ChildOptions, childEnv, spawnChild } from '../transport/childProcess.ts';
import { type Connection, createConnection, type ServedRequest, serve } from '../transport/connection.ts';
import { ConnectionClosed, InvalidAnswer, PeerError, RequestRefused } from '../transport/rpcErrors.ts';
import { within } from '../transport/within.ts';
import { allows, outcomeWire, permissionOf } from './acpPermissions.ts';
import {
  asStartError,
  chooseMode,
  chooseModel,
  initializeAgent,
  openSession,
  signInHint,
  startLimitError,
} from './acpStart.ts';
import type { Agent, AgentContext, AgentReady, CancelReason, TurnResult } from './agent.ts';
import { AgentStartError } from './agent.ts';
import { interruptedOutcome } from './claudeOutcome.ts';
import { describeExit, lastLines, startError } from './claudeStart.ts';
import { type AcpEnd, createAcpReader } from './deriveAcp.ts';
import { quirksOf } from './quirks.ts';

/** What the agent reaches outside of itself, and how long it waits; tests give their own. */
export interface AcpDeps {
  readonly spawn: (options: ChildOptions) => Child;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Methods that the agent may call besides permissions; those of `fs/` are offered to it when they are here. */
  readonly services: ReadonlyMap<string, ServedRequest>;
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** From the spawn to a session that is ready. A server that hangs would hold `session/new` for ever (acp-50-mcp-hung). */
  readonly startMs: number;
  /** From `session/cancel` to the end of the process, when no answer comes. */
  readonly cancelMs: number;
  /** What a turn under way is given to end in, before `dispose` ends the process. */
  readonly disposeMs: number;
}

/** The machine's own. */
export const ACP_DEPS: AcpDeps = {
  spawn: spawnChild,
  env: process.env,
  services: new Map(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  startMs: 45_000,
  cancelMs: 5_000,
  disposeMs: 500,
};

/** The turn under way. */
interface Turn {
  cancelReason: CancelReason | null;
  /** Aborted with the cancel: every open permission is answered `cancelled` at once. */
  readonly stopped: AbortController;
  readonly denials: string[];
  /** Takes back the timer of the cancel. */
  takeBack: () => void;
}

/** An agent that speaks the Agent Client Protocol, as one process with one session over all turns of a run. */
export function createAcpAgent(context: AgentContext, deps: AcpDeps = ACP_DEPS): Agent {
  const { launch, emit } = context;
  const name = launch.ref.name;
  let quirks = quirksOf(null);
  let sessionId: string | null = null;
  let child: Child | null = null;
  let connection: Connection | null = null;
  let turn: Turn | null = null;
  let running: Promise<TurnResult> | null = null;
  let starting: Promise<AgentReady> | null = null;
  let disposing: Promise<void> | null = null;
  /** The start is over and the process has not ended by our doing: its end would be news. */
  let watched = false;
  const reader = createAcpReader(
    name,
    signInHint(launch),
    () => quirks,
    () => sessionId,
  );

  const remark = (code: Diagnostic['code'], level: Diagnostic['level'], text: string, wire: WireObject | null): void =>
    emit({ type: 'diagnostic', wire, derived: { source: 'transport', level, code, text } });

  async function askPermission(
    params: RequestPermissionParams,
    wire: WireObject,
    withdrawn: AbortSignal,
  ): Promise<Json> {
    if (params.sessionId !== sessionId) {
      throw new RequestRefused(RPC_ERROR.invalidParams, `Session not found: ${params.sessionId}`);
    }
    const asking = turn;
    const toolCall = isWireObject(wire.toolCall) ? wire.toolCall : {};
    for (const event of reader.asked(params.toolCall, toolCall)) emit(event);
    const request = permissionOf(params, wire, quirks);
    const stopped = asking?.stopped.signal ?? null;
    const answer =
      stopped?.aborted === true
        ? ({ outcome: 'cancelled' } as const)
        : await earlier(context.permissions.request(request, wire, withdrawn), stopped);
    const told = outcomeWire(request, answer);
    // After the turn, or in a turn that is being cancelled, the card has been closed already.
    if (turn !== asking || stopped?.aborted === true || withdrawn.aborted) return told;
    const allowed = allows(request, answer);
    if (allowed === null) return told;
    if (!allowed) asking?.denials.push(`${request.title} (${request.kind})`);
    for (const event of reader.answered(request.toolCallId, allowed, told)) emit(event);
    return told;
  }

  function connect(peer: Child): Connection {
    const opened = createConnection(peer, {
      notifications: new Map([
        [
          ACP.sessionUpdate,
          (params: Json | undefined) => {
            for (const event of reader.update(params)) emit(event);
          },
        ],
      ]),
      requests: new Map([...deps.services, [ACP.requestPermission, serve(requestPermissionParams, askPermission)]]),
      onRemark: ({ code, text, wire }) => remark(code, levelOf(code), text, wire),
    });
    void opened.closed.then((closed) => {
      // In a turn, the one who waits for its answer tells.
      if (turn === null) reportExit(closed);
    });
    return opened;
  }

  const reportExit = (closed: ConnectionClosed): void => {
    if (!watched) return;
    watched = false;
    const said = lastLines(closed.stderrTail);
    const words = `${name}: ${describeExit(closed.exit)}`;
    remark('exit', 'error', said === '' ? words : `${words}\n${said}`, null);
  };

  async function start(): Promise<AgentReady> {
    if (disposing !== null) throw startError('agentExit', launch, 'it was ended before its start', '');
    const env = childEnv(deps.env, launch.env);
    const spawned = deps.spawn({ command: launch.command, args: launch.args, cwd: context.folder, env });
    child = spawned;
    const opened = connect(spawned);
    connection = opened;
    let takeBack = (): void => undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      takeBack = deps.after(deps.startMs, () => reject(startLimitError(launch, deps.startMs, spawned.stderrTail())));
    });
    try {
      return await Promise.race([handshake(opened), limit]);
    } catch (error) {
      const failure = asStartError(error, launch, spawned.stderrTail());
      await spawned.stop();
      throw failure;
    } finally {
      takeBack();
    }
  }

  async function handshake(opened: Connection): Promise<AgentReady> {
    const info = await initializeAgent(opened, launch, (method) => deps.services.has(method));
    quirks = quirksOf(info.agentInfo?.name ?? null);
    const session = await openSession(opened, context);
    sessionId = session.sessionId;
    const refused = await chooseMode(opened, context, session, quirks);
    if (refused !== null) remark('agentWarning', 'warning', refused, null);
    const model = await chooseModel(opened, context, session);
    watched = true;
    return { ref: { ...launch.ref, version: info.agentInfo?.version ?? null }, sessionId, model };
  }

  const ready = (): Promise<AgentReady> => {
    starting ??= start();
    return starting;
  };

  /** Says `session/cancel` first, then answers what is open, then closes the cards; the process has `cancelMs`. */
  function cancel(reason: CancelReason): void {
    if (turn === null || turn.cancelReason !== null) return;
    const params = { sessionId };
    turn.cancelReason = reason;
    connection?.notify(ACP.cancel, params);
    turn.stopped.abort();
    for (const event of reader.cancelled(reason, params)) emit(event);
    turn.takeBack = deps.after(deps.cancelMs, () => {
      watched = false;
      void child?.stop();
    });
  }

  async function run(opened: Connection, session: string, text: string, signal: AbortSignal): Promise<TurnResult> {
    const current: Turn = {
      cancelReason: null,
      stopped: new AbortController(),
      denials: [],
      takeBack: () => undefined,
    };
    turn = current;
    reader.beginTurn();
    const onAbort = (): void => cancel(signal.reason === 'timeLimit' ? 'timeLimit' : 'user');
    signal.addEventListener('abort', onAbort, { once: true });
    const end = await answerOf(opened, session, text);
    signal.removeEventListener('abort', onAbort);
    current.takeBack();
    const { events, result } = reader.end(end, current.denials);
    for (const event of events) emit(event);
    turn = null;
    return result;
  }

  async function answerOf(opened: Connection, session: string, text: string): Promise<AcpEnd> {
    try {
      const params = { sessionId: session, prompt: [{ type: 'text', text }] } as const;
      const { value, wire } = await opened.request(promptRequest, params);
      return { type: 'result', value, wire };
    } catch (error) {
      if (error instanceof PeerError) return { type: 'error', wire: error.wire };
      if (error instanceof ConnectionClosed) {
        reportExit(error);
        return {
          type: 'none',
          wire: null,
          outcome: { type: 'failed', cause: 'agentExit', message: deathOf(name, error) },
        };
      }
      const words = error instanceof Error ? error.message : String(error);
      const message = `${name} answered in a way that cannot be read. ${words}`;
      const wire = error instanceof InvalidAnswer ? error.wire : null;
      remark('invalidResponse', 'error', message, isWireObject(wire) ? wire : null);
      return { type: 'none', wire, outcome: { type: 'failed', cause: 'protocol', message } };
    }
  }

  return {
    ready,
    async prompt(text, signal) {
      try {
        await ready();
      } catch (error) {
        const [cause, message] =
          error instanceof AgentStartError
            ? ([error.reason, error.message] as const)
            : (['protocol', String(error)] as const);
        return unsent({ type: 'failed', cause, message });
      }
      if (turn !== null) return unsent({ type: 'failed', cause: 'protocol', message: 'A turn is under way already.' });
      if (connection === null || sessionId === null || disposing !== null) {
        return unsent({ type: 'failed', cause: 'agentExit', message: `${name} has been ended.` });
      }
      if (signal.aborted) return unsent(interruptedOutcome(signal.reason === 'timeLimit' ? 'timeLimit' : 'user'));
      running = run(connection, sessionId, text, signal);
      return running;
    },
    dispose() {
      disposing ??= (async () => {
        watched = false;
        cancel('user');
        if (running !== null) await within(running, deps.disposeMs);
        await child?.stop();
        await connection?.closed;
      })();
      return disposing;
    },
  };
}

/** The answer, or `cancelled` when the turn is stopped before it. */
function earlier(answer: Promise<PermissionAnswer>, stopped: AbortSignal | null): Promise<PermissionAnswer> {
  if (stopped === null) return answer;
  return new Promise((resolve) => {
    stopped.addEventListener('abort', () => resolve({ outcome: 'cancelled' }), { once: true });
    void answer.then(resolve);
  });
}

function levelOf(code: Diagnostic['code']): Diagnostic['level'] {
  if (code === 'agentError') return 'error';
  return code === 'noise' || code === 'notObject' ? 'info' : 'warning';
}

function deathOf(name: string, closed: ConnectionClosed): string {
  const said = lastLines(closed.stderrTail);
  const words = `${name} ended before the turn was over: ${describeExit(closed.exit)}`;
  return said === '' ? `${words}.` : `${words}\n${said}`;
}

/** A turn whose prompt never reached the agent. */
function unsent(outcome: TurnResult['outcome']): TurnResult {
  return { wire: null, outcome, texts: [], usage: null, models: [], denials: [] };
}
