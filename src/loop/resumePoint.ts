import { firstCheckpointOf, runHeaderOf } from '../session/replay.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { Ending } from '../shared/ending.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import type { Verdict } from '../shared/review.ts';
import { english, type Translate } from '../shared/translate.ts';
import { runUndoneAt, standingUndoings } from '../shared/undo.ts';
import { EMPTY_VIEW, type RoundView } from '../shared/view.ts';
import { isReviewOnly } from './options.ts';
import { type Paused, personsWordOf } from './pauseGate.ts';
import { reviewText } from './reviewTold.ts';
import { undoneRounds } from './undoneWork.ts';

/** Where a run goes on, as its log tells it. */
export interface ResumePoint {
  /** The newest word on what was asked for. */
  readonly run: RunHeader;
  /** The round to go on in, from 1. */
  readonly round: number;
  /**
   * `execute`: the round is a new one. `goOn`: its execution was begun and did not end. `review`: it did, and its work
   * is still to be judged.
   */
  readonly step: 'execute' | 'goOn' | 'review';
  /** The folder before the run, and before the round; null when it never got that far. */
  readonly start: CheckpointRef | null;
  readonly before: CheckpointRef | null;
  /** The last review that could be read. */
  readonly last: { readonly text: string; readonly verdict: Verdict } | null;
  /** What the executor said in the round so far, for its reviewer. */
  readonly texts: readonly string[];
  /** What the executor wrote last, for a session that does not hold it. */
  readonly previousOutput: string | null;
  /** Where the run waited for the person when it ended; null when it did not. */
  readonly paused: Paused | null;
}

/**
 * Reads where a run goes on. `reviewAgain`: a last round that was reviewed is reviewed once more. Null: the log does not
 * even say what was asked for. What the person said for the next execution is read by `personsWordOf`, and what was used by
 * `spendingOf`. Pure.
 */
export function resumePointOf(events: readonly LoopEvent[], reviewAgain = false): ResumePoint | null {
  const run = runHeaderOf(events);
  if (run === null) return null;
  const { rounds } = reduce(EMPTY_VIEW, events);
  const current = rounds.findLast(({ number }) => number > 0) ?? null;
  const texts = current === null ? [] : textsOf(current, 'execute');
  const left = stepOf(events, current, run);
  const step = reviewAgain && left === 'execute' ? 'review' : left;
  const said = rounds.map((round) => textsOf(round, 'execute').join('\n\n')).filter((text) => text !== '');
  const common = {
    run,
    start: firstCheckpointOf(events),
    last: lastReviewOf(events, rounds),
    previousOutput: said.at(-1) ?? null,
    paused: step === 'execute' ? personsWordOf(events).paused : null,
  };
  if (current === null) return { ...common, round: 1, step: 'execute', before: null, texts: [] };
  if (step === 'execute') return { ...common, round: current.number + 1, step, before: null, texts: [] };
  return { ...common, round: current.number, step, before: checkpointBefore(events, current.number), texts };
}

/** Why the run cannot be gone on with, for people; null when it can. `rounds`: as many as it may have now. */
export function resumeProblem(
  events: readonly LoopEvent[],
  ending: Ending | null,
  point: ResumePoint | null,
  rounds: number,
  reviewAgain = false,
  t: Translate = english,
): string | null {
  if (point === null) return t('its log does not say what it worked on');
  const undone = standingUndoings(events);
  if (runUndoneAt(undone) !== null)
    return t('it was undone: start a new run, or take that back with "cgloop undo --redo"');
  if (reviewAgain) return reviewProblem(events, point, t);
  const isAsApproved = undone.every(({ settled }) => settled);
  if (ending?.type === 'approved' && isAsApproved) return t('it was approved: there is nothing to go on with');
  if (point.run.kind === 'review' && point.round > 1)
    return t('it was a review, and is over: "cgloop fix" has findings solved');
  if (point.round > rounds)
    return rounds === 1
      ? t('its only round is over: allow more with --rounds')
      : t('its {0} rounds are over: allow more with --rounds', rounds);
  return null;
}

function reviewProblem(events: readonly LoopEvent[], { step }: ResumePoint, t: Translate): string | null {
  if (!events.some(({ type }) => type === 'round.changes' || type === 'changes.reviewed'))
    return t('no round of it was executed: there is nothing to review');
  return step === 'review' ? null : t('its last round was not executed to the end: go on with it first');
}

/** Numbers that are given out one after the other in a run, as far as they are used. */
export function countersOf(events: readonly LoopEvent[]): {
  readonly turns: number;
  readonly permissions: number;
  readonly terminals: number;
  readonly checks: number;
} {
  const count = (type: LoopEvent['type']) => events.filter((event) => event.type === type).length;
  return {
    turns: Math.max(0, ...events.map((event) => (event.type === 'turn.started' ? event.turn : 0))),
    permissions: count('permission.requested'),
    terminals: count('terminal.started'),
    checks: count('check.started'),
  };
}

/** The questions that nobody has settled: those of processes that were killed. */
export function openQuestionsOf(events: readonly LoopEvent[]): readonly string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'permission.requested') open.add(event.permissionId);
    else if (event.type === 'permission.resolved') open.delete(event.permissionId);
  }
  return [...open];
}

/** Whether a question has offered to allow the edits of the run: that is offered once. */
export function offeredRunEdits(events: readonly LoopEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'permission.requested' && event.derived.offers?.some(({ type }) => type === 'runEdits') === true,
  );
}

function stepOf(events: readonly LoopEvent[], current: RoundView | null, run: RunHeader): ResumePoint['step'] {
  if (current === null || undoneRounds(events).has(current.number)) return 'execute';
  const lastMark = events.findLast(
    (event) =>
      event.round === current.number &&
      (event.type === 'round.ended' || (event.type === 'turn.started' && event.role === 'review')),
  );
  // A round that was ended may be under review once more.
  if (current.endedAt !== null && lastMark?.type === 'round.ended') return 'execute';
  if (isReviewOnly(run, current.number)) return 'review';
  // A run that ended after its last review has closed the round; one whose review came to nothing has not.
  const turns = events.filter((event) => event.type === 'turn.ended' && event.round === current.number);
  const worked = turns.findLast((event) => event.type === 'turn.ended' && event.role === 'execute');
  return worked?.type === 'turn.ended' && worked.derived.outcome.type === 'completed' ? 'review' : 'goOn';
}

/** The last review that could be read, of a round that is over and was not taken back. */
function lastReviewOf(events: readonly LoopEvent[], rounds: readonly RoundView[]): ResumePoint['last'] {
  const undone = undoneRounds(events);
  const event = events.findLast(
    (one) =>
      one.type === 'review.scored' &&
      !undone.has(one.round) &&
      one.verdict.status !== 'unparsable' &&
      // A review whose round is still open, or open once more, is made again.
      events.some((later) => later.type === 'round.ended' && later.round === one.round && later.seq > one.seq),
  );
  const of = rounds.find(({ number }) => number === event?.round);
  if (event?.type !== 'review.scored' || of === undefined) return null;
  const { verdict, turn } = event;
  const ended = events.findLast((one) => one.type === 'turn.ended' && one.turn === turn);
  const structured = ended?.type === 'turn.ended' ? ended.derived.structured : undefined;
  return { verdict, text: reviewText(textsOf(of, 'review', turn), structured) };
}

function textsOf(round: RoundView, role: Role, turn?: number): string[] {
  return round.items.flatMap((item) =>
    item.type === 'message' &&
    item.role === role &&
    item.turn > 0 &&
    (turn === undefined || item.turn === turn) &&
    item.channel === 'message' &&
    !item.withdrawn &&
    item.text !== ''
      ? [item.text]
      : [],
  );
}

/** The newest checkpoint from before the round began. */
function checkpointBefore(events: readonly LoopEvent[], round: number): CheckpointRef | null {
  const told = events.findLast((event) => event.type === 'checkpoint.created' && event.round < round);
  return told?.type === 'checkpoint.created' ? told.checkpoint : null;
}
