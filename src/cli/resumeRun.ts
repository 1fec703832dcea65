import { allowedOf } from '../loop/budget.ts';
import { findEarlierRun } from '../loop/earlierRun.ts';
import type { RunOptions } from '../loop/options.ts';
import type { ResumeArguments } from './runCommand.ts';

export type ResumeOptions =
  | { readonly type: 'ready'; readonly options: Omit<RunOptions, 'interactive'> }
  | { readonly type: 'problem'; readonly message: string };

/** The options of the run that goes on: as they were, with what is given on top. */
export async function resumeOptions({ run, given }: ResumeArguments, stateFolder: string): Promise<ResumeOptions> {
  const earlier = await findEarlierRun(stateFolder, run, given);
  if (earlier.type === 'problem') return earlier;
  const { id, from, events } = earlier.run;
  const { task, folder, rounds, threshold, turnLimitSeconds, permissionMode, trusted, executor, reviewer } = from.run;
  const { kind, range, checks = [], checkTimeoutSeconds, models = {} } = from.run;
  const { plateauRounds, language, askBetweenRounds } = from.run;
  // The name of a model means nothing to another agent.
  const modelOf = (model: string | undefined, before: string, now = before) =>
    now === before ? (model ?? null) : null;
  return {
    type: 'ready',
    options: {
      task,
      ...(kind === undefined ? {} : { kind }),
      ...(range === undefined ? {} : { range }),
      checks,
      ...(checkTimeoutSeconds === undefined ? {} : { checkTimeoutSeconds }),
      folder,
      rounds,
      threshold,
      turnLimitSeconds,
      permissionMode,
      trusted,
      executor: executor.id,
      reviewer: reviewer.id,
      executorModel: modelOf(models.execute, executor.id, given.executor),
      reviewerModel: modelOf(models.review, reviewer.id, given.reviewer),
      ...(plateauRounds === undefined ? {} : { plateauRounds }),
      ...(language === undefined ? {} : { language }),
      ...(askBetweenRounds === undefined ? {} : { askBetweenRounds }),
      // Nothing but the review is asked for: it ends with that.
      ...(given.reviewAgain === true ? { rounds: from.round } : {}),
      ...given,
      budget: { ...allowedOf(events), ...given.budget },
      resume: id,
      stateFolder,
      executablePaths: {},
    },
  };
}
