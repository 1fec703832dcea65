import type { AgentRef, Usage } from '../src/shared/events.ts';

let words: Readonly<Record<string, string>> = {};
let language = 'en';

/** Sets the person's language for the whole page; called before anything is drawn, and again only if it changes. */
export function setLanguage(translations: Readonly<Record<string, string>>, tag: string): void {
  words = translations;
  language = tag;
}

/** The words in the person's language, with `{0}`, `{1}` … replaced. The English text is the key. */
export function t(text: string, ...args: readonly (string | number)[]): string {
  return (words[text] ?? text).replace(/\{(\d+)\}/g, (mark, index: string) => String(args[Number(index)] ?? mark));
}

/** What people call an agent: `Claude`, `Gemini`, else its own name. */
export function nameOf(agent: AgentRef | null): string {
  if (agent === null) return t('The agent');
  if (agent.id === 'claude') return 'Claude';
  if (agent.id === 'gemini') return 'Gemini';
  return agent.name;
}

/** Milliseconds as `42 s`, `1 m 12 s` or `1 h 3 m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return t('{0} s', seconds);
  if (minutes < 60) return t('{0} m {1} s', minutes, seconds % 60);
  return t('{0} h {1} m', Math.floor(minutes / 60), minutes % 60);
}

/** A score with its scale, such as `7/10`; a missing one is said to be missing. */
export function score(value: number | null): string {
  return value === null ? t('no score') : `${number(value)}/10`;
}

/** A number by the person's locale. */
export function number(value: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

/** Tokens and money that the agents told, such as `18K tokens · $0.12`; parts that nobody told are left out. */
export function cost(usage: Usage): string[] {
  const { inputTokens, outputTokens, costUsd } = usage;
  const parts: string[] = [];
  if (inputTokens !== null || outputTokens !== null) {
    const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
    parts.push(t('{0} tokens', new Intl.NumberFormat(language, { notation: 'compact' }).format(tokens)));
  }
  if (costUsd !== null) {
    const digits = costUsd < 0.1 ? 3 : 2;
    const money = { style: 'currency', currency: 'USD', maximumFractionDigits: digits } as const;
    parts.push(new Intl.NumberFormat(language, money).format(costUsd));
  }
  return parts;
}
