import { createAcpAgent } from './acpAgent.ts';
import type { Agent, AgentContext } from './agent.ts';
import { createClaudeAgent } from './claudeCli.ts';

/** The adapter for the protocol that the agent speaks. Starts nothing yet. */
export function createAgent(context: AgentContext): Agent {
  switch (context.launch.ref.protocol) {
    case 'acp':
      return createAcpAgent(context);
    case 'claude-stream-json':
      return createClaudeAgent(context);
    case 'gemini-stream-json':
      throw new Error(`No agent of the catalog speaks ${context.launch.ref.protocol}.`);
    default:
      return context.launch.ref.protocol satisfies never;
  }
}
