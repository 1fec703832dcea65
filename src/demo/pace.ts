import { setImmediate, setTimeout } from 'node:timers/promises';

/** Waits as a model would, and rejects as soon as the turn is stopped. */
export type Pace = (milliseconds: number, stopped: AbortSignal) => Promise<void>;

/** `speed` is the value of `CGLOOP_DEMO_SPEED`: a factor on every wait, 0 for none, 1 when it is not a number. */
export function createPace(speed: string | undefined): Pace {
  const factor = speed === undefined || speed.trim() === '' ? 1 : Number(speed);
  const scale = Number.isFinite(factor) && factor >= 0 ? factor : 1;
  return async (milliseconds, stopped) => {
    const wait = milliseconds * scale;
    // Without a wait too, what the peer sent meanwhile is read before the next step.
    if (wait === 0) await setImmediate(undefined, { signal: stopped });
    else await setTimeout(wait, undefined, { signal: stopped });
  };
}

/** `text` in pieces of a few words, which together are `text`. */
export function pieces(text: string): readonly string[] {
  return text.match(/(?:\S+\s*){1,4}|\s+/g) ?? [];
}
