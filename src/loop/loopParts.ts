import type { TurnResult } from '../agent/agent.ts';
import type { EventLog } from '../session/eventLog.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { Ending } from '../shared/ending.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import { firstOf, type Translate } from '../shared/translate.ts';
import type { ChangeRange } from '../workspace/changeRange.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import type { TruthContext } from '../workspace/turnTruth.ts';
import type { BudgetGate } from './budget.ts';
import type { HeadWatch } from './headWatch.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import type { PauseGate } from './pauseGate.ts';
import type { PromptWords, VerdictForm } from './promptWords.ts';
import type { CheckRunner } from './runChecks.ts';
import type { TurnRunner } from './runTurn.ts';
import type { UnsavedGuard } from './unsavedFiles.ts';
import type { WithheldGate } from './withheldGate.ts';

/** What the loop works with; `startRun` puts it together. */
export interface LoopParts {
  readonly log: EventLog;
  readonly checkpoints: Pick<Checkpoints, 'snapshot' | 'treeNow' | 'changes' | 'textOf' | 'exportTo' | 'nested'>;
  readonly turns: TurnRunner;
  /** Null where the face has no editors. */
  readonly unsaved: UnsavedGuard | null;
  /** How paths of the folder are compared. */
  readonly paths: TruthContext;
  /** A new random marker for the fences of a reviewer prompt. */
  readonly marker: () => string;
  /** Aborted when the person stops the run. */
  readonly stopped: AbortSignal;
  /**
   * The executor's program ended in the middle of its turn: asks the person whether to go on, and starts it again in its
   * session. False: it is not to be, or cannot be. Never rejects.
   */
  readonly revive: () => Promise<boolean>;
  readonly reviewing: Reviewing;
  /** Where the run waits for the person between two rounds. */
  readonly pause: Pick<PauseGate, 'pass' | 'due' | 'demand'>;
  readonly budget: BudgetGate;
  /** Absent: nobody watches HEAD. */
  readonly head?: HeadWatch;
  /** Null where there are none. */
  readonly checks: CheckRunner | null;
  /** What a `review` or a `fix` begins with; absent or null for a task. */
  readonly reviewed?: Reviewed | null;
  /** Says in the person's language what the loop has to say to them. What agents are told has words of its own. */
  readonly t: Translate;
}

/** Changes that are judged as a whole, whoever made them. */
export interface Reviewed extends Pick<ChangeRange, 'base' | 'isCheckedOut' | 'changes'> {
  /** As git says it; null: the changes of the working tree. */
  readonly range: string | null;
}

/** How the run's reviewer is asked. */
export interface Reviewing {
  /** The reviewer's name, for people. */
  readonly name: string;
  readonly form: VerdictForm;
  /** Absolute folder of the copy that it works on; null: it works in the run's folder, in a mode in which it only reads. */
  readonly copy: string | null;
  readonly withheld: WithheldGate;
  /** In the person's language; of the executor's prompts too. */
  readonly words: PromptWords;
}

/**
 * Keeps the folder as it is, and tells it in the log; what it leaves out is told once a run. Rejects with `GitError`.
 */
export async function takeCheckpoint(
  {
    checkpoints,
    log,
    t,
  }: Pick<LoopParts, 'log' | 't'> & { readonly checkpoints: Pick<Checkpoints, 'snapshot' | 'nested'> },
  label: string,
): Promise<CheckpointRef> {
  const checkpoint = await checkpoints.snapshot(label);
  const text = nestedWords(checkpoints.nested, t);
  if (text !== null && !log.events.some((event) => event.type === 'diagnostic' && event.derived.text === text)) {
    log.append(loopDiagnostic('warning', text, 'nested'));
  }
  log.append({ type: 'checkpoint.created', checkpoint });
  return checkpoint;
}

/** What checkpoints leave out, for people; null: nothing. */
function nestedWords(nested: readonly string[], t: Translate): string | null {
  if (nested.length === 0) return null;
  return t(
    'Git repositories of their own inside the folder are no part of this run: what changes in them is neither compared nor shown to the reviewer, and undo does not reach it. To work on one, start a run there: {0}',
    firstOf(nested, MOST_NESTED, t),
  );
}

const MOST_NESTED = 10;

/** The ending that this turn makes, null when the work can go on. */
export function failureOf(
  role: Role,
  { outcome }: TurnResult,
  { stopped, t }: Pick<LoopParts, 'stopped' | 't'>,
): Ending | null {
  if (stopped.aborted) return { type: 'stopped' };
  switch (outcome.type) {
    case 'completed':
      return null;
    case 'incomplete':
      return { type: 'failed', role, cause: 'incomplete', message: outcome.message };
    case 'cancelled':
      return { type: 'failed', role, cause: 'incomplete', message: t('The agent cancelled its own turn.') };
    case 'failed':
      return { type: 'failed', role, cause: outcome.cause, message: outcome.message };
    default:
      return outcome satisfies never;
  }
}
