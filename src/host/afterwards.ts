/** What can be done with a run that nobody works on, as its view says. */
import type { LoopEvent } from '../shared/events.ts';
import type { Item, RunView } from '../shared/view.ts';

/** It has a state to go back to, and was not put back to that of before it. */
export function canBeUndone({ undoneAt }: RunView, events: readonly LoopEvent[]): boolean {
  return undoneAt === null && events.some(({ type }) => type === 'checkpoint.created');
}

/** It did not reach an approval, was not undone, and can go on. */
export function canGoOn({ run, ending, undoneAt }: RunView): boolean {
  // Nobody works in a review: with its verdict it is over.
  if (run === null || (run.kind === 'review' && ending !== null)) return false;
  return undoneAt === null && ending?.type !== 'approved';
}

/** Its last round can be reviewed once more. */
export function canBeReviewed({ undoneAt, rounds }: RunView): boolean {
  return undoneAt === null && rounds.some(({ changes }) => changes !== null);
}

/** What it changed stands, and lies in a git repository (`isInRepository`, of an absolute folder) where it can be committed. */
export function canBeCommitted(
  { run, rounds, undoneAt }: RunView,
  isInRepository: (folder: string) => boolean,
): boolean {
  if (run === null || undoneAt !== null) return false;
  if (!rounds.some(({ number, changes }) => number > 0 && (changes?.length ?? 0) > 0)) return false;
  // What was done in a worktree is applied or kept first.
  if (run.worktree !== undefined) return rounds.some(({ items }) => items.some(isSettling));
  return isInRepository(run.folder);
}

function isSettling(item: Item): boolean {
  return item.type === 'mark' && item.mark.type === 'worktree.settled';
}
