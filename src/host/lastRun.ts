import type { RunSummary } from '../session/runs.ts';
import { homeOf } from '../shared/runPlace.ts';

/**
 * The run to open when a window starts: the one that was shown in it last, else the newest of the folder if it was
 * interrupted. `remembered`: its id; null when the person closed it; undefined when none was ever shown.
 */
export function runToOpen(
  runs: readonly RunSummary[],
  folders: readonly string[],
  remembered: string | null | undefined,
): RunSummary | null {
  const own = runs.filter(({ run, state }) => run !== null && folders.includes(homeOf(run)) && state !== 'running');
  if (remembered === null) return null;
  if (remembered !== undefined) return own.find(({ id }) => id === remembered) ?? null;
  const [newest] = own;
  return newest?.state === 'interrupted' ? newest : null;
}
