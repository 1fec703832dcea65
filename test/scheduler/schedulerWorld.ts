import { createScheduler, type Permit, WorkEnded } from '../../src/scheduler/scheduler.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEvent } from '../../src/shared/events.ts';

/** What a test submits. */
export interface Wish {
  readonly role: Role;
  readonly exclusive: boolean;
  readonly path: string | null;
  readonly permit: 'granted' | 'refused' | 'asks' | 'throws';
}

/** One submitted request, driven by the test. */
export interface Driven {
  readonly wish: Wish;
  /** Of its arrival. */
  readonly order: number;
  /** Its work has begun. */
  begun: boolean;
  /** The effects of its work are over. */
  over: boolean;
  /** How often its promise has settled, and with what. */
  readonly settled: string[];
  /** Answers its question, if it has one that is open. */
  answer: (permit: Permit) => void;
  /** Lets its work end, well or not. */
  finish: (ok: boolean) => void;
  readonly withdraw: () => void;
}

/** A scheduler under the eyes of a test: whatever begins is looked at, and whatever is wrong is said. */
export function createSchedulerWorld() {
  const events: LoopEvent[] = [];
  const all: Driven[] = [];
  const wrong: string[] = [];
  /** In order of beginning. */
  const begun: Driven[] = [];
  const states = new Map<string, string>();

  const scheduler = createScheduler({
    append: (body) => {
      events.push({ seq: events.length + 1, at: 0, round: 1, ...body });
      states.set(body.requestId, body.state);
    },
    turnOf: () => 1,
  });
  const stateOf = (one: Driven) => states.get(`r${one.order}`);

  /** The rules of order, at the moment in which the work of `one` begins. */
  const look = (one: Driven): void => {
    const running = all.filter((other) => other !== one && other.begun && !other.over);
    if (running.some((other) => other.wish.exclusive || one.wish.exclusive))
      wrong.push(`${one.order} began beside ${running.map((other) => other.order)}`);
    const { path } = one.wish;
    if (path === null) return;
    for (const other of all) {
      if (other.order >= one.order || other.wish.path !== path || other.over) continue;
      const state = stateOf(other);
      if (other.begun) wrong.push(`${one.order} began while ${other.order} had its path`);
      else if (state === 'scheduled') wrong.push(`${one.order} overtook ${other.order} on one path`);
      else if (state === 'awaitingApproval' && other.wish.exclusive && one.wish.exclusive)
        wrong.push(`${one.order} wrote before ${other.order}, which waits for its answer`);
    }
  };

  const submit = (wish: Wish): Driven => {
    const withdrawal = new AbortController();
    const driven: Driven = {
      wish,
      order: all.length + 1,
      begun: false,
      over: false,
      settled: [],
      answer: () => undefined,
      finish: () => undefined,
      withdraw: () => withdrawal.abort(),
    };
    all.push(driven);
    const { role, exclusive, path } = wish;
    const result = scheduler.submit(
      {
        role,
        method: 'test/work',
        subject: `${driven.order}`,
        demand: path === null ? { exclusive } : { exclusive, path },
        permit: () => {
          switch (wish.permit) {
            case 'granted':
              return { type: 'granted', byPerson: false };
            case 'refused':
              return { type: 'refused', why: 'no' };
            case 'throws':
              throw new Error('invalid');
            case 'asks':
              return new Promise<Permit>((resolve) => {
                driven.answer = resolve;
              });
            default:
              return wish.permit satisfies never;
          }
        },
        run: () => {
          look(driven);
          driven.begun = true;
          begun.push(driven);
          return new Promise<string>((resolve, reject) => {
            driven.finish = (ok) => {
              driven.over = true;
              if (ok) resolve('done');
              else reject(new Error('failed'));
            };
          });
        },
      },
      withdrawal.signal,
    );
    result.then(
      (value) => driven.settled.push(value),
      (error: unknown) => driven.settled.push(error instanceof WorkEnded ? error.reason : 'error'),
    );
    return driven;
  };

  return { scheduler, events, all, wrong, begun, submit, stateOf };
}

/** Lets everything happen that does not wait for the test. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}
