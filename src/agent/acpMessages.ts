import type { AgentEvent, MessageChannel } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';

/**
 * Puts chunks together to messages. Most agents send no `messageId`: then chunks of one channel that follow each other
 * are one message, and what stands between them (a tool call, a thought) begins the next.
 */
export interface AcpMessages {
  beginTurn(): void;
  chunk(channel: MessageChannel, text: string, wireId: string | null, wire: WireObject): AgentEvent;
  /** Something else came between: the next chunk without a known id begins a message. */
  interrupt(): void;
  /** The texts of the turn's messages in order, thoughts left out. */
  texts(): readonly string[];
}

interface Message {
  readonly channel: MessageChannel;
  readonly id: string;
  /** The agent's own id, where it has one. */
  readonly wireId: string | null;
  readonly parts: string[];
}

export function createAcpMessages(): AcpMessages {
  let count = 0;
  let messages: Message[] = [];
  let current: Message | null = null;

  const find = (channel: MessageChannel, wireId: string | null): Message | undefined => {
    if (wireId !== null) return messages.find((one) => one.channel === channel && one.wireId === wireId);
    return current !== null && current.channel === channel && current.wireId === null ? current : undefined;
  };

  return {
    beginTurn() {
      messages = [];
      current = null;
    },
    chunk(channel, text, wireId, wire) {
      let message = find(channel, wireId);
      if (message === undefined) {
        // Unique over the life of the process: what is said between turns has no turn to be told apart by.
        count += 1;
        message = { channel, id: String(count), wireId, parts: [] };
        messages.push(message);
      }
      current = message;
      message.parts.push(text);
      return { type: 'message.chunk', wire, derived: { channel, messageId: message.id, text } };
    },
    interrupt() {
      current = null;
    },
    texts: () => messages.filter(({ channel }) => channel === 'message').map(({ parts }) => parts.join('')),
  };
}
