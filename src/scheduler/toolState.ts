import type { ToolState } from '../shared/events.ts';

/**
 * The legal moves of a tool call. Seven states, three of them ends; `cancelled` can be reached from every live state,
 * so that nothing is without a way out.
 */
export const TRANSITIONS = {
  validating: ['awaitingApproval', 'scheduled', 'error', 'cancelled'],
  awaitingApproval: ['scheduled', 'error', 'cancelled'],
  scheduled: ['executing', 'cancelled'],
  executing: ['success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<ToolState, readonly ToolState[]>;

/** Whether a tool call in this state is over. */
export function isEnd(state: ToolState): boolean {
  return TRANSITIONS[state].length === 0;
}
