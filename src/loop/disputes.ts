import { layOut } from './reviewLines.ts';

const LINE = /^[\s>*_-]{0,9}DISPUTED[\s*_]{1,9}(F\d{1,6})[\s*_]{0,9}[:：][\s*_]{0,9}(\S.*)$/i;
const MOST_REASON = 1_000;

/**
 * The findings that the executor disputes in its words: id → reason, the last word on each. Lines in code fences and
 * quotes are not its own.
 */
export function disputesIn(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { text, own } of texts.flatMap((one) => layOut(one).lines)) {
    const [, id, reason] = own ? (LINE.exec(text.slice(0, 2 * MOST_REASON)) ?? []) : [];
    if (id === undefined || reason === undefined) continue;
    found.set(id.toUpperCase(), reason.trim().slice(0, MOST_REASON).toWellFormed());
  }
  return found;
}
