import type { PermissionPort } from '../scheduler/permissionBroker.ts';
import type { ChildTrace } from '../transport/trace.ts';
import type { AgentEvent, AgentRef, PermissionMode, Role, TurnOutcome, Usage, WireObject } from '../shared/events.ts';

/** How to start one agent process, as the catalog resolved it. No text of the user or a model is ever in it. */
export interface AgentLaunch {
  readonly ref: AgentRef;
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set on top of the filtered environment of this process. */
  readonly env: Readonly<Record<string, string>>;
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
  /** Called synchronously, in wire order. */
  readonly emit: (event: AgentEvent) => void;
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
  /** With the version that the program told. */
  readonly ref: AgentRef;
  readonly sessionId: string | null;
  readonly model: string | null;
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
   * At most one turn at a time.
   */
  prompt(text: string, signal: AbortSignal): Promise<TurnResult>;
  /** Ends the process and everything it started. Safe at any time, more than once. Never rejects. */
  dispose(): Promise<void>;
}
