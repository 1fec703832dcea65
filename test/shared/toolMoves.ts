import type { LoopEvent } from '../../src/shared/events.ts';
import type { ToolState } from '../../src/shared/toolCall.ts';
import { isEnd, mayBecome, TRANSITIONS } from '../../src/shared/toolState.ts';

/** Whether one step of the table leads from `from` to `to`. */
export function isMove(from: ToolState, to: ToolState): boolean {
  const next: readonly ToolState[] = TRANSITIONS[from];
  return next.includes(to);
}

/**
 * The moves of a log that the table of tool states does not allow, one line each. Calls that an agent runs itself may
 * leave out steps; requests that we serve take every one, from `validating` to an end with its reason.
 */
export function illegalMoves(events: readonly LoopEvent[]): readonly string[] {
  const wrong: string[] = [];
  const calls = new Map<string, ToolState>();
  const requests = new Map<string, ToolState>();
  for (const event of events) {
    if (event.type === 'toolCall.started' || event.type === 'toolCall.updated') {
      const { toolCallId, state, reason } = event.derived;
      if (state === undefined) continue;
      const key = `${event.turn} ${event.role} ${toolCallId}`;
      const known = calls.get(key);
      const from = known !== undefined && isEnd(known) && event.type === 'toolCall.started' ? undefined : known;
      if (from !== undefined && !mayBecome(from, state)) wrong.push(`${event.seq}: ${toolCallId} ${from} → ${state}`);
      if ((state === 'error' || state === 'cancelled') && reason === undefined)
        wrong.push(`${event.seq}: ${toolCallId} ${state} without a reason`);
      calls.set(key, state);
    }
    if (event.type === 'request.moved') {
      const { requestId, state, reason } = event;
      const from = requests.get(requestId);
      const legal = from === undefined ? state === 'validating' : isMove(from, state);
      if (!legal) wrong.push(`${event.seq}: ${requestId} ${from ?? 'nothing'} → ${state}`);
      if ((state === 'error' || state === 'cancelled') !== (reason !== undefined))
        wrong.push(`${event.seq}: ${requestId} ${state} with the reason ${reason ?? 'none'}`);
      requests.set(requestId, state);
    }
  }
  return wrong;
}
