import type { PermissionRequest } from '../shared/events.ts';

/** The whole change that a question is about. `oldText` null: the file is new. */
export interface PendingDiff {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
  /** Whether the person may change `newText` before it is allowed. */
  readonly takesChange: boolean;
}

/** The change that a question can be decided by in a diff editor; null where it shows none, or more than one. */
export function pendingDiffOf(request: PermissionRequest): PendingDiff | null {
  const diffs = request.content.flatMap((part) => (part.type === 'diff' ? [part] : []));
  const [diff] = diffs;
  if (diff === undefined || diffs.length > 1) return null;
  const { path, oldText, newText } = diff;
  return { path, oldText, newText, takesChange: request.takesChange === true };
}

/** Scheme of the two sides of a pending edit. */
export const PENDING_SCHEME = 'cgloop-pending';

/** Which question a side of a diff belongs to. */
export interface PendingPlace {
  readonly runId: string;
  readonly permissionId: string;
  readonly side: 'current' | 'proposed';
}

/** The path of a side's address; its last part is the file's own name, by which VS Code knows the language. */
export function pendingPath({ runId, permissionId, side }: PendingPlace, file: string): string {
  const [name = ''] = /[^\\/]*$/.exec(file) ?? [];
  return `/${runId}/${permissionId}/${side}/${name}`;
}

/** What `pendingPath` put together; null for a path of another make. */
export function pendingPlace(path: string): PendingPlace | null {
  const [, runId, permissionId, side] = /^\/([^/]+)\/([^/]+)\/(current|proposed)\/[^/]*$/.exec(path) ?? [];
  if (runId === undefined || permissionId === undefined || (side !== 'current' && side !== 'proposed')) return null;
  return { runId, permissionId, side };
}
