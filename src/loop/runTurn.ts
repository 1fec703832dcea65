import type { Agent, AgentReady, Attachment, CancelReason, TurnResult } from '../agent/agent.ts';
import type { PermissionBroker } from '../scheduler/permissionBroker.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { EventLog } from '../session/eventLog.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { Translate } from '../shared/translate.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import { type SilenceWatch, watchSilence } from './silence.ts';
import { type Clock, startTurnLimit, type TurnLimit } from './turnLimit.ts';

export interface TurnParts {
  readonly log: EventLog;
  readonly broker: PermissionBroker;
  readonly scheduler: Pick<Scheduler, 'cancel'>;
  /** Those who work in the run, looked up at each turn. */
  readonly agents: Readonly<Partial<Record<Role, Agent>>>;
  /** Ends the commands that were started for the agent; those of a turn that ends well run on. */
  readonly stopCommands?: (role: Role) => void;
  /** What goes with the next prompt of the role besides its text. Never rejects. Absent: nothing. */
  readonly attachments?: (role: Role, ready: AgentReady) => Promise<readonly Attachment[]>;
  readonly clock: Clock;
  /** How many turns the run has had before. */
  readonly turnsBefore?: number;
  /** Seconds of the agent's own time. */
  readonly limitSeconds: number;
  /** Aborted when the person stops the run. */
  readonly stopped: AbortSignal;
  readonly t: Translate;
}

/** What a prompt does not hold, as `turn.started` tells it. */
export type PromptLack = Pick<Extract<LoopEventBody, { readonly type: 'turn.started' }>, 'withheld' | 'shortened'>;

/** A finished turn and its number in the log. */
export interface TurnRecord {
  readonly turn: number;
  readonly result: TurnResult;
}

export interface TurnRunner {
  /** One turn, in the log from start to end. Never rejects; every question of the turn is settled when it resolves. */
  run(role: Role, prompt: string, kept?: PromptLack): Promise<TurnRecord>;
  /** The number of the turn under way in this role, 0 for none. */
  turnOf(role: Role): number;
  /** Holds the turn's clock while the person is waited for. */
  setWaiting(role: Role, waiting: boolean): void;
}

export function createTurnRunner(parts: TurnParts): TurnRunner {
  const { log, broker, scheduler, t } = parts;
  let count = parts.turnsBefore ?? 0;
  const current = new Map<Role, { readonly turn: number; readonly limit: TurnLimit; readonly silence: SilenceWatch }>();

  return {
    turnOf: (role) => current.get(role)?.turn ?? 0,
    setWaiting(role, waiting) {
      const under = current.get(role);
      for (const one of [under?.limit, under?.silence]) {
        if (waiting) one?.pause();
        else one?.resume();
      }
    },
    async run(role, prompt, { withheld, shortened } = {}) {
      const agent = parts.agents[role];
      if (agent === undefined) throw new Error(`Nobody takes the role "${role}" in this run.`);
      const ready = await agent.ready();
      const attachments = (await parts.attachments?.(role, ready)) ?? [];
      const turn = ++count;
      const controller = new AbortController();
      let expired = false;
      const cancel = (reason: CancelReason) => {
        // The peer hears of the cancel first, then the answers to its questions (ACP, prompt-turn.mdx).
        controller.abort(reason);
        broker.settleAll('sessionCancel', role);
        scheduler.cancel(role);
        parts.stopCommands?.(role);
      };
      const onStopped = () => cancel('user');
      const limit = startTurnLimit(parts.clock, parts.limitSeconds, () => {
        expired = true;
        cancel('timeLimit');
      });
      const silence = watchSilence(parts.clock, (seconds) => {
        log.append(loopDiagnostic('warning', silenceWords(seconds, t), 'silence', { turn, role }));
      });
      const unsubscribe = log.subscribe((event) => {
        const isOwn = event.type === 'diagnostic' && event.derived.code === 'silence';
        if ('turn' in event && event.turn === turn && !isOwn) silence.heard(event);
      });
      current.set(role, { turn, limit, silence });
      log.append({
        type: 'turn.started',
        turn,
        role,
        prompt,
        ...(withheld === undefined ? {} : { withheld }),
        ...(shortened === undefined ? {} : { shortened }),
        wire: { sessionId: ready.sessionId, model: ready.model },
      });
      parts.stopped.addEventListener('abort', onStopped, { once: true });
      if (parts.stopped.aborted) onStopped();

      const told = await agent.prompt(prompt, controller.signal, attachments);

      limit.end();
      silence.end();
      unsubscribe();
      parts.stopped.removeEventListener('abort', onStopped);
      const died = told.outcome.type === 'failed' && told.outcome.cause === 'agentExit';
      broker.settleAll(died ? 'agentExit' : 'turnEnded', role);
      scheduler.cancel(role);
      if (died) parts.stopCommands?.(role);
      const result: TurnResult = expired ? { ...told, outcome: timeLimitOutcome(parts.limitSeconds, t) } : told;
      log.append({
        type: 'turn.ended',
        turn,
        role,
        wire: result.wire,
        derived: {
          outcome: result.outcome,
          usage: result.usage,
          models: result.models,
          ...(result.structured === undefined ? {} : { structured: result.structured }),
        },
      });
      current.delete(role);
      return { turn, result };
    },
  };
}

/** Ours: the wire says nothing, and nothing says that it is the model. */
function silenceWords(seconds: number, t: Translate): string {
  return t('No answer from the model for {0} s. (Concluded from the silence: the agent may be trying again.)', seconds);
}

function timeLimitOutcome(seconds: number, t: Translate) {
  const message = t('The turn took longer than its limit of {0} s and was stopped.', seconds);
  return { type: 'failed', cause: 'timeLimit', message } as const;
}
