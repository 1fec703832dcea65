import type { EventLog } from '../session/eventLog.ts';
import type { Ending } from '../shared/ending.ts';
import type { PermissionAnswer } from '../shared/permission.ts';
import type { Feedback, FindingDecision } from '../shared/roundEvents.ts';
import type { RunOptions, StartProblem } from './options.ts';

/** A run under way, as both faces hold it. */
export interface RunHandle {
  readonly id: string;
  readonly log: EventLog;
  /** How many of the log's events are of before: a run that goes on begins with those. */
  readonly pastEvents: number;
  /** The run's folder on disk, with `log.jsonl`. */
  readonly directory: string;
  /** Settles after both agents are gone and the log is on disk. Never rejects. */
  readonly done: Promise<Ending>;
  /** Answers an open permission as the person. False: it was already settled, nothing was done. */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** The person saved, made, moved or deleted this file (absolute) in the editor; it is theirs. Outside the folder nothing is noted. */
  noteUserEdit(edited: string): void;
  /** Whether the run will wait for the person after the round under way, because `pause` was called. */
  readonly pauseWanted: boolean;
  /** Wait for the person after the round under way (or, with false, do not). Nobody waits where nobody is there. */
  pause(wanted: boolean): void;
  /** The run waits between two rounds, and goes on now. False: it does not wait. */
  proceed(feedback: Feedback | null): boolean;
  /**
   * Words for the next execution; with `finding` a question about that one for the next review. False: the run is over, they
   * are empty, or there is no such finding.
   */
  note(text: string, finding?: string): boolean;
  /** The person's decision about a finding of the run. False: there is no such finding, it is so already, or the run is over. */
  decideFinding(id: string, decision: FindingDecision): boolean;
  /** Stops both agents; `done` settles with `stopped`. A second call does not wait until they stop by themselves. */
  stop(): void;
  /**
   * For a process that is about to end: settles questions as `dispose` and ends both agents. What follows is not
   * written any more, so that the log has no ending and the run opens as interrupted. `done` settles as ever.
   */
  abandon(): void;
}

/** `problems`: nothing was changed and no log was written (exit 1). `cancelled`: the signal was aborted while agents came up. */
export type StartResult =
  | { readonly type: 'started'; readonly run: RunHandle }
  | { readonly type: 'problems'; readonly problems: readonly StartProblem[] }
  | { readonly type: 'cancelled' };

/** `startRun` with what the face serves. */
export type StartRun = (options: RunOptions, cancel: AbortSignal) => Promise<StartResult>;
