import { type Agent, type AgentLaunch, AgentStartError } from '../agent/agent.ts';
import { createAgent } from '../agent/createAgent.ts';
import { createPermissionBroker, type PermissionBroker } from '../scheduler/permissionBroker.ts';
import { decide } from '../scheduler/policy.ts';
import { createEventLog, type EventLog } from '../session/eventLog.ts';
import type { AgentRef, Role } from '../shared/events.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import type { RunOptions, StartProblem } from './options.ts';
import { createTurnRunner, type TurnRunner } from './runTurn.ts';
import type { Clock } from './turnLimit.ts';

/** The parts of one run, wired to its log; nothing is started yet. */
export interface AssembledRun {
  readonly log: EventLog;
  readonly broker: PermissionBroker;
  readonly turns: TurnRunner;
  /** Aborting it stops the run. */
  readonly stop: AbortController;
  /** Starts both agents at the same time; the problems of those that did not come up. */
  startAgents(): Promise<readonly StartProblem[]>;
  /** Settles every question and ends both agents. Safe more than once. */
  dispose(): Promise<void>;
}

const ROLES: readonly Role[] = ['execute', 'review'];

/** `options.folder` is resolved. `now`: milliseconds since the epoch. The log's first event is `run.started`. */
export function assembleRun(
  id: string,
  options: RunOptions,
  launches: Readonly<Record<Role, AgentLaunch>>,
  { now, clock }: { readonly now: () => number; readonly clock: Clock },
): AssembledRun {
  const log = createEventLog({ now });
  const stop = new AbortController();
  log.append({
    type: 'run.started',
    run: {
      id,
      task: options.task,
      folder: options.folder,
      rounds: options.rounds,
      threshold: options.threshold,
      turnLimitSeconds: options.turnLimitSeconds,
      permissionMode: options.permissionMode,
      trusted: options.trusted,
      executor: launches.execute.ref,
      reviewer: launches.review.ref,
    },
  });

  const broker = createPermissionBroker({
    append: (body) => log.append(body),
    decide: (role, request) =>
      decide(request, {
        role,
        mode: options.permissionMode,
        folder: options.folder,
        interactive: options.interactive,
        resolvePath,
        caseInsensitive: process.platform === 'win32' || process.platform === 'darwin',
      }),
    turnOf: (role) => turns.turnOf(role),
    onWaiting: (role, waiting) => turns.setWaiting(role, waiting),
  });
  const agentFor = (role: Role): Agent =>
    createAgent({
      launch: launches[role],
      role,
      folder: options.folder,
      mode: options.permissionMode,
      trusted: options.trusted,
      model: role === 'execute' ? options.executorModel : options.reviewerModel,
      permissions: broker.port(role),
      emit: (event) => log.append({ ...event, turn: turns.turnOf(role), role }),
    });
  const agents: Readonly<Record<Role, Agent>> = { execute: agentFor('execute'), review: agentFor('review') };
  const turns: TurnRunner = createTurnRunner({
    log,
    broker,
    agents,
    clock,
    limitSeconds: options.turnLimitSeconds,
    stopped: stop.signal,
  });

  return {
    log,
    broker,
    turns,
    stop,
    async startAgents() {
      const found = await Promise.all(
        ROLES.map(async (role): Promise<StartProblem | null> => {
          try {
            const ready = await agents[role].ready();
            log.append({ type: 'agent.ready', role, agent: ready.ref });
            return null;
          } catch (error) {
            return startProblem(launches[role].ref, error);
          }
        }),
      );
      return found.filter((problem) => problem !== null);
    },
    async dispose() {
      broker.settleAll('dispose');
      await Promise.all(ROLES.map((role) => agents[role].dispose()));
    },
  };
}

function startProblem(agent: AgentRef, error: unknown): StartProblem {
  if (!(error instanceof AgentStartError)) throw error;
  return { agent, what: error.message, fix: FIXES[error.reason] };
}

const FIXES: Record<AgentStartError['reason'], string> = {
  spawn: 'Start the program in a terminal to see what is wrong with it.',
  agentExit: 'Start the program in a terminal to see what is wrong with it.',
  startLimit: 'Start the program once in a terminal: it may be waiting for a sign-in there.',
  signIn: 'Sign in once in a terminal, then run again.',
  protocol: 'Update the program: its version may be too old or too new for this one.',
  agentError: 'Start the program in a terminal to see what is wrong with it.',
};
