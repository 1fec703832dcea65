import type { PermissionSettler } from '../shared/permission.ts';

/** Milliseconds as a running clock: `0:42`, `61:05`. */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Who settled a question, for people. */
export const SETTLERS = {
  user: 'you',
  policy: 'policy',
  withdrawn: 'withdrawn by the agent',
  turnEnded: 'the turn ended',
  sessionCancel: 'stopped',
  agentExit: 'the agent ended',
  dispose: 'the run ended',
} as const satisfies Record<PermissionSettler, string>;
