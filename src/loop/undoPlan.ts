import { firstCheckpointOf } from '../session/replay.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import type { UndoScope } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { roundsOf, type StandingUndo, standingUndoings, type UndoOutcome } from '../shared/undo.ts';
import { EMPTY_VIEW, type Item, type RoundView } from '../shared/view.ts';
import { type PersonsFiles, personsFiles, type TruthContext } from '../workspace/turnTruth.ts';

/** What an undoing comes to, as the log alone tells it. */
export interface UndoPlan {
  readonly scope: UndoScope;
  /** Where the change that is taken back ended; null: it is all that differs from `to` now. */
  readonly from: CheckpointRef | null;
  readonly to: CheckpointRef;
  /** Names what is put back. */
  readonly label: string;
  /** What the person did in that time. */
  readonly persons: PersonsFiles;
  /** The work in that time, newest first: what lies between is not the agent's. */
  readonly spans: readonly Span[];
  readonly rounds: readonly number[];
  /** Set for a redo: the undoing that it takes back. */
  readonly redoes: StandingUndo | null;
  readonly beyond: UndoOutcome['beyond'];
}

/** One round's work. `after` null: it never came to its end. */
export interface Span {
  readonly round: number;
  readonly before: CheckpointRef;
  readonly after: CheckpointRef | null;
}

export type Planned =
  | { readonly type: 'plan'; readonly plan: UndoPlan }
  /** Why there is nothing to put back, a sentence for people. */
  | { readonly type: 'problem'; readonly message: string };

/** Reads from the log what `scope` takes back. Pure. */
export function planUndo(
  events: readonly LoopEvent[],
  scope: UndoScope,
  paths: TruthContext,
  t: Translate = english,
): Planned {
  const start = firstCheckpointOf(events);
  if (start === null) return problem(t('The run ended before it began its work: there is nothing to undo.'));
  const standing = standingUndoings(events);
  if (scope.type === 'redo') return planRedo(events, standing.at(-1) ?? null, t);
  const spans = spansOf(events);
  const last = spans.at(-1)?.round ?? 0;
  const rounds = roundsOf(scope, last);
  if (scope.type !== 'run' && !spans.some(({ round }) => round === scope.round)) {
    return problem(t('The run has no round {0} that worked in the folder: it has {1}.', scope.round, last));
  }
  const newest = newestState(events);
  const common = { scope, rounds, redoes: null, beyond: beyondOf(events, rounds) };
  const back = (to: CheckpointRef, label: string): Planned => {
    const persons = personsSince(events, seqOf(events, to), paths);
    const undone = spans.filter(({ round }) => rounds.includes(round)).reverse();
    return { type: 'plan', plan: { ...common, from: newest, to, label, persons, spans: undone } };
  };
  switch (scope.type) {
    case 'run':
      return back(start, 'before the run');
    case 'before': {
      const span = spanOf(spans, scope.round);
      return back(span?.before ?? start, `before round ${scope.round}`);
    }
    case 'after': {
      const after = spanOf(spans, scope.round)?.after ?? null;
      if (after === null)
        return problem(t('Round {0} never came to its end: there is no state after it.', scope.round));
      return back(after, `after round ${scope.round}`);
    }
    case 'round': {
      const { before = start, after = null } = spanOf(spans, scope.round) ?? {};
      const ends = after ?? newest;
      const plan = { ...common, from: ends, to: before, label: `without round ${scope.round}`, spans: [] };
      return { type: 'plan', plan: { ...plan, persons: personsOfRound(events, scope.round) } };
    }
    default:
      return scope satisfies never;
  }
}

function planRedo(events: readonly LoopEvent[], undone: StandingUndo | null, t: Translate): Planned {
  if (undone === null) return problem(t('Nothing of this run is undone: there is nothing to bring back.'));
  if (undone.settled) return problem(t('The run went on after that undoing: it cannot be taken back any more.'));
  const { restored: from, replaced: to, rounds } = undone;
  const persons = { alone: [], withAgent: [] };
  const label = 'before the last undoing';
  const beyond = beyondOf(events, []);
  return {
    type: 'plan',
    plan: { scope: { type: 'redo' }, from, to, label, persons, spans: [], rounds, redoes: undone, beyond },
  };
}

function spanOf(spans: readonly Span[], round: number): Span | null {
  return spans.find((span) => span.round === round) ?? null;
}

/** The rounds that worked in the folder, in order. */
function spansOf(events: readonly LoopEvent[]): Span[] {
  const spans = new Map<number, Span>();
  let newest: CheckpointRef | null = null;
  for (const event of events) {
    if (event.type === 'checkpoint.created') {
      newest = event.checkpoint;
      const span = spans.get(event.round);
      if (span !== undefined && newest.label === `after round ${event.round}`) {
        spans.set(event.round, { ...span, after: newest });
      }
    } else if (event.type === 'run.undone') {
      // What the round begins with, should the run go on.
      newest = event.restored;
    } else if (event.type === 'round.started' && newest !== null) {
      spans.set(event.round, { round: event.round, before: newest, after: null });
    }
  }
  return [...spans.values()];
}

/**
 * The folder as the run, or an undoing, left it: what differs from it now came later. Null: nothing tells that, because the
 * executor worked since. A reviewer only reads, and what it wrote all the same is in the checkpoint of the ending.
 */
function newestState(events: readonly LoopEvent[]): CheckpointRef | null {
  for (const event of events.toReversed()) {
    if (event.type === 'checkpoint.created') return event.checkpoint;
    if (event.type === 'run.undone') return event.restored;
    if (event.type === 'turn.started' && event.role === 'execute') return null;
  }
  return null;
}

function seqOf(events: readonly LoopEvent[], checkpoint: CheckpointRef): number {
  const isIt = (event: LoopEvent) =>
    (event.type === 'checkpoint.created' && event.checkpoint.id === checkpoint.id) ||
    (event.type === 'run.undone' && event.restored.id === checkpoint.id);
  return events.find(isIt)?.seq ?? 0;
}

/** What the person did after `seq`, and up to the ending. */
function personsSince(events: readonly LoopEvent[], seq: number, paths: TruthContext): PersonsFiles {
  const before = reduce(EMPTY_VIEW, events.slice(0, seq));
  const emptied = { ...before, rounds: before.rounds.map((round): RoundView => ({ ...round, items: [] })) };
  return personsFiles(reduce(emptied, events.slice(seq)).rounds, paths);
}

/** As the round's own comparison found it; nothing in logs from before that was told. */
function personsOfRound(events: readonly LoopEvent[], round: number): PersonsFiles {
  const told = events.findLast((event) => event.type === 'round.changes' && event.round === round);
  const truth = told?.type === 'round.changes' ? told.truth : undefined;
  return { alone: truth?.byUser ?? [], withAgent: truth?.byBoth ?? [] };
}

function beyondOf(events: readonly LoopEvent[], rounds: readonly number[]): UndoOutcome['beyond'] {
  const items = reduce(EMPTY_VIEW, events)
    .rounds.filter(({ number }) => rounds.includes(number))
    .flatMap((round) => round.items);
  return {
    commands: [...new Set(items.flatMap(commandOf))],
    commits: items.flatMap((item) =>
      item.type === 'mark' && item.mark.type === 'head.moved' && item.mark.by === 'agent' ? item.mark.commits : [],
    ),
  };
}

/** The command that a card tells of as done. */
function commandOf(item: Item): readonly string[] {
  if (item.type !== 'tool' || item.role !== 'execute' || item.kind !== 'execute') return [];
  if (item.state !== 'success' && item.state !== 'error') return [];
  if (item.reason === 'denied') return [];
  const { rawInput } = item;
  const isObject = typeof rawInput === 'object' && rawInput !== null && !Array.isArray(rawInput);
  const told = isObject && 'command' in rawInput ? rawInput.command : undefined;
  return [typeof told === 'string' ? told : (item.title ?? '')].filter((text) => text !== '');
}

function problem(message: string): Planned {
  return { type: 'problem', message };
}
