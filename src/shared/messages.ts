/**
 * What the extension and its page say to each other: two closed unions, JSON throughout.
 *
 * The page asks for what it lacks: it says `ready` with what it has, and the host answers with the state, a `reset` if the page
 * shows another run, and the missing events. The schemas that check the page's messages live in
 * `host/viewMessages.ts`, so that zod stays out of the page.
 */

import type { AgentCommand } from './agentEvents.ts';
import type { DoctorAction, DoctorCard } from './doctor.ts';
import type { LineRange, LoopEvent } from './events.ts';
import type { PermissionAnswer, PermissionMode } from './permission.ts';
import type { QuestionOption } from './question.ts';
import type { CheckRequest, Feedback, FindingDecision, UndoScope, WorktreeEnd } from './roundEvents.ts';
import type { TaskImage } from './task.ts';
import type { ConflictWay, UndoAnswer } from './undo.ts';

/** The chips of the composer. */
export interface ComposerOptions {
  readonly rounds: number;
  /** Catalog ids. */
  readonly executor: string;
  readonly reviewer: string;
  /** Catalog id → model. Absent: as the agent has it. */
  readonly models: Readonly<Record<string, string>>;
  readonly permissionMode: PermissionMode;
  /** Absolute, where several are open; null: the person is asked. */
  readonly folder: string | null;
  /** Null: those of the folder, as they are found or set. */
  readonly checks: readonly CheckRequest[] | null;
  /** It works in a new worktree instead of the folder. */
  readonly newWorktree: boolean;
}

/** A check of a folder. `confirmed`: it runs there without a question, as long as what it runs stays as it is. */
export interface FoundCheck extends CheckRequest {
  readonly confirmed: boolean;
}

/** An agent that the composer offers. */
export interface AgentChoice {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly ('execute' | 'review')[];
  /** Who gets what it is given; empty: nobody outside this machine. Null: not known. */
  readonly company: string | null;
  /** Whether its program was found. Null: not looked for. */
  readonly installed: boolean | null;
}

/** What an agent has told of itself since this window started it. */
export interface AgentOffers {
  /** Whether it takes images; null: not told yet. */
  readonly images: boolean | null;
  /** Its slash commands, without `/`. */
  readonly commands: readonly AgentCommand[];
  /** Empty: it tells none. */
  readonly models: readonly QuestionOption[];
}

/** A file that can be mentioned. `path` is relative to the folder of the run, with `/`. */
export interface FileChoice {
  readonly path: string;
  /** The lines that are selected in its editor; null: the whole file. */
  readonly lines: LineRange | null;
  /** It is open in an editor. */
  readonly open: boolean;
}

/** Something that the person should know, with the ways out as buttons. */
export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  /** What happened, on which agent and command. */
  readonly what: string;
  /** The way out, for people. Empty where there is none to say. */
  readonly fix: string;
  readonly actions: readonly NoticeAction[];
}

/** `waitForFolder`: start the same run as soon as the other one in its folder has ended. */
export type NoticeAction = 'manageTrust' | 'openSettings' | 'openFolder' | 'checkSetup' | 'tryDemo' | 'waitForFolder';

/** What is true beside the log; sent whole whenever it changes. */
export interface HostState {
  /** Where things stand: nothing runs, the agents are being started, or a run is under way. */
  readonly phase: 'idle' | 'starting' | 'running' | 'stopping';
  readonly trusted: boolean;
  /** Name of the folder that a run works in; null when none is open. */
  readonly folder: string | null;
  /** The run shown has no ending and nothing of it is alive. */
  readonly interrupted: boolean;
  /** The run shown can be undone. */
  readonly canUndo: boolean;
  /** The last undoing of the run shown can be taken back. */
  readonly canRedo: boolean;
  /** The run shown did not reach an approval, and can go on where it stood. */
  readonly canResume: boolean;
  /** The last round of the run shown can be reviewed once more, such as by another reviewer. */
  readonly canReviewAgain: boolean;
  /** The changes of the run shown can be made ready to be committed. */
  readonly canCommit: boolean;
  /** How many files are other than they were approved by the run shown; 0: none, or nobody has looked. */
  readonly changedSince: number;
  /** The run under way will wait for the person after its round, because they wished it. */
  readonly pauseWanted: boolean;
  /** What is shown was read from a file to look at: nothing on it acts. */
  readonly replay: boolean;
  /** An agent of the run shown has a session that its own interface can go on with. */
  readonly canContinue: boolean;
  /** Null: no check of the setup is shown. */
  readonly doctor: DoctorCard | null;
  readonly agents: readonly AgentChoice[];
  /** Catalog id → what the agent has told. */
  readonly offers: Readonly<Record<string, AgentOffers>>;
  /** The folders that a run can work in. `path` is absolute. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  /** Folder (absolute) → the checks that a run in it has when nothing else is chosen. */
  readonly checks: Readonly<Record<string, readonly FoundCheck[]>>;
  /** `told`: the person knows who receives what. `asked`: the agents (catalog ids) of a run that waits for that. */
  readonly consent: {
    readonly told: boolean;
    readonly asked: { readonly executor: string; readonly reviewer: string } | null;
  };
  /** What the settings say; the page keeps the person's own choice on top. */
  readonly defaults: ComposerOptions;
  readonly notices: readonly Notice[];
  /** The words of the page in the person's language: English text → translation. */
  readonly words: Readonly<Record<string, string>>;
  /** BCP 47 tag for numbers and times. */
  readonly language: string;
}

/** What of the run shown is to be put back. */
export interface AskedUndo {
  readonly scope: UndoScope;
  readonly conflicts: ConflictWay;
}

export type HostToView =
  /** Forget the run shown. The events of `runId` follow from 1; null: no run is shown. */
  | { readonly type: 'reset'; readonly runId: string | null }
  /** The events of a run from `fromSeq` on, without gaps. */
  | {
      readonly type: 'batch';
      readonly runId: string;
      readonly fromSeq: number;
      readonly events: readonly LoopEvent[];
    }
  | { readonly type: 'state'; readonly state: HostState }
  /** The files that the query finds, the best first. */
  | { readonly type: 'files'; readonly query: string; readonly files: readonly FileChoice[] }
  /** The tasks of earlier runs, newest first. */
  | { readonly type: 'tasks'; readonly tasks: readonly string[] }
  /** The images that go with the task, which the host holds. */
  | { readonly type: 'images'; readonly images: readonly TaskImage[] }
  /** What was asked with `previewUndo`, with `asked` as it was. */
  | { readonly type: 'undoPreview'; readonly asked: AskedUndo; readonly answer: UndoAnswer }
  /** Put the text into the task and the cursor behind it. `folder`: where what it names lies (absolute); null: there is no choice. */
  | { readonly type: 'compose'; readonly text: string; readonly folder: string | null };

export type ViewToHost =
  /** The page listens and has the events of `runId` up to `lastSeq` (0: none). Also sent after a gap. */
  | { readonly type: 'ready'; readonly runId: string | null; readonly lastSeq: number }
  | { readonly type: 'run'; readonly task: string; readonly options: ComposerOptions }
  /** The person is about to write a task for such a run: its agents may be started ahead. */
  | { readonly type: 'warm'; readonly options: ComposerOptions }
  /** Which files are meant; `folder` as in the options. `anew`: the first question of a mention. */
  | { readonly type: 'complete'; readonly query: string; readonly folder: string | null; readonly anew: boolean }
  | { readonly type: 'askTasks' }
  | { readonly type: 'addImage'; readonly image: TaskImage }
  /** By its place in the list. */
  | { readonly type: 'removeImage'; readonly index: number }
  /** Files that were dropped by their addresses. */
  | { readonly type: 'dropped'; readonly uris: readonly string[] }
  /** `known`: the person has read who receives what, and what waits for it starts; else it is dropped. */
  | { readonly type: 'consent'; readonly known: boolean }
  /** Go on with the run shown where it stood. `feedback`: what goes back with the next execution; null: the review as it came. */
  | { readonly type: 'resume'; readonly feedback: Feedback | null }
  /** Go on with it for so many more rounds. */
  | { readonly type: 'continueRounds'; readonly rounds: number; readonly feedback: Feedback | null }
  /** Have its last round reviewed once more. `reviewer`: a catalog id. */
  | { readonly type: 'reviewAgain'; readonly reviewer: string }
  /** Wait for me after the round under way, or do not. */
  | { readonly type: 'pause'; readonly wanted: boolean }
  /** Go on from between two rounds. */
  | { readonly type: 'proceed'; readonly feedback: Feedback | null }
  /** Words for the next execution. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'answer'; readonly permissionId: string; readonly answer: PermissionAnswer }
  /** Show the change that a question is about in a diff editor. */
  | { readonly type: 'openDiff'; readonly permissionId: string }
  | { readonly type: 'stop' }
  /** What would this undoing do? Answered with `undoPreview`. */
  | { readonly type: 'previewUndo'; readonly asked: AskedUndo }
  /** The person has seen what it does. */
  | { readonly type: 'undo'; readonly asked: AskedUndo }
  /** `finding`: its id in the ledger of the run shown. */
  | { readonly type: 'decide'; readonly finding: string; readonly decision: FindingDecision }
  /** A question to the reviewer about a finding. A run that is over is reviewed once more for it. */
  | { readonly type: 'ask'; readonly finding: string; readonly text: string }
  /** Show the changes of a round, or (null) of the run, in the editor. */
  | { readonly type: 'openChanges'; readonly round: number | null }
  /** Stage what the run shown changed, and word a commit. */
  | { readonly type: 'commit' }
  | { readonly type: 'export' }
  /** What becomes of the worktree of the run shown. */
  | { readonly type: 'settleWorktree'; readonly how: WorktreeEnd }
  /** Close the run shown and offer an empty composer. */
  | { readonly type: 'newRun' }
  | { readonly type: 'openLog' }
  /** Show a part of a tool call's or a question's content in an editor. `id`: `round/N/` and the key of its item. */
  | { readonly type: 'openPart'; readonly id: string; readonly part: number }
  /** Show all that a command of ours wrote in an editor. */
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  /** The same of a check. */
  | { readonly type: 'openCheck'; readonly checkId: string }
  /** Show the whole prompt of a turn in an editor. */
  | { readonly type: 'openPrompt'; readonly turn: number }
  /** Code of a message, after a click on its button. */
  | { readonly type: 'copyText' | 'insertText'; readonly text: string }
  /** `path` as the agent or reviewer wrote it; `line` 1-based. */
  | { readonly type: 'openFile'; readonly path: string; readonly line: number | null }
  | { readonly type: 'act'; readonly action: NoticeAction }
  /** Go on with a session of the run shown in the agent's own interface. */
  | { readonly type: 'continueInTerminal' }
  | { readonly type: 'doctor'; readonly action: DoctorAction | { readonly type: 'check' | 'close' } };
