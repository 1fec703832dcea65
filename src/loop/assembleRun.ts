import { type Agent, type AgentLaunch, AgentStartError, type AgentTrace } from '../agent/agent.ts';
import { createAgent } from '../agent/createAgent.ts';
import { createPermissionBroker, type PermissionBroker } from '../scheduler/permissionBroker.ts';
import { decide } from '../scheduler/policy.ts';
import { createEventLog, type EventLog } from '../session/eventLog.ts';
import { withoutSecrets } from '../session/redact.ts';
import type { Trace, TraceEvent } from '../session/trace.ts';
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

/** What a run is given by the program around it. */
export interface RunSurroundings {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly clock: Clock;
  /** Values that are taken out of everything that the log keeps. */
  readonly secrets: readonly string[];
  /** Is told both wires; null: nothing is traced. */
  readonly trace: Trace | null;
}

const ROLES: readonly Role[] = ['execute', 'review'];

/** `options.folder` is resolved. The log's first event is `run.started`. */
export function assembleRun(
  id: string,
  options: RunOptions,
  launches: Readonly<Record<Role, AgentLaunch>>,
  { now, clock, secrets, trace }: RunSurroundings,
): AssembledRun {
  const log = createEventLog({ now, clean: (body) => withoutSecrets(body, secrets) });
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
      launch: withVariables(launches[role], options.secrets),
      role,
      folder: options.folder,
      mode: options.permissionMode,
      trusted: options.trusted,
      model: role === 'execute' ? options.executorModel : options.reviewerModel,
      permissions: broker.port(role),
      emit: (event) => log.append({ ...event, turn: turns.turnOf(role), role }),
      ...(trace === null ? {} : { trace: (event) => trace.add(role, traceEvent(event, launches[role].ref)) }),
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

/** The launch with the variables that are meant for this agent alone. */
function withVariables(launch: AgentLaunch, secrets: RunOptions['secrets']): AgentLaunch {
  const own = secrets?.[launch.ref.id];
  return own === undefined ? launch : { ...launch, env: { ...launch.env, ...own } };
}

function traceEvent(event: AgentTrace, agent: AgentRef): TraceEvent {
  switch (event.dir) {
    case 'start':
      return { ...event, agent };
    case 'in':
    case 'out':
      return event;
    case 'exit': {
      const { code, signal, error } = event.exit;
      return { dir: 'exit', code, signal, error: error?.message ?? null, stderr: event.stderr };
    }
    default:
      return event satisfies never;
  }
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
