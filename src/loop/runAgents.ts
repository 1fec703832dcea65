import type { Agent, AgentContext, AgentLaunch, AgentReady, Attachment } from '../agent/agent.ts';
import { createAgent } from '../agent/createAgent.ts';
import type { FileService } from '../scheduler/fileService.ts';
import type { EventLog } from '../session/eventLog.ts';
import { lastSessionOf } from '../session/lastSession.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { Trace } from '../session/trace.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEvent, TaskAttachment } from '../shared/events.ts';
import type { Translate } from '../shared/translate.ts';
import type { ProcessRecords } from '../workspace/orphans.ts';
import { attachmentsFor } from './attachments.ts';
import type { LateAgent, RunEnds } from './lateAgent.ts';
import { withVariables } from './launchOf.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import type { RunOptions, StartProblem } from './options.ts';
import { traceEvent } from './runTrace.ts';
import { startProblem } from './startProblem.ts';

interface RunAgentsParts {
  /** Those that somebody takes in the run. */
  readonly roles: readonly Role[];
  readonly launches: Readonly<Record<Role, AgentLaunch>>;
  /** `folder` is resolved. */
  readonly options: RunOptions;
  readonly attached: readonly TaskAttachment[];
  readonly log: EventLog;
  /** What the log holds of a run that goes on. */
  readonly past: readonly LoopEvent[];
  /** Agents that are up for it already; they take the place of the first that it would start. */
  readonly warm: Readonly<Record<Role, LateAgent>> | null;
  readonly trace: Trace | null;
  readonly processes: Pick<ProcessRecords, 'spawn'>;
  /** Where the agent of a role works. */
  readonly folderOf: (role: Role) => string;
  /** What the agent of a role has of the run. */
  readonly endsFor: (role: Role) => RunEnds;
  readonly files: FileService | null;
  readonly askSignIn: AgentContext['askSignIn'];
  readonly t: Translate;
}

/** The agents of one run. */
export interface RunAgents {
  /** Changed by `restart`. */
  readonly byRole: Readonly<Partial<Record<Role, Agent>>>;
  /** Waits for all of them at the same time; the problems of those that did not come up. */
  start(): Promise<readonly StartProblem[]>;
  /** Ends what is left of an agent and starts it again; null: the run was over before that. Rejects when it does not start. */
  restart(role: Role, isOver: () => boolean): Promise<AgentReady | null>;
  /** What goes with the next prompt of a role: what goes with the task, once a session. */
  attachments(role: Role, ready: AgentReady): Promise<readonly Attachment[]>;
  dispose(): Promise<void>;
}

/** Their processes are started by `start`. */
export function createRunAgents(parts: RunAgentsParts): RunAgents {
  const { roles, launches, options, log, past, warm, trace, t } = parts;
  const byRole: Partial<Record<Role, Agent>> = {};
  const agentFor = (role: Role): Agent => {
    const session = lastSessionOf(log.events, role);
    // Another agent in the role would not know the session.
    const resume = session !== null && session.agent.id === launches[role].ref.id ? session : null;
    return createAgent({
      launch: withVariables(launches[role], options.secrets),
      role,
      folder: parts.folderOf(role),
      mode: options.permissionMode,
      trusted: options.trusted,
      model: role === 'execute' ? options.executorModel : options.reviewerModel,
      ...parts.endsFor(role),
      ...(parts.askSignIn === undefined ? {} : { askSignIn: parts.askSignIn }),
      spawn: (child) => parts.processes.spawn(launches[role].ref.name, child),
      ...(resume === null ? {} : { resume }),
      ...(trace === null ? {} : { trace: (event) => trace.add(role, traceEvent(event, launches[role].ref)) }),
    });
  };
  for (const role of roles) byRole[role] = warm?.[role].agent ?? agentFor(role);
  const agentOf = (role: Role): Agent => {
    const agent = byRole[role];
    if (agent === undefined) throw new Error(`Nobody takes the role "${role}" in this run.`);
    return agent;
  };
  const ready = async (role: Role): Promise<AgentReady> => {
    const told = await agentOf(role).ready();
    log.append({ type: 'agent.ready', role, agent: told.ref });
    return told;
  };
  /** Executors whose session holds what goes with the task. */
  const informed = new Set<Agent>();

  return {
    byRole,
    async start() {
      for (const role of roles) warm?.[role].bind(parts.endsFor(role));
      const found = await Promise.all(
        roles.map(async (role): Promise<StartProblem | null> => {
          try {
            await ready(role);
            return null;
          } catch (error) {
            return startProblem(launches[role].ref, error, t);
          }
        }),
      );
      return found.filter((problem) => problem !== null);
    },
    async restart(role, isOver) {
      await agentOf(role).dispose();
      if (isOver()) return null;
      byRole[role] = agentFor(role);
      return ready(role);
    },
    async attachments(role, { resumed }) {
      const agent = agentOf(role);
      if (role === 'review' || informed.has(agent)) return [];
      informed.add(agent);
      if (resumed !== undefined) return [];
      if (runHeaderOf(past)?.attached?.some(({ type }) => type === 'image') === true) {
        const text = t('The images of the task are not kept with a run: they are not sent again.');
        log.append(loopDiagnostic('warning', text, 'loop', { turn: 0, role }));
      }
      return attachmentsFor(parts.attached, options.folder, options.images ?? [], parts.files);
    },
    async dispose() {
      await Promise.all(roles.map((role) => agentOf(role).dispose()));
    },
  };
}
