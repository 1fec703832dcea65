import { questionOf } from '../shared/questionWords.ts';
import type { Translate } from '../shared/translate.ts';
import type { RunView } from '../shared/view.ts';
import type { OutsideEvent } from './notifyCommand.ts';
import type { RunController } from './runController.ts';
import { nameOf } from './words.ts';

/**
 * Watches runs for what people elsewhere are told: each question that waits, and each ending of a run of this window, once.
 * Call it after every change of a run; a run that was only read from disk tells nothing.
 */
export function createOutsideEvents(hand: (event: OutsideEvent) => void, t: Translate): (run: RunController) => void {
  const told = new Set<string>();
  const once = (key: string, event: OutsideEvent): void => {
    if (told.has(key)) return;
    told.add(key);
    hand(event);
  };
  const live = new WeakSet<RunController>();

  return (run) => {
    const view = run.view();
    const about = headOf(view);
    if (run.phase !== 'idle') live.add(run);
    if (about === null || !live.has(run)) return;
    for (const item of view.waiting) {
      const agent = nameOf(view.agents[item.role], t);
      const { kind, command = null, paths } = item.request;
      const question = questionOf(item, agent, about.folder, t);
      once(`${about.run} ${item.permissionId}`, { type: 'question', ...about, agent, question, kind, command, paths });
    }
    if (run.phase !== 'idle') return;
    live.delete(run);
    const { ending, scores } = view;
    if (ending === null) return;
    once(`${about.run} ended`, { type: 'ended', ...about, ending, scores: scores.map(({ score }) => score) });
  };
}

function headOf({ run }: RunView) {
  return run === null ? null : { run: run.id, folder: run.folder, task: run.task };
}
