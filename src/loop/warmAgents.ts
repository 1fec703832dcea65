import type { Agent, AgentContext, AgentLaunch } from '../agent/agent.ts';
import { createAgent } from '../agent/createAgent.ts';
import { preflight } from '../agent/preflight.ts';
import { resolveDepsFor } from '../agent/wideSearch.ts';
import type { AgentEvent, Role } from '../shared/agentEvents.ts';
import type { AgentOffers } from '../shared/messages.ts';
import { createProcessRecords } from '../workspace/orphans.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { createLateAgent, type LateAgent } from './lateAgent.ts';
import { withVariables } from './launchOf.ts';
import type { RunOptions } from './options.ts';
import type { RunServices } from './runServices.ts';

/** All that an agent's process depends on. Two runs that agree in it can take the same processes. */
export type WarmOptions = Pick<
  RunOptions,
  | 'folder'
  | 'executor'
  | 'reviewer'
  | 'executorModel'
  | 'reviewerModel'
  | 'permissionMode'
  | 'trusted'
  | 'stateFolder'
  | 'executablePaths'
  | 'agents'
  | 'secrets'
>;

/** A part of what an agent offers, as it told it last. */
export type OfferChange = Partial<AgentOffers>;

export interface WarmParts {
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly createAgent: (context: AgentContext) => Agent;
  /** An agent, by its catalog id, told what can be asked of it. */
  readonly onOffer?: (agent: string, change: OfferChange) => void;
  /** Finds the two programs; null when one of them is missing. */
  readonly find: (options: WarmOptions) => Promise<Readonly<Record<Role, AgentLaunch>> | null>;
}

/** Both agents, started before the task is written. */
export interface WarmAgents {
  /**
   * Starts both agents for such a run, unless they are up already; those for another one are ended. They are ended too
   * after `idleMs` without a further call. An untrusted folder starts nothing, and what goes wrong is left to the run.
   */
  warm(options: WarmOptions, serves: Pick<RunServices, 'files'>, idleMs: number): void;
  /** The agents that are up for such a run, which from now on are the caller's; null when there are none. Never rejects. */
  take(options: WarmOptions, serves: Pick<RunServices, 'files'>): Promise<Readonly<Record<Role, LateAgent>> | null>;
  /** Ends what is up. Never rejects. */
  dispose(): Promise<void>;
}

interface WarmPair {
  readonly key: string;
  readonly agents: Promise<Readonly<Record<Role, LateAgent>> | null>;
  /** One of them did not come up. */
  isSpoilt: boolean;
  /** It belongs to a run. */
  isTaken: boolean;
}

const ROLES: readonly Role[] = ['execute', 'review'];

/** This machine's agents and programs. */
export function createWarmAgents(parts: Pick<WarmParts, 'after' | 'onOffer'>): WarmAgents {
  return warmAgents({ ...parts, createAgent, find });
}

/** See `createWarmAgents`; the parts are given by tests. */
export function warmAgents(parts: WarmParts): WarmAgents {
  let pair: WarmPair | null = null;
  let callOff: () => void = () => undefined;
  let isDisposed = false;

  const end = async (gone: WarmPair): Promise<void> => {
    if (pair === gone) pair = null;
    const agents = await gone.agents;
    if (agents !== null) await Promise.all(ROLES.map((role) => agents[role].agent.dispose()));
  };
  const start = (key: string, options: WarmOptions, files: boolean): WarmPair => {
    const started = (async () => {
      const launches = await parts.find(options).catch(() => null);
      if (launches === null || isDisposed) return null;
      // Its folder is a copy that only the run makes.
      if (launches.review.onlyReads !== true) return null;
      const agentFor = (role: Role): LateAgent =>
        createLateAgent(
          (ends) => parts.createAgent(contextOf(role, options, launches[role], ends)),
          // A reviewer runs no commands.
          { files, terminals: role === 'execute' },
          (event) => {
            const change = offerOf(event);
            if (change !== null) parts.onOffer?.(agentOf(role, options), change);
          },
        );
      return { execute: agentFor('execute'), review: agentFor('review') };
    })();
    const made: WarmPair = { key, agents: started, isSpoilt: false, isTaken: false };
    void started.then(async (agents) => {
      if (agents === null) made.isSpoilt = true;
      else {
        const up = await Promise.allSettled(
          ROLES.map(async (role) => {
            const { takesImages } = await agents[role].agent.ready();
            if (takesImages !== undefined) parts.onOffer?.(agentOf(role, options), { images: takesImages });
          }),
        );
        if (up.some(({ status }) => status === 'rejected')) made.isSpoilt = true;
      }
      // Whoever starts a run is told why; until then nobody has asked.
      if (made.isSpoilt && !made.isTaken) await end(made);
    });
    return made;
  };

  return {
    warm(options, serves, idleMs) {
      if (!options.trusted || isDisposed) return;
      const key = keyOf(options, serves);
      callOff();
      if (pair !== null && pair.key !== key) void end(pair);
      pair ??= start(key, options, serves.files !== null);
      callOff = after(idleMs);
    },
    async take(options, serves) {
      const taken = pair;
      if (taken === null) return null;
      callOff();
      pair = null;
      const fits = taken.key === keyOf(options, serves) && !taken.isSpoilt;
      taken.isTaken = fits;
      const agents = await taken.agents;
      if (agents !== null && fits && !ROLES.some((role) => agents[role].isGone)) return agents;
      await end(taken);
      return null;
    },
    async dispose() {
      isDisposed = true;
      callOff();
      if (pair !== null) await end(pair);
    },
  };

  function after(idleMs: number): () => void {
    return parts.after(idleMs, () => {
      if (pair !== null) void end(pair);
    });
  }
}

function agentOf(role: Role, { executor, reviewer }: WarmOptions): string {
  return role === 'execute' ? executor : reviewer;
}

/** What the event tells of commands or models; null: nothing. */
function offerOf(event: AgentEvent): OfferChange | null {
  if (event.type === 'commands.updated') return { commands: event.derived.commands };
  if (event.type !== 'options.updated') return null;
  const model = event.derived.options.find(({ category }) => category === 'model');
  return model?.type === 'choice' ? { models: model.choices } : null;
}

/** Only ever compared, and kept in memory: it holds what the agents are given. */
function keyOf(options: WarmOptions, { files }: Pick<RunServices, 'files'>): string {
  const { folder, executor, reviewer, executorModel, reviewerModel, permissionMode, trusted, stateFolder } = options;
  const { executablePaths, agents = {}, secrets = {} } = options;
  return JSON.stringify([
    resolvePath(folder),
    ...[executor, reviewer, executorModel, reviewerModel, permissionMode, trusted, stateFolder],
    ...[executablePaths, agents, secrets, files !== null],
  ]);
}

function contextOf(
  role: Role,
  options: WarmOptions,
  launch: AgentLaunch,
  ends: Pick<AgentContext, 'permissions' | 'services' | 'emit'>,
): AgentContext {
  const records = createProcessRecords(options.stateFolder);
  return {
    ...ends,
    launch: withVariables(launch, options.secrets),
    role,
    folder: resolvePath(options.folder),
    mode: options.permissionMode,
    trusted: options.trusted,
    model: role === 'execute' ? options.executorModel : options.reviewerModel,
    spawn: (child) => records.spawn(launch.ref.name, child),
  };
}

async function find(options: WarmOptions): Promise<Readonly<Record<Role, AgentLaunch>> | null> {
  const found = preflight(options, await resolveDepsFor([options.executor, options.reviewer], options));
  return found.type === 'ready' ? { execute: found.executor, review: found.reviewer } : null;
}
