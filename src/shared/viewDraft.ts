/** The view while `reduce` folds a batch into it: what the batch touches is copied once, the rest stays as it is. */
import type { Role, Usage } from './agentEvents.ts';
import type { LoopEvent } from './events.ts';
import { sumUsage } from './usage.ts';
import { type Item, NO_USAGE, type PermissionItem, type RoundView, type RunView } from './view.ts';

/** The events with this tag. */
export type EventOf<T extends LoopEvent['type']> = Extract<LoopEvent, { readonly type: T }>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A round that this batch touches: its containers are copies, made once. */
export interface RoundDraft extends Mutable<RoundView> {
  items: Item[];
  /** Item key to position. */
  readonly index: Map<string, number>;
  usageChanged: boolean;
}

/** The view under work. A list is null until the batch touches it, and from then on a copy. */
export interface Draft {
  readonly view: Mutable<RunView>;
  readonly rounds: Map<number, RoundDraft>;
  waiting: PermissionItem[] | null;
  scores: Mutable<RunView['scores'][number]>[] | null;
  findings: Mutable<RunView['findings'][number]>[] | null;
}

/** Nothing of the view is touched yet. */
export function openDraft(view: RunView): Draft {
  return { view: { ...view }, rounds: new Map(), waiting: null, scores: null, findings: null };
}

/** The round of this number, which begins at `at` where it is new. */
export function roundOf(draft: Draft, number: number, at: number): RoundDraft {
  const touched = draft.rounds.get(number);
  if (touched !== undefined) return touched;
  const known = draft.view.rounds.findLast((round) => round.number === number) ?? {
    number,
    startedAt: at,
    endedAt: null,
    items: [],
    turns: [],
    changes: null,
    checks: [],
    review: null,
    open: null,
    usage: NO_USAGE,
  };
  const index = new Map<string, number>();
  for (const [place, item] of known.items.entries()) index.set(item.key, place);
  const round: RoundDraft = { ...known, items: [...known.items], index, usageChanged: false };
  draft.rounds.set(number, round);
  return round;
}

/** The item with this key. */
export function find(round: RoundDraft, key: string): Item | undefined {
  const place = round.index.get(key);
  return place === undefined ? undefined : round.items[place];
}

/** Takes the place of the item with this key, or the next free place. */
export function put(round: RoundDraft, item: Item): void {
  const place = round.index.get(item.key) ?? round.items.length;
  round.index.set(item.key, place);
  round.items[place] = item;
}

/** Changes the item with this key, where there is one. */
export function update(round: RoundDraft, key: string, change: (item: Item) => Item): void {
  const item = find(round, key);
  if (item !== undefined) put(round, change(item));
}

/** The next view: sums are added up anew where a turn told of its usage. */
export function closeDraft(draft: Draft): RunView {
  const { view } = draft;
  if (draft.waiting !== null) view.waiting = draft.waiting;
  if (draft.scores !== null) view.scores = draft.scores;
  if (draft.findings !== null) view.findings = draft.findings;
  if (draft.rounds.size === 0) return view;
  const rounds = [...view.rounds];
  let usageChanged = false;
  for (const { index: _, usageChanged: changed, ...round } of draft.rounds.values()) {
    const turns = round.items.filter((item) => item.type === 'turn');
    const usage = changed ? sumUsage(turns.map((turn) => turn.usage)) : round.usage;
    const place = rounds.findIndex((known) => known.number === round.number);
    const checks = round.items.filter((item) => item.type === 'check');
    const closed = { ...round, turns, checks, usage };
    if (place < 0) rounds.push(closed);
    else rounds[place] = closed;
    usageChanged ||= changed;
  }
  view.rounds = rounds;
  if (usageChanged) view.usage = { execute: usageOf(rounds, 'execute'), review: usageOf(rounds, 'review') };
  return view;
}

const usageOf = (rounds: readonly RoundView[], role: Role): Usage =>
  sumUsage(rounds.flatMap((round) => round.turns.filter((turn) => turn.role === role).map((turn) => turn.usage)));
