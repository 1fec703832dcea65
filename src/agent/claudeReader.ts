import type { ClaudeToolAsk } from '../protocol/claudeStream.ts';
import type { AgentEvent, Diagnostic } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';
import type { CancelReason, TurnResult } from './agent.ts';
import type { ClaudeExit } from './claudeOutcome.ts';

/** What a line asks its reader to do, beyond showing its events. */
export type ClaudeNote =
  /** `wire` is the request's parameters, verbatim. */
  | { readonly type: 'ask'; readonly requestId: string; readonly ask: ClaudeToolAsk; readonly wire: WireObject }
  | { readonly type: 'withdrawn'; readonly requestId: string }
  /** A request that we do not serve: it must be answered with this error, or the turn hangs. */
  | { readonly type: 'refuse'; readonly requestId: string; readonly error: string }
  | {
      readonly type: 'response';
      readonly requestId: string;
      readonly error: string | null;
      readonly body: WireObject | null;
    }
  /** The model's server refused our credentials; without an interrupt the CLI goes on trying for minutes (50-api-401). */
  | { readonly type: 'signInFailed' }
  /** The turn is over: call `end`. */
  | { readonly type: 'result' }
  | { readonly type: 'state'; readonly idle: boolean };

/** What one line is: for people, and for the one who reads. */
export interface ClaudeStep {
  readonly events: readonly AgentEvent[];
  readonly note: ClaudeNote | null;
}

/** Reads what one Claude Code process says, over all its turns. Pure: no clock, no process, no disk. Nothing throws. */
export interface ClaudeReader {
  readonly sessionId: () => string | null;
  /** A prompt was sent. */
  beginTurn(): void;
  push(raw: WireObject): ClaudeStep;
  /** We sent an interrupt for this reason. */
  interrupted(reason: CancelReason): void;
  /** We answered the question about this tool call; `wire` is the question. */
  answered(toolCallId: string, allowed: boolean, wire: WireObject): readonly AgentEvent[];
  /**
   * Whether the session is idle and no turn of ours has ended in ours, but one of its own: it took the prompt in while a
   * tool ran, and no other result follows (as in 91-steer-during-tool) – or the prompt is still on its way to it.
   */
  folded(): boolean;
  /** Closes the turn: by its `result`, or by the end of the process when none came. */
  end(exit: ClaudeExit | null): { readonly events: readonly AgentEvent[]; readonly result: TurnResult };
}

/** The answer to a request that is not served. */
export function refuse(requestId: string, error: string): ClaudeNote {
  return { type: 'refuse', requestId, error };
}

/** A remark that a line was the reason for. */
export function diagnostic(
  wire: WireObject,
  level: Diagnostic['level'],
  code: Diagnostic['code'],
  text: string,
): AgentEvent {
  return { type: 'diagnostic', wire, derived: { source: 'agent', level, code, text } };
}
