import type { AgentEvent, MessageChannel } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';

/** One text that streams, or has streamed, and still waits for its complete line. */
interface Partial {
  readonly channel: MessageChannel;
  readonly messageId: string;
  text: string;
  settled: boolean;
}

/**
 * Merges the three copies of a text (deltas, complete assistant lines, `result`) into one: deltas are shown as they
 * come, the complete line replaces them (04-stream-json-partial), and deltas whose message never got its line are
 * withdrawn: the CLI has asked the model again without streaming (57-cut-mid-stream).
 */
export interface ClaudeMessages {
  /** A model message begins to stream. */
  start(id: string | null, wire: WireObject): readonly AgentEvent[];
  delta(index: number, channel: MessageChannel, text: string, wire: WireObject): readonly AgentEvent[];
  /** A complete text or thinking block. */
  complete(id: string, channel: MessageChannel, text: string, wire: WireObject): readonly AgentEvent[];
  /** A complete line of message `id` came: partials of any other message are void. */
  seen(id: string, wire: WireObject): readonly AgentEvent[];
  /** The turn is over: what is still partial is void. */
  end(wire: WireObject): readonly AgentEvent[];
}

export function createClaudeMessages(): ClaudeMessages {
  /** `id` is null when the stream never said `message_start`: the next complete line adopts it. */
  let stream: { readonly id: string | null; readonly blocks: Map<number, Partial> } | null = null;
  let streams = 0;
  /** How many blocks of a message came complete without having streamed. */
  const complete = new Map<string, number>();

  const withdraw = (wire: WireObject): AgentEvent[] => {
    const open = [...(stream?.blocks.values() ?? [])].filter((partial) => !partial.settled && partial.text !== '');
    stream = null;
    return open.map(({ channel, messageId }) => ({
      type: 'message.replaced',
      wire,
      derived: { channel, messageId, text: '', reason: 'withdrawn' },
    }));
  };
  const begin = (id: string | null) => {
    streams += 1;
    stream = { id, blocks: new Map() };
    return stream;
  };
  const matches = (id: string) => stream !== null && (stream.id === null || stream.id === id);

  return {
    start(id, wire) {
      const events = withdraw(wire);
      begin(id);
      return events;
    },
    delta(index, channel, text, wire) {
      const { id, blocks } = stream ?? begin(null);
      let partial = blocks.get(index);
      if (partial === undefined) {
        partial = { channel, messageId: `${id ?? `stream-${streams}`}/${index}`, text: '', settled: false };
        blocks.set(index, partial);
      }
      partial.text += text;
      return [{ type: 'message.chunk', wire, derived: { channel, messageId: partial.messageId, text } }];
    },
    complete(id, channel, text, wire) {
      const waiting = matches(id) ? [...(stream?.blocks.values() ?? [])] : [];
      const partial = waiting.find((one) => !one.settled && one.channel === channel);
      if (partial !== undefined) {
        partial.settled = true;
        const { messageId } = partial;
        return [{ type: 'message.replaced', wire, derived: { channel, messageId, text, reason: 'final' } }];
      }
      const count = complete.get(id) ?? 0;
      complete.set(id, count + 1);
      return [{ type: 'message.chunk', wire, derived: { channel, messageId: `${id}/complete-${count}`, text } }];
    },
    seen: (id, wire) => (matches(id) ? [] : withdraw(wire)),
    end: (wire) => withdraw(wire),
  };
}
