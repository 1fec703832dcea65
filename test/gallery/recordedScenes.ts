import type { LoopEvent } from '../../src/shared/events.ts';
import { longRun } from '../fakes/events.ts';
import { galleryRun } from '../fakes/galleryRun.ts';
import {
  contradictionRun,
  ENDINGS,
  endedRun,
  interruptedRun,
  marksRun,
  noVerdictRun,
  undoneRun,
  worktreeRun,
} from './logs.ts';
import type { Scene, Stage } from './stage.ts';

/** A run from its log, with all of its rounds and cards open that `unfold` names. */
function recorded(
  name: string,
  log: (folder: string) => readonly LoopEvent[],
  more: { readonly widths?: readonly number[]; readonly unfold?: (stage: Stage) => Promise<void> } = {},
): Scene {
  return {
    name,
    of: 'view',
    ...(more.widths === undefined ? {} : { widths: more.widths }),
    async show(stage) {
      await stage.open(log(stage.folder));
      await more.unfold?.(stage);
    },
  };
}

/** Opens the round and every card in it that is closed. */
async function openRound({ view }: Stage, round: number): Promise<void> {
  const head = view.rounds.nth(round - 1);
  if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
  const closed = view.frame.locator(`.round:has([id="round/${round}"]) .disclosure-row[aria-expanded=false]`);
  for (let left = 40; left > 0 && (await closed.count()) > 0; left -= 1) await closed.first().click();
}

const ALL_WIDTHS = [250, 300, 520];

/** States of runs that are over, as they are read from their logs. */
export const RECORDED_SCENES: readonly Scene[] = [
  recorded('review', galleryRun, { widths: ALL_WIDTHS }),
  recorded('cards', galleryRun, { widths: ALL_WIDTHS, unfold: (stage) => openRound(stage, 1) }),
  recorded('settled-findings', galleryRun, { unfold: (stage) => openRound(stage, 3) }),
  recorded('marks', marksRun, { widths: ALL_WIDTHS }),
  recorded('contradiction', contradictionRun),
  recorded('no-verdict', noVerdictRun),
  recorded('undone', undoneRun),
  recorded('worktree', worktreeRun),
  recorded('interrupted', interruptedRun),
  ...Object.entries(ENDINGS).map(([name, ending]) =>
    recorded(`ending-${name}`, (folder) => endedRun(folder, name, ending)),
  ),
  recorded('long', (folder) =>
    longRun(13_000).map((event) =>
      event.type === 'run.started' ? { ...event, run: { ...event.run, folder } } : event,
    ),
  ),
];
