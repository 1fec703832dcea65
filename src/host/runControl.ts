import type { Decided } from '../loop/decideFinding.ts';
import type { RunOptions, StartProblem } from '../loop/options.ts';
import type { UndoOptions, UndoPreview, UndoResult } from '../loop/undoRun.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { HostState } from '../shared/messages.ts';
import type { PermissionAnswer } from '../shared/permission.ts';
import type { Feedback, FindingDecision } from '../shared/roundEvents.ts';
import type { RunView } from '../shared/view.ts';

/** The run that the view shows. `events` only ever grows. */
export interface ShownRun {
  readonly id: string;
  readonly directory: string;
  readonly events: readonly LoopEvent[];
  /** It has no ending and nothing of it is alive. */
  readonly interrupted: boolean;
  /** Read from a file to look at: it is no run of this window, and nothing on it acts. */
  readonly replay: boolean;
  /** Another window or a terminal has it at work. */
  readonly elsewhere: boolean;
}

/** `state`: phase, run shown or problems; `events`: the run shown has more of them, said once a frame. */
export type Change = 'state' | 'events';

/** What of the run shown is to be put back. Absent: all of it. */
export type UndoAsked = Pick<UndoOptions, 'scope' | 'files' | 'conflicts'>;

/** The one run of a window: starts it, answers it, stops it, undoes it, and holds what is shown. */
export interface RunController {
  readonly phase: HostState['phase'];
  readonly shown: ShownRun | null;
  /** Why the last start came to nothing. */
  readonly problems: readonly StartProblem[];
  /** Of the run shown; empty when none is. */
  view(): RunView;
  readonly canUndo: boolean;
  /** The last undoing of the run shown can be taken back. */
  readonly canRedo: boolean;
  /** The run shown did not reach an approval, was not undone, and can go on. */
  readonly canResume: boolean;
  /** The last round of the run shown can be reviewed once more. */
  readonly canReviewAgain: boolean;
  /** What the run shown changed can be made ready to be committed: it stands, in a git repository. */
  readonly canCommit: boolean;
  /** The run under way will wait for the person after its round, because `pause` was called. */
  readonly pauseWanted: boolean;
  /** Where the run under way works, as it was asked for; null when none is, or it has a worktree of its own. */
  readonly folder: string | null;
  /** Whether it was started. Nothing happens while another run is under way. */
  start(options: RunOptions): Promise<boolean>;
  /** Starts what another run in the folder has kept from starting, once that one has ended. */
  startWhenFree(): Promise<boolean>;
  /** False: it was already settled, or belongs to no run of this window. */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** The person changed this file, absolute. Nothing happens while no run is under way. */
  noteUserEdit(file: string): void;
  /** Wait for the person after the round under way, or do not. */
  pause(wanted: boolean): void;
  /** Goes on from between two rounds. False: the run does not wait there. */
  proceed(feedback: Feedback | null): boolean;
  /** Words for the next execution. False: no run is under way, or they are empty. */
  note(text: string): boolean;
  /** The person's decision about a finding of the run shown, under way or over. */
  decide(stateFolder: string, finding: string, decision: FindingDecision): Promise<Decided>;
  /** A question about a finding of the run shown, for its next review. */
  ask(stateFolder: string, finding: string, question: string): Promise<Decided>;
  /** A second call while it stops does not wait for the agents. */
  stop(): void;
  /** Puts the folder back as it was before the run shown, or takes a part of it back. */
  undo(stateFolder: string, asked?: UndoAsked): Promise<UndoResult>;
  /** What `undo` would do. */
  previewUndo(stateFolder: string, asked?: UndoAsked): Promise<UndoPreview>;
  /** Shows a run from disk. Rejects with `LogError`; nothing happens while a run is under way. */
  open(directory: string): Promise<void>;
  /** Shows a log or a trace to look at. Nothing happens while a run is under way. `file`: where it was read from. */
  openReplay(file: string, events: readonly LoopEvent[]): void;
  /** Reads anew what another one has added to the log of the run shown. */
  refresh(): Promise<void>;
  /** Shows no run. Nothing happens while one is under way. */
  clear(): void;
  /** For a window that is about to go: ends the agents, and leaves a run under way as interrupted. Settles when all is gone. */
  abandon(): Promise<void>;
  /** Settles when no run is under way. */
  settled(): Promise<void>;
  onDidChange(listener: (change: Change) => void): () => void;
}
