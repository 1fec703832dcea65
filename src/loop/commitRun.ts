import { errorText } from '../shared/errors.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import { english, type Translate } from '../shared/translate.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { type Step, stageTrees } from '../workspace/stageTrees.ts';
import { diskPaths, personsFiles } from '../workspace/turnTruth.ts';
import { commitMessage } from './commitMessage.ts';
import { openEndedRun, untold } from './endedRun.ts';

export type PreparedCommit =
  | {
      readonly type: 'prepared';
      readonly runId: string;
      /** Absolute. */
      readonly folder: string;
      /** For the person to change; ends with a line feed. */
      readonly message: string;
      /** What was staged; none when all of it is staged or committed already. */
      readonly files: readonly FileChange[];
      /** Files of the run whose changes cannot be told from the person's own, or that git does not know yet: not staged. */
      readonly left: readonly string[];
      /** Files that the person alone changed during the run: not staged. */
      readonly persons: readonly string[];
    }
  | { readonly type: 'problem'; readonly message: string };

/**
 * Makes a run's work ready to be committed: stages its changes and nothing else, and words a message. Nothing is
 * committed, and no file is touched. `run`: its id or a part that only it has. Never rejects.
 */
export async function prepareCommit(options: {
  readonly run: string;
  readonly stateFolder: string;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}): Promise<PreparedCommit> {
  const { t = english } = options;
  const opened = await openEndedRun({ ...options, folder: 'lock' });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  const { folder } = run;
  try {
    const lost = untold(run, t);
    if (lost !== null) return problem(lost);
    const view = reduce(EMPTY_VIEW, run.events);
    if (view.undoneAt !== null) return problem(t('Run {0} was undone: there is nothing of it to commit.', run.id));
    const steps = workOf(run.events);
    if (steps.length === 0) return problem(t('Run {0} changed no files: there is nothing of it to commit.', run.id));
    const { alone } = personsFiles(view.rounds, diskPaths(folder));
    const staged = await stageTrees({ folder, stateFolder: options.stateFolder, steps, leave: alone, t });
    if (staged.type === 'problem') return staged;
    const { files, left } = staged;
    return { type: 'prepared', runId: run.id, folder, message: commitMessage(view), files, left, persons: alone };
  } catch (error) {
    return problem(errorText(error, t));
  } finally {
    await run.close();
  }
}

/**
 * What the run did to its folder, in order: the work of each round, and what was undone since. What changed between them
 * is the person's. Pure.
 */
export function workOf(events: readonly LoopEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let before: CheckpointRef | null = null;
  let newest: CheckpointRef | null = null;
  for (const event of events) {
    switch (event.type) {
      case 'round.started':
        before = newest;
        break;
      case 'checkpoint.created': {
        const { checkpoint, round } = event;
        newest = checkpoint;
        if (checkpoint.label === `before round ${round}`) before = checkpoint;
        if (checkpoint.label === `after round ${round}` && before !== null) {
          steps.push({ from: before, to: checkpoint });
          before = null;
        }
        break;
      }
      case 'run.undone':
        newest = event.restored;
        steps.push({ from: event.replaced, to: event.restored });
        break;
    }
  }
  return steps.filter(({ from, to }) => from.tree !== to.tree);
}

function problem(message: string): Extract<PreparedCommit, { readonly type: 'problem' }> {
  return { type: 'problem', message };
}
