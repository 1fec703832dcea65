import type { AgentRef } from '../shared/agentEvents.ts';
import { fidelityOf } from '../shared/fidelity.ts';
import type { Translate } from '../shared/translate.ts';

/** What cannot be shown of an agent's work because its wire does not carry it, in words; null where it carries all. */
export function notShown(agent: AgentRef, t: Translate): string | null {
  const told = fidelityOf(agent);
  const aspects = [
    [t('thoughts'), told.thoughts],
    [t('progress of tools'), told.toolProgress],
    [t('diffs'), told.diffs],
    [t('usage'), told.usage],
    [t('questions'), told.questions],
    [t('its own commands'), told.commands],
  ] as const;
  const named = (level: 'partly' | 'no') =>
    aspects.flatMap(([name, aspect]) => (aspect.level === level ? [name] : [])).join(', ');
  const [unsent, inPart] = [named('no'), named('partly')];
  const words = [
    unsent === '' ? '' : t('Not sent by this transport: {0}.', unsent),
    inPart === '' ? '' : t('Sent in part: {0}.', inPart),
  ].filter((sentence) => sentence !== '');
  return words.length === 0 ? null : words.join(' ');
}
