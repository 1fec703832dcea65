import { line } from './captureTree.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError } from './git.ts';

/** A commit of the user's repository. */
export interface HeadCommit {
  readonly id: string;
  readonly subject: string;
}

/** More are no list that anybody reads. */
const MOST_COMMITS = 50;

/** See `Checkpoints.commits`. */
export async function commitsBetween(
  store: CheckpointStore,
  from: string | null,
  to: string | null,
): Promise<readonly HeadCommit[]> {
  if (to === null || from === to || store.user === null) return [];
  const range = from === null ? [to] : [to, `^${from}`];
  try {
    const told = await store.user(['log', `--max-count=${MOST_COMMITS}`, '--format=%H%x09%s', ...range, '--']);
    const lines = told
      .toString('utf8')
      .split('\n')
      .filter((one) => one !== '');
    return lines.map((one) => ({ id: one.slice(0, one.indexOf('\t')), subject: one.slice(one.indexOf('\t') + 1) }));
  } catch (error) {
    // The old one may be gone from the repository by now.
    if (error instanceof GitError && error.exit !== null) return [];
    throw error;
  }
}

/** The only parent of a commit; null: it has none. */
export async function parentOf(store: CheckpointStore, commit: string): Promise<string | null> {
  try {
    const parent = line(await store.own(['rev-parse', '--verify', '--quiet', `${commit}^`]));
    return parent === '' ? null : parent;
  } catch (error) {
    if (error instanceof GitError && error.exit !== null) return null;
    throw error;
  }
}
