import type { AgentRef } from '../shared/events.ts';

/** `vscode.l10n.t`: the English text is the key, `{0}` … are replaced. */
export type Translate = (text: string, ...args: (string | number)[]) => string;

/** What people call an agent. */
export function nameOf(agent: AgentRef | null, t: Translate): string {
  if (agent === null) return t('The agent');
  if (agent.id === 'claude') return 'Claude';
  if (agent.id === 'gemini') return 'Gemini';
  return agent.name;
}
