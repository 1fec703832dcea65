import type { PermissionRequest } from '../shared/permission.ts';

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

/** The parts of a side's address: the file's own path, by which VS Code knows the language, and the place. */
export function pendingAddress(place: PendingPlace, file: string): { readonly path: string; readonly query: string } {
  const path = file.replaceAll('\\', '/').replace(/^\/*/, '/');
  return { path, query: `${place.runId}/${place.permissionId}/${place.side}` };
}

/** The place in the query of an address that `pendingAddress` made; null for one of another make. */
export function pendingPlace(query: string): PendingPlace | null {
  const [runId = '', permissionId = '', side, ...more] = query.split('/');
  if (runId === '' || permissionId === '' || more.length > 0) return null;
  return side === 'current' || side === 'proposed' ? { runId, permissionId, side } : null;
}
