import type { Role } from '../shared/agentEvents.ts';
import type { PermissionMode } from '../shared/permission.ts';

/** What Gemini CLI reads from its input at most; the rest it cuts off, and ends without a result (sj-13e-stdin-9mb). */
const PROMPT_LIMIT = 8 * 1024 * 1024;

/** Never `yolo`. Without a person at its terminal it asks nothing: what would ask is not offered (sj-20-tools-*). */
export function approvalMode(role: Role, mode: PermissionMode): string {
  if (role === 'review') return 'plan';
  switch (mode) {
    case 'ask':
      return 'default';
    case 'edits':
    case 'all':
      return 'auto_edit';
    case 'read-only':
      return 'plan';
    default:
      return mode satisfies never;
  }
}

/** What the executor cannot do in this mode, for people; null: what the mode says. */
export function limitsOf(role: Role, mode: PermissionMode): string | null {
  if (role === 'review') return null;
  switch (mode) {
    case 'ask':
      return 'cannot ask this way, so it can neither edit nor run commands: let edits be made without asking, or take it over ACP.';
    case 'edits':
    case 'all':
      return 'cannot run commands this way, since it cannot ask for them: it edits only.';
    case 'read-only':
      return null;
    default:
      return mode satisfies never;
  }
}

/** Why this prompt is not sent, for people; null: it can be. */
export function refusalOf(prompt: string): string | null {
  const size = Buffer.byteLength(prompt);
  if (prompt.trim() === '') return 'The prompt is empty: Gemini CLI takes none such.';
  if (size <= PROMPT_LIMIT) return null;
  const megabytes = (size / 1024 / 1024).toFixed(1);
  return `The prompt has ${megabytes} MB, and Gemini CLI reads 8 MB of its input at most: it would be cut. Make the task or the change smaller, or take Gemini CLI over ACP.`;
}
