/**
 * What the extension and its page say to each other: two closed unions, JSON throughout.
 *
 * The page asks for what it lacks: it says `ready` with what it has, and the host answers with the state, a `reset` if the page
 * shows another run, and the missing events. The schemas that check the page's messages live in
 * `host/viewMessages.ts`, so that zod stays out of the page.
 */
import type { DoctorAction, DoctorCard } from './doctor.ts';
import type { LoopEvent, PermissionAnswer, PermissionMode } from './events.ts';

/** The chips of the composer. */
export interface ComposerOptions {
  readonly rounds: number;
  /** Catalog ids. */
  readonly executor: string;
  readonly reviewer: string;
  readonly permissionMode: PermissionMode;
}

/** An agent that the composer offers. */
export interface AgentChoice {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly ('execute' | 'review')[];
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
  /** The run shown did not reach an approval, and can go on where it stood. */
  readonly canResume: boolean;
  /** What is shown was read from a file to look at: nothing on it acts. */
  readonly replay: boolean;
  /** An agent of the run shown has a session that its own interface can go on with. */
  readonly canContinue: boolean;
  /** Null: no check of the setup is shown. */
  readonly doctor: DoctorCard | null;
  readonly agents: readonly AgentChoice[];
  /** What the settings say; the page keeps the person's own choice on top. */
  readonly defaults: ComposerOptions;
  readonly notices: readonly Notice[];
  /** The words of the page in the person's language: English text → translation. */
  readonly words: Readonly<Record<string, string>>;
  /** BCP 47 tag for numbers and times. */
  readonly language: string;
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
  | { readonly type: 'state'; readonly state: HostState };

export type ViewToHost =
  /** The page listens and has the events of `runId` up to `lastSeq` (0: none). Also sent after a gap. */
  | { readonly type: 'ready'; readonly runId: string | null; readonly lastSeq: number }
  | { readonly type: 'run'; readonly task: string; readonly options: ComposerOptions }
  /** The person is about to write a task for such a run: its agents may be started ahead. */
  | { readonly type: 'warm'; readonly options: ComposerOptions }
  /** Go on with the run shown where it stood. */
  | { readonly type: 'resume' }
  | { readonly type: 'answer'; readonly permissionId: string; readonly answer: PermissionAnswer }
  /** Show the change that a question is about in a diff editor. */
  | { readonly type: 'openDiff'; readonly permissionId: string }
  | { readonly type: 'stop' }
  | { readonly type: 'undo' }
  /** Close the run shown and offer an empty composer. */
  | { readonly type: 'newRun' }
  | { readonly type: 'openLog' }
  /** Show a part of a tool call's or a question's content in an editor. `id`: `round/N/` and the key of its item. */
  | { readonly type: 'openPart'; readonly id: string; readonly part: number }
  /** Show all that a command of ours wrote in an editor. */
  | { readonly type: 'openTerminal'; readonly terminalId: string }
  /** Code of a message, after a click on its button. */
  | { readonly type: 'copyText' | 'insertText'; readonly text: string }
  /** `path` as the agent or reviewer wrote it; `line` 1-based. */
  | { readonly type: 'openFile'; readonly path: string; readonly line: number | null }
  | { readonly type: 'act'; readonly action: NoticeAction }
  /** Go on with a session of the run shown in the agent's own interface. */
  | { readonly type: 'continueInTerminal' }
  | { readonly type: 'doctor'; readonly action: DoctorAction | { readonly type: 'check' | 'close' } };
