import type { ToolKind } from '../src/shared/toolCall.ts';

/** The codicon of each kind of tool. */
export const TOOL_ICONS = {
  read: 'file',
  edit: 'edit',
  delete: 'trash',
  move: 'file-symlink-file',
  search: 'search',
  execute: 'terminal',
  think: 'lightbulb',
  fetch: 'globe',
  switch_mode: 'settings',
  ask: 'question',
  plan: 'checklist',
  other: 'tools',
} as const satisfies Record<ToolKind, string>;
