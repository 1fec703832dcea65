import { type Agent, type AgentLaunch, AgentStartError, type AgentTrace } from '../agent/agent.ts';
import { createAgent } from '../agent/createAgent.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import { createCommandGrants } from '../scheduler/commandGrants.ts';
import type { FileService } from '../scheduler/fileService.ts';
import { createPermissionBroker, type PermissionBroker, type PermissionPort } from '../scheduler/permissionBroker.ts';
import { decide, ruleOf } from '../scheduler/policy.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { createWriteGrants } from '../scheduler/writeGrants.ts';
import { createEventLog, type EventLog } from '../session/eventLog.ts';
import { withoutSecrets } from '../session/redact.ts';
import type { RuleBook } from '../session/ruleFile.ts';
import type { Trace, TraceEvent } from '../session/trace.ts';
import type { AgentRef, LoopEvent, LoopEventBody, PermissionRequest, Role } from '../shared/events.ts';
import type { ProcessRecords } from '../workspace/orphans.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { foldsCase } from '../workspace/roots.ts';
import { createTerminalService } from '../workspace/terminals.ts';
import type { RunOptions, StartProblem } from './options.ts';
import { createClientServices, type RunServices } from './runServices.ts';
import { createTurnRunner, type TurnRunner } from './runTurn.ts';
import type { Clock } from './turnLimit.ts';
import { createUnsavedGuard, type UnsavedGuard } from './unsavedFiles.ts';

/** The parts of one run, wired to its log; nothing is started yet. */
export interface AssembledRun {
  readonly log: EventLog;
  readonly broker: PermissionBroker;
  readonly turns: TurnRunner;
  /** Null where the face has no editors. */
  readonly unsaved: UnsavedGuard | null;
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
  /** What the face serves to the agents. */
  readonly services: RunServices;
  /** The person's own, for this folder. */
  readonly rules: RuleBook;
  /** Starts the agents' processes. */
  readonly processes: Pick<ProcessRecords, 'spawn'>;
}

const ROLES: readonly Role[] = ['execute', 'review'];

/** `options.folder` is resolved. The log's first event is `run.started`. */
export function assembleRun(
  id: string,
  options: RunOptions,
  launches: Readonly<Record<Role, AgentLaunch>>,
  { now, clock, secrets, trace, services, rules, processes }: RunSurroundings,
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

  const append = (body: LoopEventBody) => log.append(body);
  const turnOf = (role: Role) => turns.turnOf(role);
  const decideFor = (role: Role, request: PermissionRequest) =>
    decide(request, {
      role,
      mode: options.permissionMode,
      folder: options.folder,
      interactive: options.interactive,
      resolvePath,
      caseInsensitive: foldsCase(),
      rules: rules.rules,
      firstEdit: !log.events.some(offersRunEdits),
    });
  const grants = createWriteGrants(resolvePath);
  const commandGrants = createCommandGrants();
  const terminals = createTerminalService({
    spawn: (child, times) => processes.spawn('a command', child, times),
    env: process.env,
  });
  let terminalCount = 0;
  const broker = createPermissionBroker({
    append,
    decide: decideFor,
    turnOf,
    onWaiting: (role, waiting) => turns.setWaiting(role, waiting),
    onAllowed: (role, request, option) => {
      grants.allowed(role, turnOf(role), request, option);
      if (role === 'execute') commandGrants.allowed(turnOf(role), request, option);
    },
    onOffer: (role, offer) => {
      rules.add(ruleOf(offer)).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        const text = `The rule holds for this run, but could not be stored: ${why}`;
        const derived = { source: 'loop', level: 'error', code: 'loop', text } as const;
        append({ type: 'diagnostic', turn: turnOf(role), role, wire: null, derived });
      });
    },
  });
  const scheduler = createScheduler({ append, turnOf });
  const servicesFor = (role: Role) =>
    createClientServices(role, {
      folder: options.folder,
      files: services.files,
      scheduler,
      grants,
      terminals,
      commandGrants,
      nextTerminalId: () => `terminal-${++terminalCount}`,
      after: clock.after,
      permissions: broker.port(role),
      decide: decideFor,
      turnOf,
      append,
    });
  const served: Readonly<Record<Role, ClientServices>> = {
    execute: servicesFor('execute'),
    review: servicesFor('review'),
  };
  const stopCommands = (role: Role): Promise<void> => served[role].terminals?.stopAll() ?? Promise.resolve();
  const unsaved =
    services.unsaved === null
      ? null
      : createUnsavedGuard({
          folder: options.folder,
          unsaved: services.unsaved,
          permissions: broker.port('execute'),
          append,
          stopped: stop.signal,
        });
  const agentFor = (role: Role): Agent =>
    createAgent({
      launch: withVariables(launches[role], options.secrets),
      role,
      folder: options.folder,
      mode: options.permissionMode,
      trusted: options.trusted,
      model: role === 'execute' ? options.executorModel : options.reviewerModel,
      permissions: warning(broker.port(role), services.files),
      services: served[role],
      ...(services.askSignIn === undefined ? {} : { askSignIn: services.askSignIn }),
      spawn: (child) => processes.spawn(launches[role].ref.name, child),
      emit: (event) => log.append({ ...event, turn: turns.turnOf(role), role }),
      ...(trace === null ? {} : { trace: (event) => trace.add(role, traceEvent(event, launches[role].ref)) }),
    });
  const agents: Readonly<Record<Role, Agent>> = { execute: agentFor('execute'), review: agentFor('review') };
  const turns: TurnRunner = createTurnRunner({
    log,
    broker,
    scheduler,
    agents,
    stopCommands: (role) => void stopCommands(role),
    clock,
    limitSeconds: options.turnLimitSeconds,
    stopped: stop.signal,
  });

  return {
    log,
    broker,
    turns,
    unsaved,
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
      await scheduler.dispose();
      await Promise.all(ROLES.flatMap((role) => [agents[role].dispose(), stopCommands(role)]));
    },
  };
}

/** Whether the question offered to allow the edits of the run: that is offered once. */
function offersRunEdits(event: LoopEvent): boolean {
  if (event.type !== 'permission.requested') return false;
  return event.derived.offers?.some(({ type }) => type === 'runEdits') ?? false;
}

/** Says with each question about a write which of its files have unsaved text in the editor. */
function warning(port: PermissionPort, files: FileService | null): PermissionPort {
  if (files === null) return port;
  return {
    request(request, wire, withdrawn) {
      const writes = request.kind === 'edit' || request.kind === 'delete' || request.kind === 'move';
      const unsaved = writes ? files.unsaved(request.paths) : [];
      return port.request(unsaved.length === 0 ? request : { ...request, unsaved }, wire, withdrawn);
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
