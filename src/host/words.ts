import type { AgentRef } from '../shared/events.ts';
import type { Translate } from '../shared/translate.ts';

export type { Translate };

/** What people call an agent. */
export function nameOf(agent: AgentRef | null, t: Translate): string {
  if (agent === null) return t('The agent');
  if (agent.id === 'claude') return 'Claude';
  if (agent.id === 'gemini') return 'Gemini';
  return agent.name;
}
