/** @jsxRuntime automatic @jsxImportSource preact */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { duration } from './words.ts';

/** The page's clock, milliseconds since the epoch: only what reads it is drawn again when it ticks. */
export const Now = createContext(0);

/** How long something has been under way. `since` in milliseconds since the epoch. */
export function Elapsed({ since }: { since: number }) {
  return <span class="quiet">{duration(Math.max(0, useContext(Now) - since))}</span>;
}
