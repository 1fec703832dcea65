import { type Child, type ChildOptions, spawnChild } from '../transport/childProcess.ts';
import { traceChild } from '../transport/trace.ts';
import { createAcpAgent } from './acpAgent.ts';
import { ACP_DEPS } from './acpDeps.ts';
import { servedMethods } from './acpServices.ts';
import type { Agent, AgentContext } from './agent.ts';
import { CLAUDE_DEPS, createClaudeAgent } from './claudeCli.ts';
import { createGeminiHeadlessAgent, HEADLESS_DEPS } from './geminiHeadless.ts';

/** The adapter for the protocol that the agent speaks. Starts nothing yet. */
export function createAgent(context: AgentContext): Agent {
  const { trace, spawn: plain = spawnChild } = context;
  const spawn = trace === undefined ? plain : traced(trace, plain);
  switch (context.launch.ref.protocol) {
    case 'acp':
      return createAcpAgent(context, {
        ...ACP_DEPS,
        spawn,
        services: context.services === undefined ? ACP_DEPS.services : servedMethods(context.services),
      });
    case 'claude-stream-json':
      return createClaudeAgent(context, { ...CLAUDE_DEPS, spawn });
    case 'gemini-stream-json':
      return createGeminiHeadlessAgent(context, { ...HEADLESS_DEPS, spawn });
    default:
      return context.launch.ref.protocol satisfies never;
  }
}

/** Spawns as ever, and tells `tell` the start and every line. */
function traced(
  tell: NonNullable<AgentContext['trace']>,
  spawn: (options: ChildOptions) => Child,
): (options: ChildOptions) => Child {
  return (options) => {
    tell({ dir: 'start', command: options.command, args: options.args });
    return traceChild(spawn(options), tell);
  };
}
