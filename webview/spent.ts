import type { TurnItem } from '../src/shared/view.ts';
import { compact, money, t } from './words.ts';

/**
 * Tokens and money of turns as their agents told them, such as `18K tokens`, `$0.12`. Money that nobody told is said to be
 * unknown, and a sum without a part of it to be the least that it can be. Empty before anything was told.
 */
export function spentWords(turns: readonly TurnItem[]): readonly string[] {
  const told = turns.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const over = turns.filter(({ endedAt, usage }) => endedAt !== null || usage !== null);
  const tokens = told.flatMap(({ inputTokens, outputTokens }) =>
    inputTokens === null && outputTokens === null ? [] : [(inputTokens ?? 0) + (outputTokens ?? 0)],
  );
  const costs = told.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return [
    ...(tokens.length === 0 ? [] : [t('{0} tokens', compact(sum(tokens)))]),
    ...(over.length === 0 ? [] : [moneyWords(costs, over.length)]),
  ];
}

function moneyWords(costs: readonly number[], turns: number): string {
  const told = sum(costs);
  if (costs.length === turns) return money(told);
  return told === 0 ? t('cost unknown') : t('at least {0}', money(told));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
