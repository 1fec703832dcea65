import type { PermissionAnswer } from '../shared/permission.ts';
import type { PermissionItem } from '../shared/view.ts';

/**
 * The answer of "Approve" or "Deny" to a question, chosen by meaning: its one option of that kind. Null when the agent
 * offers none or several, or a form is to be filled in, so that only the person can choose.
 */
export function pendingAnswer(item: PermissionItem, wish: 'approve' | 'deny'): PermissionAnswer | null {
  // A form is filled in where it can be seen; only one that just has something to read is approved without.
  if (wish === 'approve' && (item.request.form?.fields.length ?? 0) > 0) return null;
  const kind = wish === 'approve' ? 'allow_once' : 'reject_once';
  const [option, ...others] = item.request.options.filter((each) => each.kind === kind);
  return option === undefined || others.length > 0 ? null : { outcome: 'selected', optionId: option.optionId };
}
