import type { RunHeader } from './events.ts';

/** Absolute: the person's own folder that a run is of, also where it works in a worktree of its repository. */
export function homeOf({ folder, worktree }: Pick<RunHeader, 'folder' | 'worktree'>): string {
  return worktree?.origin ?? folder;
}
