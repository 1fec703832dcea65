import type { Agent, AgentContext } from '../agent/agent.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import type { ServiceAnswer } from '../scheduler/serviceAnswer.ts';
import type { AgentEvent } from '../shared/agentEvents.ts';

/** What an agent has of its run. */
export type RunEnds = Pick<AgentContext, 'permissions' | 'services' | 'emit'>;

/** An agent that is started before the run that it is for. */
export interface LateAgent {
  readonly agent: Agent;
  /** Its process ended, or did not come up. */
  readonly isGone: boolean;
  /** Joins it to its run, once; what it told before is told now. */
  bind(ends: RunEnds): void;
}

/** What will be served to it, known at its start: agents are told then what they may ask for. */
export interface LateServices {
  readonly files: boolean;
  readonly terminals: boolean;
}

/**
 * Makes an agent whose run comes later. Before it is bound it has no turn, so that whatever it asks for is refused, and
 * what it tells is kept. `create` is given the context's ends, `heard` what it tells before it is bound.
 */
export function createLateAgent(
  create: (ends: RunEnds) => Agent,
  serves: LateServices,
  heard: (event: AgentEvent) => void = () => undefined,
): LateAgent {
  let bound: RunEnds | null = null;
  let isGone = false;
  const kept: AgentEvent[] = [];
  const agent = create({
    permissions: {
      request: async (request, wire, withdrawn) =>
        bound === null ? { outcome: 'cancelled' } : bound.permissions.request(request, wire, withdrawn),
    },
    services: servedLater(serves, () => bound?.services ?? null),
    emit: (event) => {
      if (event.type === 'diagnostic' && event.derived.code === 'exit') isGone = true;
      if (bound !== null) return bound.emit(event);
      kept.push(event);
      heard(event);
    },
  });
  return {
    agent,
    get isGone() {
      return isGone;
    },
    bind(ends) {
      bound = ends;
      for (const event of kept.splice(0)) ends.emit(event);
    },
  };
}

function servedLater({ files, terminals }: LateServices, real: () => ClientServices | null): ClientServices {
  return {
    files: files
      ? {
          read: async (...asked) => real()?.files?.read(...asked) ?? NO_RUN,
          write: async (...asked) => real()?.files?.write(...asked) ?? NO_RUN,
        }
      : null,
    terminals: terminals
      ? {
          create: async (...asked) => real()?.terminals?.create(...asked) ?? NO_RUN,
          output: (...asked) => real()?.terminals?.output(...asked) ?? NO_RUN,
          waitForExit: async (...asked) => real()?.terminals?.waitForExit(...asked) ?? NO_RUN,
          kill: async (...asked) => real()?.terminals?.kill(...asked) ?? NO_RUN,
          release: async (...asked) => real()?.terminals?.release(...asked) ?? NO_RUN,
          stopAll: async () => real()?.terminals?.stopAll(),
        }
      : null,
  };
}

const NO_RUN: ServiceAnswer<never> = { type: 'refused', kind: 'stopped', message: 'No turn is under way.' };
