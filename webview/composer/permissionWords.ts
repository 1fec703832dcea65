import type { PermissionMode } from '../../src/shared/permission.ts';
import { t } from '../words.ts';

/** In the order in which they are offered: the default first. */
export const MODES: readonly PermissionMode[] = ['ask', 'edits', 'read-only', 'all'];

export function modeWord(mode: PermissionMode): string {
  switch (mode) {
    case 'ask':
      return t('Ask');
    case 'edits':
      return t('Edits allowed');
    case 'read-only':
      return t('Read-only');
    case 'all':
      return t('Everything allowed');
    default:
      return mode satisfies never;
  }
}

/** What the mode means for this executor (catalog id): Claude Code's reaches further than its name says. */
export function modeMeaning(mode: PermissionMode, executor: string): string {
  switch (mode) {
    case 'ask':
      return t('Every write and command asks you, except what you have allowed in the agent’s own settings.');
    case 'edits':
      return executor === 'claude' || executor === 'claude-acp'
        ? t(
            'Edits in this folder ask nothing, and with Claude neither do mkdir, mv, rm and sed -i there. Commands ask.',
          )
        : t('Edits in this folder ask nothing. Commands ask.');
    case 'read-only':
      return t('Nothing is written.');
    case 'all':
      return t('Nothing asks, except for protected paths.');
    default:
      return mode satisfies never;
  }
}
