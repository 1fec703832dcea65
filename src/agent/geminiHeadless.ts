import type { Diagnostic } from '../shared/agentEvents.ts';
import type { TurnOutcome } from '../shared/ending.ts';
import { HEADLESS_LOSSES } from '../shared/fidelity.ts';
import type { WireObject } from '../shared/wire.ts';
import { childEnv } from '../transport/childEnv.ts';
import { type Child, type ChildOptions, spawnChild } from '../transport/childProcess.ts';
import { createObjectParser } from '../transport/ndjson.ts';
import { within } from '../transport/within.ts';
import type { Agent, AgentContext, AgentReady, CancelReason, TurnResult } from './agent.ts';
import { programVersion, startError } from './claudeStart.ts';
import { describeGeminiExit, exitCause, type GeminiExit, withFix } from './geminiExit.ts';
import { readGeminiJson } from './geminiJson.ts';
import { approvalMode, limitsOf, refusalOf } from './geminiLimits.ts';
import { type GeminiProbe, probeGemini } from './geminiProbe.ts';
import { createGeminiTurn, type GeminiTurnEnd } from './geminiTurn.ts';
import { cancelReasonOf, interruptedOutcome, secondTurn, turnWithoutAgent, unsentTurn } from './turnResults.ts';

/** What the agent reaches outside of itself, and how long it waits; tests give their own. */
export interface HeadlessDeps {
  readonly spawn: (options: ChildOptions) => Child;
  readonly version: typeof programVersion;
  readonly probe: typeof probeGemini;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** From the spawn of a turn's process to its first line: a program that waits for a browser prints none (case C36). */
  readonly startMs: number;
  /** From a turn's end to the end of its process, which lives on for seconds after a command (sj-02b-exit-after-shell). */
  readonly lingerMs: number;
}

/** The machine's own. */
export const HEADLESS_DEPS: HeadlessDeps = {
  spawn: spawnChild,
  version: programVersion,
  probe: probeGemini,
  env: process.env,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  startMs: 60_000,
  lingerMs: 10_000,
};

/** What a version says that has other formats only, or none (sj-07b-bad-format). */
const NO_STREAM_JSON = /Argument: output-format|Unknown arguments?: .*output-?format/i;

const LATE = 'it may be waiting for a sign-in. Run "gemini" in a terminal and sign in there, or set GEMINI_API_KEY.';

/** How a turn's process ended it. */
type Attempt =
  | { readonly type: 'end'; readonly end: GeminiTurnEnd }
  /** Nothing was begun: the program does not know this format of output. */
  | { readonly type: 'noStreamJson' }
  /** Nothing was begun: the session is gone (sj-09-resume-4-bogus). */
  | { readonly type: 'noSession' };

/**
 * Gemini CLI without its ACP mode: each turn is a process of its own, which goes on with the session of the one before.
 * The prompt goes over stdin, so that no text of anybody is ever an argument.
 */
export function createGeminiHeadlessAgent(context: AgentContext, deps: HeadlessDeps = HEADLESS_DEPS): Agent {
  const { launch, emit } = context;
  const name = launch.ref.name;
  const started = new AbortController();
  let format: 'stream-json' | 'json' = 'stream-json';
  let sessionId: string | null = context.resume?.sessionId ?? null;
  let child: Child | null = null;
  let running: Promise<TurnResult> | null = null;
  let isBusy = false;
  let isDisposed = false;
  let toldLosses = false;
  let readying: Promise<AgentReady> | null = null;
  let disposing: Promise<void> | null = null;

  const remark = (
    source: Diagnostic['source'],
    level: Diagnostic['level'],
    code: Diagnostic['code'],
    text: string,
    wire: WireObject | null = null,
  ): void => emit({ type: 'diagnostic', wire, derived: { source, level, code, text } });

  async function ready(): Promise<AgentReady> {
    const env = childEnv(deps.env, launch.env);
    const [version, probe] = await Promise.all([
      deps.version(launch, context.folder, env, started.signal),
      deps.probe(launch, context.folder, env, started.signal),
    ]);
    if (isDisposed) throw startError('agentExit', launch, 'it was ended before its start', '');
    checkProbe(probe);
    const { model } = context;
    return { ref: { ...launch.ref, version }, sessionId, model, takesImages: false };
  }

  /** Throws what would fail the first turn. 42 is what is wanted: it found no prompt. */
  function checkProbe(probe: GeminiProbe): void {
    if (probe === null) throw startError('startLimit', launch, LATE, '');
    if (probe.code === 42 || probe.code === 0) return;
    if (probe.code === 1 && NO_STREAM_JSON.test(probe.stderr)) {
      useJson();
      return;
    }
    const reason = exitCause(probe) === 'signIn' ? 'signIn' : probe.code === null ? 'spawn' : 'agentError';
    throw startError(reason, launch, withFix(describeGeminiExit(probe), probe), '');
  }

  function useJson(): void {
    format = 'json';
    remark('agent', 'warning', 'agentWarning', `${name} is an old version: nothing is seen of a turn until its end.`);
  }

  /** Once a run: what this way of speaking with Gemini leaves out, and what its mode means without a person to ask. */
  function tellLosses(): void {
    if (toldLosses) return;
    toldLosses = true;
    remark('agent', 'info', 'notShown', `${name}: ${HEADLESS_LOSSES}`);
    const limits = limitsOf(context.role, context.mode);
    if (limits !== null) remark('agent', 'warning', 'agentWarning', `${name} ${limits}`);
  }

  const argumentsOf = (): readonly string[] => [
    ...launch.args,
    '--output-format',
    format,
    '--approval-mode',
    approvalMode(context.role, context.mode),
    ...(context.model === null ? [] : ['--model', context.model]),
    ...(sessionId === null ? [] : ['--resume', sessionId]),
  ];

  /** One process, from its start to the end of the turn. Settles with the `result` line or the process's end. */
  async function attempt(prompt: string, signal: AbortSignal): Promise<Attempt> {
    const isStream = format === 'stream-json';
    const resumed = sessionId !== null;
    const turn = createGeminiTurn();
    const chunks: Buffer[] = [];
    const env = childEnv(deps.env, launch.env);
    const process = deps.spawn({ command: launch.command, args: argumentsOf(), cwd: context.folder, env });
    child = process;
    let late = false;
    let heard = (): void => undefined;
    let over = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    const parser = createObjectParser({
      onObject: (raw) => {
        heard();
        if (turn.ended()) return;
        for (const event of turn.push(raw)) emit(event);
        if (turn.ended()) over();
      },
      onDiagnostic: ({ code, text }) => remark('transport', 'info', code, text),
    });
    process.stdout.on('data', (bytes: Buffer) => {
      if (isStream) parser.push(bytes);
      else chunks.push(bytes);
    });
    if (isStream) {
      heard = deps.after(deps.startMs, () => {
        late = true;
        void process.stop();
      });
    }
    const onAbort = (): void => void process.stop();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    // If nothing has come 500 ms after its start, the prompt counts as empty (sj-13g-stdin-late).
    process.stdin.end(prompt);

    const exited = process.exited.then((exit) => {
      if (isStream) parser.end();
      return exit;
    });
    await Promise.race([ended, exited]);
    heard();
    signal.removeEventListener('abort', onAbort);
    if (turn.ended() && turn.end(null).outcome.type === 'completed') return { type: 'end', end: turn.end(null) };
    // Only the exit code tells a sign-in and a quota from other errors.
    if (!(await within(exited, deps.lingerMs))) await process.stop();
    const { code, signal: killer, error } = await exited;
    const exit: GeminiExit = { code, signal: killer, stderr: process.stderrTail() };
    if (code === 1 && isStream && NO_STREAM_JSON.test(exit.stderr)) return { type: 'noStreamJson' };
    if (code === 42 && resumed && /^Error resuming session/m.test(exit.stderr)) return { type: 'noSession' };
    const end = isStream ? turn.end(exit) : readGeminiJson(Buffer.concat(chunks).toString('utf8'), exit);
    if (error !== null) return { type: 'end', end: { ...end, outcome: spawnOutcome(error, launch.command) } };
    if (late) return { type: 'end', end: { ...end, outcome: lateOutcome(name, deps.startMs) } };
    return { type: 'end', end };
  }

  async function run(prompt: string, signal: AbortSignal): Promise<TurnResult> {
    tellLosses();
    // One session is written by one process at a time.
    if (child !== null && !(await within(child.exited, deps.lingerMs))) await child.stop();
    for (;;) {
      const reason = cancelReasonOf(signal);
      if (reason !== null) return unsentTurn(interruptedOutcome(reason));
      if (isDisposed) return unsentTurn({ type: 'failed', cause: 'agentExit', message: `${name} has been ended.` });
      const attempted = await attempt(prompt, signal);
      switch (attempted.type) {
        case 'noStreamJson':
          useJson();
          continue;
        case 'noSession':
          sessionId = null;
          remark(
            'agent',
            'warning',
            'agentWarning',
            `The session of ${name} is gone: a new one is begun, which knows nothing of it.`,
          );
          continue;
        case 'end':
          return finish(attempted.end, cancelReasonOf(signal));
        default:
          return attempted satisfies never;
      }
    }
  }

  function finish(end: GeminiTurnEnd, cancelled: CancelReason | null): TurnResult {
    sessionId = end.sessionId ?? sessionId;
    for (const event of end.events) {
      const stops = cancelled !== null && event.type === 'toolCall.updated';
      emit(stops ? { ...event, derived: { ...event.derived, reason: 'stopped' } } : event);
    }
    const { wire, texts, usage, models, denials } = end;
    const isCancelled = cancelled !== null && end.outcome.type !== 'completed';
    const outcome = isCancelled ? interruptedOutcome(cancelled) : end.outcome;
    return { wire, outcome, texts, usage, models, denials };
  }

  return {
    ready() {
      readying ??= ready();
      return readying;
    },
    async prompt(text, signal, attachments = []) {
      try {
        readying ??= ready();
        await readying;
      } catch (error) {
        return turnWithoutAgent(error);
      }
      if (isBusy) return secondTurn();
      const refusal = refusalOf(text);
      if (refusal !== null) return unsentTurn({ type: 'failed', cause: 'agentError', message: refusal });
      if (attachments.length > 0) {
        remark(
          'agent',
          'warning',
          'agentWarning',
          `${name} takes nothing but text this way: what was attached is left out.`,
        );
      }
      isBusy = true;
      running = run(text, signal).finally(() => {
        isBusy = false;
      });
      return running;
    },
    dispose() {
      isDisposed = true;
      started.abort();
      disposing ??= (async () => {
        await child?.stop();
        await running;
      })();
      return disposing;
    },
  };
}

function spawnOutcome(error: Error, command: string): TurnOutcome {
  return { type: 'failed', cause: 'spawn', message: `Gemini CLI did not start (${command}): ${error.message}` };
}

function lateOutcome(name: string, ms: number): TurnOutcome {
  const message = `${name} said nothing within ${ms / 1000} s of its start: ${LATE}`;
  return { type: 'failed', cause: 'startLimit', message };
}
