import type { TurnOutcome } from '../shared/ending.ts';
import { errorText } from '../shared/errors.ts';
import { AgentStartError, type CancelReason, type TurnResult } from './agent.ts';

/** A turn whose prompt never reached the agent. */
export function unsentTurn(outcome: TurnResult['outcome']): TurnResult {
  return { wire: null, outcome, texts: [], usage: null, models: [], denials: [] };
}

/** The turn of an agent that did not come up: `error` is what its start was rejected with. */
export function turnWithoutAgent(error: unknown): TurnResult {
  const cause = error instanceof AgentStartError ? error.reason : 'protocol';
  return unsentTurn({ type: 'failed', cause, message: errorText(error) });
}

/** The turn that was asked for while another one goes on. */
export function secondTurn(): TurnResult {
  return unsentTurn({ type: 'failed', cause: 'protocol', message: 'A turn is under way already.' });
}

/** Why the turn is to stop, null while it is not: a turn is aborted with `timeLimit`, or by the person. */
export function cancelReasonOf(signal: AbortSignal): CancelReason | null {
  if (!signal.aborted) return null;
  return signal.reason === 'timeLimit' ? 'timeLimit' : 'user';
}

/** How a turn ended that we interrupted, whether the agent still said so or not. */
export function interruptedOutcome(reason: CancelReason): TurnOutcome {
  if (reason === 'user') return { type: 'cancelled', by: 'user' };
  return { type: 'failed', cause: 'timeLimit', message: 'The turn reached its time limit and was stopped.' };
}
