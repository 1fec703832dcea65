import type { CustomAgents } from '../agent/customAgents.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { Ending } from '../shared/ending.ts';
import type { RunHeader } from '../shared/events.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { Budget, CheckRequest, Feedback } from '../shared/roundEvents.ts';
import type { TaskImage } from '../shared/task.ts';
import type { Face } from '../workspace/claim.ts';
import type { LanguageChoice } from './language.ts';

export type RunKind = NonNullable<RunHeader['kind']>;

/** One run as the person asked for it. Both faces build it; nothing in it comes from a workspace's settings but numbers. */
export interface RunOptions {
  readonly task: string;
  /** Absent: `task`. `review`: one review of `range`, nobody executes. `fix`: begins with such a review. */
  readonly kind?: RunKind;
  /** What is reviewed, as git says it, such as `main...HEAD`; absent: the changes of the working tree. */
  readonly range?: string;
  /** Images that go with it. */
  readonly images?: readonly TaskImage[];
  /** Absolute folder. */
  readonly folder: string;
  /** Catalog ids. */
  readonly executor: string;
  readonly reviewer: string;
  readonly executorModel: string | null;
  readonly reviewerModel: string | null;
  /** Number of rounds at most, at least 1. */
  readonly rounds: number;
  /** Score from 1 to 10 at which an approval counts. */
  readonly threshold: number;
  /** Seconds from the sending of a prompt; waiting for the person is not counted. */
  readonly turnLimitSeconds: number;
  readonly permissionMode: PermissionMode;
  readonly trusted: boolean;
  /** Whether a person is there to be asked. Without one, policy answers every question at once. */
  readonly interactive: boolean;
  /** Where runs live; see `session/stateFolder.ts`. */
  readonly stateFolder: string;
  /** Catalog id → absolute program path set by the person (machine settings only). */
  readonly executablePaths: Readonly<Record<string, string>>;
  /** Agents of the person's own, and more for the catalog's (machine settings only). */
  readonly agents?: CustomAgents;
  /** Catalog id → variables that only this agent's process is given, such as keys. Their values are written nowhere. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The kind of program that asks: a second run in the folder is told where the first one is. */
  readonly face?: Face;
  /** Whether to wait while another run works in the folder, instead of giving up. */
  readonly wait?: boolean;
  /** Whether it works in a new worktree instead of the folder. A run that goes on stays where it was. */
  readonly newWorktree?: boolean;
  /** The person agrees to a first checkpoint of any size. */
  readonly large?: boolean;
  /** Id of the run to go on with: task and folder are that run's. Absent: a new one. */
  readonly resume?: string;
  /** With `resume`: the last round, executed and reviewed already, is reviewed once more before anything else. */
  readonly reviewAgain?: boolean;
  /** With `resume`: what goes back with the next execution, as the person wants it; absent: the review as it came. */
  readonly feedback?: Feedback;
  /** Limits of the run; see `loop/budget.ts`. */
  readonly budget?: Budget;
  /** Rounds in which the open findings must become fewer; 0: as many as there are. Absent: the default. */
  readonly plateauRounds?: number;
  /** Whether the run waits for the person after each round. */
  readonly askBetweenRounds?: boolean;
  /** The checks between work and review. Absent: those that are detected in a trusted folder that may be written to. */
  readonly checks?: readonly CheckRequest[];
  /** Limit of one check. Absent: the default. */
  readonly checkTimeoutSeconds?: number;
  /** Language of the prompts; absent: `auto`. */
  readonly language?: LanguageChoice;
  /** Days that runs are kept; 0: for ever. Absent: the default. */
  readonly retentionDays?: number;
  /** Whether both wires are written to the run's folder, redacted. */
  readonly trace?: boolean;
}

export const DEFAULTS = {
  executor: 'claude',
  reviewer: 'gemini',
  rounds: 3,
  threshold: 9,
  turnLimitSeconds: 3600,
  plateauRounds: 2,
  language: 'auto',
  retentionDays: 30,
  checkTimeoutSeconds: 600,
  permissionMode: 'ask',
} as const satisfies Partial<RunOptions>;

/** The exit code of `cgloop` for each ending. 2 (usage) belongs to runs that never started. */
export const EXIT_CODES = {
  approved: 0,
  failed: 1,
  notApproved: 3,
  noVerdict: 4,
  overBudget: 5,
  stopped: 130,
} as const satisfies Record<Ending['type'], number>;

/** The exit code of what never started because of what was asked for. */
export const USAGE_EXIT = 2;

/** Whether nobody executes in this round: it reviews what is there. */
export function isReviewOnly({ kind }: { readonly kind?: RunKind }, round: number): boolean {
  return kind === 'review' || (kind === 'fix' && round === 1);
}

/** Why a run could not start; nothing was changed and no log was written. `fix` says the way out. */
export interface StartProblem {
  readonly agent: AgentRef | null;
  readonly what: string;
  readonly fix: string;
  /** Another run works in the folder: the same start with `wait` begins when it has ended. */
  readonly held?: boolean;
  /** What was asked for cannot be done, whoever does it: as wrong arguments (exit 2). */
  readonly usage?: boolean;
}
