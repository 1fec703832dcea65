/**
 * What a person is shown of a run: the value that `reduce` folds the log into.
 *
 * Plain and immutable. An item that no event touched keeps its identity from one view to the next, so a drawing that
 * compares by `===` redraws only what changed.
 */
import type { AgentRef, Diagnostic, MessageChannel, PlanEntry, Role, Usage } from './agentEvents.ts';
import type { Ending, TerminalEnd, TurnOutcome } from './ending.ts';
import type { RunHeader } from './events.ts';
import type { FileChange, TurnTruth } from './fileEvents.ts';
import type { PermissionAnswer, PermissionRequest, PermissionSettler } from './permission.ts';
import type { Finding, Severity, Verdict } from './review.ts';
import type { CheckEnd, PauseReason, RoundEventBody } from './roundEvents.ts';
import type { ToolCallPatch, ToolEndReason, ToolState } from './toolCall.ts';
import type { StandingUndo } from './undo.ts';

/** What every item has. `key` is unique in its round and never changes; `turn` 0 means outside a turn. */
interface ItemHeader {
  readonly key: string;
  readonly turn: number;
  /** Null only where the event named no role. */
  readonly role: Role | null;
  /** Milliseconds since the epoch of the first event of the item. */
  readonly at: number;
}

/** The start of a turn, with its end once there is one. */
export interface TurnItem extends ItemHeader {
  readonly type: 'turn';
  readonly role: Role;
  /** The exact prompt. */
  readonly prompt: string;
  /** Files that something was kept out of it, and files whose diff is not whole in it. Absent: none. */
  readonly withheld?: readonly string[];
  readonly shortened?: readonly string[];
  /** As the wire named it; null when it did not. */
  readonly model: string | null;
  readonly endedAt: number | null;
  readonly outcome: TurnOutcome | null;
  readonly usage: Usage | null;
  readonly models: readonly string[];
}

export interface MessageItem extends ItemHeader {
  readonly type: 'message';
  readonly channel: MessageChannel;
  readonly text: string;
  /** The agent took the message back: it is kept for its place, and not drawn. */
  readonly withdrawn: boolean;
}

/** One tool call. A part that no event has told is absent, as in the patches. */
export interface ToolItem extends ItemHeader, ToolCallPatch {
  readonly type: 'tool';
  readonly role: Role;
  readonly state: ToolState;
  readonly endedAt: number | null;
  /** Those that `content` names, as they stand; the very items of the round. */
  readonly terminals?: readonly TerminalItem[];
}

/** A command that we run for an agent. */
export interface TerminalItem extends ItemHeader {
  readonly type: 'terminal';
  readonly role: Role;
  readonly terminalId: string;
  readonly command: string;
  readonly cwd: string;
  /** The newest of its output. */
  readonly output: string;
  /** There was more before `output`. */
  readonly cut: boolean;
  /** Null while it runs. */
  readonly end: TerminalEnd | null;
  readonly endedAt: number | null;
  /** Key of the tool call that shows it; null: it stands by itself. */
  readonly card: string | null;
}

/** A request of an agent to us that was not carried out. */
export interface RequestItem extends ItemHeader {
  readonly type: 'request';
  readonly role: Role;
  readonly method: string;
  readonly subject: string;
  readonly state: Extract<ToolState, 'error' | 'cancelled'>;
  readonly reason: ToolEndReason;
  readonly why: string;
}

/** How a permission request was settled. */
export interface PermissionResolution {
  readonly by: PermissionSettler;
  readonly answer: PermissionAnswer;
  readonly why: string | null;
  readonly at: number;
}

export interface PermissionItem extends ItemHeader {
  readonly type: 'permission';
  readonly role: Role;
  readonly round: number;
  readonly permissionId: string;
  readonly request: PermissionRequest;
  /** Null while it waits. */
  readonly resolution: PermissionResolution | null;
}

/** An agent's plan of a turn, as it last stood. */
export interface PlanItem extends ItemHeader {
  readonly type: 'plan';
  readonly entries: readonly PlanEntry[];
}

/** One diagnostic, or several of the same source, level and code in a row (`count`), a line each. */
export interface DiagnosticItem extends ItemHeader {
  readonly type: 'diagnostic';
  readonly source: Diagnostic['source'];
  readonly level: Diagnostic['level'];
  readonly code: Diagnostic['code'];
  readonly text: string;
  readonly count: number;
}

export interface ReviewItem extends ItemHeader {
  readonly type: 'review';
  readonly verdict: Verdict;
  readonly approved: boolean;
  readonly blockedBy: readonly string[];
}

/** The files that we read or wrote for the agent in one turn. What was refused is a request of its own. */
export interface FilesItem extends ItemHeader {
  readonly type: 'files';
  readonly role: Role;
  /** In the order of the first asking. */
  readonly files: readonly {
    /** As the agent named it. */
    readonly path: string;
    readonly reads: number;
    readonly writes: number;
    /** Text was read from an editor that holds unsaved changes, or written through it. */
    readonly editor: boolean;
  }[];
}

/** Unsaved files that were saved, or left as they are, before the agents went on. Relative to the run's folder. */
export interface UnsavedItem extends ItemHeader {
  readonly type: 'unsaved';
  readonly saved: readonly string[];
  readonly left: readonly string[];
}

/** What the person did to files in the editor during one turn, or (turn 0) between the turns of a round. */
export interface EditedItem extends ItemHeader {
  readonly type: 'edited';
  /** Relative, each once. */
  readonly paths: readonly string[];
}

/** What the round's work changed in the folder. */
export interface ChangesItem extends ItemHeader {
  readonly type: 'changes';
  readonly files: readonly FileChange[];
  /** Null in logs from before it was told. */
  readonly truth: TurnTruth | null;
}

/** The person went on with an agent's session on a terminal. `endedAt` null: nobody has told that they came back. */
export interface HandoverItem extends ItemHeader {
  readonly type: 'handover';
  readonly role: Role;
  readonly endedAt: number | null;
}

/** A command of the person's that says whether the work holds. */
export interface CheckItem extends ItemHeader {
  readonly type: 'check';
  readonly checkId: string;
  readonly command: string;
  readonly cwd: string;
  /** The newest of its output. */
  readonly output: string;
  /** There was more before `output`. */
  readonly cut: boolean;
  /** Null while it runs. */
  readonly end: CheckEnd | null;
  readonly endedAt: number | null;
}

/** An event that stands for itself: one row that says it. */
export interface MarkItem extends ItemHeader {
  readonly type: 'mark';
  readonly mark: Exclude<RoundEventBody, { readonly type: 'check.started' | 'check.output' | 'check.ended' }>;
}

export type Item =
  | TurnItem
  | MessageItem
  | ToolItem
  | TerminalItem
  | RequestItem
  | PermissionItem
  | PlanItem
  | DiagnosticItem
  | ReviewItem
  | FilesItem
  | UnsavedItem
  | EditedItem
  | ChangesItem
  | HandoverItem
  | CheckItem
  | MarkItem;

/** One round, its items in the order of their first events. Number 0 holds what came before the first round. */
export interface RoundView {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly items: readonly Item[];
  /** The turns of the round; the very items among `items`. */
  readonly turns: readonly TurnItem[];
  /** Null until the folder was compared. */
  readonly changes: readonly FileChange[] | null;
  /** The checks of the round in their order; the very items among `items`. */
  readonly checks: readonly CheckItem[];
  /** The last review of the round. */
  readonly review: ReviewItem | null;
  /** How many findings of each severity were open when the round ended; null while it goes on. */
  readonly open: Readonly<Record<Severity, number>> | null;
  readonly usage: Usage;
}

/** Who acts now. `since` in milliseconds since the epoch. */
export interface Acting {
  readonly role: Role;
  readonly turn: number;
  readonly since: number;
}

export interface ScorePoint {
  readonly round: number;
  readonly score: number | null;
  readonly approved: boolean;
}

export interface RunView {
  /** Sequence number of the last event folded in; 0 for none. */
  readonly lastSeq: number;
  /** Null until the log's first event. */
  readonly run: RunHeader | null;
  readonly startedAt: number | null;
  /** With the versions that the programs have told. */
  readonly agents: { readonly [role in Role]: AgentRef | null };
  /** Which agents have come up. */
  readonly ready: { readonly [role in Role]: boolean };
  readonly rounds: readonly RoundView[];
  /** Null between turns, before the first and after the last. */
  readonly acting: Acting | null;
  /** The run waits for the person between two rounds. `since` in milliseconds since the epoch. */
  readonly paused: { readonly reason: PauseReason; readonly why: string; readonly since: number } | null;
  /** Questions that wait for the person, oldest first; the very items of their rounds. */
  readonly waiting: readonly PermissionItem[];
  readonly scores: readonly ScorePoint[];
  /** The ledger of findings, in the order in which they were opened. */
  readonly findings: readonly Finding[];
  /** Terminal id → number of the round that holds it. */
  readonly terminalRounds: Readonly<Record<string, number>>;
  /** Sums of what the agents said; null where no turn said anything. */
  readonly usage: { readonly [role in Role]: Usage };
  readonly ending: Ending | null;
  /** Tree id of the folder at the end; null where it was not told. */
  readonly endTree: string | null;
  readonly endedAt: number | null;
  /** The run has no ending and its agents are gone. */
  readonly interrupted: boolean;
  /** When the folder was put back as it was before the run; null when it was not, or that was undone again. */
  readonly undoneAt: number | null;
  /** What was put back and holds, oldest first. */
  readonly undoings: readonly StandingUndo[];
}

/** Nothing said: the sum of no turns. */
export const NO_USAGE: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, costUsd: null };

/** The view of an empty log. */
export const EMPTY_VIEW: RunView = {
  lastSeq: 0,
  run: null,
  startedAt: null,
  agents: { execute: null, review: null },
  ready: { execute: false, review: false },
  rounds: [],
  acting: null,
  paused: null,
  waiting: [],
  scores: [],
  findings: [],
  terminalRounds: {},
  usage: { execute: NO_USAGE, review: NO_USAGE },
  ending: null,
  endTree: null,
  endedAt: null,
  interrupted: false,
  undoneAt: null,
  undoings: [],
};
