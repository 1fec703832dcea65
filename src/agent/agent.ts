import type { ClientServices } from '../scheduler/clientServices.ts';
import type { PermissionPort } from '../scheduler/permissionBroker.ts';
import type { AgentEvent, AgentRef, Role, Usage } from '../shared/agentEvents.ts';
import type { TurnOutcome } from '../shared/ending.ts';
import type { LineRange } from '../shared/events.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { Child, ChildOptions } from '../transport/childProcess.ts';
import type { ChildTrace } from '../transport/trace.ts';

/** How to start one agent process, as the catalog resolved it. No text of the user or a model is ever in it. */
export interface AgentLaunch {
  readonly ref: AgentRef;
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set on top of the filtered environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Taken once in place of `args` by a program that does not know those: an older version (case C04). */
  readonly oldArgs?: readonly string[];
  /** It has a mode, or tools, with which it only reads: as a reviewer it works in the folder itself, else on a copy. */
  readonly onlyReads?: true;
  /** Servers for an executor; a reviewer gets none. */
  readonly mcpServers?: readonly McpServer[];
}

/** A server of the Model Context Protocol, as the person set it. `command` is absolute. */
export type McpServer =
  | {
      readonly type: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** What goes with a prompt. Paths are absolute; `data` is base64. */
export type Attachment =
  | { readonly type: 'file'; readonly path: string }
  /** A text that the agent gets as it stands: an unsaved file's, or with `lines` what stands in those of a file. */
  | { readonly type: 'text'; readonly path: string; readonly text: string; readonly lines?: LineRange }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** An agent wants a sign-in before it works. */
export interface SignInQuestion {
  readonly agent: AgentRef;
  /** The agent's own words. */
  readonly message: string;
  /** What can be done from here. `changes` says what it writes where. Empty: nothing. */
  readonly choices: readonly { readonly id: string; readonly name: string; readonly changes: string }[];
  /** Command lines that sign in when the person runs them in a terminal. */
  readonly commands: readonly string[];
}

/** What a sign-in over the wire does, for the person who is asked. */
export interface SignInOffer {
  /** What changes where. */
  readonly changes: string;
}

/** A process that was started for the agent, or what happened on its wire. */
export type AgentTrace =
  | { readonly dir: 'start'; readonly command: string; readonly args: readonly string[] }
  | ChildTrace;

/** What an agent is given for one run. */
export interface AgentContext {
  readonly launch: AgentLaunch;
  readonly role: Role;
  /** Absolute working folder: the process's and the session's cwd. */
  readonly folder: string;
  readonly mode: PermissionMode;
  /** Untrusted: the repository's hooks, instructions and servers are not used. */
  readonly trusted: boolean;
  readonly model: string | null;
  readonly permissions: PermissionPort;
  /** What it may ask of us besides; absent: nothing is offered to it. */
  readonly services?: ClientServices;
  /** The session of an earlier process to go on with. One that is gone is replaced by a new one, with a diagnostic. */
  readonly resume?: {
    readonly sessionId: string;
    /** What it had cost in all when it was last told. */
    readonly costUsd?: number;
  };
  /** Asks the person for the consent to one of the choices; null: none. Absent: nobody is there to ask. */
  readonly askSignIn?: (question: SignInQuestion) => Promise<string | null>;
  /** Called synchronously, in wire order. */
  readonly emit: (event: AgentEvent) => void;
  /** Starts its processes; absent: `spawnChild`. */
  readonly spawn?: (options: ChildOptions) => Child;
  /** Is told every line of the wire, for a trace. */
  readonly trace?: (event: AgentTrace) => void;
}

/** Why an agent did not come up. `message` says what, on which command, with the last lines of its stderr. */
export class AgentStartError extends Error {
  readonly reason: 'spawn' | 'agentExit' | 'startLimit' | 'signIn' | 'protocol' | 'agentError';
  constructor(reason: AgentStartError['reason'], message: string) {
    super(message);
    this.name = 'AgentStartError';
    this.reason = reason;
  }
}

export interface AgentReady {
  /** With the version, where the program told it: Claude Code tells it with its first turn. */
  readonly ref: AgentRef;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** Whether a prompt may hold images. Absent: not told. */
  readonly takesImages?: boolean;
  /** An earlier session goes on. `history`: what was said in it, as far as the agent tells it again. */
  readonly resumed?: { readonly history: readonly HistoryEntry[] };
}

/** One message of an earlier process's session. */
export interface HistoryEntry {
  readonly from: 'user' | 'agent';
  readonly text: string;
}

/** What a session lets be chosen while it runs. Each rejects with an `Error` in the agent's words; success is told as `options.updated`. */
export interface SessionControls {
  setMode(modeId: string): Promise<void>;
  setModel(modelId: string): Promise<void>;
  setConfigOption(optionId: string, value: string | boolean): Promise<void>;
}

/** How a turn ended and what was said in it. */
export interface TurnResult {
  /** The peer's closing message verbatim (`session/prompt` response, Claude's `result`), null when none came. */
  readonly wire: WireObject | null;
  readonly outcome: TurnOutcome;
  /** Every message text of the turn in order, withdrawn ones left out. */
  readonly texts: readonly string[];
  readonly usage: Usage | null;
  readonly models: readonly string[];
  /** The answer in the shape that the agent is held to; absent where it is held to none, or gave none. */
  readonly structured?: Json;
  /** What the agent was refused, one line each, for the reviewer. */
  readonly denials: readonly string[];
}

/** Why a turn's signal was aborted: the value of `signal.reason`. */
export type CancelReason = 'user' | 'timeLimit';

/** One agent process, warm over all turns of a run. */
export interface Agent {
  /** Starts the process on the first call; later calls give the same promise. Rejects with `AgentStartError`. */
  ready(): Promise<AgentReady>;
  /**
   * One turn. Never rejects. Settles with the peer's answer or the process's death, nothing else; an aborted `signal`
   * asks the peer to stop, answers every open permission, and after a stated time ends the process.
   * At most one turn at a time. What an agent cannot take of the attachments it tells as a diagnostic.
   */
  prompt(text: string, signal: AbortSignal, attachments?: readonly Attachment[]): Promise<TurnResult>;
  /** Absent: this agent's protocol has nothing to choose. Only after `ready`. */
  readonly controls?: SessionControls;
  /** Ends the process and everything it started. Safe at any time, more than once. Never rejects. */
  dispose(): Promise<void>;
}
