import { AgentStartError } from '../agent/agent.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { Translate, Words } from '../shared/translate.ts';
import type { StartProblem } from './options.ts';

/** Why an agent did not come up, with a way out. Throws what is no `AgentStartError`: a fault of ours. */
export function startProblem(agent: AgentRef, error: unknown, t: Translate): StartProblem {
  if (!(error instanceof AgentStartError)) throw error;
  return { agent, what: error.message, fix: FIXES[error.reason](t) };
}

const LOOK: Words = (t) => t('Start the program in a terminal to see what is wrong with it.');
const FIXES: Record<AgentStartError['reason'], Words> = {
  spawn: LOOK,
  agentExit: LOOK,
  startLimit: (t) => t('Start the program once in a terminal: it may be waiting for a sign-in there.'),
  signIn: (t) => t('Sign in once in a terminal, then run again.'),
  protocol: (t) => t('Update the program: its version may be too old or too new for this one.'),
  agentError: LOOK,
};
