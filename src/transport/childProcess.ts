import type { Readable, Writable } from 'node:stream';

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
  /** The whole environment; see `childEnv`. */
  readonly env: Readonly<Record<string, string>>;
}

/** One child in its own process group, without a shell. Stream errors (EPIPE …) never throw into the host. */
export interface Child {
  readonly pid: number | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The newest 64 kB of stderr, decoded. */
  stderrTail(): string;
  /** Settles once the process is gone and its stdout has been read to the end. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Ends stdin, waits, SIGTERM to the group, waits, SIGKILL to the group. Idempotent; resolves after the exit. */
  stop(): Promise<ChildExit>;
  /** SIGKILL to the group at once. */
  kill(): void;
}
