import { isWireObject } from '../protocol/parseWire.ts';
import type { AgentRef, Role } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { Json } from '../shared/wire.ts';

/** The session that a role's agent was last in. */
export interface LastSession {
  readonly agent: AgentRef;
  readonly sessionId: string;
  /** Where it was begun; it can be gone on with from there only. Absolute. */
  readonly folder: string;
  /** What it had cost in all, as its wire told last; absent where it tells no cost. */
  readonly costUsd?: number;
}

/**
 * What the log says of it; null when the agent never told a session. The newest word counts: Claude Code tells the id
 * with each `result`, and it may change in the process (93-slash-commands).
 */
export function lastSessionOf(events: readonly LoopEvent[], role: Role): LastSession | null {
  let agent: AgentRef | null = null;
  let folder = '';
  let sessionId: string | null = null;
  let cost: number | null = null;
  for (const event of events) {
    if (event.type === 'run.started' || event.type === 'run.continued') {
      agent = role === 'execute' ? event.run.executor : event.run.reviewer;
      folder = event.run.folder;
    } else if (!('role' in event) || event.role !== role) {
    } else if (event.type === 'agent.ready') {
      agent = event.agent;
    } else if (event.type === 'turn.started') {
      sessionId = event.wire.sessionId ?? sessionId;
    } else if (event.type === 'session.updated') {
      sessionId = event.derived.sessionId;
    } else if (event.type === 'usage.updated') {
      cost = costIn(event.wire.cost) ?? cost;
    } else if (event.type === 'turn.ended' || event.type === 'message.chunk' || event.type === 'mode.updated') {
      const { session_id: told, total_cost_usd: total } = event.wire ?? {};
      if (typeof told === 'string') sessionId = told;
      if (typeof total === 'number') cost = total;
    }
  }
  if (agent === null || sessionId === null) return null;
  return { agent, sessionId, folder, ...(cost === null ? {} : { costUsd: cost }) };
}

/** The amount of ACP's `usage_update`, in dollars. */
function costIn(cost: Json | undefined): number | null {
  if (cost === undefined || !isWireObject(cost) || cost.currency !== 'USD') return null;
  return typeof cost.amount === 'number' ? cost.amount : null;
}
