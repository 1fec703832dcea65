import type { AgentLaunch } from '../agent/agent.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import { createCommandGrants } from '../scheduler/commandGrants.ts';
import { createPermissionBroker, type PermissionBroker } from '../scheduler/permissionBroker.ts';
import { decide, ruleOf } from '../scheduler/policy.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { tellUnsaved } from '../scheduler/tellUnsaved.ts';
import { createWriteGrants } from '../scheduler/writeGrants.ts';
import { createEventLog, type EventLog } from '../session/eventLog.ts';
import { withoutSecrets } from '../session/redact.ts';
import type { RuleBook } from '../session/ruleFile.ts';
import type { Trace } from '../session/trace.ts';
import type { Role } from '../shared/agentEvents.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent, LoopEventBody, TaskAttachment } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import type { ProcessRecords } from '../workspace/orphans.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { foldsCase } from '../workspace/roots.ts';
import { createTerminalService } from '../workspace/terminals.ts';
import { createCheckConsent } from './confirmChecks.ts';
import { headerOf } from './headerOf.ts';
import { promptLanguage, promptWords } from './language.ts';
import type { LateAgent, RunEnds } from './lateAgent.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import type { Reviewing } from './loopParts.ts';
import { DEFAULTS, type RunOptions, type StartProblem } from './options.ts';
import { countersOf, offeredRunEdits, openQuestionsOf } from './resumePoint.ts';
import { makeReviewCopy } from './reviewCopy.ts';
import { rolesOf } from './reviewRun.ts';
import { reviveExecutor } from './reviveExecutor.ts';
import { createRunAgents } from './runAgents.ts';
import { type CheckParts, type CheckRunner, createCheckRunner } from './runChecks.ts';
import { createClientServices, type RunServices } from './runServices.ts';
import { createTurnRunner, type TurnRunner } from './runTurn.ts';
import type { Clock } from './turnLimit.ts';
import { createUnsavedGuard, type UnsavedGuard } from './unsavedFiles.ts';
import { createWithheldGate } from './withheldGate.ts';

/** The parts of one run, wired to its log; nothing is started yet. */
export interface AssembledRun {
  readonly log: EventLog;
  readonly broker: PermissionBroker;
  readonly turns: TurnRunner;
  /** Null where the face has no editors. */
  readonly unsaved: UnsavedGuard | null;
  readonly reviewing: Reviewing;
  readonly t: Translate;
  /** Aborting it stops the run. */
  readonly stop: AbortController;
  /** The checks of the run; null where there are none. `textOf` reads a file of a checkpoint. */
  checks(textOf: CheckParts['textOf']): CheckRunner | null;
  /** Starts both agents at the same time; the problems of those that did not come up. */
  startAgents(): Promise<readonly StartProblem[]>;
  /** Whether the executor is in the session of an earlier process. Only after `startAgents`. */
  remembers(): Promise<boolean>;
  /** See `LoopParts.revive`. */
  revive(): Promise<boolean>;
  /** Asks the person a question of ours: the option's id, or null when nobody is there or it was not answered. Never rejects. */
  ask(request: PermissionRequest): Promise<string | null>;
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
  /** What the log holds of a run that goes on; absent for a new one. */
  readonly past?: readonly LoopEvent[];
  /** The worktree that it works in; null or absent: none. */
  readonly worktree?: WorktreeRef | null;
  /** Agents that are up for it already; they take the place of the first that it would start. */
  readonly warm?: Readonly<Record<Role, LateAgent>> | null;
  /** What goes with the task. Absent: nothing. */
  readonly attached?: readonly TaskAttachment[];
  /** Starts the agents' processes. */
  readonly processes: Pick<ProcessRecords, 'spawn'>;
}

/** `options.folder` is resolved. The first event that it adds to the log is `run.started`, or `run.continued`. */
export function assembleRun(
  id: string,
  options: RunOptions,
  launches: Readonly<Record<Role, AgentLaunch>>,
  {
    now,
    clock,
    secrets,
    trace,
    services,
    rules,
    past = [],
    worktree = null,
    warm = null,
    attached = [],
    processes,
  }: RunSurroundings,
): AssembledRun {
  const log = createEventLog({ now, past, clean: (body) => withoutSecrets(body, secrets) });
  const stop = new AbortController();
  const t = services.translate ?? english;
  const used = countersOf(past);
  const roles = rolesOf(options.kind);
  const copy = launches.review.onlyReads === true ? null : makeReviewCopy(options.folder, options.stateFolder);
  const folderOf = (role: Role) => (role === 'review' && copy !== null ? copy.folder : options.folder);
  // Those of processes that were killed: every question that was asked is settled in the log.
  for (const permissionId of openQuestionsOf(past)) {
    log.append({ type: 'permission.resolved', permissionId, by: 'dispose', answer: { outcome: 'cancelled' } });
  }
  log.append({
    type: past.length === 0 ? 'run.started' : 'run.continued',
    run: headerOf(id, options, launches, { attached, worktree }),
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
      firstEdit: !offeredRunEdits(log.events),
      t,
    });
  const grants = createWriteGrants(resolvePath);
  const commandGrants = createCommandGrants();
  let disposed = false;
  const terminals = createTerminalService({
    spawn: (child, times) => processes.spawn('a command', child, times),
    env: process.env,
  });
  let terminalCount = used.terminals;
  let checkCount = used.checks;
  const broker = createPermissionBroker({
    append,
    decide: decideFor,
    turnOf,
    givenOut: used.permissions,
    onWaiting: (role, waiting) => turns.setWaiting(role, waiting),
    onAllowed: (role, request, option) => {
      grants.allowed(role, turnOf(role), request, option);
      if (role === 'execute') commandGrants.allowed(turnOf(role), request, option);
    },
    onOffer: (role, offer) => {
      rules.add(ruleOf(offer)).catch((error: unknown) => {
        const text = t('The rule holds for this run, but could not be stored: {0}', errorText(error));
        append(loopDiagnostic('error', text, 'loop', { turn: turnOf(role), role }));
      });
    },
  });
  const scheduler = createScheduler({ append, turnOf });
  const servicesFor = (role: Role) =>
    createClientServices(role, {
      folder: folderOf(role),
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
  const words = promptWords(promptLanguage(options.language ?? DEFAULTS.language, services.locale ?? ''));
  const reviewing: Reviewing = {
    name: launches.review.ref.name,
    // The wire whose reviewer is held to the verdict's schema.
    form: launches.review.ref.protocol === 'claude-stream-json' ? 'structured' : 'fenced',
    copy: copy?.folder ?? null,
    withheld: createWithheldGate({
      secrets,
      reviewer: launches.review.ref.name,
      marks: { file: words.review.withheldFile, line: words.review.withheldLine },
      permissions: broker.port('execute'),
      t,
      stopped: stop.signal,
    }),
    words,
  };
  const endsFor = (role: Role): RunEnds => ({
    permissions: tellUnsaved(broker.port(role), services.files),
    services: served[role],
    emit: (event) => log.append({ ...event, turn: turns.turnOf(role), role }),
  });
  const agents = createRunAgents({
    roles,
    launches,
    options,
    attached,
    log,
    past,
    warm,
    trace,
    processes,
    folderOf,
    endsFor,
    files: services.files,
    askSignIn: services.askSignIn,
    t,
  });
  const turns: TurnRunner = createTurnRunner({
    log,
    broker,
    scheduler,
    agents: agents.byRole,
    attachments: agents.attachments,
    stopCommands: (role) => void stopCommands(role),
    clock,
    turnsBefore: used.turns,
    limitSeconds: options.turnLimitSeconds,
    stopped: stop.signal,
    t,
  });

  const ask = async (request: PermissionRequest): Promise<string | null> => {
    if (!options.interactive || disposed) return null;
    const answer = await broker.port('execute').request(request, {}, stop.signal);
    return answer.outcome === 'selected' ? answer.optionId : null;
  };

  return {
    log,
    broker,
    turns,
    unsaved,
    reviewing,
    t,
    stop,
    ask,
    checks(textOf) {
      const { checks = [], folder, stateFolder, interactive } = options;
      if (checks.length === 0) return null;
      return createCheckRunner({
        checks,
        folder,
        limitSeconds: options.checkTimeoutSeconds ?? DEFAULTS.checkTimeoutSeconds,
        consent: createCheckConsent({
          folder: worktree?.origin ?? folder,
          stateFolder,
          interactive,
          ask,
          t,
          warn: (text) => append(loopDiagnostic('warning', text)),
        }),
        terminals,
        textOf,
        append,
        after: clock.after,
        nextId: () => `check-${++checkCount}`,
        stopped: stop.signal,
        platform: process.platform,
        env: process.env,
        t,
      });
    },
    startAgents: agents.start,
    remembers: async () => (await agents.byRole.execute?.ready())?.resumed !== undefined,
    revive: () =>
      reviveExecutor({
        name: launches.execute.ref.name,
        ask,
        append,
        t,
        stopped: stop.signal,
        isOver: () => disposed,
        restart: () => agents.restart('execute', () => disposed),
      }),
    async dispose() {
      disposed = true;
      broker.settleAll('dispose');
      await scheduler.dispose();
      await Promise.all([agents.dispose(), ...roles.map(stopCommands)]);
      await copy?.remove();
    },
  };
}
