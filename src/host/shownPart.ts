import type { LoopEvent } from '../shared/events.ts';
import type { ToolContent } from '../shared/toolCall.ts';
import type { Item, RunView } from '../shared/view.ts';
import type { Json } from '../shared/wire.ts';

/** Scheme of the read-only documents that show such parts. */
export const SHOWN_SCHEME = 'cgloop-shown';

/**
 * What a row of the page shows a part of. `id`: `round/N/` and the item's key. `part`: of the content of a tool call or a question;
 * 0 for all of a message or a diagnostic; with `/raw` after the key of a tool call, 0 for its arguments and 1 for its result as they
 * came. Null: there is no such thing.
 */
export function shownPart(view: RunView, id: string, part: number): ToolContent | null {
  const item = itemOf(view, id);
  if (item?.type === 'tool') return item.content?.[part] ?? null;
  if (item?.type === 'permission') return item.request.content[part] ?? null;
  if (item?.type === 'message' || item?.type === 'diagnostic')
    return part === 0 ? { type: 'text', text: item.text } : null;
  const called = id.endsWith(RAW) ? itemOf(view, id.slice(0, -RAW.length)) : undefined;
  return called?.type === 'tool' ? rawPart([called.rawInput, called.rawOutput][part]) : null;
}

const RAW = '/raw';

function itemOf(view: RunView, id: string): Item | undefined {
  const [, number, key] = /^round\/(\d+)\/(.+)$/s.exec(id) ?? [];
  return view.rounds.find((round) => round.number === Number(number))?.items.find((one) => one.key === key);
}

function rawPart(value: Json | undefined): ToolContent | null {
  if (value === undefined || value === null) return null;
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) };
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
