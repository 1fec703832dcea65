import type { AgentRef } from '../shared/agentEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import type { AgentLaunch } from './agent.ts';
import { type AgentProblem, type ResolveDeps, resolveAgent } from './catalog.ts';

export type Preflight =
  | { readonly type: 'ready'; readonly executor: AgentLaunch; readonly reviewer: AgentLaunch }
  | { readonly type: 'problems'; readonly problems: readonly AgentProblem[] };

/**
 * Whether the programs of the two chosen agents are there; no others are looked at, and nothing is started. When just
 * one of two is found, the other's problem offers it in both roles.
 */
export function preflight(
  chosen: { readonly executor: string; readonly reviewer: string },
  deps: ResolveDeps,
): Preflight {
  const executor = resolveAgent(chosen.executor, deps);
  const reviewer = chosen.reviewer === chosen.executor ? executor : resolveAgent(chosen.reviewer, deps);
  if (executor.type === 'found' && reviewer.type === 'found') {
    return { type: 'ready', executor: executor.launch, reviewer: reviewer.launch };
  }
  if (executor.type === 'found' && reviewer.type === 'missing') {
    return { type: 'problems', problems: [withSelfReview(reviewer.problem, executor.launch.ref, deps.t)] };
  }
  if (executor.type === 'missing' && reviewer.type === 'found') {
    return { type: 'problems', problems: [withSelfReview(executor.problem, reviewer.launch.ref, deps.t)] };
  }
  const both = executor === reviewer ? [executor] : [executor, reviewer];
  return { type: 'problems', problems: both.flatMap((one) => (one.type === 'missing' ? [one.problem] : [])) };
}

function withSelfReview(problem: AgentProblem, { id, name }: AgentRef, t: Translate = english): AgentProblem {
  const offer = t(
    'Or let {0} take both roles (self-review): --executor {1} --reviewer {1} (in VS Code: the settings cgloop.executor and cgloop.reviewer).',
    name,
    id,
  );
  return { ...problem, fix: `${problem.fix} ${offer}` };
}
