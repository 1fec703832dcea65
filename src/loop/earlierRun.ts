import { endingOf, type RunRecord, readRun } from '../session/replay.ts';
import { findProblem, findRun } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { type ResumePoint, resumePointOf, resumeProblem } from './resumePoint.ts';

/** A run of before that can be gone on with, as it lies on disk. */
export interface EarlierRun {
  readonly id: string;
  readonly directory: string;
  readonly events: readonly LoopEvent[];
  readonly from: ResumePoint;
}

export type EarlierResult =
  | { readonly type: 'found'; readonly run: EarlierRun }
  /** What is in the way and the way out. */
  | { readonly type: 'problem'; readonly message: string };

/**
 * The run with this id, or the only one whose id has this part, as far as it can be gone on with. `rounds`: as many as it
 * may have now; absent: as many as it was asked for with. `reviewAgain`: its last round is to be reviewed once more.
 */
export async function findEarlierRun(
  stateFolder: string,
  idOrPart: string,
  { rounds, reviewAgain = false }: { readonly rounds?: number; readonly reviewAgain?: boolean },
  t: Translate = english,
): Promise<EarlierResult> {
  const found = await findRun(stateFolder, idOrPart);
  if (found.type !== 'found') return problem(findProblem(found, idOrPart, t));
  const { id, directory } = found;
  let record: RunRecord;
  try {
    record = await readRun(directory);
  } catch (error) {
    return problem(errorText(error, t));
  }
  const { events, state, readOnly } = record;
  if (state === 'running') return problem(t('Run {0} is under way.', id));
  if (readOnly) return problem(t('Run {0} was written by a newer version: go on with that one.', id));
  const from = resumePointOf(events, reviewAgain);
  const allowed = rounds ?? from?.run.rounds ?? 0;
  const why = resumeProblem(events, endingOf(events), from, allowed, reviewAgain, t);
  if (why !== null || from === null)
    return problem(t('Run {0} cannot be gone on with: {1}.', id, why ?? t('its log is empty')));
  return { type: 'found', run: { id, directory, events, from } };
}

function problem(message: string): EarlierResult {
  return { type: 'problem', message };
}
