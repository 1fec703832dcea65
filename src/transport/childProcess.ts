import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { killPlan } from './killPlan.ts';
import { sweepMarked } from './sweep.ts';
import { within } from './within.ts';

/** How a process ended. `error` is set when it never started (`ENOENT`, `E2BIG`, …). */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Windows: the arguments make up the command line as they stand, and nothing in them is quoted. */
  readonly verbatim?: boolean;
  /** The whole environment; see `childEnv`. */
  readonly env: Readonly<Record<string, string>>;
  /** The variable that marks the child and everything that it starts; one of `newMark`. A new one when absent. */
  readonly mark?: string;
  /** Hears stderr as it comes. */
  readonly onStderr?: (chunk: Buffer) => void;
}

/** One child in its own process group, without a shell. Stream errors (EPIPE …) never throw into the host. */
export interface Child {
  readonly pid: number | null;
  readonly stdin: Writable;
  /** Attach the listener in the same tick as the spawn; what nobody reads is dropped. */
  readonly stdout: Readable;
  /** The newest 64 kB of stderr, decoded. */
  stderrTail(): string;
  /** Settles once the process is gone and its stdout has been read to the end. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /**
   * Ends stdin, waits, SIGTERM to the group, waits, SIGKILL to the group. `busy`: it was asked to stop what it does, and
   * stdin ends when that settles; the wait until SIGTERM counts from the call all the same. Idempotent; resolves after
   * the exit.
   */
  stop(busy?: Promise<unknown>): Promise<ChildExit>;
  /** SIGKILL to the group at once. */
  kill(): void;
}

/** Milliseconds of patience in each step of an ending. */
export interface ChildTimes {
  /** Between the call of `stop` and SIGTERM. */
  readonly endMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly termMs: number;
  /** After the exit, without a new byte on a pipe that a process outside the group still holds open. */
  readonly quietMs: number;
  /** After the exit, however much such a process writes. */
  readonly drainMs: number;
}

/**
 * What `spawnChild` waits: half a second to end by itself, a second and a half to obey SIGTERM (case C54: an editor that
 * closes gives five seconds for all of it). A held pipe is given up after half a second of silence.
 */
export const CHILD_TIMES: ChildTimes = { endMs: 500, termMs: 1_500, quietMs: 500, drainMs: 5_000 };

const STDERR_LIMIT = 64 * 1024;

/** Groups to end when the host itself goes down by another way than `stop`. */
const alive = new Set<Child>();
process.on('exit', () => {
  for (const child of alive) child.kill();
});

/**
 * Starts a child that may start others. Never throws: a spawn that fails, at once or later, is a child whose `exited`
 * holds `error`. With its end, everything that it started ends, also (on Linux) what left its group.
 */
export function spawnChild(options: ChildOptions, times: ChildTimes = CHILD_TIMES): Child {
  const mark = options.mark ?? newMark();
  return start({ ...options, env: { ...options.env, [mark]: '1' } }, 'pipe', times, () => sweepMarked(mark));
}

/**
 * The name of a variable that no other process has in its environment. A name, not a value: inside a run that is started
 * within a run, both marks hold.
 */
export function newMark(): string {
  return `CGLOOP_CHILD_${randomUUID().replaceAll('-', '')}`;
}

function start(options: ChildOptions, stdin: 'pipe' | 'ignore', times: ChildTimes, sweep: () => void): Child {
  let child: ChildProcess;
  try {
    child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim === true,
      detached: process.platform !== 'win32',
      stdio: [stdin, 'pipe', 'pipe'],
    });
  } catch (error) {
    return neverStarted(error instanceof Error ? error : new Error(String(error)));
  }
  const tail = stderrTail(child.stderr);
  if (options.onStderr !== undefined) child.stderr?.on('data', options.onStderr);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', ignore);
  const left = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }));
    child.once('error', (error) => resolve({ code: null, signal: null, error: explain(error, options) }));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let gone = false;
  let stopping: Promise<ChildExit> | null = null;

  const signalGroup = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    if (child.pid !== undefined) carryOut(child.pid, signal);
  };
  const exited = left.then(async (exit) => {
    gone = true;
    alive.delete(handle);
    // The leader is reaped, but its group keeps the number for as long as a member lives.
    if (process.platform !== 'win32') signalGroup('SIGKILL');
    sweep();
    if (exit.error === null) await drained(child, closed, times);
    return exit;
  });
  const handle: Child = {
    pid: child.pid ?? null,
    stdin: child.stdin ?? nowhere(),
    stdout: child.stdout ?? Readable.from([]),
    stderrTail: tail,
    exited,
    stop: (busy = Promise.resolve()) => {
      stopping ??= (async () => {
        const bySelf = within(left, times.endMs);
        await Promise.race([within(busy, times.endMs), bySelf]);
        child.stdin?.end();
        if (await bySelf) return exited;
        signalGroup('SIGTERM');
        if (await within(left, times.termMs)) return exited;
        signalGroup('SIGKILL');
        return exited;
      })();
      return stopping;
    },
    kill: () => {
      if (gone) return;
      signalGroup('SIGKILL');
      sweep();
    },
  };
  if (child.pid !== undefined) alive.add(handle);
  return handle;
}

/** A program that ran to its end with all of its output. */
export interface ProgramResult {
  readonly exit: ChildExit;
  readonly stdout: Buffer;
  /** The newest 64 kB, decoded. */
  readonly stderr: string;
  /** Why we ended it ourselves; `stdout` is then cut. Null: it ended by itself. */
  readonly stoppedBy: 'timeLimit' | 'size' | 'signal' | null;
}

export interface ProgramOptions extends ChildOptions {
  /** Written to stdin, which is then ended. Without it the program has no stdin. */
  readonly input?: string | Uint8Array;
  /** Milliseconds; 30,000 when absent. */
  readonly timeoutMs?: number;
  /** Bytes of stdout; 64 MiB when absent. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end and collects its output. Never rejects and never lasts longer than the time limit allows. */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  let stoppedBy: ProgramResult['stoppedBy'] = null;
  const child = start(options, options.input === undefined ? 'ignore' : 'pipe', CHILD_TIMES, ignore);
  const end = (reason: 'timeLimit' | 'size' | 'signal'): void => {
    stoppedBy ??= reason;
    child.kill();
  };
  const onAbort = (): void => end('signal');
  const timer = setTimeout(() => end('timeLimit'), options.timeoutMs ?? 30_000);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted === true) onAbort();
  const maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else end('size');
  });
  if (options.input !== undefined) child.stdin.end(options.input);
  const exit = await child.exited;
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', onAbort);
  return { exit, stdout: Buffer.concat(chunks), stderr: child.stderrTail(), stoppedBy };
}

/** Gives the terminal that we run in to a program until it ends. Never rejects. */
export function runForeground({ command, args, cwd, env }: ChildOptions): Promise<ChildExit> {
  return new Promise((resolve) => {
    const failed = (error: unknown): void => {
      resolve({ code: null, signal: null, error: error instanceof Error ? error : new Error(String(error)) });
    };
    try {
      const child = spawn(command, args, { cwd, env, shell: false, stdio: 'inherit' });
      child.once('exit', (code, signal) => resolve({ code, signal, error: null }));
      child.once('error', failed);
    } catch (error) {
      failed(error);
    }
  });
}

function carryOut(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  const plan = killPlan(process.platform, process.env, pid, signal);
  try {
    if (plan.type === 'signal') process.kill(plan.target, plan.signal);
    else spawn(plan.command, plan.args, { windowsHide: true, stdio: 'ignore' }).on('error', ignore);
  } catch {
    // ESRCH: nobody of the group is left, which is what was wanted.
  }
}

/** Waits for the pipes to close, and gives them up when only a process outside the group holds them. */
async function drained(child: ChildProcess, closed: Promise<void>, times: ChildTimes): Promise<void> {
  let left = Math.max(1, Math.ceil(times.drainMs / times.quietMs));
  for (let before = -1; left > 0; left--) {
    if (await within(closed, times.quietMs)) return;
    // A host that was blocked sees its timer before its pipes: let one poll of the pipes pass before judging.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const now = bytesRead(child.stdout) + bytesRead(child.stderr);
    if (now === before) break;
    before = now;
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function bytesRead(stream: Readable | null): number {
  return stream !== null && 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0;
}

function stderrTail(stderr: Readable | null): () => string {
  const decoder = new StringDecoder('utf8');
  let text = '';
  stderr?.on('data', (chunk: Buffer) => {
    text = (text + decoder.write(chunk)).slice(-STDERR_LIMIT);
  });
  return () => text;
}

/** Node says `spawn PROGRAM ENOENT` for a missing program and for a missing working folder alike. */
function explain(error: Error, options: ChildOptions): Error {
  if (!('code' in error) || error.code !== 'ENOENT' || existsSync(options.cwd)) return error;
  return Object.assign(new Error(`The working folder does not exist: ${options.cwd}`), { code: 'ENOENT' });
}

function neverStarted(error: Error): Child {
  const exited = Promise.resolve<ChildExit>({ code: null, signal: null, error });
  return {
    pid: null,
    stdin: nowhere(),
    stdout: Readable.from([]),
    stderrTail: () => '',
    exited,
    stop: () => exited,
    kill: () => undefined,
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function ignore(): void {}
