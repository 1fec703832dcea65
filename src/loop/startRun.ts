import type { EventLog } from '../session/eventLog.ts';
import type { Ending, PermissionAnswer } from '../shared/events.ts';
import type { RunOptions, StartProblem } from './options.ts';

/** A run under way, as both faces hold it. */
export interface RunHandle {
  readonly id: string;
  readonly log: EventLog;
  /** The run's folder on disk, with `log.jsonl`. */
  readonly directory: string;
  /** Settles after both agents are gone and the log is on disk. Never rejects. */
  readonly done: Promise<Ending>;
  /** Answers an open permission as the person. False: it was already settled, nothing was done. */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** Stops both agents; `done` settles with `stopped`. Safe more than once. */
  stop(): void;
}

/** `problems`: nothing was changed and no log was written (exit 1). `cancelled`: the signal was aborted while agents came up. */
export type StartResult =
  | { readonly type: 'started'; readonly run: RunHandle }
  | { readonly type: 'problems'; readonly problems: readonly StartProblem[] }
  | { readonly type: 'cancelled' };

/** Checks, starts both agents, and runs the loop: the one entry of `cgloop` and the extension. */
export type StartRun = (options: RunOptions, cancel: AbortSignal) => Promise<StartResult>;
