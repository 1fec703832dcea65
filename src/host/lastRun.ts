import type { RunSummary } from '../session/runs.ts';
import { homeOf } from '../shared/runPlace.ts';

/** Kept for the window: milliseconds since the epoch from when on runs are at work in it without a break. Undefined: none is. */
export const AT_WORK_SINCE = 'atWorkSince';

/**
 * The run to open when a window starts: the one that was shown in it last, else the newest of the folder if it was
 * interrupted. `remembered`: its id; null when the person closed it; undefined when none was ever shown. `atWorkSince`:
 * the window was killed at work, and a run that was begun since then may be one that it had no time to show.
 */
export function runToOpen(
  runs: readonly RunSummary[],
  folders: readonly string[],
  remembered: string | null | undefined,
  atWorkSince?: number,
): RunSummary | null {
  const own = runs.filter(({ run, state }) => run !== null && folders.includes(homeOf(run)) && state !== 'running');
  const cut = own.filter(
    ({ state, startedAt }) =>
      state === 'interrupted' && atWorkSince !== undefined && startedAt !== null && startedAt >= atWorkSince,
  );
  if (cut.length > 0) return cut.find(({ id }) => id === remembered) ?? cut[0] ?? null;
  if (remembered === null) return null;
  if (remembered !== undefined) return own.find(({ id }) => id === remembered) ?? null;
  const [newest] = own;
  return newest?.state === 'interrupted' ? newest : null;
}
