import { setTimeout as delay } from 'node:timers/promises';
import { english, type Translate } from '../shared/translate.ts';
import type { Face, Owner } from '../workspace/claim.ts';
import { acquireRunLock, type RunLock, runIn } from '../workspace/runLock.ts';
import type { StartProblem } from './options.ts';

export type FolderTaken =
  | Extract<RunLock, { readonly type: 'acquired' }>
  | { readonly type: 'held'; readonly problem: StartProblem }
  | { readonly type: 'cancelled' };

/** A process that dies gives no sign to those who wait for its folder, so they look again each second. */
const oneSecond = (cancel: AbortSignal): Promise<void> => delay(1_000, undefined, { signal: cancel });

/**
 * Takes a folder for a run: one writing run a tree. `wait`: while another run works in it, looks again after `pause`,
 * which rejects when `cancel` is aborted.
 */
export async function takeFolder(
  asked: {
    readonly folder: string;
    readonly stateFolder: string;
    readonly runId: string;
    readonly face?: Face;
    readonly wait?: boolean;
    /** Says what is in the way. Absent: in English. */
    readonly t?: Translate;
  },
  cancel: AbortSignal,
  pause: (cancel: AbortSignal) => Promise<void> = oneSecond,
): Promise<FolderTaken> {
  for (;;) {
    const lock = await acquireRunLock(asked);
    if (lock.type === 'acquired') return lock;
    if (asked.wait !== true) return { type: 'held', problem: heldProblem(lock.by, asked.face, process.pid, asked.t) };
    try {
      while ((await runIn(asked)) !== null) await pause(cancel);
    } catch (error) {
      if (cancel.aborted) return { type: 'cancelled' };
      throw error;
    }
  }
}

/** The same for what is done to a run after it has ended, and cannot wait. */
export function folderHeldBy(by: Owner, t: Translate): string {
  return t('Run {0} is working in {1}: stop it, or wait until it has ended.', by.runId, by.folder);
}

/** Says where the other run is, and the ways out that the asking program has. `pid`: of this process. */
export function heldProblem(
  by: Owner,
  face: Face | undefined,
  pid: number = process.pid,
  t: Translate = english,
): StartProblem {
  const place = placeWords(by, pid, t);
  const what = t('Another run is working in {0}, {1} (run {2}, process {3}).', by.folder, place, by.runId, by.pid);
  const fix =
    face === 'terminal'
      ? t(
          'Stop it there, or add --wait: this one then starts when that one has ended. Or add --worktree: it works in a copy of the repository beside that one.',
        )
      : t(
          'Stop it there, or wait: this one then starts when that one has ended. Or run in a new worktree, beside that one.',
        );
  return { agent: null, what, fix, held: true };
}

function placeWords({ pid, face }: Owner, own: number, t: Translate): string {
  switch (face) {
    case 'editor':
      return pid === own ? t('in this window') : t('in another VS Code window');
    case 'terminal':
      return pid === own ? t('in this terminal') : t('in a terminal');
    case undefined:
      return t('in another program');
    default:
      return face satisfies never;
  }
}
