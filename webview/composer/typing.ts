/** What is being typed in the task box, and what that offers. Pure. */
import type { AgentCommand } from '../../src/shared/agentEvents.ts';
import { mentionOf } from '../../src/shared/mentions.ts';
import type { FileChoice } from '../../src/shared/messages.ts';

/** A word at the cursor that can be completed. It stands in the text from `from` (its `@` or `/`) to `to`, exclusive. */
export type Trigger = { readonly from: number; readonly to: number; readonly query: string } & (
  | { readonly type: 'command' }
  /** `lines`: what is typed behind the name already, such as `:10-20`. */
  | { readonly type: 'file'; readonly lines: string }
);

export type Choice =
  | { readonly type: 'command'; readonly command: AgentCommand }
  | { readonly type: 'file'; readonly file: FileChoice };

/** Commands that are offered at a time. */
const OFFERED = 50;

/** The word at the cursor; null: it is none to complete. Slash commands stand only at the beginning of a task. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const command = /^\/([A-Za-z][\w:.-]*(?: [\w:.-]*)?)?$/.exec(before);
  if (command !== null) return { type: 'command', from: 0, to: caret, query: command[1] ?? '' };
  const mention = /(?<=^|[\s([{])@(?:"([^"\n]*)|([^\s"@:]*))((?::\d*(?:-\d*)?)?)$/.exec(before);
  if (mention === null) return null;
  const [, quoted, bare, lines = ''] = mention;
  const rest = quoted === undefined ? (/^[^\s"@:]*/.exec(text.slice(caret))?.[0] ?? '') : '';
  const query = quoted ?? bare ?? '';
  return { type: 'file', from: mention.index, to: lines === '' ? caret + rest.length : caret, query, lines };
}

/** The commands that begin with what is typed, then those that hold it. */
export function commandChoices(query: string, commands: readonly AgentCommand[]): Choice[] {
  const wanted = query.toLowerCase();
  const begins = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = commands.filter(({ name }) => !begins.some((one) => one.name === name) && name.includes(wanted));
  return [...begins, ...holds].slice(0, OFFERED).map((command) => ({ type: 'command', command }));
}

/** The text with the choice in place of the word, and the cursor behind it and a blank. */
export function withChoice(
  text: string,
  trigger: Trigger,
  choice: Choice,
): { readonly text: string; readonly caret: number } {
  const word = choice.type === 'command' ? `/${choice.command.name}` : mentionWord(choice.file, trigger);
  const after = text.slice(trigger.to);
  const blank = /^\s/.test(after) ? '' : ' ';
  const head = `${text.slice(0, trigger.from)}${word}`;
  return { text: `${head}${blank}${after}`, caret: head.length + 1 };
}

/** Lines that were typed stand; those of a selection come with it. */
function mentionWord({ path, lines }: FileChoice, trigger: Trigger): string {
  const typed = trigger.type === 'file' ? trigger.lines : '';
  return typed === '' || typed === ':' ? mentionOf(path, lines) : `${mentionOf(path, null)}${typed}`;
}

/** Puts a text of elsewhere into the task at the cursor, with a blank before it where a word would grow together. */
export function withText(
  text: string,
  caret: number,
  added: string,
): { readonly text: string; readonly caret: number } {
  const before = text.slice(0, caret);
  const glue = before === '' || /\s$/.test(before) || added === '' ? '' : ' ';
  const head = `${before}${glue}${added}`;
  return { text: `${head}${text.slice(caret)}`, caret: head.length };
}
