import type { AgentRef } from '../shared/agentEvents.ts';
import type { TurnResult } from './agent.ts';
import { createGeminiTurn, type GeminiTurn, type GeminiTurnEnd } from './geminiTurn.ts';
import { asEvents, type ReplayedExit, type ReplayStep, type WireReplay } from './replaySteps.ts';

/** Reads a trace of Gemini CLI headless: each turn is a process of its own, and all that it is sent is the prompt. */
export function replayGemini(agent: AgentRef): WireReplay {
  let turn: GeminiTurn | null = null;
  let prompt: string[] | null = null;
  let isReady = false;

  /** The prompt is whole when the first line comes back. */
  const begun = (): readonly ReplayStep[] => {
    if (prompt === null) return [];
    const text = prompt.join('\n');
    prompt = null;
    return [{ type: 'prompt', text, sessionId: null }];
  };
  const end = (exit: ReplayedExit | null): readonly ReplayStep[] => {
    if (turn === null) return [];
    const ended = turn.end(exit);
    turn = null;
    return [...asEvents(ended.events), { type: 'end', result: resultOf(ended) }];
  };

  return {
    start() {
      turn = createGeminiTurn();
      prompt = [];
      if (isReady) return [];
      isReady = true;
      return [{ type: 'ready', agent }];
    },
    out(_object, line) {
      prompt?.push(line);
      return [];
    },
    in(object) {
      const first = begun();
      if (turn === null || object === null) return first;
      const events = asEvents(turn.push(object));
      return turn.ended() ? [...first, ...events, ...end(null)] : [...first, ...events];
    },
    exit: (exit) => [...begun(), ...end(exit)],
  };
}

function resultOf({ wire, outcome, texts, usage, models, denials }: GeminiTurnEnd): TurnResult {
  return { wire, outcome, texts, usage, models, denials };
}
