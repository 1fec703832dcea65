/** A monotonic clock in milliseconds; `startRun` gives the real one. */
export interface Clock {
  readonly now: () => number;
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

export interface TurnLimit {
  /** The person is being waited for: that time does not count. Safe to repeat. */
  pause(): void;
  resume(): void;
  end(): void;
}

/** Calls `onExpired` once when `seconds` of the agent's own time have passed. */
export function startTurnLimit(clock: Clock, seconds: number, onExpired: () => void): TurnLimit {
  let left = seconds * 1000;
  let since: number | null = null;
  let take = () => {};

  const resume = () => {
    if (since !== null) return;
    since = clock.now();
    take = clock.after(left, onExpired);
  };
  const pause = () => {
    if (since === null) return;
    take();
    left = Math.max(0, left - (clock.now() - since));
    since = null;
  };
  resume();
  return { pause, resume, end: pause };
}
