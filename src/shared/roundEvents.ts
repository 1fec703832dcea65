/** What the log tells of a round beside the agents' own words: checks, pauses, marks of the person, undoing. Types only. */
import type { CheckpointRef, FileChange } from './fileEvents.ts';

/**
 * A command of the person's that says whether the work holds, as one line of a shell. `typed`: in the terminal or the
 * composer, which is a confirmation of its exact text; the others are confirmed before they run.
 */
export interface CheckRequest {
  readonly command: string;
  readonly source: 'typed' | 'settings' | 'detected';
}

/** How a check ended. `passed`: it ended by itself with exit code 0. `problem`: why it never started, for people. */
export interface CheckEnd {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly by: 'itself' | 'limit' | 'stop';
  readonly problem?: string;
}

/** What a round did to the ground that a check stands on. Paths are relative to the run's folder, with `/`. */
export type CheckChange =
  /** What the command runs is written down in `file`, and reads otherwise now; null: it was, or is, not there. */
  | {
      readonly type: 'definition';
      readonly command: string;
      readonly file: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  | { readonly type: 'testsRemoved'; readonly files: readonly string[] };

/** A check that was run, as evidence for the agents. `tail`: the last of its output. */
export interface CheckEvidence {
  readonly command: string;
  readonly end: CheckEnd;
  readonly tail: string;
}

/** What goes back to the executor after a review, when the person had a say in it. */
export interface Feedback {
  /** Ids of the findings that go back; null: all open ones. */
  readonly findings: readonly string[] | null;
  /** The review as the person wants it read; null: as it came. */
  readonly text: string | null;
  /** Words of the person's own, besides; null: none. */
  readonly instruction: string | null;
}

/** What the person decides about a finding. An open one is as it was before it was dismissed or called fixed. */
export type FindingDecision = { readonly status: 'dismissed'; readonly reason: string } | { readonly status: 'open' };

/** Why a run waits for the person between two rounds. */
export type PauseReason = 'user' | 'betweenRounds' | 'headMoved';

/** What is put back: the whole run, only what one round changed, that and all later rounds, or the last undoing itself. */
export type UndoScope =
  | { readonly type: 'run' }
  | { readonly type: 'round'; readonly round: number }
  /** The folder as it was before the round. */
  | { readonly type: 'before'; readonly round: number }
  /** The folder as it was after the round. */
  | { readonly type: 'after'; readonly round: number }
  | { readonly type: 'redo' };

/** What of a budget is counted. */
export type BudgetKind = 'tokens' | 'money' | 'minutes';

/** Limits of one run; an absent one does not exist. `money` in US dollars. */
export type Budget = { readonly [K in BudgetKind]?: number };

/** A worktree that a run works in instead of the person's folder. */
export interface WorktreeRef {
  /** Absolute: the folder of the run lies in it. */
  readonly path: string;
  readonly branch: string;
  /** Absolute: where the person's own folder lies. */
  readonly origin: string;
  /** Commit that it began at. */
  readonly base: string;
}

/** What became of a worktree: its changes went into the person's folder, it stays as a branch, or it is gone. */
export type WorktreeEnd = 'applied' | 'kept' | 'dropped';

export type RoundEventBody =
  | {
      readonly type: 'check.started';
      /** Ours, unique in the run. */
      readonly checkId: string;
      /** The exact text that was confirmed. */
      readonly command: string;
      /** Absolute. */
      readonly cwd: string;
      readonly limitSeconds: number;
    }
  /** What came since the last event of the check. `skipped`: bytes before `text` that are not in the log. */
  | { readonly type: 'check.output'; readonly checkId: string; readonly text: string; readonly skipped: number }
  | { readonly type: 'check.ended'; readonly checkId: string; readonly end: CheckEnd }
  /** The check was not run; `why` for people. It counts as no evidence, and as no red check either. */
  | { readonly type: 'check.skipped'; readonly command: string; readonly why: string }
  | { readonly type: 'checks.changed'; readonly changes: readonly CheckChange[] }
  /** What the checks themselves changed in the folder: no work of the executor's. */
  | { readonly type: 'checks.wrote'; readonly files: readonly FileChange[] }
  /** The run waits for the person; `why` for people. */
  | { readonly type: 'run.paused'; readonly reason: PauseReason; readonly why: string }
  | { readonly type: 'run.resumed'; readonly feedback: Feedback | null }
  /** Words of the person for the next execution; with `finding` (its id) a question about that, for the next review. */
  | { readonly type: 'user.note'; readonly text: string; readonly finding?: string }
  /** HEAD is elsewhere than before the round. `commits`: those that came, newest first; empty when it went back. */
  | {
      readonly type: 'head.moved';
      readonly by: 'agent' | 'user';
      readonly from: string | null;
      readonly to: string | null;
      readonly commits: readonly { readonly id: string; readonly subject: string }[];
    }
  /**
   * The folder was put back, and was then as in `restored`. `scope`, `files` and `conflicts` (paths that hold conflict
   * marks or were left as they are) are absent in logs from before they were told, which undid the whole run; there
   * `restored` is the checkpoint from before the run. `only`: nothing but these files was put back; absent: all.
   */
  | {
      readonly type: 'run.undone';
      readonly restored: CheckpointRef;
      readonly replaced: CheckpointRef;
      readonly scope?: UndoScope;
      readonly only?: readonly string[];
      readonly files?: readonly FileChange[];
      readonly conflicts?: readonly string[];
    }
  /**
   * What the review of this round is about where nobody executed before it: the changes of the run's `range`. `base`: the
   * commit that they are compared with; null: there was none.
   */
  | { readonly type: 'changes.reviewed'; readonly base: string | null; readonly files: readonly FileChange[] }
  | { readonly type: 'worktree.settled'; readonly how: WorktreeEnd };
