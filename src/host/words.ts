import type { AgentRef } from '../shared/agentEvents.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import type { Translate } from '../shared/translate.ts';

export type { Translate };

/** What people call an agent. */
export function nameOf(agent: AgentRef | null, t: Translate): string {
  if (agent === null) return t('The agent');
  if (agent.id === 'claude') return 'Claude';
  if (agent.id === 'gemini') return 'Gemini';
  return agent.name;
}

/** Such as `3 files +42 −10`; of one file its lines only. */
export function changeWords(files: readonly Pick<FileChange, 'added' | 'removed'>[], t: Translate): string {
  if (files.length === 0) return t('No file was changed.');
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const lines = `+${sum('added')} −${sum('removed')}`;
  return files.length === 1 ? lines : `${t('{0} files', files.length)} ${lines}`;
}
