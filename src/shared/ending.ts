/** How a turn, a command and a run end. Types only. */
import type { Role } from './agentEvents.ts';
import type { BudgetKind } from './roundEvents.ts';

/** How a turn ended. Nothing is flattened to success: only `completed` is one. */
export type TurnOutcome =
  | { readonly type: 'completed' }
  /** The agent stopped early. `cause` is upstream's own word, such as `max_tokens` or `refusal`. */
  | { readonly type: 'incomplete'; readonly cause: string; readonly message: string }
  | { readonly type: 'cancelled'; readonly by: 'user' | 'agent' }
  | { readonly type: 'failed'; readonly cause: FailureCause; readonly message: string };

export type FailureCause =
  | 'signIn'
  | 'quota'
  | 'agentError'
  | 'agentExit'
  | 'noResult'
  | 'spawn'
  | 'startLimit'
  | 'timeLimit'
  | 'protocol';

/** How a command ended. Of `exitCode` and `signal` one is null; both are when it never started (`problem`). */
export interface TerminalEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Who ended it: it did, the agent (`kill`, `release`), or we with the turn or the run. */
  readonly by: 'itself' | 'agent' | 'stop';
  readonly problem?: string;
}

/** The one list of endings, for every face. */
export type Ending =
  | { readonly type: 'approved'; readonly score: number }
  | {
      readonly type: 'failed';
      /** Whose turn failed; null when the loop itself did (`cause` is then `loop`). */
      readonly role: Role | null;
      readonly cause: FailureCause | 'incomplete' | 'loop';
      readonly message: string;
    }
  | {
      readonly type: 'notApproved';
      /** `plateau`: the open findings did not fall; `oscillation`: the folder was as it had been before. */
      readonly cause: 'roundLimit' | 'plateau' | 'oscillation';
      readonly score: number | null;
      readonly bestRound: number | null;
      /** The numbers behind the cause, for people. */
      readonly message?: string;
    }
  /** The next turn would pass, or the last one passed, what the person allowed. */
  | {
      readonly type: 'overBudget';
      readonly limit: BudgetKind;
      readonly used: number;
      readonly allowed: number;
      readonly score: number | null;
      readonly bestRound: number | null;
    }
  | { readonly type: 'noVerdict'; readonly message: string }
  | { readonly type: 'stopped' };
