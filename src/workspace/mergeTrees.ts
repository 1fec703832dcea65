import type { ConflictWay, UndoConflict } from '../shared/undo.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { shown } from './git.ts';
import { type Content, mergeContents } from './mergeContents.ts';
import { excludes } from './restoreTree.ts';
import { type RawChange, rawChanges } from './treeDiff.ts';

/** A change that is carried over to a folder where more has changed since: from tree `base` to tree `theirs`, onto `ours`. */
export interface Merge {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Raw paths that stay as they are in `ours`, but where something comes back in their place. */
  readonly isKept?: (path: string) => boolean;
  /** Raw paths that are of concern; absent: all. */
  readonly isAsked?: (path: string) => boolean;
  readonly conflicts?: ConflictWay;
  /** What `theirs` is called in conflict marks; absent: as it was before. */
  readonly mark?: string;
}

export interface Merged {
  /** What makes the result of `ours`, for `withFiles`. */
  readonly changes: readonly RawChange[];
  /** Raw paths that `isKept` left, and that differ from `theirs`. */
  readonly kept: readonly string[];
  /** Raw paths whose two changes were put together without a conflict. */
  readonly merged: readonly string[];
  readonly conflicts: readonly UndoConflict[];
}

/**
 * Three-way, file by file: what only one side changed is that side's, text that both changed is put together by lines.
 * What cannot be put together stays as it is in `ours`, unless `conflicts` says otherwise. Neither disk nor index is
 * touched; objects are written. Renames are a deletion and an addition.
 */
export async function mergeTrees(store: CheckpointStore, merge: Merge): Promise<Merged> {
  const { base, ours, theirs, isKept = () => false, isAsked = () => true, conflicts: way = 'leave' } = merge;
  const { mark = 'as it was before' } = merge;
  if (base === theirs) return { changes: [], kept: [], merged: [], conflicts: [] };
  const [wanted, since] = await Promise.all([rawChanges(store, base, theirs), rawChanges(store, base, ours)]);
  const own = new Map(since.map((change) => [change.path, change]));

  const taken: RawChange[] = [];
  const kept: Side[] = [];
  const disputed: { readonly change: Side; readonly why: UndoConflict['why'] }[] = [];
  const both: Side[] = [];
  for (const wish of wanted) {
    if (!isAsked(wish.path)) continue;
    const change = onto(wish, own.get(wish.path));
    if (change.now.mode === wish.to && change.now.object === wish.object) continue;
    if (isKept(wish.path)) kept.push(change);
    else if (!own.has(wish.path)) taken.push(wish);
    else if (canMerge(change)) both.push(change);
    else disputed.push({ change, why: wish.to === NOTHING || change.now.mode === NOTHING ? 'deleted' : 'type' });
  }

  const merged: string[] = [];
  const texts = both.filter(isTwoSided);
  const results = await mergeContents(store, texts.map(contentOf), mark);
  const resultOf = new Map(texts.map((change, index) => [change, results[index]]));
  for (const change of both) {
    const result = resultOf.get(change) ?? { type: 'clean', object: oneSided(change) };
    if (result.type === 'clean') {
      merged.push(change.wish.path);
      taken.push(become(change, result.object));
    } else if (result.type === 'lines') disputed.push({ change: { ...change, marked: result.object }, why: 'lines' });
    else disputed.push({ change, why: 'binary' });
  }

  // What comes back needs its place: a file of the person's own that only stands there by its name gives way.
  const blocks = excludes(taken.filter(({ to }) => to !== NOTHING).map(({ path }) => path));
  const giveWay = kept.filter(({ wish, now }) => wish.to === NOTHING && now.mode !== NOTHING && blocks(wish.path));
  taken.push(...giveWay.map((change) => become(change, change.wish.object)));
  if (way === 'take') taken.push(...disputed.map(({ change }) => become(change, change.wish.object)));
  if (way === 'mark') {
    for (const { change } of disputed) if (change.marked !== undefined) taken.push(become(change, change.marked));
  }
  const touched = new Set(taken.map(({ path }) => path));
  const stays = since.filter(({ path, to }) => to !== NOTHING && !touched.has(path)).map(({ path }) => path);
  const isBlocked = excludes(stays);
  const blocked = taken.filter(({ path, to }) => to !== NOTHING && isBlocked(path));
  return {
    changes: taken.filter((change) => !blocked.includes(change)),
    kept: kept.filter((change) => !giveWay.includes(change)).map(({ wish }) => wish.path),
    merged: merged.filter((path) => !blocked.some((one) => one.path === path)),
    conflicts: [
      ...disputed.map(({ change, why }) => ({ path: shown(change.wish.path), why })),
      ...blocked.map(({ path }) => ({ path: shown(path), why: 'folder' as const })),
    ],
  };
}

/** One path that is to change, and what `ours` holds there. */
interface Side {
  readonly wish: RawChange;
  readonly now: { readonly mode: string; readonly object: string };
  /** Text with conflict marks. */
  readonly marked?: string;
}

const NOTHING = '000000';

function onto(wish: RawChange, since: RawChange | undefined): Side {
  const { from, was } = wish;
  return { wish, now: since === undefined ? { mode: from, object: was } : { mode: since.to, object: since.object } };
}

/** Regular files on both sides, and before too where there was one. */
function canMerge({ wish, now }: Side): boolean {
  return isFile(wish.to) && isFile(now.mode) && (isFile(wish.from) || wish.from === NOTHING);
}

function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

function isTwoSided({ wish, now }: Side): boolean {
  return now.object !== wish.was && wish.object !== wish.was && now.object !== wish.object;
}

function contentOf({ wish, now }: Side): Content {
  return { base: wish.from === NOTHING ? null : wish.was, ours: now.object, theirs: wish.object };
}

function oneSided({ wish, now }: Side): string {
  return now.object === wish.was ? wish.object : now.object;
}

/** The change of `ours` at this path to `object`, with the bit for execution of whichever side changed it. */
function become({ wish, now }: Side, object: string): RawChange {
  const gone = /^0+$/.test(object);
  const sameMode = isFile(now.mode) && isFile(wish.to) && wish.to === wish.from;
  const mode = gone ? NOTHING : sameMode ? now.mode : wish.to;
  const status = gone ? 'D' : now.mode === NOTHING ? 'A' : 'M';
  return { path: wish.path, status, from: now.mode, to: mode, was: now.object, object };
}
