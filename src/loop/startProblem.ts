import { AgentStartError } from '../agent/agent.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { StartProblem } from './options.ts';

/** Why an agent did not come up, with a way out. Throws what is no `AgentStartError`: a fault of ours. */
export function startProblem(agent: AgentRef, error: unknown): StartProblem {
  if (!(error instanceof AgentStartError)) throw error;
  return { agent, what: error.message, fix: FIXES[error.reason] };
}

const FIXES: Record<AgentStartError['reason'], string> = {
  spawn: 'Start the program in a terminal to see what is wrong with it.',
  agentExit: 'Start the program in a terminal to see what is wrong with it.',
  startLimit: 'Start the program once in a terminal: it may be waiting for a sign-in there.',
  signIn: 'Sign in once in a terminal, then run again.',
  protocol: 'Update the program: its version may be too old or too new for this one.',
  agentError: 'Start the program in a terminal to see what is wrong with it.',
};
