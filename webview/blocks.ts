/** A piece of Markdown that can be read by itself. A fence is code already; an item is one or more items of a list. */
export type Block =
  | { readonly type: 'text'; readonly source: string }
  | { readonly type: 'item'; readonly ordered: boolean; readonly start: number; readonly source: string }
  | { readonly type: 'code'; readonly language: string; readonly text: string };

/** A text as far as it came: what no later text can change, and the block that is still being written. */
export interface Cut {
  readonly text: string;
  readonly closed: readonly Block[];
  /** Where the open block begins. */
  readonly end: number;
  readonly open: Block | null;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly language: string;
}

/** The lines of the block that is being read; `blank`: the last one is. */
type Reading =
  | { readonly type: 'text'; readonly lines: string[]; readonly indented: boolean; blank: boolean }
  | { readonly type: 'item'; readonly lines: string[]; blank: boolean }
  | { readonly type: 'code'; readonly lines: string[]; readonly fence: Fence };

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+\S|[ \t]*$)/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {2,}|\t)/;
/** The begin of a line that more characters may still make a list, a fence or a heading, or none. */
const UNDECIDED = /^(?:[-*+_=#>\s]*|\s*\d+[.)]?|\s*[`~].*)$/;

/**
 * Cuts Markdown into blocks: at blank lines, fences, headings and between the items of a list. Goes on from what was cut
 * before where the text only grew, so that no block is cut or read twice.
 */
export function cutBlocks(text: string, before: Cut | null): Cut {
  const known = before !== null && text.startsWith(before.text.slice(0, before.end)) ? before : null;
  const closed: Block[] = known === null ? [] : [...known.closed];
  let end = known?.end ?? 0;
  let reading: Reading | null = null;
  for (let start = end; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const whole = feed >= 0;
    const next = whole ? feed + 1 : text.length;
    const line = text.slice(start, whole ? feed : next).replace(/\r$/, '');
    const step = reading === null ? 'begin' : stepOf(reading, line, whole);
    if (reading !== null && step !== 'push') {
      closed.push(blockOf(reading));
      reading = null;
      end = step === 'end' ? next : start;
    }
    if (reading !== null) push(reading, line);
    else if (step === 'begin') {
      if (line.trim() === '') end = whole ? next : start;
      else reading = begin(line);
      // A heading is one line.
      if (reading !== null && whole && HEADING.test(line)) {
        closed.push(blockOf(reading));
        reading = null;
        end = next;
      }
    }
    start = next;
  }
  return { text, closed, end, open: reading === null ? null : blockOf(reading) };
}

/** Every block of a text that grows no more. */
export function allBlocks({ closed, open }: Cut): readonly Block[] {
  return open === null ? closed : [...closed, open];
}

/** What a line does to the block before it: it belongs to it, it ends it and is spent, or it begins another. */
function stepOf(reading: Reading, line: string, whole: boolean): 'push' | 'end' | 'begin' {
  if (reading.type === 'code') return whole && endsFence(line, reading.fence) ? 'end' : 'push';
  if (!whole && UNDECIDED.test(line)) return 'push';
  const isBlank = line.trim() === '';
  switch (reading.type) {
    case 'item':
      if (isBlank || INDENTED.test(line)) return 'push';
      return reading.blank || [ITEM, RULE, FENCE, HEADING, QUOTE].some((one) => one.test(line)) ? 'begin' : 'push';
    case 'text': {
      if (isBlank) return reading.indented ? 'push' : 'end';
      if (reading.blank) return INDENTED.test(line) ? 'push' : 'begin';
      if (FENCE.test(line) || HEADING.test(line)) return 'begin';
      // A list interrupts a paragraph, but not empty and not with a later number; a rule may be the line under a heading.
      const item = RULE.test(line) || line.trim().length < 3 ? null : ITEM.exec(line);
      return item !== null && (item[1] === undefined || item[1] === '1') ? 'begin' : 'push';
    }
    default:
      return reading satisfies never;
  }
}

function begin(line: string): Reading {
  const fence = FENCE.exec(line);
  if (fence !== null) {
    const [, indent = '', mark = '', language = ''] = fence;
    return { type: 'code', lines: [], fence: { mark, indent: indent.length, language } };
  }
  if (ITEM.test(line) && !RULE.test(line)) return { type: 'item', lines: [line], blank: false };
  return { type: 'text', lines: [line], indented: /^(?: {4}|\t)/.test(line), blank: false };
}

function push(reading: Reading, line: string): void {
  if (reading.type === 'code') {
    const spaces = line.length - line.trimStart().length;
    reading.lines.push(line.slice(Math.min(spaces, reading.fence.indent)));
    return;
  }
  reading.lines.push(line);
  reading.blank = line.trim() === '';
}

function endsFence(line: string, { mark }: Fence): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text.replaceAll(mark.charAt(0), '') === '';
}

function blockOf(reading: Reading): Block {
  if (reading.type === 'code')
    return { type: 'code', language: reading.fence.language, text: reading.lines.join('\n') };
  const source = reading.lines.join('\n').trimEnd();
  if (reading.type === 'text') return { type: 'text', source };
  const number = ITEM.exec(source.split('\n', 1).join(''))?.[1];
  return { type: 'item', ordered: number !== undefined, start: Number(number ?? 1), source };
}
