/**
 * The event model: what the run log holds and the view is reduced from.
 *
 * Types only. `wire` objects are what the other party sent, verbatim and under its own field names; `derived` objects
 * are ours, and every field of them has a row in `protocol/provenance.ts`.
 */

import type { AgentEvent, AgentRef, Role, Usage } from './agentEvents.ts';
import type { Ending, TerminalEnd, TurnOutcome } from './ending.ts';
import type { CheckpointRef, FileChange, FileProblem, TurnTruth } from './fileEvents.ts';
import type { PermissionAnswer, PermissionMode, PermissionRequest, PermissionSettler } from './permission.ts';
import type { Finding, FindingStatus, Verdict } from './review.ts';
import type { Budget, CheckRequest, RoundEventBody, WorktreeRef } from './roundEvents.ts';
import type { ToolEndReason, ToolState } from './toolCall.ts';
import type { Json, WireObject } from './wire.ts';

/** Lines of a file, from 1, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What the person gave along with the task. An image itself is not kept in the log. */
export type TaskAttachment =
  /** A file that the task names. `path` is relative to the run's folder, with `/`. */
  | { readonly type: 'file'; readonly path: string; readonly lines?: LineRange }
  | { readonly type: 'image'; readonly name: string; readonly mimeType: string; readonly bytes: number };

/** What the person asked for, as the log's first event tells it. */
export interface RunHeader {
  readonly id: string;
  readonly task: string;
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly rounds: number;
  readonly threshold: number;
  readonly turnLimitSeconds: number;
  readonly permissionMode: PermissionMode;
  readonly trusted: boolean;
  readonly executor: AgentRef;
  readonly reviewer: AgentRef;
  /** Absent: `task`. `review`: one review of what is there, nobody executes. `fix`: begins with such a review. */
  readonly kind?: 'task' | 'review' | 'fix';
  /** What is reviewed, as it was asked for, such as `main...HEAD`; absent: the changes of the working tree. */
  readonly range?: string;
  readonly worktree?: WorktreeRef;
  readonly budget?: Budget;
  /** Absent: nothing. */
  readonly attached?: readonly TaskAttachment[];
  /** The checks between execution and review, as they were asked for or found; absent: none. */
  readonly checks?: readonly CheckRequest[];
  /** Limit of one check; absent: the usual one. */
  readonly checkTimeoutSeconds?: number;
  /** Models that were named; absent: the agent's own choice. */
  readonly models?: { readonly [role in Role]?: string };
  /** These absent: as usual. */
  readonly plateauRounds?: number;
  readonly language?: 'auto' | 'en' | 'zh-cn';
  readonly askBetweenRounds?: boolean;
}

export type LoopEventBody =
  | RoundEventBody
  | { readonly type: 'run.started'; readonly run: RunHeader }
  /** `tree`: of the folder at the end, as in `CheckpointRef`. Absent where it was not looked at. */
  | { readonly type: 'run.ended'; readonly ending: Ending; readonly tree?: string }
  /** The run goes on after it ended, or after its owner was killed: with new processes, and asked for as `run` says. */
  | { readonly type: 'run.continued'; readonly run: RunHeader }
  | { readonly type: 'agent.ready'; readonly role: Role; readonly agent: AgentRef }
  /** Raises the round of every later event by one. */
  | { readonly type: 'round.started' }
  | { readonly type: 'round.ended' }
  | {
      readonly type: 'turn.started';
      /** Unique in the run, from 1: a repeated review is a turn of its own. */
      readonly turn: number;
      readonly role: Role;
      /** The exact prompt. */
      readonly prompt: string;
      /** Files whose contents, or key-shaped lines, were kept out of the prompt. Relative, with `/`. */
      readonly withheld?: readonly string[];
      /** Changed files whose diff is not whole in the prompt. Relative, with `/`. */
      readonly shortened?: readonly string[];
      readonly wire: { readonly sessionId: string | null; readonly model: string | null };
    }
  | {
      readonly type: 'turn.ended';
      readonly turn: number;
      readonly role: Role;
      /** The peer's last message of the turn, verbatim; null when none came. */
      readonly wire: WireObject | null;
      readonly derived: {
        readonly outcome: TurnOutcome;
        readonly usage: Usage | null;
        readonly models: readonly string[];
        /** The answer in the shape that the agent is held to: a reviewer's verdict. Absent: it is held to none, or gave none. */
        readonly structured?: Json;
      };
    }
  /** `turn` 0: said outside a turn. */
  | (AgentEvent & { readonly turn: number; readonly role: Role })
  | {
      readonly type: 'permission.requested';
      readonly turn: number;
      readonly role: Role;
      /** Ours, unique in the run. */
      readonly permissionId: string;
      readonly wire: WireObject;
      readonly derived: PermissionRequest;
    }
  | {
      readonly type: 'permission.resolved';
      readonly permissionId: string;
      readonly by: PermissionSettler;
      readonly answer: PermissionAnswer;
      /** Why, for people; always given when policy answered. */
      readonly why?: string;
    }
  /** A request of the agent that we carry out: one event for each state, from `validating` on. */
  | {
      readonly type: 'request.moved';
      readonly turn: number;
      readonly role: Role;
      /** Ours, unique in the run. */
      readonly requestId: string;
      /** Of the agent's wire, such as `fs/write_text_file`. */
      readonly method: string;
      /** What it is about, for people: a path, or a whole command line. */
      readonly subject: string;
      readonly state: ToolState;
      /** With `error` and `cancelled`. */
      readonly reason?: ToolEndReason;
      /** For people. */
      readonly why?: string;
    }
  | {
      readonly type: 'terminal.started';
      readonly turn: number;
      readonly role: Role;
      /** Ours, unique in the run. */
      readonly terminalId: string;
      /** The whole command line, as it would be typed. */
      readonly command: string;
      /** Absolute. */
      readonly cwd: string;
    }
  /** What came since the last event of the terminal. `skipped`: bytes before `text` that are not in the log. */
  | {
      readonly type: 'terminal.output';
      readonly terminalId: string;
      readonly text: string;
      readonly skipped: number;
    }
  | { readonly type: 'terminal.ended'; readonly terminalId: string; readonly end: TerminalEnd }
  /** A file that an agent asked us to read or to write. */
  | {
      readonly type: 'file.served';
      readonly turn: number;
      readonly role: Role;
      /** As the agent named it. */
      readonly path: string;
      readonly operation: 'read' | 'write';
      /** Of the text in UTF-8; of a refused read 0. */
      readonly bytes: number;
      /** Where the text came from or went to, or why not. */
      readonly result: 'editor' | 'disk' | FileProblem;
    }
  /** Files of the folder whose editors held unsaved text when the agents were about to go on. Relative, with `/`. */
  | { readonly type: 'unsaved.settled'; readonly saved: readonly string[]; readonly left: readonly string[] }
  | { readonly type: 'checkpoint.created'; readonly checkpoint: CheckpointRef }
  /** A file of the folder that the person saved, made, moved or deleted in the editor during the run. Relative, with `/`. */
  | { readonly type: 'user.edited'; readonly path: string }
  /** What the round's work changed in the folder. `truth` is absent in logs from before it was told. */
  | { readonly type: 'round.changes'; readonly files: readonly FileChange[]; readonly truth?: TurnTruth }
  | {
      readonly type: 'review.scored';
      readonly turn: number;
      readonly verdict: Verdict;
      /** The gate's decision: the verdict, no open blocker, and a tree that the review did not change. */
      readonly approved: boolean;
      /** Why not, for people, when the verdict approved and the gate did not. */
      readonly blockedBy: readonly string[];
    }
  | { readonly type: 'finding.opened'; readonly finding: Finding }
  /** `finding`: as it stands now; absent in logs from before it was told. */
  | {
      readonly type: 'finding.updated';
      readonly id: string;
      readonly status: FindingStatus;
      readonly finding?: Finding;
    }
  /** The person goes on with the agent's session in its own interface on a terminal: what changes from now on is theirs. */
  | { readonly type: 'handover.started'; readonly role: Role; readonly wire: { readonly sessionId: string } }
  | { readonly type: 'handover.ended'; readonly role: Role };

export type EventHeader = {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** 0 before the first round. */
  readonly round: number;
};

export type LoopEvent = EventHeader & LoopEventBody;
