import type { AgentLaunch } from '../agent/agent.ts';
import { agentRef } from '../agent/catalog.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { RunHeader, TaskAttachment } from '../shared/events.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import { DEFAULTS, type RunOptions } from './options.ts';
import { rolesOf } from './reviewRun.ts';

/** What the person asked for, as the log begins with it. `options.folder` is resolved. */
export function headerOf(
  id: string,
  options: RunOptions,
  launches: Readonly<Record<Role, AgentLaunch>>,
  { attached, worktree }: { readonly attached: readonly TaskAttachment[]; readonly worktree: WorktreeRef | null },
): RunHeader {
  return {
    id,
    task: options.task,
    folder: options.folder,
    rounds: options.rounds,
    threshold: options.threshold,
    turnLimitSeconds: options.turnLimitSeconds,
    permissionMode: options.permissionMode,
    trusted: options.trusted,
    // Nobody executes a review: the person's choice stands there all the same.
    executor: rolesOf(options.kind).includes('execute')
      ? launches.execute.ref
      : (agentRef(options.executor, options.agents) ?? launches.execute.ref),
    reviewer: launches.review.ref,
    ...(attached.length === 0 ? {} : { attached }),
    ...(options.kind === undefined || options.kind === 'task' ? {} : { kind: options.kind }),
    ...(options.range === undefined ? {} : { range: options.range }),
    ...(worktree === null ? {} : { worktree }),
    ...checksOf(options),
    ...choicesOf(options),
    ...(options.budget === undefined || Object.keys(options.budget).length === 0 ? {} : { budget: options.budget }),
  };
}

/** What was chosen otherwise than usual, so that the run goes on with it. */
function choicesOf({ executorModel, reviewerModel, plateauRounds, language, askBetweenRounds }: RunOptions) {
  const models = {
    ...(executorModel === null ? {} : { execute: executorModel }),
    ...(reviewerModel === null ? {} : { review: reviewerModel }),
  };
  return {
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(plateauRounds === undefined || plateauRounds === DEFAULTS.plateauRounds ? {} : { plateauRounds }),
    ...(language === undefined || language === 'auto' ? {} : { language }),
    ...(askBetweenRounds === true ? { askBetweenRounds } : {}),
  };
}

/** The checks as the log's header tells them: nothing where there are none. */
function checksOf({ checks = [], checkTimeoutSeconds }: RunOptions): Pick<RunHeader, 'checks' | 'checkTimeoutSeconds'> {
  if (checks.length === 0) return {};
  return checkTimeoutSeconds === undefined ? { checks } : { checks, checkTimeoutSeconds };
}
