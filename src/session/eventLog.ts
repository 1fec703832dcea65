import type { LoopEvent, LoopEventBody } from '../shared/events.ts';

/** The run's only truth: append-only, numbered without gaps. */
export interface EventLog {
  /**
   * Stamps the event with seq, time and round, and hands it to every listener before it returns. An event that a
   * listener appends is handed out after the one at hand, so that everyone hears all events in order.
   */
  append(body: LoopEventBody): LoopEvent;
  readonly events: readonly LoopEvent[];
  /** Every later event, in order, synchronously. Returns the way to stop. A throwing listener does not stop the others. */
  subscribe(listener: (event: LoopEvent) => void): () => void;
}

export interface EventLogOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A log read back, to go on from: its last seq and round are taken up. */
  readonly past?: readonly LoopEvent[];
  /** Gives each event as it may be kept: without secrets. */
  readonly clean?: (body: LoopEventBody) => LoopEventBody;
  /** What a listener threw; a process warning when absent. */
  readonly onListenerError?: (error: unknown) => void;
}

interface Subscription {
  readonly listener: (event: LoopEvent) => void;
  /** The newest seq at the time of subscribing. */
  readonly after: number;
}

/** A log in memory. `round.started` raises the round and carries the new one. */
export function createEventLog({
  now,
  past = [],
  clean = (body) => body,
  onListenerError = warn,
}: EventLogOptions): EventLog {
  const events: LoopEvent[] = [...past];
  const subscriptions = new Set<Subscription>();
  let round = events.at(-1)?.round ?? 0;
  let seq = events.at(-1)?.seq ?? 0;
  let handedOut = events.length;
  let handingOut = false;

  const handOut = (): void => {
    handingOut = true;
    for (let event = events[handedOut]; event !== undefined; event = events[handedOut]) {
      handedOut++;
      for (const { listener, after } of subscriptions) {
        if (event.seq <= after) continue;
        try {
          listener(event);
        } catch (error) {
          onListenerError(error);
        }
      }
    }
    handingOut = false;
  };

  return {
    events,
    append(body) {
      if (body.type === 'round.started') round++;
      seq++;
      const event: LoopEvent = { seq, at: now(), round, ...clean(body) };
      events.push(event);
      if (!handingOut) handOut();
      return event;
    },
    subscribe(listener) {
      const subscription = { listener, after: seq };
      subscriptions.add(subscription);
      return () => subscriptions.delete(subscription);
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
