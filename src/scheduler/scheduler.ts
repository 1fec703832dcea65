import type { Role } from '../shared/agentEvents.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { ToolEndReason, ToolState } from '../shared/toolCall.ts';
import { isEnd } from '../shared/toolState.ts';
import { createPathLocks, type PathEntry } from './pathLocks.ts';

/** What a request needs for itself while it runs. `path`: resolved, and folded where case does not matter. */
export interface Demand {
  /** Nothing else runs beside it: a write, or the start of a command. */
  readonly exclusive: boolean;
  readonly path?: string;
}

/** Whether a request may be carried out. `why` is for people, and goes to the agent with a refusal. */
export type Permit =
  /** `byPerson`: somebody has waited for it, so it goes before what is queued. */
  { readonly type: 'granted'; readonly byPerson: boolean } | { readonly type: 'refused'; readonly why: string };

/** One request of an agent, as the scheduler carries it out. */
export interface Work<T> {
  readonly role: Role;
  /** Of the agent's wire, such as `fs/write_text_file`. */
  readonly method: string;
  /** What it is about, for people: a path, or a whole command line. */
  readonly subject: string;
  readonly demand: Demand;
  /**
   * Called at once. What it throws fails the request. A promise is a question that waits for its answer; it must not
   * reject, and is aborted with the request.
   */
  readonly permit: (ended: AbortSignal) => Permit | Promise<Permit>;
  /** Called when its turn has come; what was permitted long ago is to be looked at again here. */
  readonly run: (ended: AbortSignal) => Promise<T>;
}

/** A request that was not carried out, or not to its end, and not by a fault of its own. */
export class WorkEnded extends Error {
  readonly reason: Extract<ToolEndReason, 'denied' | 'stopped'>;
  constructor(reason: WorkEnded['reason'], message: string) {
    super(message);
    this.name = 'WorkEnded';
    this.reason = reason;
  }
}

/** The work that agents ask of us, in an order that no two of them can spoil for each other. */
export interface Scheduler {
  /** Settles exactly once: with what `run` gave, with what it threw, or with `WorkEnded`. */
  submit<T>(work: Work<T>, withdrawn: AbortSignal): Promise<T>;
  /** Stops every live request of the role, or of all, at once and whatever its state. */
  cancel(role?: Role): void;
  /** Cancels all and refuses what comes later. Settles once nothing of it runs any more. */
  dispose(): Promise<void>;
}

export interface SchedulerOptions {
  readonly append: (body: Extract<LoopEventBody, { readonly type: 'request.moved' }>) => void;
  /** The turn that the role is in, 0 outside of one. */
  readonly turnOf: (role: Role) => number;
}

interface Job {
  readonly order: number;
  readonly role: Role;
  readonly demand: Demand;
  readonly entry: PathEntry | null;
  state: ToolState;
  /** It goes before those that are not. */
  priority: boolean;
  /** Begins the work; the promise settles when its effects are over, and does not reject. */
  readonly begin: () => Promise<void>;
  /** Ends it as stopped, if it lives. */
  readonly stop: () => void;
}

const STOPPED = 'This was stopped before it was done.';

/**
 * Contiguous reads run together, writes and starts of commands alone, requests of one path always in order. Waiting for
 * an approval holds nothing; what a person has approved goes before what is queued. Every move is an event, and nothing
 * polls: what ends looks for what may begin.
 */
export function createScheduler({ append, turnOf }: SchedulerOptions): Scheduler {
  const live = new Set<Job>();
  /** In the order in which they were scheduled. */
  let queue: Job[] = [];
  /** Whose effects are not over; a stopped one stays until they are. */
  const running = new Set<Job>();
  const locks = createPathLocks();
  let count = 0;
  let disposed = false;
  let onIdle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => {
    onIdle = resolve;
  });

  const leave = (job: Job): void => {
    if (job.entry !== null) locks.leave(job.entry);
  };

  const start = (job: Job): void => {
    queue = queue.filter((other) => other !== job);
    running.add(job);
    void job.begin().then(() => {
      running.delete(job);
      leave(job);
      if (disposed && running.size === 0) onIdle();
      pump();
    });
  };

  /** Begins all that may run now. */
  const pump = (): void => {
    const inOrder = [...queue.filter((job) => job.priority), ...queue.filter((job) => !job.priority)];
    for (const job of inOrder) {
      // Ended by a listener of an event that this very loop has caused.
      if (job.state !== 'scheduled') continue;
      const before = job.entry === null ? 'nothing' : locks.before(job.entry);
      // A question holds nobody up but the later writes of its path.
      if (before === 'question') continue;
      const { exclusive } = job.demand;
      if (running.size > 0 && (exclusive || [...running].some((other) => other.demand.exclusive))) return;
      if (before === 'nothing') start(job);
    }
  };

  const submit = <T>(work: Work<T>, withdrawn: AbortSignal): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const order = ++count;
      const ended = new AbortController();
      const { path } = work.demand;
      const entry: PathEntry | null =
        path === undefined
          ? null
          : { order, path, exclusive: work.demand.exclusive, waits: () => job.state === 'awaitingApproval' };

      const move = (state: ToolState, reason?: ToolEndReason, why?: string): void => {
        job.state = state;
        append({
          type: 'request.moved',
          turn: turnOf(work.role),
          role: work.role,
          requestId: `r${order}`,
          method: work.method,
          subject: work.subject,
          state,
          ...(reason === undefined ? {} : { reason }),
          ...(why === undefined ? {} : { why }),
        });
      };
      /** The one way to an end; false when it has ended before. */
      const end = (state: ToolState, reason?: ToolEndReason, why?: string): boolean => {
        if (isEnd(job.state)) return false;
        const waited = job.state;
        live.delete(job);
        queue = queue.filter((other) => other !== job);
        withdrawn.removeEventListener('abort', job.stop);
        // What runs keeps its place until its effects are over, also when it is stopped.
        if (waited !== 'executing') leave(job);
        move(state, reason, why);
        return true;
      };
      const fail = (error: unknown): void => {
        const why = errorText(error);
        const told = error instanceof WorkEnded ? end('cancelled', error.reason, why) : end('error', 'failed', why);
        if (told) reject(error);
      };
      const schedule = (permit: Permit): void => {
        if (isEnd(job.state)) return;
        if (permit.type === 'refused') {
          fail(new WorkEnded('denied', permit.why));
          return;
        }
        job.priority = permit.byPerson;
        queue.push(job);
        move('scheduled');
        pump();
      };

      const job: Job = {
        order,
        role: work.role,
        demand: work.demand,
        entry,
        state: 'validating',
        priority: false,
        begin: async () => {
          move('executing');
          // A listener of that very event may have stopped it.
          if (isEnd(job.state)) return;
          try {
            const result = await work.run(ended.signal);
            if (end('success')) resolve(result);
          } catch (error) {
            fail(error);
          }
        },
        stop: () => {
          if (!end('cancelled', 'stopped', STOPPED)) return;
          ended.abort();
          reject(new WorkEnded('stopped', STOPPED));
          pump();
        },
      };

      live.add(job);
      if (entry !== null) locks.enter(entry);
      move('validating');
      if (disposed || withdrawn.aborted) {
        job.stop();
        return;
      }
      withdrawn.addEventListener('abort', job.stop, { once: true });
      let permit: Permit | Promise<Permit>;
      try {
        permit = work.permit(ended.signal);
      } catch (error) {
        fail(error);
        pump();
        return;
      }
      if (!(permit instanceof Promise)) {
        schedule(permit);
        return;
      }
      if (isEnd(job.state)) return;
      move('awaitingApproval');
      // It holds nothing any more: what waited behind it may go.
      pump();
      void permit.then(schedule, fail).finally(pump);
    });

  const cancel = (role?: Role): void => {
    for (const job of [...live]) if (role === undefined || job.role === role) job.stop();
  };

  return {
    submit,
    cancel,
    dispose() {
      disposed = true;
      cancel();
      if (running.size === 0) onIdle();
      return idle;
    },
  };
}
