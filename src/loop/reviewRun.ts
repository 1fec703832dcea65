import { preflight } from '../agent/preflight.ts';
import { resolveDepsFor } from '../agent/wideSearch.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { openChangeRange } from '../workspace/changeRange.ts';
import type { Reviewed } from './loopParts.ts';
import type { RunKind, RunOptions, StartProblem } from './options.ts';

/** Changes under review, to be let go of when the run is over. */
export interface OpenedReview extends Reviewed {
  close(): Promise<void>;
}

export type ReviewResult =
  /** `reviewed` null: the run has a task. */
  | { readonly type: 'ready'; readonly reviewed: OpenedReview | null }
  | { readonly type: 'problem'; readonly problem: StartProblem };

/** Who works in a run of this kind. */
export function rolesOf(kind: RunKind | undefined): readonly Role[] {
  return kind === 'review' ? ['review'] : ['execute', 'review'];
}

/** The task of a run that has none but a review, for lists and titles. */
export function reviewTask(kind: Exclude<RunKind, 'task'>, range: string | null): string {
  const what = range === null ? 'the changes that are not committed' : range;
  return kind === 'review' ? `Review ${what}` : `Review and fix ${what}`;
}

/** Finds the programs of those who work in the run; one that nobody starts is the reviewer's. */
export async function findAgents(options: RunOptions, t: Translate = english): Promise<ReturnType<typeof preflight>> {
  const { reviewer } = options;
  const executor = rolesOf(options.kind).includes('execute') ? options.executor : reviewer;
  const deps = await resolveDepsFor([executor, reviewer], options);
  return preflight({ executor, reviewer }, { ...deps, t });
}

/** Opens what a `review` or a `fix` begins with. `past`: the log of a run that goes on, from the same commit. */
export async function openReview(
  { kind = 'task', range, stateFolder }: RunOptions,
  folder: string,
  past: readonly LoopEvent[],
  t: Translate = english,
): Promise<ReviewResult> {
  if (kind === 'task') return { type: 'ready', reviewed: null };
  const told = past.findLast((event) => event.type === 'changes.reviewed');
  const before = told?.type === 'changes.reviewed' ? { base: told.base } : {};
  const opened = await openChangeRange({
    folder,
    stateFolder,
    range: range ?? null,
    toFolder: kind === 'fix',
    t,
    ...before,
  });
  if (opened.type === 'problem') {
    const { what, fix } = opened;
    return { type: 'problem', problem: { agent: null, what, fix, usage: true } };
  }
  const { base, isCheckedOut, changes, close } = opened.range;
  return { type: 'ready', reviewed: { range: range ?? null, base, isCheckedOut, changes, close } };
}
