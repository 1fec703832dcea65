/** Undoing, as both faces show it. Types only, but for what a log tells of it. */
import type { LoopEvent } from './events.ts';
import type { CheckpointRef, FileChange } from './fileEvents.ts';
import type { UndoScope } from './roundEvents.ts';

/** What becomes of a file whose two changes cannot be put together: left as it is, written with marks, or put back. */
export type ConflictWay = 'leave' | 'mark' | 'take';

/** A file that changed since in a way that the undoing cannot be put together with. */
export interface UndoConflict {
  /** Relative, with `/`. */
  readonly path: string;
  /**
   * `lines`: the same lines changed. `deleted`: it is gone on one side. `type`: a link or a file. `folder`: a folder
   * stands where a file would, or a file where a folder would. `unkept`: of a file that git ignores, what stands there now
   * cannot be saved first.
   */
  readonly why: 'lines' | 'binary' | 'deleted' | 'type' | 'folder' | 'unkept';
}

/** Those of the conflicts whose files stay as they are, because `way` has no answer to them. */
export function leftInConflict(conflicts: readonly UndoConflict[], way: ConflictWay): readonly UndoConflict[] {
  switch (way) {
    case 'leave':
      return conflicts;
    // Marks are lines of a text.
    case 'mark':
      return conflicts.filter(({ why }) => why !== 'lines');
    // What stands there would have to go as a whole.
    case 'take':
      return conflicts.filter(({ why }) => why === 'folder' || why === 'unkept');
    default:
      return way satisfies never;
  }
}

/** What an undoing does, told before it is done and after. Paths are relative to the run's folder, with `/`. */
export interface UndoOutcome {
  readonly scope: UndoScope;
  /** What changes in the folder by it; none when it is already so. */
  readonly files: readonly FileChange[];
  /** What the person alone changed, as far as the editor saw it: stays as it is. */
  readonly kept: readonly string[];
  /** Changed since, by lines that could be told apart: those stay. */
  readonly merged: readonly string[];
  /** The person changed these besides the agent, in the same turn: their part is only in the saved checkpoint. */
  readonly mixed: readonly string[];
  readonly conflicts: readonly UndoConflict[];
  /** Small files that git ignores, such as `.env`, which are put back too. */
  readonly ignored: readonly string[];
  /** What no undoing reaches: the commands that the agent ran, its commits, and the repositories inside the folder. */
  readonly beyond: {
    readonly commands: readonly string[];
    /** Relative; absent: there are none. */
    readonly nested?: readonly string[];
    readonly commits: readonly { readonly id: string; readonly subject: string }[];
  };
}

/** What the undoing that was asked about would do, or what is in its way, for people. */
export type UndoAnswer =
  | (UndoOutcome & { readonly type: 'preview' })
  | { readonly type: 'problem'; readonly message: string };

/** An undoing that holds: not taken back by a later one. */
export interface StandingUndo {
  /** Of its `run.undone`. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly scope: Exclude<UndoScope, { readonly type: 'redo' }>;
  /** The rounds whose work it took back whole. */
  readonly rounds: readonly number[];
  /** The only files that it put back; null: all. */
  readonly only: readonly string[] | null;
  readonly restored: CheckpointRef;
  readonly replaced: CheckpointRef;
  /** The run went on afterwards: it can no longer be taken back. */
  readonly settled: boolean;
}

/** Folds the next event into the undoings that hold, oldest first. Gives the very same list when it changes nothing. */
export function foldUndoing(standing: readonly StandingUndo[], event: LoopEvent): readonly StandingUndo[] {
  if (event.type === 'run.continued') {
    return standing.some(({ settled }) => !settled) ? standing.map((one) => ({ ...one, settled: true })) : standing;
  }
  if (event.type !== 'run.undone') return standing;
  const { seq, at, scope = { type: 'run' }, only = null, restored, replaced, round } = event;
  if (scope.type === 'redo') return standing.slice(0, -1);
  const rounds = only === null ? roundsOf(scope, round) : [];
  return [...standing, { seq, at, scope, rounds, only, restored, replaced, settled: false }];
}

/** The undoings of a log that hold, oldest first. */
export function standingUndoings(events: readonly LoopEvent[]): readonly StandingUndo[] {
  return events.reduce(foldUndoing, []);
}

/** When the whole run was put back as it was before it; null when it was not, or that was taken back again. */
export function runUndoneAt(standing: readonly StandingUndo[]): number | null {
  return standing.findLast(({ scope, only }) => scope.type === 'run' && only === null)?.at ?? null;
}

/** Which rounds a scope takes back, when `last` is the newest one. */
export function roundsOf(scope: StandingUndo['scope'], last: number): readonly number[] {
  const from = (first: number) => Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  switch (scope.type) {
    case 'run':
      return from(1);
    case 'round':
      return [scope.round];
    case 'before':
      return from(scope.round);
    case 'after':
      return from(scope.round + 1);
    default:
      return scope satisfies never;
  }
}
