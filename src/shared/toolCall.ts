/** A tool call of an agent, as its events tell it. Types only. */
import type { Json } from './wire.ts';

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

/** The states of one tool call; the last three are ends. Legal moves: `shared/toolState.ts`. */
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
