import { linesOf } from '../shared/mentions.ts';
import type { Attachment } from './agent.ts';

/** A file or a text as words of a prompt, for an agent that has no other place for it. The agent reads the file itself. */
export function attachmentWords(one: Exclude<Attachment, { readonly type: 'image' }>): string {
  if (one.type === 'file') return `Attached file, to be read from the disk: ${one.path}`;
  const { path, lines, text } = one;
  if (lines === undefined) return `The text of ${path} as it stands, not saved yet:\n\n${text}`;
  return `Attached from ${path}, ${lines.from === lines.to ? 'line' : 'lines'} ${linesOf(lines)}:\n\n${text}`;
}
