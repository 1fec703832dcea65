import type { MessageChannel, Role, Usage } from './agentEvents.ts';
import type { EventHeader, LoopEvent } from './events.ts';
import { isOpen } from './isOpen.ts';
import type { Severity } from './review.ts';
import type { ToolCallPatch, ToolState } from './toolCall.ts';
import { isEnd, mayBecome } from './toolState.ts';
import { foldUndoing, runUndoneAt } from './undo.ts';
import type {
  CheckItem,
  FilesItem,
  Item,
  MarkItem,
  MessageItem,
  PermissionItem,
  PermissionResolution,
  RoundView,
  RunView,
  TerminalItem,
  ToolItem,
} from './view.ts';
import { NO_USAGE } from './view.ts';

/** The events handed to `reduce` are not the next ones of the log; the view given to it stands. */
export class SeqGapError extends Error {
  readonly expected: number;
  readonly got: number;
  constructor(expected: number, got: number) {
    super(`Event ${got} came where event ${expected} of the run was due.`);
    this.name = 'SeqGapError';
    this.expected = expected;
    this.got = got;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A round that this batch touches: its containers are copies, made once. */
interface RoundDraft extends Mutable<RoundView> {
  items: Item[];
  /** Item key to position. */
  readonly index: Map<string, number>;
  usageChanged: boolean;
}

/** The view under work. A list is null until the batch touches it, and from then on a copy. */
interface Draft {
  readonly view: Mutable<RunView>;
  readonly rounds: Map<number, RoundDraft>;
  waiting: PermissionItem[] | null;
  scores: Mutable<RunView['scores'][number]>[] | null;
  findings: Mutable<RunView['findings'][number]>[] | null;
}

/**
 * Folds the next events of the log into the view. Pure: `view` stays as it is, items that no event touched keep their
 * identity, and any split of a log into batches gives an equal view. Throws `SeqGapError` when an event is missing,
 * repeated or out of order.
 */
export function reduce(view: RunView, batch: readonly LoopEvent[]): RunView {
  if (batch.length === 0) return view;
  const draft: Draft = { view: { ...view }, rounds: new Map(), waiting: null, scores: null, findings: null };
  for (const event of batch) {
    const due = draft.view.lastSeq + 1;
    if (event.seq !== due) throw new SeqGapError(due, event.seq);
    draft.view.lastSeq = event.seq;
    fold(draft, event);
  }
  return close(draft);
}

/**
 * The view of a run whose agents are gone without an ending: its questions are settled as `dispose`, its open tool
 * calls as "no result reported". A run that has ended stays as it is.
 */
export function markInterrupted(view: RunView): RunView {
  if (view.ending !== null || view.interrupted) return view;
  const at = view.rounds.at(-1)?.items.at(-1)?.at ?? view.startedAt ?? 0;
  const rounds = view.rounds.map((round) => {
    const items = round.items.map((item) => abandoned(item, at));
    return { ...round, items, checks: items.filter((item) => item.type === 'check') };
  });
  return { ...view, rounds, waiting: [], acting: null, interrupted: true };
}

/** The item as it is once the processes that it came from are gone. */
function abandoned(item: Item, at: number): Item {
  if (item.type === 'permission' && item.resolution === null)
    return { ...item, resolution: { by: 'dispose', answer: { outcome: 'cancelled' }, why: null, at } };
  if (item.type === 'tool' && !isEnd(item.state)) return { ...item, state: 'cancelled', reason: 'noResult' };
  if (item.type === 'check' && item.end === null)
    return { ...item, end: { passed: false, exitCode: null, signal: null, by: 'stop' }, endedAt: at };
  return item;
}

/** The sum of what was said; a figure that nobody said stays null. */
export function addUsage(a: Usage, b: Usage): Usage {
  const add = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : x + y);
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    cachedTokens: add(a.cachedTokens, b.cachedTokens),
    costUsd: add(a.costUsd, b.costUsd),
  };
}

function fold(draft: Draft, event: LoopEvent): void {
  const { view } = draft;
  const { at, round: number } = event;
  switch (event.type) {
    case 'run.started':
      view.run = event.run;
      view.startedAt = at;
      view.agents = { execute: event.run.executor, review: event.run.reviewer };
      return;
    case 'run.ended':
      view.ending = event.ending;
      view.endTree = event.tree ?? null;
      view.endedAt = at;
      view.paused = null;
      view.acting = null;
      return;
    case 'run.continued': {
      view.run = event.run;
      view.undoings = foldUndoing(view.undoings, event);
      view.agents = { execute: event.run.executor, review: event.run.reviewer };
      view.ready = { execute: false, review: false };
      view.ending = null;
      view.endTree = null;
      view.endedAt = null;
      view.paused = null;
      view.acting = null;
      for (const known of new Set([...view.rounds.map((round) => round.number), ...draft.rounds.keys()])) {
        const round = roundOf(draft, known, at);
        for (const item of round.items) put(round, abandoned(item, at));
      }
      draft.waiting = [];
      return;
    }
    case 'agent.ready':
      view.agents = { ...view.agents, [event.role]: event.agent };
      view.ready = { ...view.ready, [event.role]: true };
      return;
    case 'round.started':
      roundOf(draft, number, at);
      return;
    case 'round.ended': {
      const round = roundOf(draft, number, at);
      round.endedAt = at;
      round.open = openCounts(draft.findings ?? view.findings);
      return;
    }
    case 'turn.started': {
      const { turn, role, prompt, withheld, shortened, wire } = event;
      const end = { endedAt: null, outcome: null, usage: null, models: [] };
      put(roundOf(draft, number, at), {
        type: 'turn',
        key: turnKey(turn),
        turn,
        role,
        at,
        prompt,
        ...(withheld === undefined ? {} : { withheld }),
        ...(shortened === undefined ? {} : { shortened }),
        model: wire.model,
        ...end,
      });
      view.acting = { role, turn, since: at };
      return;
    }
    case 'turn.ended': {
      const round = roundOf(draft, number, at);
      const { outcome, usage, models } = event.derived;
      update(round, turnKey(event.turn), (item) =>
        item.type === 'turn' ? { ...item, endedAt: at, outcome, usage: usage ?? item.usage, models } : item,
      );
      round.usageChanged = true;
      if (view.acting?.turn === event.turn) view.acting = null;
      return;
    }
    case 'message.chunk':
      foldMessage(draft, event, (text) => text + event.derived.text, false);
      return;
    case 'message.replaced':
      foldMessage(draft, event, () => event.derived.text, event.derived.reason === 'withdrawn');
      return;
    case 'toolCall.started':
    case 'toolCall.updated':
      foldTool(draft, event);
      return;
    case 'plan.updated': {
      const { turn, role } = event;
      const round = roundOf(draft, number, at);
      const key = `plan/${turn}/${role}`;
      const at0 = find(round, key)?.at ?? at;
      put(round, { type: 'plan', key, turn, role, at: at0, entries: event.derived.entries });
      return;
    }
    case 'session.updated': {
      const { model, version } = event.derived;
      const agent = view.agents[event.role];
      if (agent !== null && version !== undefined) {
        view.agents = { ...view.agents, [event.role]: { ...agent, version } };
      }
      update(roundOf(draft, number, at), turnKey(event.turn), (item) =>
        item.type === 'turn' ? { ...item, model: model ?? item.model } : item,
      );
      return;
    }
    case 'usage.updated': {
      const round = roundOf(draft, number, at);
      update(round, turnKey(event.turn), (item) => (item.type === 'turn' ? { ...item, usage: event.derived } : item));
      round.usageChanged = true;
      return;
    }
    case 'diagnostic': {
      const { turn, role } = event;
      const { source, level, code, text } = event.derived;
      const round = roundOf(draft, number, at);
      const last = round.items.at(-1);
      if (
        last?.type === 'diagnostic' &&
        last.turn === turn &&
        last.role === role &&
        last.source === source &&
        last.level === level &&
        last.code === code
      )
        // A silence that goes on is one row with its newest length.
        put(
          round,
          code === 'silence' ? { ...last, text } : { ...last, text: `${last.text}\n${text}`, count: last.count + 1 },
        );
      else
        put(round, { type: 'diagnostic', key: `d/${event.seq}`, turn, role, at, source, level, code, text, count: 1 });
      return;
    }
    case 'permission.requested': {
      const { turn, role, permissionId, derived: request } = event;
      const item: PermissionItem = {
        type: 'permission',
        key: permissionKey(permissionId),
        turn,
        role,
        at,
        round: number,
        permissionId,
        request,
        resolution: null,
      };
      put(roundOf(draft, number, at), item);
      draft.waiting ??= [...view.waiting];
      draft.waiting.push(item);
      return;
    }
    case 'permission.resolved': {
      draft.waiting ??= [...view.waiting];
      const place = draft.waiting.findIndex((item) => item.permissionId === event.permissionId);
      const [item] = place < 0 ? [] : draft.waiting.splice(place, 1);
      if (item === undefined) return;
      const { by, answer, why = null } = event;
      const resolution: PermissionResolution = { by, answer, why, at };
      put(roundOf(draft, item.round, at), { ...item, resolution });
      return;
    }
    case 'round.changes': {
      const round = roundOf(draft, number, at);
      const { files, truth = null } = event;
      round.changes = files;
      put(round, { type: 'changes', key: `changes/${event.seq}`, turn: 0, role: null, at, files, truth });
      return;
    }
    case 'user.edited': {
      const round = roundOf(draft, number, at);
      const { turn, role } = view.acting ?? { turn: 0, role: null };
      const key = `edited/${turn}`;
      const known = find(round, key);
      const item = known?.type === 'edited' ? known : ({ type: 'edited', key, turn, role, at, paths: [] } as const);
      if (!item.paths.includes(event.path)) put(round, { ...item, paths: [...item.paths, event.path] });
      return;
    }
    case 'review.scored': {
      const { turn, verdict, approved, blockedBy } = event;
      const round = roundOf(draft, number, at);
      const item = {
        type: 'review',
        key: `review/${turn}`,
        turn,
        role: 'review',
        at,
        verdict,
        approved,
        blockedBy,
      } as const;
      put(round, item);
      round.review = item;
      draft.scores ??= [...view.scores];
      const point = { round: number, score: verdict.score, approved };
      const place = draft.scores.findIndex((known) => known.round === number);
      if (place < 0) draft.scores.push(point);
      else draft.scores[place] = point;
      return;
    }
    case 'finding.opened': {
      draft.findings ??= [...view.findings];
      // Opened again: the run was killed in the middle of a review's findings, and the review was made anew.
      const place = draft.findings.findIndex((known) => known.id === event.finding.id);
      if (place < 0) draft.findings.push(event.finding);
      else draft.findings[place] = event.finding;
      return;
    }
    case 'finding.updated': {
      draft.findings ??= [...view.findings];
      const place = draft.findings.findIndex((known) => known.id === event.id);
      const known = draft.findings[place];
      if (known !== undefined) draft.findings[place] = event.finding ?? { ...known, status: event.status };
      return;
    }
    case 'check.started': {
      const { checkId, command, cwd } = event;
      const open = { output: '', cut: false, end: null, endedAt: null };
      const key = checkKey(checkId);
      put(roundOf(draft, number, at), { type: 'check', key, turn: 0, role: null, at, checkId, command, cwd, ...open });
      return;
    }
    case 'check.output':
      updateCheck(draft, event, (item) => {
        const { text, cut } = newest(item.output + event.text);
        return { ...item, output: text, cut: item.cut || cut || event.skipped > 0 };
      });
      return;
    case 'check.ended':
      updateCheck(draft, event, (item) => ({ ...item, end: event.end, endedAt: at }));
      return;
    case 'run.undone':
      view.undoings = foldUndoing(view.undoings, event);
      view.undoneAt = runUndoneAt(view.undoings);
      foldMark(draft, event);
      return;
    case 'run.paused':
      view.paused = { reason: event.reason, why: event.why, since: at };
      foldMark(draft, event);
      return;
    case 'run.resumed':
      view.paused = null;
      foldMark(draft, event);
      return;
    case 'check.skipped':
    case 'checks.changed':
    case 'checks.wrote':
    case 'user.note':
    case 'head.moved':
    case 'changes.reviewed':
    case 'worktree.settled':
      foldMark(draft, event);
      return;
    case 'handover.started': {
      const { role } = event;
      const key = `handover/${event.seq}`;
      put(roundOf(draft, number, at), { type: 'handover', key, turn: 0, role, at, endedAt: null });
      return;
    }
    case 'handover.ended': {
      const round = roundOf(draft, number, at);
      const open = round.items.findLast((item) => item.type === 'handover' && item.role === event.role);
      if (open?.type === 'handover' && open.endedAt === null) put(round, { ...open, endedAt: at });
      return;
    }
    case 'request.moved': {
      const { turn, role, requestId, method, subject, state, reason, why = '' } = event;
      // What is carried out shows in the cards of the agent's calls.
      if ((state !== 'error' && state !== 'cancelled') || reason === undefined) return;
      const key = `request/${requestId}`;
      put(roundOf(draft, number, at), { type: 'request', key, turn, role, at, method, subject, state, reason, why });
      return;
    }
    case 'terminal.started': {
      const { turn, role, terminalId, command, cwd } = event;
      const open = { output: '', cut: false, end: null, endedAt: null, card: null };
      const key = terminalKey(terminalId);
      put(roundOf(draft, number, at), { type: 'terminal', key, turn, role, at, terminalId, command, cwd, ...open });
      view.terminalRounds = { ...view.terminalRounds, [terminalId]: number };
      return;
    }
    case 'terminal.output':
      foldTerminal(draft, event, (item) => {
        const { text, cut } = newest(item.output + event.text);
        return { ...item, output: text, cut: item.cut || cut || event.skipped > 0 };
      });
      return;
    case 'terminal.ended':
      foldTerminal(draft, event, (item) => ({ ...item, end: event.end, endedAt: at }));
      return;
    case 'file.served':
      foldFile(draft, event);
      return;
    case 'unsaved.settled': {
      const { saved, left } = event;
      put(roundOf(draft, number, at), {
        type: 'unsaved',
        key: `unsaved/${event.seq}`,
        turn: 0,
        role: null,
        at,
        saved,
        left,
      });
      return;
    }
    // Kept in the log for undo and for readers of the file; nothing is drawn of them.
    case 'checkpoint.created':
    case 'mode.updated':
    case 'commands.updated':
    case 'options.updated':
      return;
    default:
      unreachable(event);
  }
}

function openCounts(findings: RunView['findings']): Readonly<Record<Severity, number>> {
  const counts = { blocker: 0, major: 0, minor: 0, nit: 0 };
  for (const finding of findings) if (isOpen(finding)) counts[finding.severity]++;
  return counts;
}

interface InTurn {
  readonly at: number;
  readonly round: number;
  readonly turn: number;
  readonly role: Role;
}

function foldMark(draft: Draft, event: EventHeader & MarkItem['mark']): void {
  const { seq, at, round, ...mark } = event;
  put(roundOf(draft, round, at), { type: 'mark', key: `mark/${seq}`, turn: 0, role: null, at, mark });
}

function updateCheck(
  draft: Draft,
  event: EventHeader & { readonly checkId: string },
  change: (item: CheckItem) => CheckItem,
): void {
  update(roundOf(draft, event.round, event.at), checkKey(event.checkId), (item) =>
    item.type === 'check' ? change(item) : item,
  );
}

function foldMessage(
  draft: Draft,
  event: InTurn & { readonly derived: { readonly channel: MessageChannel; readonly messageId: string } },
  text: (before: string) => string,
  withdrawn: boolean,
): void {
  const { at, turn, role } = event;
  const { channel, messageId } = event.derived;
  const round = roundOf(draft, event.round, at);
  const key = `m/${turn}/${role}/${channel}/${messageId}`;
  const known = find(round, key);
  const item: MessageItem =
    known?.type === 'message' ? known : { type: 'message', key, turn, role, at, channel, text: '', withdrawn };
  put(round, { ...item, text: text(item.text), withdrawn });
}

function foldTool(draft: Draft, event: ToolEvent): void {
  const { at, turn, role, derived } = event;
  const round = roundOf(draft, event.round, at);
  const key = toolKey(round, event);
  const known = find(round, key);
  const item: ToolItem =
    known?.type === 'tool'
      ? { ...known, ...legalPart(known.state, derived) }
      : { type: 'tool', key, turn, role, at, state: 'scheduled', endedAt: null, ...derived };
  const ended = { ...item, endedAt: isEnd(item.state) ? (item.endedAt ?? at) : null };
  const terminals = derived.content === undefined ? undefined : terminalsOf(round, ended);
  put(round, terminals === undefined ? ended : { ...ended, terminals });
}

/** The terminals that the card names, which belong to it from now on. */
function terminalsOf(round: RoundDraft, { key, content = [] }: ToolItem): readonly TerminalItem[] | undefined {
  const named = content.flatMap((part) => (part.type === 'terminal' ? [part.terminalId] : []));
  if (named.length === 0) return undefined;
  return named.flatMap((terminalId) => {
    const known = find(round, terminalKey(terminalId));
    if (known?.type !== 'terminal') return [];
    const terminal = { ...known, card: key };
    put(round, terminal);
    return [terminal];
  });
}

function foldTerminal(
  draft: Draft,
  event: { readonly at: number; readonly terminalId: string },
  change: (item: TerminalItem) => TerminalItem,
): void {
  const number = draft.view.terminalRounds[event.terminalId];
  if (number === undefined) return;
  const round = roundOf(draft, number, event.at);
  const known = find(round, terminalKey(event.terminalId));
  if (known?.type !== 'terminal') return;
  const terminal = change(known);
  put(round, terminal);
  if (terminal.card === null) return;
  update(round, terminal.card, (item) => {
    if (item.type !== 'tool') return item;
    const terminals = item.terminals?.map((one) => (one.terminalId === terminal.terminalId ? terminal : one)) ?? [];
    return { ...item, terminals };
  });
}

/** Characters of a terminal that the view keeps. */
const TERMINAL_SHOWN = 32_000;

function newest(text: string): { readonly text: string; readonly cut: boolean } {
  if (text.length <= TERMINAL_SHOWN) return { text, cut: false };
  const tail = text.slice(-TERMINAL_SHOWN);
  // The second half of a character that was cut through.
  return { text: /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail, cut: true };
}

type ToolEvent = InTurn & {
  readonly type: 'toolCall.started' | 'toolCall.updated';
  readonly derived: ToolCallPatch;
};

/** The key of the newest call of this id; of the next one when a call begins under the id of an ended one (acp-36). */
function toolKey(round: RoundDraft, { type, turn, role, derived }: ToolEvent): string {
  const keyOf = (count: number) => `t${count === 1 ? '' : count}/${turn}/${role}/${derived.toolCallId}`;
  let count = 1;
  while (round.index.has(keyOf(count + 1))) count++;
  const newest = find(round, keyOf(count));
  const begins = type === 'toolCall.started' && newest?.type === 'tool' && isEnd(newest.state);
  return keyOf(begins ? count + 1 : count);
}

/** The patch without a state that the table does not lead to: what has ended stays as it ended. */
function legalPart(from: ToolState, patch: ToolCallPatch): ToolCallPatch {
  if (patch.state === undefined || mayBecome(from, patch.state)) return patch;
  const { state: _state, reason: _reason, ...rest } = patch;
  return rest;
}

function foldFile(draft: Draft, event: Extract<LoopEvent, { readonly type: 'file.served' }>): void {
  const { at, turn, role, path, operation, result } = event;
  // A file that is not there has been looked for; what was refused is told by the request.
  if (result !== 'editor' && result !== 'disk') return;
  const round = roundOf(draft, event.round, at);
  const key = `files/${turn}/${role}`;
  const known = find(round, key);
  const item: FilesItem = known?.type === 'files' ? known : { type: 'files', key, turn, role, at, files: [] };
  const before = item.files.find((file) => file.path === path) ?? { path, reads: 0, writes: 0, editor: false };
  const file = {
    path,
    reads: before.reads + (operation === 'read' ? 1 : 0),
    writes: before.writes + (operation === 'write' ? 1 : 0),
    editor: before.editor || result === 'editor',
  };
  const place = item.files.findIndex((one) => one.path === path);
  put(round, { ...item, files: place < 0 ? [...item.files, file] : item.files.with(place, file) });
}

const turnKey = (turn: number) => `turn/${turn}`;
const checkKey = (checkId: string) => `check/${checkId}`;
const terminalKey = (terminalId: string) => `terminal/${terminalId}`;
const permissionKey = (permissionId: string) => `p/${permissionId}`;

function roundOf(draft: Draft, number: number, at: number): RoundDraft {
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

function find(round: RoundDraft, key: string): Item | undefined {
  const place = round.index.get(key);
  return place === undefined ? undefined : round.items[place];
}

/** Takes the place of the item with this key, or the next free place. */
function put(round: RoundDraft, item: Item): void {
  const place = round.index.get(item.key) ?? round.items.length;
  round.index.set(item.key, place);
  round.items[place] = item;
}

function update(round: RoundDraft, key: string, change: (item: Item) => Item): void {
  const item = find(round, key);
  if (item !== undefined) put(round, change(item));
}

function close(draft: Draft): RunView {
  const { view } = draft;
  if (draft.waiting !== null) view.waiting = draft.waiting;
  if (draft.scores !== null) view.scores = draft.scores;
  if (draft.findings !== null) view.findings = draft.findings;
  if (draft.rounds.size === 0) return view;
  const rounds = [...view.rounds];
  let usageChanged = false;
  for (const { index: _, usageChanged: changed, ...round } of draft.rounds.values()) {
    const turns = round.items.filter((item) => item.type === 'turn');
    const usage = changed ? sum(turns.map((turn) => turn.usage)) : round.usage;
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

const sum = (parts: readonly (Usage | null)[]): Usage =>
  parts.reduce<Usage>((total, part) => (part === null ? total : addUsage(total, part)), NO_USAGE);

const usageOf = (rounds: readonly RoundView[], role: Role): Usage =>
  sum(rounds.flatMap((round) => round.turns.filter((turn) => turn.role === role).map((turn) => turn.usage)));

function unreachable(event: never): never {
  throw new TypeError(`An event of no known type: ${JSON.stringify(event)}`);
}
