import { isWireObject } from '../protocol/parseWire.ts';
import type { AgentEvent, AgentRef } from '../shared/agentEvents.ts';
import type { PermissionAnswer, PermissionRequest } from '../shared/permission.ts';
import type { WireObject } from '../shared/wire.ts';
import type { TurnResult } from './agent.ts';

/** What one line of a traced wire meant when it was live. */
export type ReplayStep =
  | { readonly type: 'ready'; readonly agent: AgentRef }
  | { readonly type: 'prompt'; readonly text: string; readonly sessionId: string | null }
  | { readonly type: 'event'; readonly event: AgentEvent }
  | { readonly type: 'asked'; readonly id: string; readonly wire: WireObject; readonly request: PermissionRequest }
  | { readonly type: 'answered'; readonly id: string; readonly answer: PermissionAnswer }
  | { readonly type: 'end'; readonly result: TurnResult };

/** How a traced process ended. */
export interface ReplayedExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** Reads the trace of one agent by the readers of its adapter. Lines in the order in which they were written. */
export interface WireReplay {
  /** The agent's program was started. */
  start(): readonly ReplayStep[];
  /** `object` null: the line is no JSON object. */
  out(object: WireObject | null, line: string): readonly ReplayStep[];
  in(object: WireObject | null, line: string): readonly ReplayStep[];
  exit(exit: ReplayedExit): readonly ReplayStep[];
}

/** A line of a wire as the object that it is; null for another thing. */
export function objectOf(line: string): WireObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isWireObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** As steps of a replay. */
export function asEvents(events: readonly AgentEvent[]): readonly ReplayStep[] {
  return events.map((event) => ({ type: 'event', event }));
}
