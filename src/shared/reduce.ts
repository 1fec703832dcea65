import type { EventHeader, LoopEvent } from './events.ts';
import { foldFile, foldRequest, foldTool } from './foldCalls.ts';
import { foldCheck, foldCheckStart, foldTerminal, foldTerminalStart } from './foldOutput.ts';
import { foldOpened, foldScore, foldUpdated, openCounts } from './foldReview.ts';
import {
  foldDiagnostic,
  foldMessage,
  foldPlan,
  foldSession,
  foldTurnEnd,
  foldTurnStart,
  foldUsage,
} from './foldTurn.ts';
import { abandoned } from './interrupted.ts';
import { foldUndoing, runUndoneAt } from './undo.ts';
import type { MarkItem, PermissionItem, PermissionResolution, RunView } from './view.ts';
import { closeDraft, type Draft, find, openDraft, put, roundOf } from './viewDraft.ts';

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

/**
 * Folds the next events of the log into the view. Pure: `view` stays as it is, items that no event touched keep their
 * identity, and any split of a log into batches gives an equal view. Throws `SeqGapError` when an event is missing,
 * repeated or out of order.
 */
export function reduce(view: RunView, batch: readonly LoopEvent[]): RunView {
  if (batch.length === 0) return view;
  const draft = openDraft(view);
  for (const event of batch) {
    const due = draft.view.lastSeq + 1;
    if (event.seq !== due) throw new SeqGapError(due, event.seq);
    draft.view.lastSeq = event.seq;
    fold(draft, event);
  }
  return closeDraft(draft);
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
    case 'turn.started':
      foldTurnStart(draft, event);
      return;
    case 'turn.ended':
      foldTurnEnd(draft, event);
      return;
    case 'message.chunk':
    case 'message.replaced':
      foldMessage(draft, event);
      return;
    case 'toolCall.started':
    case 'toolCall.updated':
      foldTool(draft, event);
      return;
    case 'plan.updated':
      foldPlan(draft, event);
      return;
    case 'session.updated':
      foldSession(draft, event);
      return;
    case 'usage.updated':
      foldUsage(draft, event);
      return;
    case 'diagnostic':
      foldDiagnostic(draft, event);
      return;
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
    case 'review.scored':
      foldScore(draft, event);
      return;
    case 'finding.opened':
      foldOpened(draft, event);
      return;
    case 'finding.updated':
      foldUpdated(draft, event);
      return;
    case 'check.started':
      foldCheckStart(draft, event);
      return;
    case 'check.output':
    case 'check.ended':
      foldCheck(draft, event);
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
    case 'request.moved':
      foldRequest(draft, event);
      return;
    case 'terminal.started':
      foldTerminalStart(draft, event);
      return;
    case 'terminal.output':
    case 'terminal.ended':
      foldTerminal(draft, event);
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

function foldMark(draft: Draft, event: EventHeader & MarkItem['mark']): void {
  const { seq, at, round, ...mark } = event;
  put(roundOf(draft, round, at), { type: 'mark', key: `mark/${seq}`, turn: 0, role: null, at, mark });
}

const permissionKey = (permissionId: string) => `p/${permissionId}`;

function unreachable(event: never): never {
  throw new TypeError(`An event of no known type: ${JSON.stringify(event)}`);
}
