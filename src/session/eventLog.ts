import type { LoopEvent, LoopEventBody } from '../shared/events.ts';

/** The run's only truth: append-only, numbered without gaps. */
export interface EventLog {
  /** Stamps the event with seq, time and round, and hands it to every listener before it returns. */
  append(body: LoopEventBody): LoopEvent;
  readonly events: readonly LoopEvent[];
  /** Every later event, in order, synchronously. Returns the way to stop. A throwing listener does not stop the others. */
  subscribe(listener: (event: LoopEvent) => void): () => void;
}
