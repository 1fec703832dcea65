import type { TurnResult } from '../agent/agent.ts';
import type { EventLog } from '../session/eventLog.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { Ending } from '../shared/ending.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import type { ChangeRange } from '../workspace/changeRange.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import type { TruthContext } from '../workspace/turnTruth.ts';
import type { BudgetGate } from './budget.ts';
import type { HeadWatch } from './headWatch.ts';
import type { PauseGate } from './pauseGate.ts';
import type { PromptWords, VerdictForm } from './promptWords.ts';
import type { CheckRunner } from './runChecks.ts';
import type { TurnRunner } from './runTurn.ts';
import type { UnsavedGuard } from './unsavedFiles.ts';
import type { WithheldGate } from './withheldGate.ts';

/** What the loop works with; `startRun` puts it together. */
export interface LoopParts {
  readonly log: EventLog;
  readonly checkpoints: Pick<Checkpoints, 'snapshot' | 'treeNow' | 'changes' | 'textOf' | 'exportTo'>;
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

/** Keeps the folder as it is, and tells it in the log. Rejects with `GitError`. */
export async function takeCheckpoint(parts: LoopParts, label: string): Promise<CheckpointRef> {
  const checkpoint = await parts.checkpoints.snapshot(label);
  parts.log.append({ type: 'checkpoint.created', checkpoint });
  return checkpoint;
}

/** The ending that this turn makes, null when the work can go on. */
export function failureOf(role: Role, { outcome }: TurnResult, stopped: AbortSignal): Ending | null {
  if (stopped.aborted) return { type: 'stopped' };
  switch (outcome.type) {
    case 'completed':
      return null;
    case 'incomplete':
      return { type: 'failed', role, cause: 'incomplete', message: outcome.message };
    case 'cancelled':
      return { type: 'failed', role, cause: 'incomplete', message: 'The agent cancelled its own turn.' };
    case 'failed':
      return { type: 'failed', role, cause: outcome.cause, message: outcome.message };
    default:
      return outcome satisfies never;
  }
}
