import type { AgentRef } from '../src/shared/agentEvents.ts';

let words: Readonly<Record<string, string>> = {};
let language = 'en';

/** Sets the person's language for the whole page; called before anything is drawn, and again only if it changes. */
export function setLanguage(translations: Readonly<Record<string, string>>, tag: string): void {
  words = translations;
  if (language !== tag) formats.clear();
  language = tag;
}

/** The words in the person's language, with `{0}`, `{1}` … replaced, numbers by their locale. The English text is the key. */
export function t(text: string, ...args: readonly (string | number)[]): string {
  return (words[text] ?? text).replace(/\{(\d+)\}/g, (mark, index: string) => {
    const arg = args[Number(index)] ?? mark;
    return typeof arg === 'number' ? number(arg) : arg;
  });
}

/** What people call an agent: `Claude`, `Gemini`, else its own name. */
export function nameOf(agent: AgentRef | null): string {
  if (agent === null) return t('The agent');
  if (agent.id === 'claude') return 'Claude';
  if (agent.id === 'gemini') return 'Gemini';
  return agent.name;
}

/** How many names stand in a sentence, or links in a row. */
export const MOST_NAMES = 20;

/** Names as a part of a sentence: of many the first, and how many there are besides. */
export function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const first = names.slice(0, MOST_NAMES).join(', ');
  return more > 0 ? `${first} ${t('and {0} more', more)}` : first;
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

const PLAIN = { maximumFractionDigits: 1 } as const;
const COMPACT = { notation: 'compact', maximumFractionDigits: 1 } as const;
const MONEY = { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const SMALL_MONEY = { ...MONEY, maximumFractionDigits: 3 } as const;

/** Of the language; making one costs more than all that it then formats. */
const formats = new Map<Intl.NumberFormatOptions, Intl.NumberFormat>();

function formatted(value: number, options: Intl.NumberFormatOptions): string {
  const format = formats.get(options) ?? new Intl.NumberFormat(language, options);
  formats.set(options, format);
  return format.format(value);
}

/** A number by the person's locale. */
export function number(value: number): string {
  return formatted(value, PLAIN);
}

/** A large number in few characters, such as `18K`. */
export function compact(value: number): string {
  return formatted(value, COMPACT);
}

/** US dollars; of a small sum as many digits as say something. */
export function money(usd: number): string {
  return formatted(usd, usd > 0 && usd < 0.1 ? SMALL_MONEY : MONEY);
}

/** A day and a time of it by the person's locale. `at` in milliseconds since the epoch. */
export function dateTime(at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
