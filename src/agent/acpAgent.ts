import { ACP } from '../protocol/acp.ts';
import type { AgentCapabilities, InitializeResult } from '../protocol/acpRequests.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { Diagnostic } from '../shared/agentEvents.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { childEnv } from '../transport/childEnv.ts';
import type { Child } from '../transport/childProcess.ts';
import { type Connection, createConnection } from '../transport/connection.ts';
import type { ConnectionClosed } from '../transport/rpcErrors.ts';
import { promptAnswer } from './acpAnswer.ts';
import { type ChosenSession, chooseMode, chooseModel, sessionControls } from './acpChoose.ts';
import { ACP_DEPS, type AcpDeps } from './acpDeps.ts';
import { createAcpOptions } from './acpOptions.ts';
import { promptOf } from './acpPrompt.ts';
import { createAcpQuestions } from './acpQuestions.ts';
import { createReplay } from './acpReplay.ts';
import { openSession } from './acpSession.ts';
import { signInHint, terminalCommands } from './acpSignIn.ts';
import { asStartError, initializeAgent, knowsNoArguments, startLimitError } from './acpStart.ts';
import type { Agent, AgentContext, AgentReady, Attachment, CancelReason, TurnResult } from './agent.ts';
import { describeExit, startError } from './claudeStart.ts';
import { createAcpReader } from './deriveAcp.ts';
import { quirksOf } from './quirks.ts';
import { createStartLimit, type StartLimit } from './startLimit.ts';
import { cancelReasonOf, interruptedOutcome, secondTurn, turnWithoutAgent, unsentTurn } from './turnResults.ts';

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
  const options = createAcpOptions();
  let quirks = quirksOf(null);
  let capabilities: AgentCapabilities | null = null;
  let sessionId: string | null = null;
  let child: Child | null = null;
  let connection: Connection | null = null;
  let turn: Turn | null = null;
  let running: Promise<TurnResult> | null = null;
  let starting: Promise<AgentReady> | null = null;
  let disposing: Promise<void> | null = null;
  /** The start is over and the process has not ended by our doing: its end would be news. */
  let watched = false;
  let failed = false;
  /** Of the start. */
  let unhurried: StartLimit['unhurried'] = (work) => work();
  const reader = createAcpReader({
    agentName: name,
    signInHint: signInHint(launch),
    quirks: () => quirks,
    sessionId: () => sessionId,
    options,
  });
  const replay = createReplay({ reader, after: deps.after, replayMs: deps.replayMs });

  const remark = (code: Diagnostic['code'], level: Diagnostic['level'], text: string, wire: WireObject | null): void =>
    emit({ type: 'diagnostic', wire, derived: { source: 'transport', level, code, text } });

  const questions = createAcpQuestions({
    context,
    reader,
    quirks: () => quirks,
    sessionId: () => sessionId,
    turn: () => turn,
    unhurried: (work) => unhurried(work),
  });

  function connect(peer: Child): Connection {
    const opened = createConnection(peer, {
      notifications: new Map([
        [
          ACP.sessionUpdate,
          (params: Json | undefined) => {
            const events = reader.update(params);
            for (const event of events) emit(event);
            replay.saw(events);
          },
        ],
      ]),
      requests: questions.served(deps.services),
      errorWire: (method, error) => quirks.errorWire(method, error),
      takesCancelRequest: () => quirks.takesCancelRequest,
      onRemark: ({ code, text, wire }) => remark(code, levelOf(code), text, wire),
    });
    void opened.closed.then((closed) => {
      // In a turn, the one who waits for its answer tells.
      if (turn !== null) return;
      questions.abandon();
      reportExit(closed);
    });
    return opened;
  }

  const reportExit = (closed: ConnectionClosed): void => {
    if (!watched) return;
    watched = false;
    const said = quirks.lastWords(closed.stderrTail);
    const words = `${name}: ${describeExit(closed.exit)}`;
    remark('exit', 'error', said === '' ? words : `${words}\n${said}`, null);
  };

  async function start(): Promise<AgentReady> {
    if (disposing !== null) throw startError('agentExit', launch, 'it was ended before its start', '');
    const limit = createStartLimit(deps.startMs, deps.after, () =>
      startLimitError(launch, deps.startMs, child?.stderrTail() ?? ''),
    );
    unhurried = limit.unhurried;
    const commands: string[] = [];
    const work = async (): Promise<AgentReady> => {
      const [opened, info] = await greet();
      commands.push(...terminalCommands(launch, info.authMethods ?? []));
      return shakeHands(opened, info);
    };
    try {
      return await Promise.race([work(), limit.expired]);
    } catch (error) {
      failed = true;
      const failure = asStartError(error, launch, child?.stderrTail() ?? '', commands);
      await child?.stop();
      throw failure;
    } finally {
      limit.end();
    }
  }

  /** Starts the program and says hello: once more, with its old arguments, when it does not know those of today. */
  async function greet(): Promise<readonly [Connection, InitializeResult]> {
    const hello = async (args: readonly string[]): Promise<readonly [Connection, InitializeResult]> => {
      const env = childEnv(deps.env, launch.env);
      const spawned = deps.spawn({ command: launch.command, args, cwd: context.folder, env });
      child = spawned;
      const opened = connect(spawned);
      connection = opened;
      return [opened, await initializeAgent(opened, launch, (method) => deps.services.has(method))];
    };
    try {
      return await hello(launch.args);
    } catch (error) {
      if (launch.oldArgs === undefined || disposing !== null || failed || !knowsNoArguments(error)) throw error;
      remark('agentWarning', 'info', `${name} does not know ${launch.args.join(' ')}: it is an old version.`, null);
      return hello(launch.oldArgs);
    }
  }

  async function shakeHands(opened: Connection, info: InitializeResult): Promise<AgentReady> {
    const version = info.agentInfo?.version ?? null;
    quirks = quirksOf(info.agentInfo?.name ?? null, version);
    capabilities = info.agentCapabilities ?? null;
    const warn = (text: string): void => remark('agentWarning', 'warning', text, null);
    const session = await openSession(opened, {
      context,
      info,
      quirks,
      env: { ...deps.env, ...launch.env },
      after: deps.after,
      mcpMs: deps.mcpMs,
      warn,
      unhurried,
      replay: (earlierId) => {
        sessionId = earlierId;
        return replay.begin(quirks.replayEndsWithCommands);
      },
    });
    sessionId = session.sessionId;
    options.begin(session.state);
    if (options.all().length > 0) tellOptions(session.wire);
    const chosen = chosenSession();
    const refused = await chooseMode(chosen, context, quirks);
    if (refused !== null) warn(refused);
    const model = await chooseModel(chosen, context);
    watched = true;
    const { history } = session;
    if (history !== null && context.resume?.costUsd !== undefined) reader.carry(context.resume.costUsd);
    return {
      ref: { ...launch.ref, version },
      sessionId,
      model,
      takesImages: capabilities?.promptCapabilities?.image === true,
      ...(history === null ? {} : { resumed: { history } }),
    };
  }

  const tellOptions = (wire: WireObject): void =>
    emit({ type: 'options.updated', wire, derived: { options: options.all() } });

  const chosenSession = (): ChosenSession => {
    if (connection === null || sessionId === null) throw new Error(`${name} has no session yet.`);
    return { connection, sessionId, options, changed: tellOptions };
  };

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

  async function run(
    opened: Connection,
    session: string,
    text: string,
    attachments: readonly Attachment[],
    signal: AbortSignal,
  ): Promise<TurnResult> {
    const current: Turn = {
      cancelReason: null,
      stopped: new AbortController(),
      denials: [],
      takeBack: () => undefined,
    };
    turn = current;
    reader.beginTurn(text);
    const onAbort = (): void => cancel(cancelReasonOf(signal) ?? 'user');
    signal.addEventListener('abort', onAbort, { once: true });
    const { blocks, leftOut } = promptOf(text, attachments, capabilities, quirks, process.platform);
    for (const line of leftOut) remark('agentWarning', 'warning', line, null);
    const end = await promptAnswer(opened, { sessionId: session, prompt: blocks }, name, (died) => {
      reportExit(died);
      return quirks.lastWords(died.stderrTail);
    });
    if (end.type === 'none' && end.outcome.cause === 'protocol') {
      remark('invalidResponse', 'error', end.outcome.message, isWireObject(end.wire) ? end.wire : null);
    }
    signal.removeEventListener('abort', onAbort);
    current.takeBack();
    const { events, result } = reader.end(end, current.denials);
    for (const event of events) emit(event);
    turn = null;
    return result;
  }

  return {
    ready,
    controls: sessionControls(chosenSession, name),
    async prompt(text, signal, attachments = []) {
      try {
        await ready();
      } catch (error) {
        return turnWithoutAgent(error);
      }
      if (turn !== null) return secondTurn();
      if (connection === null || sessionId === null || disposing !== null) {
        return unsentTurn({ type: 'failed', cause: 'agentExit', message: `${name} has been ended.` });
      }
      const reason = cancelReasonOf(signal);
      if (reason !== null) return unsentTurn(interruptedOutcome(reason));
      running = run(connection, sessionId, text, attachments, signal);
      return running;
    },
    dispose() {
      disposing ??= (async () => {
        watched = false;
        cancel('user');
        await child?.stop(running ?? undefined);
        await connection?.closed;
      })();
      return disposing;
    },
  };
}

function levelOf(code: Diagnostic['code']): Diagnostic['level'] {
  if (code === 'agentError') return 'error';
  return code === 'noise' || code === 'notObject' ? 'info' : 'warning';
}
