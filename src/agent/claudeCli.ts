import path from 'node:path';
import { answerLine, type ClaudeToolAsk, refuseLine, requestLine, userLine } from '../protocol/claudeStream.ts';
import type { Diagnostic } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';
import { childEnv } from '../transport/childEnv.ts';
import { type Child, type ChildExit, type ChildOptions, spawnChild } from '../transport/childProcess.ts';
import { createObjectParser } from '../transport/ndjson.ts';
import { within } from '../transport/within.ts';
import {
  type Agent,
  type AgentContext,
  type AgentReady,
  AgentStartError,
  type CancelReason,
  type TurnResult,
} from './agent.ts';
import { CLAUDE_ENV, claudeArgs, resumableId } from './claudeCommand.ts';
import type { FileText } from './claudeContent.ts';
import { claudeOffers } from './claudeOffers.ts';
import { permissionOf } from './claudePermissions.ts';
import { type ClaudePrompt, claudePrompt } from './claudePrompt.ts';
import type { ClaudeNote } from './claudeReader.ts';
import { describeExit, isSignedIn, isUnknownSession, lastLines, startError } from './claudeStart.ts';
import { createClaudeReader } from './deriveClaude.ts';
import { readPresentFile } from './presentFile.ts';
import { cancelReasonOf, interruptedOutcome, secondTurn, turnWithoutAgent, unsentTurn } from './turnResults.ts';

/** What the agent reaches outside of itself, and how long it waits; tests give their own. */
export interface ClaudeDeps {
  readonly spawn: (options: ChildOptions) => Child;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<FileText>;
  /** From the spawn to the answer of `initialize`. */
  readonly startMs: number;
  /** From an interrupt to the end of the process, when no `result` comes. */
  readonly interruptMs: number;
  /** From a `result` to the word that the session is idle, or from that to a turn that begins; it is over by then either way. */
  readonly idleMs: number;
}

/** The machine's own, with patience for a slow start and none for a peer that ignores an interrupt. */
export const CLAUDE_DEPS: ClaudeDeps = {
  spawn: spawnChild,
  env: process.env,
  readFile: readPresentFile,
  startMs: 60_000,
  interruptMs: 5_000,
  idleMs: 2_000,
};

/** The turn under way. */
interface Turn {
  /** The `result` came. */
  over: boolean;
  /** The session told its state in this turn, so it will tell when it is idle. */
  tellsState: boolean;
  interrupted: boolean;
  timer: NodeJS.Timeout | null;
  /** Since the session is idle though only a turn of its own has ended: a prompt that is still on its way begins one. */
  lull: NodeJS.Timeout | null;
  readonly settle: () => void;
  readonly settled: Promise<TurnResult>;
}

const INITIALIZE = 'initialize';

/** Claude Code as one process over all turns of a run, in stream-json both ways. */
export function createClaudeAgent(context: AgentContext, deps: ClaudeDeps = CLAUDE_DEPS): Agent {
  const { launch, folder, emit } = context;
  const env = childEnv(deps.env, { ...CLAUDE_ENV, ...launch.env });
  /** What the session had cost that goes on. */
  let carried = 0;
  const reader = createClaudeReader(folder, () => carried);
  /** Questions that the peer still waits for. */
  const asks = new Map<string, AbortController>();
  let child: Child | null = null;
  let gone: ChildExit | null = null;
  let turn: Turn | null = null;
  let requests = 0;
  let starting: Promise<AgentReady> | null = null;
  let disposing: Promise<void> | null = null;
  /** It has answered, and was not found wanting. */
  let up = false;
  /** Takes the answer of `initialize`, or why there is none; only the first counts. */
  let initialized: (answer: WireObject | AgentStartError) => void = () => {};

  const send = (line: object): void => {
    if (gone === null) child?.stdin.write(`${JSON.stringify(line)}\n`);
  };
  const stderr = (): string => child?.stderrTail() ?? '';
  const tell = (source: Diagnostic['source'], code: Diagnostic['code'], text: string): void =>
    emit({ type: 'diagnostic', wire: null, derived: { source, level: 'warning', code, text } });

  function interrupt(reason: CancelReason | null): void {
    if (turn === null || turn.over) return;
    if (reason !== null) reader.interrupted(reason);
    if (turn.interrupted) return;
    turn.interrupted = true;
    requests += 1;
    send(requestLine(`interrupt-${requests}`, 'interrupt'));
    turn.timer = setTimeout(() => void child?.stop(), deps.interruptMs);
  }

  async function answer(requestId: string, ask: ClaudeToolAsk, wire: WireObject): Promise<void> {
    const withdrawn = new AbortController();
    asks.set(requestId, withdrawn);
    const { file_path: named } = ask.input;
    const changes = (ask.tool_name === 'Write' || ask.tool_name === 'Edit') && typeof named === 'string';
    const file = changes ? await deps.readFile(path.resolve(folder, named)) : ({ type: 'missing' } as const);
    const permission = permissionOf(ask, file, folder);
    // The turn may have been stopped while the file was read: nobody is asked about what no longer happens.
    const isVoid = withdrawn.signal.aborted || turn?.interrupted === true;
    const told = isVoid
      ? ({ outcome: 'cancelled' } as const)
      : await context.permissions.request(permission.request, wire, withdrawn.signal);
    // Taken back in the meantime: a late answer goes nowhere (19-permission-pending-interrupt).
    if (!asks.delete(requestId)) return;
    const line = permission.toWire(told);
    for (const event of reader.answered(ask.tool_use_id, line.behavior === 'allow', wire)) emit(event);
    send(answerLine(requestId, line));
  }

  function act(note: ClaudeNote): void {
    switch (note.type) {
      case 'ask':
        void answer(note.requestId, note.ask, note.wire);
        return;
      case 'withdrawn': {
        const open = asks.get(note.requestId);
        asks.delete(note.requestId);
        open?.abort();
        return;
      }
      case 'refuse':
        send(refuseLine(note.requestId, note.error));
        return;
      case 'response':
        if (note.requestId !== INITIALIZE) return;
        initialized(
          note.error === null
            ? (note.body ?? {})
            : startError('agentError', launch, `it refused to initialize: ${note.error}`, stderr()),
        );
        return;
      case 'signInFailed':
        interrupt(null);
        return;
      case 'result':
        if (turn === null) return;
        turn.over = true;
        if (turn.timer !== null) clearTimeout(turn.timer);
        if (turn.tellsState) turn.timer = setTimeout(turn.settle, deps.idleMs);
        else turn.settle();
        return;
      case 'state':
        if (turn === null) return;
        turn.tellsState = true;
        if (turn.lull !== null) clearTimeout(turn.lull);
        if (note.idle && turn.over) turn.settle();
        else if (note.idle && reader.folded()) turn.lull = setTimeout(turn.settle, deps.idleMs);
        return;
      default:
        note satisfies never;
    }
  }

  function onExit(exit: ChildExit): void {
    gone = exit;
    const open = [...asks.values()];
    asks.clear();
    const what = describeExit(exit);
    initialized(startError(exit.error === null ? 'agentExit' : 'spawn', launch, what, stderr()));
    if (turn !== null) {
      turn.settle();
      return;
    }
    // Nobody waits for the answers to what a turn of its own has asked.
    for (const question of open) question.abort();
    if (up && disposing === null) {
      const said = lastLines(stderr());
      tell('transport', 'exit', `${launch.ref.name}: ${what}${said === '' ? '' : `\n${said}`}`);
    }
  }

  /** Starts the process and waits until it answers. Told is what it answered, or why it did not. */
  async function spawn(resume: string | null): Promise<WireObject | AgentStartError> {
    const answered = new Promise<WireObject | AgentStartError>((resolve) => {
      initialized = resolve;
    });
    gone = null;
    const spawned = deps.spawn({ command: launch.command, args: claudeArgs(context, resume), cwd: folder, env });
    child = spawned;
    const parser = createObjectParser({
      onObject: (raw) => {
        const { events, note } = reader.push(raw);
        for (const event of events) emit(event);
        if (note !== null) act(note);
      },
      onDiagnostic: ({ code, text }) => tell('transport', code, text),
    });
    spawned.stdout.on('data', (bytes: Buffer) => parser.push(bytes));
    void spawned.exited.then((exit) => {
      parser.end();
      onExit(exit);
    });
    send(requestLine(INITIALIZE, 'initialize'));
    if (!(await within(answered, deps.startMs))) {
      const what = `no answer within ${deps.startMs / 1000} s. Run "${launch.command}" in a terminal to see why`;
      initialized(startError('startLimit', launch, what, stderr()));
    }
    return answered;
  }

  async function start(): Promise<AgentReady> {
    if (disposing !== null) throw startError('agentExit', launch, 'it was ended before its start', '');
    const wanted = context.resume?.sessionId ?? null;
    let resume = wanted === null ? null : resumableId(wanted);
    let told = await spawn(resume);
    if (resume !== null && told instanceof AgentStartError && isUnknownSession(stderr()) && disposing === null) {
      resume = null;
      told = await spawn(null);
    }
    if (resume !== null) carried = context.resume?.costUsd ?? 0;
    if (wanted !== null && resume === null) {
      tell('agent', 'agentWarning', `${launch.ref.name} no longer knows the session ${wanted}: a new one is begun.`);
    }
    const signedOut =
      'it is not signed in. Run "claude" in a terminal and sign in with /login, or set ANTHROPIC_API_KEY';
    const failure =
      told instanceof AgentStartError ? told : isSignedIn(told) ? null : startError('signIn', launch, signedOut, '');
    if (failure !== null) {
      await dispose();
      throw failure;
    }
    up = true;
    if (!(told instanceof AgentStartError)) for (const event of claudeOffers(told, context.model)) emit(event);
    // Its version comes with `system/init`: the answer of `initialize` holds none (12-initialize).
    const ready = { ref: launch.ref, model: context.model, takesImages: true };
    // The history of a session is not told again (71-resume).
    return resume === null ? { ...ready, sessionId: null } : { ...ready, sessionId: resume, resumed: { history: [] } };
  }

  function ready(): Promise<AgentReady> {
    starting ??= start();
    return starting;
  }

  function run(prompt: ClaudePrompt, signal: AbortSignal): Promise<TurnResult> {
    let resolve: (result: TurnResult) => void = () => {};
    const settled = new Promise<TurnResult>((done) => {
      resolve = done;
    });
    const onAbort = (): void => interrupt(cancelReasonOf(signal) ?? 'user');
    const settle = (): void => {
      if (turn?.settle !== settle) return;
      for (const timer of [turn.timer, turn.lull]) if (timer !== null) clearTimeout(timer);
      turn = null;
      signal.removeEventListener('abort', onAbort);
      const end = reader.end(gone && { code: gone.code, signal: gone.signal, stderr: lastLines(stderr()) });
      for (const event of end.events) emit(event);
      resolve(end.result);
    };
    turn = { over: false, tellsState: false, interrupted: false, timer: null, lull: null, settle, settled };
    reader.beginTurn();
    signal.addEventListener('abort', onAbort, { once: true });
    for (const what of prompt.leftOut) tell('agent', 'agentWarning', `Not sent to ${launch.ref.name}: ${what}`);
    send(userLine(prompt.content));
    return settled;
  }

  function dispose(): Promise<void> {
    disposing ??= (async () => {
      interrupt('user');
      await child?.stop(turn?.settled);
    })();
    return disposing;
  }

  return {
    ready,
    async prompt(text, signal, attachments = []) {
      try {
        await ready();
      } catch (error) {
        return turnWithoutAgent(error);
      }
      if (turn !== null) return secondTurn();
      if (gone !== null) {
        return unsentTurn({ type: 'failed', cause: 'agentExit', message: `${launch.ref.name}: ${describeExit(gone)}` });
      }
      if (disposing !== null) return unsentTurn(interruptedOutcome('user'));
      const reason = cancelReasonOf(signal);
      if (reason !== null) return unsentTurn(interruptedOutcome(reason));
      return run(claudePrompt(text, attachments), signal);
    },
    dispose,
  };
}
