import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentCapabilities, PromptBlockParams } from '../protocol/acpRequests.ts';
import { linesOf } from '../shared/mentions.ts';
import type { Attachment } from './agent.ts';
import { attachmentWords } from './attachmentWords.ts';
import type { Quirks } from './quirks.ts';

/** A prompt as it goes out, and what could not go with it, one line each. */
export interface AcpPrompt {
  readonly blocks: readonly PromptBlockParams[];
  readonly leftOut: readonly string[];
}

/**
 * The text first, always: an empty prompt would end Gemini CLI's session for good (acp-15h, acp-39b). Then what is
 * attached, by what the agent takes: a text that it does not take embedded goes as a link to its file, and what would be
 * lost goes in words.
 */
export function promptOf(
  text: string,
  attachments: readonly Attachment[],
  capabilities: AgentCapabilities | null,
  quirks: Quirks,
  platform: NodeJS.Platform,
): AcpPrompt {
  const leftOut: string[] = [];
  const takes = capabilities?.promptCapabilities;
  const uriOf = (file: string): string =>
    quirks.plainFileUris ? `file://${file}` : pathToFileURL(file, { windows: platform === 'win32' }).href;
  const inWords =
    quirks.dropsImagesBesideFiles && takes?.image === true && attachments.some(({ type }) => type === 'image');
  const wordsOf = (one: Parameters<typeof attachmentWords>[0]): PromptBlockParams[] => [
    { type: 'text', text: `\n\n${attachmentWords(one)}` },
  ];
  const attached = attachments.flatMap((one): PromptBlockParams[] => {
    switch (one.type) {
      case 'file':
        // "file:///C:/x" would become "/C:/x": there is no address of a Windows file that it understands.
        if (inWords || (quirks.plainFileUris && platform === 'win32')) return wordsOf(one);
        return [{ type: 'resource_link', uri: uriOf(one.path), name: path.basename(one.path) }];
      case 'text': {
        if (inWords) return wordsOf(one);
        const at = one.lines === undefined ? '' : `#L${linesOf(one.lines)}`;
        const uri = uriOf(one.path);
        if (takes?.embeddedContext === true)
          return [{ type: 'resource', resource: { uri: `${uri}${at}`, text: one.text } }];
        return [{ type: 'resource_link', uri, name: path.basename(one.path) }];
      }
      case 'image':
        if (takes?.image === true) return [{ type: 'image', data: one.data, mimeType: one.mimeType }];
        leftOut.push('An image: this agent takes none.');
        return [];
      default:
        return one satisfies never;
    }
  });
  // Gemini CLI puts no blank between a text and what follows it (acp-20).
  const words = attached.length > 0 && text !== '' && !/\s$/.test(text) ? `${text} ` : text;
  return { blocks: [{ type: 'text', text: words }, ...attached], leftOut };
}
