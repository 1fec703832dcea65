import type { PermissionRequest } from './permission.ts';

/** What differs between the questions of this program. */
type OwnParts = Pick<PermissionRequest, 'toolCallId' | 'title' | 'options'> &
  Partial<Pick<PermissionRequest, 'content' | 'command' | 'form'>>;

/** A question of this program's own to the person, which every face shows as one of ours. */
export function ownQuestion(parts: OwnParts): PermissionRequest {
  return { kind: 'ask', content: [], paths: [], takesMessage: false, asker: 'loop', ...parts };
}
