import type { LoopEvent } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import type { Translate } from '../shared/translate.ts';
import { EMPTY_VIEW, type Item } from '../shared/view.ts';
import type { Json } from '../shared/wire.ts';
import { type TruthContext, turnTruth } from '../workspace/turnTruth.ts';

/**
 * Who changed the folder while it was reviewed, as far as the log tells: the reviewer, when one of its tool calls says so
 * or it ran a command; the person, when all changed files were saved by them. Null: nobody knows.
 */
export function whoChanged(
  events: readonly LoopEvent[],
  turn: number,
  changed: readonly FileChange[],
  paths: TruthContext,
): 'user' | 'reviewer' | null {
  const cards = itemsOf(events, turn).filter(({ type }) => type === 'tool' || type === 'files');
  const { unannounced, ranCommands } = turnTruth(cards, changed, paths, 'review');
  if (ranCommands || unannounced.length < changed.length) return 'reviewer';
  const begun = events.findLastIndex((event) => event.type === 'turn.started' && event.turn === turn);
  const edited = new Set(events.slice(begun).flatMap((event) => (event.type === 'user.edited' ? [event.path] : [])));
  return changed.length > 0 && changed.every(({ path }) => edited.has(path)) ? 'user' : null;
}

/** What a changed folder does to the review, for people. */
export function changedWords(
  by: ReturnType<typeof whoChanged>,
  reviewer: string,
  changed: readonly FileChange[],
  t: Translate,
): string {
  const files = changed.slice(0, 5).map(({ path }) => path);
  const named = [...files, ...(changed.length > files.length ? ['…'] : [])].join(', ');
  switch (by) {
    case 'user':
      return t('You changed {0} while it was reviewed: the review is not about what is there now.', named);
    case 'reviewer':
      return t('{0} changed {1} while it reviewed, which a reviewer must not: its verdict is void.', reviewer, named);
    case null:
      return t('The folder changed while it was reviewed ({0}): the review is not about what is there now.', named);
    default:
      return by satisfies never;
  }
}

/** A review as the executor is shown it: the reviewer's words, then the verdict that it gave through a tool. */
export function reviewText(texts: readonly string[], structured: Json | undefined): string {
  const block = structured === undefined ? [] : [`\`\`\`json\n${JSON.stringify(structured, null, 2)}\n\`\`\``];
  return [...texts, ...block].join('\n\n');
}

/** What the tools of a turn gave to the agent, as far as it was told. */
export function outputsOf(events: readonly LoopEvent[], turn: number): readonly string[] {
  return itemsOf(events, turn).flatMap((item) => {
    if (item.type !== 'tool') return [];
    const texts = (item.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return [...texts, ...(typeof item.rawOutput === 'string' ? [item.rawOutput] : [])];
  });
}

/** What the person told the executor during the run, in order. */
export function personsWords(events: readonly LoopEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'user.note') return event.finding === undefined ? [event.text] : [];
    const instruction = event.type === 'run.resumed' ? (event.feedback?.instruction ?? '') : '';
    return instruction === '' ? [] : [instruction];
  });
}

function itemsOf(events: readonly LoopEvent[], turn: number): readonly Item[] {
  return reduce(EMPTY_VIEW, events).rounds.flatMap(({ items }) => items.filter((item) => item.turn === turn));
}
