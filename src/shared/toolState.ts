import type { ToolState } from './toolCall.ts';

/**
 * The legal moves of a call, the agent's own and those that we serve. Seven states, three of them ends; `cancelled` can
 * be reached from every live state, so that nothing is without a way out.
 *
 * `executing` to `awaitingApproval`: an agent may ask in the middle. Claude Code names a call before it asks for it, and
 * most calls never ask (12-two-permission-requests-at-once); Gemini CLI asks when its sandbox has to be widened.
 */
export const TRANSITIONS = {
  validating: ['awaitingApproval', 'scheduled', 'error', 'cancelled'],
  awaitingApproval: ['scheduled', 'error', 'cancelled'],
  scheduled: ['executing', 'cancelled'],
  executing: ['awaitingApproval', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<ToolState, readonly ToolState[]>;

/** Whether a call in this state is over. */
export function isEnd(state: ToolState): boolean {
  return TRANSITIONS[state].length === 0;
}

/**
 * Whether an agent's word may take its call from `from` to `to`: no wire tells every step, so what lies between may be
 * left out, but nothing that has ended begins again, and a call that runs is not back in its queue.
 */
export function mayBecome(from: ToolState, to: ToolState): boolean {
  if (from === to) return true;
  const backwards = from === 'executing' && to !== 'awaitingApproval' && !isEnd(to);
  return !backwards && REACH[from].has(to);
}

const REACH: Readonly<Record<ToolState, ReadonlySet<ToolState>>> = {
  validating: reach('validating'),
  awaitingApproval: reach('awaitingApproval'),
  scheduled: reach('scheduled'),
  executing: reach('executing'),
  success: reach('success'),
  error: reach('error'),
  cancelled: reach('cancelled'),
};

function reach(from: ToolState): ReadonlySet<ToolState> {
  const seen = new Set<ToolState>();
  const open: ToolState[] = [...TRANSITIONS[from]];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    open.push(...TRANSITIONS[state]);
  }
  return seen;
}
