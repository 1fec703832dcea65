import type { HostState } from '../../src/shared/messages.ts';

/** A window in which nothing runs. */
export const IDLE: HostState = {
  phase: 'idle',
  trusted: true,
  folder: 'project',
  interrupted: false,
  canUndo: false,
  canRedo: false,
  canResume: false,
  canReviewAgain: false,
  canCommit: false,
  changedSince: 0,
  pauseWanted: false,
  replay: false,
  canContinue: false,
  doctor: null,
  agents: [],
  offers: {},
  folders: [{ name: 'project', path: '/project' }],
  consent: { told: true, asked: null },
  checks: {},
  defaults: {
    rounds: 3,
    executor: 'claude',
    reviewer: 'gemini',
    models: {},
    permissionMode: 'ask',
    folder: null,
    checks: null,
    newWorktree: false,
  },
  notices: [],
  words: {},
  language: 'en',
};

/** English, as `vscode.l10n.t` gives it. */
export const english = (text: string, ...args: (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));
