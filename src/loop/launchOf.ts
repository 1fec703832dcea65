import type { AgentLaunch } from '../agent/agent.ts';
import type { RunOptions } from './options.ts';

/** The launch with the variables that are meant for this agent alone. */
export function withVariables(launch: AgentLaunch, secrets: RunOptions['secrets']): AgentLaunch {
  const own = secrets?.[launch.ref.id];
  return own === undefined ? launch : { ...launch, env: { ...launch.env, ...own } };
}
