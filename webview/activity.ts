import type { Item, RoundView, RunView } from '../src/shared/view.ts';
import { t } from './words.ts';

/** Characters of an activity. */
const MOST = 140;

/** What the agent that acts in the round is at: its newest topic or thought, or that nothing is heard of it. Null: nobody acts there. */
export function activityOf({ items }: Pick<RoundView, 'items'>, acting: RunView['acting']): string | null {
  if (acting === null) return null;
  const own = items.filter((item) => item.turn === acting.turn && item.role === acting.role);
  const newest = own.at(-1);
  if (newest === undefined) return null;
  if (newest.type === 'diagnostic' && newest.code === 'silence') return newest.text;
  for (const item of own.toReversed()) {
    const topic = topicOf(item);
    if (topic !== null) return topic.length > MOST ? `${topic.slice(0, MOST).trimEnd()}…` : topic;
  }
  return newest.type === 'turn' ? t('Waiting for the first answer…') : null;
}

function topicOf(item: Item): string | null {
  if (item.type === 'message' && item.channel === 'thought' && !item.withdrawn) return thoughtTopic(item.text);
  // Gemini CLI tells its topic as a tool call: on ACP by its title alone (acp-30), headless by its argument (sj-20).
  if (item.type !== 'tool' || item.kind !== 'think') return null;
  const title = /^Update topic to: "(.+)"$/s.exec(item.title ?? '')?.[1];
  if (title !== undefined || item.toolName !== 'update_topic') return title ?? null;
  const { rawInput } = item;
  const told = typeof rawInput === 'object' && rawInput !== null && 'title' in rawInput ? rawInput.title : null;
  return typeof told === 'string' ? told : null;
}

/** The newest heading of a thought (Gemini CLI writes each in bold), else its last whole sentence or line. */
function thoughtTopic(text: string): string | null {
  const heading = [...text.matchAll(/^\s*\*\*(.+?)\*\*\s*$/gm)].at(-1)?.[1] ?? /^\s*\*\*(.+?)\*\*/.exec(text)?.[1];
  if (heading !== undefined) return heading.trim();
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const sentences = line.split(/(?<=[.!?。！？])\s*/).filter((one) => one !== '');
  return sentences.at(-1) ?? null;
}
