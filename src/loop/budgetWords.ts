import type { AgentRef, Role } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { BudgetKind } from '../shared/roundEvents.ts';
import { bothOf, type Translate } from '../shared/translate.ts';

/** An amount with its unit, such as `12,000 tokens`, `$0.50` or `7.5 minutes`. */
export function amountWords(kind: BudgetKind, value: number, t: Translate): string {
  switch (kind) {
    case 'tokens':
      return t('{0} tokens', Math.round(value).toLocaleString('en'));
    case 'money':
      return `$${value.toFixed(2)}`;
    case 'minutes': {
      const minutes = Math.round(value * 10) / 10;
      return minutes === 1 ? t('1 minute') : t('{0} minutes', minutes);
    }
    default:
      return kind satisfies never;
  }
}

/** Which agents do not tell what a limit counts, in words; null when all do, or nothing has been told yet. Pure. */
export function untoldWords(events: readonly LoopEvent[], kind: BudgetKind, t: Translate): string | null {
  if (kind === 'minutes') return null;
  const agents = new Map<Role, AgentRef>();
  const tells = new Map<Role, boolean>();
  for (const event of events) {
    if (event.type === 'run.started' || event.type === 'run.continued') {
      agents.set('execute', event.run.executor).set('review', event.run.reviewer);
      tells.clear();
    } else if (event.type === 'turn.ended' && event.derived.outcome.type === 'completed') {
      const { usage } = event.derived;
      const told = kind === 'money' ? usage?.costUsd : (usage?.inputTokens ?? usage?.outputTokens);
      tells.set(event.role, typeof told === 'number');
    }
  }
  const names = (told: boolean) => [
    ...new Set([...tells].flatMap(([role, does]) => (does === told ? [agents.get(role)?.name ?? ''] : []))),
  ];
  const silent = names(false);
  if (silent.length === 0) return null;
  const [teller = null] = names(true).filter((name) => !silent.includes(name));
  return kind === 'money' ? costWords(silent, teller, t) : tokenWords(silent, teller, t);
}

/** `teller`: the other one, who tells it; null: nobody does. */
function costWords(silent: readonly string[], teller: string | null, t: Translate): string {
  const who = bothOf(silent, t);
  if (teller !== null)
    return t('{0} does not tell its cost: the limit of money counts only what {1} tells.', who, teller);
  return silent.length === 1
    ? t('{0} does not tell its cost: the limit of money counts nothing so far.', who)
    : t('{0} do not tell their cost: the limit of money counts nothing so far.', who);
}

function tokenWords(silent: readonly string[], teller: string | null, t: Translate): string {
  const who = bothOf(silent, t);
  if (teller !== null)
    return t('{0} does not tell its tokens: the limit of tokens counts only what {1} tells.', who, teller);
  return silent.length === 1
    ? t('{0} does not tell its tokens: the limit of tokens counts nothing so far.', who)
    : t('{0} do not tell their tokens: the limit of tokens counts nothing so far.', who);
}
