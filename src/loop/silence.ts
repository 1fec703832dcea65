import type { LoopEventBody } from '../shared/events.ts';
import type { Clock } from './turnLimit.ts';

/** The first silence that is told, in milliseconds; each further one is twice as long. */
const FIRST_MS = 30_000;

/** Watches one turn for a model that does not answer. */
export interface SilenceWatch {
  /** Something of the turn came. */
  heard(event: LoopEventBody): void;
  /** The person is being waited for: that is no silence of the model. Safe to repeat. */
  pause(): void;
  resume(): void;
  end(): void;
}

/**
 * Calls `onSilent` with the whole seconds in which nothing came: after 30, 60, 120 … of them. Agents try a model that
 * does not answer again for minutes and say nothing of it (sj-05-api-500-forever, acp-23-api-500-forever). While a tool runs,
 * it is not the model that is silent. No timer is set anew for an event: many come in a second.
 */
export function watchSilence(clock: Clock, onSilent: (seconds: number) => void): SilenceWatch {
  const running = new Set<string>();
  let since = clock.now();
  let next = FIRST_MS;
  let isPaused = false;
  let hasEnded = false;
  let take = (): void => {};

  const restart = (): void => {
    since = clock.now();
    next = FIRST_MS;
  };
  const arm = (ms: number): void => {
    take = clock.after(ms, check);
  };
  const check = (): void => {
    if (hasEnded || isPaused) return;
    if (running.size > 0) restart();
    const silent = clock.now() - since;
    if (silent >= next) {
      onSilent(Math.floor(silent / 1000));
      next *= 2;
    }
    arm(Math.max(1000, next - (clock.now() - since)));
  };
  arm(FIRST_MS);

  return {
    heard(event) {
      restart();
      if (event.type !== 'toolCall.started' && event.type !== 'toolCall.updated') return;
      const { toolCallId, state } = event.derived;
      if (state === 'executing') running.add(toolCallId);
      else if (state !== undefined) running.delete(toolCallId);
    },
    pause() {
      isPaused = true;
      take();
    },
    resume() {
      if (!isPaused || hasEnded) return;
      isPaused = false;
      restart();
      arm(FIRST_MS);
    },
    end() {
      hasEnded = true;
      take();
    },
  };
}
