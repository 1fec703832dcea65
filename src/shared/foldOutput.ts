/** Folds commands that we run, for an agent or as checks of the person: each keeps the newest of its output. */
import type { CheckItem, TerminalItem, ToolItem } from './view.ts';
import { type Draft, type EventOf, find, put, type RoundDraft, roundOf, update } from './viewDraft.ts';

/** Characters of an output that the view keeps. */
const OUTPUT_SHOWN = 32_000;

/** `terminal.started`: a command begins, and no card shows it yet. */
export function foldTerminalStart(draft: Draft, event: EventOf<'terminal.started'>): void {
  const { at, round: number, turn, role, terminalId, command, cwd } = event;
  const open = { output: '', cut: false, end: null, endedAt: null, card: null };
  const key = terminalKey(terminalId);
  put(roundOf(draft, number, at), { type: 'terminal', key, turn, role, at, terminalId, command, cwd, ...open });
  draft.view.terminalRounds = { ...draft.view.terminalRounds, [terminalId]: number };
}

/** `terminal.output` and `terminal.ended`, in the round that the command began in and in the card that shows it. */
export function foldTerminal(draft: Draft, event: EventOf<'terminal.output' | 'terminal.ended'>): void {
  const number = draft.view.terminalRounds[event.terminalId];
  if (number === undefined) return;
  const round = roundOf(draft, number, event.at);
  const known = find(round, terminalKey(event.terminalId));
  if (known?.type !== 'terminal') return;
  const terminal: TerminalItem =
    event.type === 'terminal.output'
      ? { ...known, ...withOutput(known, event) }
      : { ...known, end: event.end, endedAt: event.at };
  put(round, terminal);
  if (terminal.card === null) return;
  update(round, terminal.card, (item) => {
    if (item.type !== 'tool') return item;
    const terminals = item.terminals?.map((one) => (one.terminalId === terminal.terminalId ? terminal : one)) ?? [];
    return { ...item, terminals };
  });
}

/** The terminals that the card names, which belong to it from now on. */
export function terminalsOf(round: RoundDraft, { key, content = [] }: ToolItem): readonly TerminalItem[] | undefined {
  const named = content.flatMap((part) => (part.type === 'terminal' ? [part.terminalId] : []));
  if (named.length === 0) return undefined;
  return named.flatMap((terminalId) => {
    const known = find(round, terminalKey(terminalId));
    if (known?.type !== 'terminal') return [];
    const terminal = { ...known, card: key };
    put(round, terminal);
    return [terminal];
  });
}

/** `check.started`: a check begins. */
export function foldCheckStart(draft: Draft, event: EventOf<'check.started'>): void {
  const { at, checkId, command, cwd } = event;
  const open = { output: '', cut: false, end: null, endedAt: null };
  const key = checkKey(checkId);
  put(roundOf(draft, event.round, at), { type: 'check', key, turn: 0, role: null, at, checkId, command, cwd, ...open });
}

/** `check.output` and `check.ended`. */
export function foldCheck(draft: Draft, event: EventOf<'check.output' | 'check.ended'>): void {
  update(roundOf(draft, event.round, event.at), checkKey(event.checkId), (item) => {
    if (item.type !== 'check') return item;
    if (event.type === 'check.output') return { ...item, ...withOutput(item, event) };
    return { ...item, end: event.end, endedAt: event.at };
  });
}

/** The output with what came. `skipped` counts bytes before it that are not in the log. */
function withOutput(
  { output, cut }: Pick<CheckItem, 'output' | 'cut'>,
  { text, skipped }: { readonly text: string; readonly skipped: number },
): Pick<CheckItem, 'output' | 'cut'> {
  const now = newest(output + text);
  return { output: now.text, cut: cut || now.cut || skipped > 0 };
}

function newest(text: string): { readonly text: string; readonly cut: boolean } {
  if (text.length <= OUTPUT_SHOWN) return { text, cut: false };
  const tail = text.slice(-OUTPUT_SHOWN);
  // The second half of a character that was cut through.
  return { text: /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail, cut: true };
}

const terminalKey = (terminalId: string) => `terminal/${terminalId}`;
const checkKey = (checkId: string) => `check/${checkId}`;
