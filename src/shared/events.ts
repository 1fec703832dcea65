/**
 * The event model: what the run log holds and the view is reduced from.
 *
 * Types only. `wire` objects are what the other party sent, verbatim and under its own field names; `derived` objects
 * are ours, and every field of them has a row in `protocol/provenance.ts`.
 */

import type { Budget, BudgetKind, CheckRequest, RoundEventBody, WorktreeRef } from './roundEvents.ts';

/** A JSON value as it stood on a wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One object of a wire, verbatim. */
export type WireObject = { readonly [key: string]: Json };

/** What an agent does in a turn. */
export type Role = 'execute' | 'review';

/** How far an executor may go without asking; see `scheduler/policy.ts` for the meaning of each. */
export type PermissionMode = 'ask' | 'edits' | 'read-only' | 'all';

/** The wire that an agent speaks. */
export type AgentProtocol = 'acp' | 'claude-stream-json' | 'gemini-stream-json';

/** Which program takes a role. `version` is null until the program has told it. */
export interface AgentRef {
  /** Catalog id, such as `claude` or `gemini`. */
  readonly id: string;
  /** Name for people, such as `Claude Code`. */
  readonly name: string;
  readonly protocol: AgentProtocol;
  readonly version: string | null;
}

/** ACP's tool kinds plus `ask` (a question to the person) and `plan` (plan and task bookkeeping). */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'ask'
  | 'plan'
  | 'other';

/** The states of one tool call; the last three are ends. Legal moves: `scheduler/toolState.ts`. */
export type ToolState =
  | 'validating'
  | 'awaitingApproval'
  | 'scheduled'
  | 'executing'
  | 'success'
  | 'error'
  | 'cancelled';

/** Why a tool call ended other than by success. `noResult`: the turn ended and the agent never reported one (inferred). */
export type ToolEndReason = 'denied' | 'stopped' | 'failed' | 'noResult';

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  /** `oldText` null: the file is new. `path` as the agent gave it. */
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }
  /** The live output of a command that we started for the agent. */
  | { readonly type: 'terminal'; readonly terminalId: string };

export interface ToolLocation {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

/** An upsert by `toolCallId`: a field that is absent leaves what is known. */
export interface ToolCallPatch {
  readonly toolCallId: string;
  /** The agent's own tool name where its protocol has one. */
  readonly toolName?: string;
  readonly title?: string;
  readonly kind?: ToolKind;
  readonly state?: ToolState;
  readonly reason?: ToolEndReason;
  /** Replaces the former content as a whole. */
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly ToolLocation[];
  readonly rawInput?: Json;
  readonly rawOutput?: Json;
  /** Tool call of the sub-agent that made this one. */
  readonly parentId?: string;
}

export type MessageChannel = 'message' | 'thought';

/** Text to append to the message `messageId` of this turn and channel. */
export interface MessageChunk {
  readonly channel: MessageChannel;
  readonly messageId: string;
  readonly text: string;
}

/** The message's whole text now stands as given; `withdrawn` means that it no longer exists (text is then empty). */
export interface MessageReplaced {
  readonly channel: MessageChannel;
  readonly messageId: string;
  readonly text: string;
  readonly reason: 'final' | 'withdrawn';
}

export interface PlanEntry {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly priority?: 'high' | 'medium' | 'low';
}

/** Tokens and money of one turn. Null: the agent did not say. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly costUsd: number | null;
  /** Tokens of the model's context window that are taken, and its size, where the agent tells it. */
  readonly context?: { readonly used: number; readonly size: number };
}

/** One thing that the agent does when a prompt begins with `/` and its name. */
export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  /** What to write behind the name. */
  readonly hint?: string;
}

/** One thing about a session that can be chosen: its mode, its model, or an option of the agent's own. */
export type AgentOption = {
  /** The agent's id of it; `mode` and `model` for those that have none of their own. */
  readonly id: string;
  readonly name: string;
  /** The agent's word for what it is about, such as `mode`, `model` or `thought_level`. */
  readonly category?: string;
} & (
  | { readonly type: 'choice'; readonly value: string; readonly choices: readonly QuestionOption[] }
  | { readonly type: 'switch'; readonly value: boolean }
);

/** `code` is a stable camelCase word for what happened; `text` is for people; `wire` where a message was the cause. */
export interface Diagnostic {
  readonly source: 'agent' | 'transport' | 'loop';
  readonly level: 'info' | 'warning' | 'error';
  readonly code:
    | 'agentWarning'
    | 'agentError'
    | 'stderr'
    | 'noise'
    | 'notObject'
    | 'truncatedEof'
    | 'lineTooLong'
    | 'unknownVariant'
    | 'unknownSession'
    | 'invalid'
    | 'unknownResponseId'
    | 'invalidResponse'
    | 'unknownRequest'
    | 'retrying'
    /** Nothing was heard for a while: ours, concluded from the clock. One in a row takes the place of the one before. */
    | 'silence'
    /** Said once a kind: something that the agent told and that no face draws. */
    | 'notShown'
    | 'exit'
    | 'orphan'
    | 'restarted'
    /** What a limit of the run does not count. */
    | 'budget'
    | 'loop';
  readonly text: string;
}

/** What an agent adapter reports, in wire order. */
export type AgentEvent =
  | { readonly type: 'message.chunk'; readonly wire: WireObject; readonly derived: MessageChunk }
  | { readonly type: 'message.replaced'; readonly wire: WireObject; readonly derived: MessageReplaced }
  | { readonly type: 'toolCall.started'; readonly wire: WireObject; readonly derived: ToolCallPatch }
  | { readonly type: 'toolCall.updated'; readonly wire: WireObject; readonly derived: ToolCallPatch }
  | {
      readonly type: 'plan.updated';
      readonly wire: WireObject;
      readonly derived: { readonly entries: readonly PlanEntry[] };
    }
  | { readonly type: 'usage.updated'; readonly wire: WireObject; readonly derived: Usage }
  /** The session that the agent is in, as it tells it during its turns; it may change (93-slash-commands, `/clear`). */
  | {
      readonly type: 'session.updated';
      readonly wire: WireObject;
      readonly derived: {
        readonly sessionId: string;
        readonly model: string | null;
        /** Of the agent's program, where it tells that only now. */
        readonly version?: string;
      };
    }
  | { readonly type: 'mode.updated'; readonly wire: WireObject; readonly derived: { readonly mode: string } }
  /** All commands that the agent takes now. */
  | {
      readonly type: 'commands.updated';
      readonly wire: WireObject;
      readonly derived: { readonly commands: readonly AgentCommand[] };
    }
  /** Everything that can be chosen in the session, with what is chosen. */
  | {
      readonly type: 'options.updated';
      readonly wire: WireObject;
      readonly derived: { readonly options: readonly AgentOption[] };
    }
  | { readonly type: 'diagnostic'; readonly wire: WireObject | null; readonly derived: Diagnostic };

/** ACP's option kinds; another word is kept as it came and is never picked automatically. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
  /** What the option really reaches, for people, where we know it. */
  readonly scope?: string;
}

/** One thing to choose. `value` goes back to the agent as it stands; `label` is for people. */
export interface QuestionOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What every field has. `id` is unique in its form; `label` and `description` are the agent's words. */
interface QuestionFieldHead {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
}

/** One field of a form. `freeText`: words of the person's own are as good as what is offered. Bounds are inclusive. */
export type QuestionField =
  | (QuestionFieldHead & {
      readonly type: 'choice';
      readonly options: readonly QuestionOption[];
      readonly freeText: boolean;
      readonly initial?: string;
    })
  | (QuestionFieldHead & {
      readonly type: 'choices';
      readonly options: readonly QuestionOption[];
      readonly freeText: boolean;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly initial?: readonly string[];
    })
  | (QuestionFieldHead & {
      readonly type: 'text';
      /** In characters. */
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly initial?: string;
    })
  | (QuestionFieldHead & {
      readonly type: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial?: number;
    })
  | (QuestionFieldHead & { readonly type: 'boolean'; readonly initial?: boolean });

/** What an agent wants to know. Without fields it only has something to read before the options, such as a plan. */
export interface QuestionForm {
  /** Markdown; empty where the fields say it all. */
  readonly message: string;
  readonly fields: readonly QuestionField[];
}

/** What was filled in: `choice` and `text` a string, `choices` a list, `number` and `boolean` themselves. */
export type FormValue = string | number | boolean | readonly string[];

/** Field id → value. A field that was left empty is absent. */
export type FormValues = { readonly [fieldId: string]: FormValue };

/** How far a rule of the person's reaches in time and place: this run, runs in this folder, or every run. */
export type RuleScope = 'session' | 'workspace' | 'user';

/** What we offer beside the agent's options: it allows once, and the rest is answered by our policy from then on. */
export type PermissionOffer =
  /** Edits of this run inside the folder; protected places still ask. */
  | { readonly offerId: string; readonly type: 'runEdits' }
  /** Exactly this command line, from then on. */
  | { readonly offerId: string; readonly type: 'command'; readonly scope: RuleScope; readonly command: string };

/** One question of an agent to the person or the policy. */
export interface PermissionRequest {
  readonly toolCallId: string;
  /** One line for people: the command, or what is done to which file. */
  readonly title: string;
  readonly kind: ToolKind;
  /** The agent's own options, in the agent's order. */
  readonly options: readonly PermissionOption[];
  readonly content: readonly ToolContent[];
  /** Absolute paths that the call names. */
  readonly paths: readonly string[];
  /** The whole command line of a command, never shortened. */
  readonly command?: string;
  /** Those of `paths` whose editor holds unsaved text, which the agent's own write passes by. */
  readonly unsaved?: readonly string[];
  /** Present when this program asks, and not the agent. */
  readonly asker?: 'loop';
  /** Whether a refusal may carry words for the agent. */
  readonly takesMessage: boolean;
  /** Whether it may be allowed with another text for the file of its one diff, which then shows the whole file. */
  readonly takesChange?: boolean;
  /** What is to be filled in: an allowing option goes with the values of its fields. */
  readonly form?: QuestionForm;
  /** Ours, to be chosen together with the agent's only `allow_once` option. */
  readonly offers?: readonly PermissionOffer[];
}

/** Who settled a permission request. Every request is settled by exactly one of them. */
export type PermissionSettler =
  | 'user'
  | 'policy'
  | 'withdrawn'
  | 'turnEnded'
  | 'sessionCancel'
  | 'agentExit'
  | 'dispose';

export type PermissionAnswer =
  | {
      readonly outcome: 'selected';
      readonly optionId: string;
      readonly message?: string;
      /** Only with an allowing option of a request that has a form; see `shared/questionForm.ts`. */
      readonly form?: FormValues;
      /** One of the request's `offers`, with its `allow_once` option. */
      readonly offerId?: string;
      /** The whole text that the person wants in the file instead; only with an allowing option, where it `takesChange`. */
      readonly changedText?: string;
    }
  | { readonly outcome: 'cancelled' };

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

export type Severity = 'blocker' | 'major' | 'minor' | 'nit';

/** One problem as the reviewer wrote it. `line` is 1-based. */
export interface ReviewFinding {
  readonly id?: string;
  readonly severity: Severity;
  readonly file?: string;
  readonly line?: number;
  readonly title: string;
  readonly detail: string;
  readonly suggestion?: string;
}

/** What the reviewer says of a finding of an earlier round. */
export interface PreviousFinding {
  readonly id: string;
  readonly status: 'fixed' | 'open' | 'withdrawn';
}

/** A review's text, read by the rules of `loop/review.ts`. */
export interface Verdict {
  readonly status: 'approved' | 'not_approved' | 'unparsable';
  readonly approved: boolean;
  /** 1 to 10, decimals allowed; null when unparsable. */
  readonly score: number | null;
  readonly source: 'json' | 'prose' | 'none';
  readonly reason:
    | 'ok'
    | 'no_approved_line'
    | 'json_not_approved'
    | 'score_below_threshold'
    | 'open_blocker'
    | 'no_score'
    | 'ambiguous_score'
    | 'score_out_of_range'
    | 'invalid_json_verdict'
    | 'empty';
  /** Contradictions, for people. */
  readonly warnings: readonly string[];
  readonly summary: string;
  readonly findings: readonly ReviewFinding[];
  readonly previous: readonly PreviousFinding[];
  readonly suggestions: readonly string[];
}

/** `regressed`: it was fixed, and was reported again; as open as `open`. `dismissed`: by the person, with a reason. */
export type FindingStatus = 'open' | 'regressed' | 'fixed' | 'withdrawn' | 'dismissed';

/** A finding in the ledger of the run. `id` is ours and stable over the rounds. */
export interface Finding extends ReviewFinding {
  readonly id: string;
  /** What the reviewer called it beside our id. */
  readonly theirIds?: readonly string[];
  readonly openedInRound: number;
  readonly status: FindingStatus;
  /** First raised on lines that had not changed since the review before. */
  readonly late?: boolean;
  /** The text of the line that it was last reported on, trimmed: what finds the line again when it has moved. */
  readonly anchor?: string;
  /** Why the person dismissed it. */
  readonly reason?: string;
  /** Why the executor holds that it is none, in its words. */
  readonly disputed?: string;
  /** What fixed it: the hunk of that round's diff, as in a patch. */
  readonly fixedBy?: { readonly round: number; readonly file: string; readonly hunk: string };
}

export interface FileChange {
  /** Relative to the run's folder, with `/`. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'typeChanged';
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/**
 * What the agent's cards of a round say, held against what git sees of it. Paths are relative to the run's folder with
 * `/`, but those of `outside`, which are absolute.
 */
export interface TurnTruth {
  /** Changed, and neither a card of the agent nor a saving by the person says so. */
  readonly unannounced: readonly string[];
  /** A card says that it was changed, and the folder shows no change: put back, or nothing that git looks at. */
  readonly unseen: readonly string[];
  /** A card says that it was changed, and it lies where the comparison does not look. */
  readonly outside: readonly string[];
  /** Changed by the person alone, as far as this window saw it. */
  readonly byUser: readonly string[];
  /** Changed by the person and by the agent. */
  readonly byBoth: readonly string[];
  /** The agent ran commands, which may have made changes that no card names. */
  readonly ranCommands: boolean;
}

/** Why a file was not served to an agent. `missing` alone says that there is none. */
export type FileProblem =
  /** The path or the window is none. */
  | 'invalid'
  | 'missing'
  /** Of every folder of the run. */
  | 'outside'
  /** Nobody allowed the write, or its turn is over. */
  | 'notAllowed'
  /** A folder, a pipe, a device. */
  | 'noFile'
  /** Binary, or in an encoding that could not be given back. */
  | 'noText'
  | 'tooLarge'
  | 'readOnly'
  /** The editor holds text that the agent has not read. */
  | 'unsaved'
  | 'notebook'
  | 'failed';

export interface CheckpointRef {
  /** Commit id. */
  readonly id: string;
  /** Tree id: equal trees hold equal files. */
  readonly tree: string;
  readonly label: string;
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
