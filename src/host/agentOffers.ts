import { agentRef } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import type { OfferChange } from '../loop/warmAgents.ts';
import type { AgentOffers } from '../shared/messages.ts';

/** What the agents of one window have told of themselves, by their ids. It outlives their processes. */
export interface OfferBook {
  heard(agent: string, change: OfferChange): void;
  /** For these agents, those that told nothing as far as their wire says it. */
  of(ids: readonly string[], agents: CustomAgents): Readonly<Record<string, AgentOffers>>;
  onDidChange(listener: () => void): () => void;
}

export function createOfferBook(): OfferBook {
  const book = new Map<string, AgentOffers>();
  const listeners = new Set<() => void>();
  return {
    heard(agent, change) {
      const before = book.get(agent) ?? { images: null, commands: [], models: [] };
      book.set(agent, { ...before, ...change });
      for (const listener of listeners) listener();
    },
    of(ids, agents) {
      return Object.fromEntries(
        ids.map((id) => [id, book.get(id) ?? { images: byWire(id, agents), commands: [], models: [] }]),
      );
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether every agent with its protocol takes images; null where each one says it by itself. */
function byWire(id: string, agents: CustomAgents): boolean | null {
  const protocol = agentRef(id, agents)?.protocol;
  switch (protocol) {
    case 'claude-stream-json':
      return true;
    case 'gemini-stream-json':
      return false;
    case 'acp':
    case undefined:
      return null;
    default:
      return protocol satisfies never;
  }
}
