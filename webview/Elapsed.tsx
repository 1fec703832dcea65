/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { duration } from './words.ts';

/** How long something has been under way, told anew each second. `since` in milliseconds since the epoch. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="quiet">{duration(Math.max(0, now - since))}</span>;
}
