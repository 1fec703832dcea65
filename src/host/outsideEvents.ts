import { questionOf } from '../shared/questionWords.ts';
import type { Translate } from '../shared/translate.ts';
import type { RunView } from '../shared/view.ts';
import type { OutsideEvent } from './notifyCommand.ts';
import type { RunController } from './runControl.ts';
import { nameOf } from './words.ts';

/**
 * Watches runs for what people elsewhere are told: each question that waits, each pause between rounds, and each ending of a run of this window, once.
 * Call it after every change of a run; a run that was only read from disk tells nothing.
 */
export function createOutsideEvents(hand: (event: OutsideEvent) => void, t: Translate): (run: RunController) => void {
  /** Run under way → what was told of it. */
  const live = new WeakMap<RunController, Set<string>>();

  return (run) => {
    if (run.phase !== 'idle' && !live.has(run)) live.set(run, new Set());
    const told = live.get(run);
    const view = run.view();
    const about = headOf(view);
    if (told === undefined || about === null) return;
    for (const item of view.waiting) {
      if (told.has(item.permissionId)) continue;
      told.add(item.permissionId);
      const agent = nameOf(view.agents[item.role], t);
      const { kind, command = null, paths } = item.request;
      const question = questionOf(item, agent, about.folder, t);
      hand({ type: 'question', ...about, agent, question, kind, command, paths });
    }
    const { paused } = view;
    if (paused !== null && !told.has(`paused ${paused.since}`)) {
      told.add(`paused ${paused.since}`);
      hand({ type: 'paused', ...about, why: paused.why });
    }
    if (run.phase !== 'idle') return;
    live.delete(run);
    const { ending, scores } = view;
    if (ending !== null) hand({ type: 'ended', ...about, ending, scores: scores.map(({ score }) => score) });
  };
}

function headOf({ run }: RunView) {
  return run === null ? null : { run: run.id, folder: run.folder, task: run.task };
}
