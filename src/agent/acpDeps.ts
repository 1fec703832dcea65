import { type Child, type ChildOptions, spawnChild } from '../transport/childProcess.ts';
import type { ServedRequest } from '../transport/connection.ts';

/** What the agent reaches outside of itself, and how long it waits; tests give their own. */
export interface AcpDeps {
  readonly spawn: (options: ChildOptions) => Child;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Methods that the agent may call besides permissions; those of `fs/` are offered to it when they are here. */
  readonly services: ReadonlyMap<string, ServedRequest>;
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** From the spawn to a session that is ready, without the time that a person thinks. */
  readonly startMs: number;
  /** For the servers of a session, which would hold `session/new` for ever (acp-50-mcp-hung). */
  readonly mcpMs: number;
  /** After the answer of `session/load`, for what is still told of the past (acp-13c-load-later-2n). */
  readonly replayMs: number;
  /** From `session/cancel` to the end of the process, when no answer comes. */
  readonly cancelMs: number;
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
  mcpMs: 10_000,
  replayMs: 3_000,
  cancelMs: 5_000,
};
