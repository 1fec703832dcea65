/** What of a run is said in English, on a terminal and in an export. */
import type { Role, Usage } from './agentEvents.ts';
import type { Ending } from './ending.ts';
import type { FileChange } from './fileEvents.ts';

/** `1 finding`, `2 findings`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Milliseconds as people say them: `0.4 s`, `12 s`, `1 m 12 s`, `1 h 02 m`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const pad = (number: number) => String(number).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} m`;
}

/** Tokens and money of a turn; what the agent did not say is left out, and empty when it said nothing. */
export function usage(told: Usage | null): string {
  const known = [told?.inputTokens, told?.outputTokens].flatMap((tokens) =>
    typeof tokens === 'number' ? [tokens] : [],
  );
  const tokens = known.length === 0 ? [] : [`${short(known.reduce((sum, one) => sum + one, 0))} tokens`];
  const money = typeof told?.costUsd === 'number' && told.costUsd > 0 ? [`$${told.costUsd.toFixed(2)}`] : [];
  return [...tokens, ...money].join(' · ');
}

function short(number: number): string {
  if (number < 1000) return String(number);
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}

/** `3 files +42 −10`. */
export function changes(files: readonly FileChange[]): string {
  if (files.length === 0) return 'no files changed';
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  return `${count(files.length, 'file')} +${sum('added')} −${sum('removed')}`;
}

/** A score out of ten, without a tail of zeros. */
export function score(value: number | null): string {
  return value === null ? '–' : `${value}/10`;
}

export const ROLE_NAMES = { execute: 'executor', review: 'reviewer' } as const satisfies Record<Role, string>;

const NOT_APPROVED = {
  roundLimit: 'Not approved when the rounds ran out',
  plateau: 'Not approved, and no nearer to it',
  oscillation: 'Not approved, and going round in circles',
} as const satisfies Record<Extract<Ending, { type: 'notApproved' }>['cause'], string>;

/** An ending in one line; `scores` are those of the rounds in order. */
export function ending(told: Ending, scores: readonly number[]): string {
  const way = scores.length > 1 ? ` (${scores.join(' → ')})` : '';
  switch (told.type) {
    case 'approved':
      return `Approved with ${score(told.score)}${way}.`;
    case 'notApproved': {
      const best = told.bestRound === null ? '' : ` The best was round ${told.bestRound}.`;
      const why = told.message === undefined ? '' : ` ${told.message}`;
      return `${NOT_APPROVED[told.cause]}: ${score(told.score)}${way}.${why}${best}`;
    }
    case 'overBudget': {
      const unit = told.limit === 'money' ? 'US dollars' : told.limit;
      // Minutes and dollars are sums of parts, and come with all the digits of one.
      const used = told.limit === 'tokens' ? told.used : Number(told.used.toPrecision(3));
      return `Over budget: ${used} of ${told.allowed} ${unit} were used${way}.`;
    }
    case 'noVerdict':
      return `No verdict, twice: ${told.message}`;
    case 'failed':
      return told.role === null ? `Failed: ${told.message}` : `The ${ROLE_NAMES[told.role]} failed: ${told.message}`;
    case 'stopped':
      return 'Stopped.';
    default:
      return told satisfies never;
  }
}
