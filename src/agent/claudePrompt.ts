import type { UserBlock } from '../protocol/claudeStream.ts';
import type { Attachment } from './agent.ts';
import { attachmentWords } from './attachmentWords.ts';

/** The kinds of image that the model's API takes; others would fail the whole request. */
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A prompt as it goes out, and what could not go with it, one line each. */
export interface ClaudePrompt {
  readonly content: string | readonly UserBlock[];
  readonly leftOut: readonly string[];
}

/**
 * The text alone as a text; else the text first and a block for each attachment: images as they are (94-image), files
 * by their path, which the agent reads itself, and texts that are not on the disk with their words.
 */
export function claudePrompt(text: string, attachments: readonly Attachment[]): ClaudePrompt {
  if (attachments.length === 0) return { content: text, leftOut: [] };
  const leftOut: string[] = [];
  const blocks = attachments.flatMap((one): UserBlock[] => {
    switch (one.type) {
      case 'file':
      case 'text':
        return [{ type: 'text', text: attachmentWords(one) }];
      case 'image':
        if (IMAGES.includes(one.mimeType)) {
          return [{ type: 'image', source: { type: 'base64', media_type: one.mimeType, data: one.data } }];
        }
        leftOut.push(`An image of type ${one.mimeType}: Claude Code takes PNG, JPEG, GIF and WebP.`);
        return [];
      default:
        return one satisfies never;
    }
  });
  return { content: [{ type: 'text', text }, ...blocks], leftOut };
}
