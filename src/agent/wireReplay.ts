import type { AgentRef } from '../shared/agentEvents.ts';
import { replayAcp } from './replayAcp.ts';
import { replayClaude } from './replayClaude.ts';
import { replayGemini } from './replayGemini.ts';
import type { WireReplay } from './replaySteps.ts';

/** `folder`: the run's, for paths of tools. */
export function createWireReplay(agent: AgentRef, folder: string): WireReplay {
  switch (agent.protocol) {
    case 'acp':
      return replayAcp(agent, folder);
    case 'claude-stream-json':
      return replayClaude(agent, folder);
    case 'gemini-stream-json':
      return replayGemini(agent);
    default:
      return agent.protocol satisfies never;
  }
}
