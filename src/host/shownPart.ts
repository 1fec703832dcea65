import type { LoopEvent } from '../shared/events.ts';
import type { ToolContent } from '../shared/toolCall.ts';
import type { RunView } from '../shared/view.ts';

/** Scheme of the read-only documents that show such parts. */
export const SHOWN_SCHEME = 'cgloop-shown';

/** The part of a tool call's or a question's content that a row of the page shows; `id`: `round/N/` and the item's key. Null: there is none. */
export function shownPart(view: RunView, id: string, part: number): ToolContent | null {
  const [, number, key] = /^round\/(\d+)\/(.+)$/s.exec(id) ?? [];
  const item = view.rounds.find((round) => round.number === Number(number))?.items.find((one) => one.key === key);
  if (item?.type === 'tool') return item.content?.[part] ?? null;
  if (item?.type === 'permission') return item.request.content[part] ?? null;
  return null;
}

/** All that the log holds of the output of a check. */
export function checkText(events: readonly LoopEvent[], checkId: string): string {
  return events.map((event) => (event.type === 'check.output' && event.checkId === checkId ? event.text : '')).join('');
}

/** All that a command of ours wrote, as far as the log has it; it keeps the newest of what came too fast. */
export function terminalText(events: readonly LoopEvent[], terminalId: string): string {
  return events
    .map((event) => (event.type === 'terminal.output' && event.terminalId === terminalId ? event.text : ''))
    .join('');
}
