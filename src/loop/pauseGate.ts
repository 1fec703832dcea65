import type { LoopEvent, LoopEventBody } from '../shared/events.ts';
import type { Feedback, PauseReason } from '../shared/roundEvents.ts';

/** Where a run waits for the person between two rounds. */
export interface PauseGate {
  /** The person wants the run to wait after the round under way. Changed by `want`. */
  readonly wanted: boolean;
  want(wanted: boolean): void;
  /** Whether the person will be waited for after the round. */
  readonly due: boolean;
  /** Something happened for which the person must be waited for after the round; `why` for people. */
  demand(reason: PauseReason, why: string): void;
  /**
   * Between two rounds: waits if there is a reason to. `summary`: how things stand, for people. `resumed`: the run waited
   * here when it ended. Gives whether it waited, once it is over: the log tells what the person said, and an aborted
   * `stopped` ends it too.
   */
  pass(summary: string, resumed?: Paused | null): Promise<boolean>;
  /** The person goes on. False: the run does not wait. */
  proceed(feedback: Feedback | null): boolean;
}

export interface Paused {
  readonly reason: PauseReason;
  readonly why: string;
}

export interface PauseParts {
  readonly append: (body: LoopEventBody) => void;
  /** Whether a person is there. Without one nothing waits. */
  readonly interactive: boolean;
  /** Wait after every round. */
  readonly askBetweenRounds: boolean;
  /** Aborted when the person stops the run. */
  readonly stopped: AbortSignal;
}

/** A gate that nothing waits at yet. No timer ends a pause: agents stay as they are. */
export function createPauseGate({ append, interactive, askBetweenRounds, stopped }: PauseParts): PauseGate {
  let wanted = false;
  let demanded: Paused | null = null;
  let release: (() => void) | null = null;

  const reasonNow = (summary: string): Paused | null => {
    if (demanded !== null) return demanded;
    if (wanted) return { reason: 'user', why: summary };
    return askBetweenRounds ? { reason: 'betweenRounds', why: summary } : null;
  };

  return {
    get wanted() {
      return wanted;
    },
    want(next) {
      wanted = next;
    },
    demand(reason, why) {
      demanded = { reason, why };
    },
    get due() {
      return interactive && (demanded !== null || wanted || askBetweenRounds);
    },
    async pass(summary, resumed = null) {
      const paused = resumed ?? reasonNow(summary);
      wanted = false;
      demanded = null;
      if (paused === null || !interactive || stopped.aborted) return false;
      append({ type: 'run.paused', ...paused });
      return new Promise((resolve) => {
        // When the run is stopped, the log keeps the pause open: whoever goes on with the run is asked again.
        const settle = (): void => {
          release = null;
          stopped.removeEventListener('abort', settle);
          resolve(true);
        };
        stopped.addEventListener('abort', settle, { once: true });
        release = settle;
      });
    },
    proceed(feedback) {
      if (release === null) return false;
      append({ type: 'run.resumed', feedback });
      release();
      return true;
    },
  };
}

/** What the person has said for the next execution, as the log tells it. */
export interface PersonsWord {
  /** Where the run waited when it ended; null when it did not. */
  readonly paused: Paused | null;
  /** What is to go back with the next execution; null: the review as it came. */
  readonly feedback: Feedback | null;
  /** Notes that no completed execution was given, in order. */
  readonly notes: readonly string[];
}

/** Reads it from the log. An execution that did not complete is asked for again with all that it was given. Pure. */
export function personsWordOf(events: readonly LoopEvent[]): PersonsWord {
  let paused: Paused | null = null;
  let feedback: Feedback | null = null;
  let notes: { readonly seq: number; readonly text: string }[] = [];
  let startedAt = 0;
  for (const event of events) {
    switch (event.type) {
      case 'run.paused':
        paused = { reason: event.reason, why: event.why };
        break;
      case 'run.resumed':
        paused = null;
        feedback = event.feedback;
        break;
      case 'user.note':
        if (event.finding === undefined) notes.push({ seq: event.seq, text: event.text });
        break;
      case 'turn.started':
        if (event.role !== 'execute') break;
        startedAt = event.seq;
        break;
      case 'turn.ended':
        if (event.role !== 'execute' || event.derived.outcome.type !== 'completed') break;
        // What came while it worked is for the next one.
        notes = notes.filter(({ seq }) => seq > startedAt);
        feedback = null;
        break;
    }
  }
  return { paused, feedback, notes: notes.map(({ text }) => text) };
}
