import type { RunView } from './view.ts';

/** Whether a run under way can wait after its round, and the executor be told something: one that waits already cannot, and a review has no other round. */
export function mayPause({ run, paused }: Pick<RunView, 'run' | 'paused'>): boolean {
  return paused === null && run?.kind !== 'review';
}
