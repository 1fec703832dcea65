import type { EventLog } from '../session/eventLog.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { Role, Usage } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import { ownQuestion } from '../shared/ownQuestion.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { Budget, BudgetKind } from '../shared/roundEvents.ts';
import type { Translate } from '../shared/translate.ts';
import { amountWords, untoldWords } from './budgetWords.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';

/** Tokens in and out, US dollars and minutes. What nobody told counts as nothing. */
export type BudgetUse = { readonly [K in BudgetKind]: number };

/** What a run has used, as its log tells it. */
export interface Spending {
  readonly used: BudgetUse;
  /** Of the last whole round, and of the last turn of each role: what the next one is likely to take. */
  readonly lastRound: BudgetUse;
  readonly lastTurn: { readonly [role in Role]: BudgetUse };
}

/** A limit that is passed, or would be by what comes next. */
export interface Overrun {
  readonly limit: BudgetKind;
  readonly used: number;
  readonly allowed: number;
  /** What the next step is likely to take. */
  readonly expected: number;
}

const KINDS: readonly BudgetKind[] = ['tokens', 'money', 'minutes'];
const NOTHING: BudgetUse = { tokens: 0, money: 0, minutes: 0 };

/**
 * Adds up a log. Minutes are those in which the run was at work: not while it waited for the person (a question, a
 * pause), and not between an end and the going on. Pure.
 */
export function spendingOf(events: readonly LoopEvent[]): Spending {
  const turns = new Map<number, Usage>();
  const begun = new Map<Role, BudgetUse>();
  const lastTurn: Record<Role, BudgetUse> = { execute: NOTHING, review: NOTHING };
  let lastRound = NOTHING;
  let atRoundStart = NOTHING;
  const questions = new Set<string>();
  let isPaused = false;
  let isAway = false;
  let milliseconds = 0;
  let before = events[0]?.at ?? 0;
  const used = (): BudgetUse => {
    let tokens = 0;
    let money = 0;
    for (const usage of turns.values()) {
      tokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
      money += usage.costUsd ?? 0;
    }
    return { tokens, money, minutes: milliseconds / 60_000 };
  };
  for (const event of events) {
    const waits = questions.size > 0 || isPaused || isAway || AFTER_A_GAP.includes(event.type);
    if (!waits) milliseconds += Math.max(0, event.at - before);
    before = event.at;
    switch (event.type) {
      case 'permission.requested':
        questions.add(event.permissionId);
        break;
      case 'permission.resolved':
        questions.delete(event.permissionId);
        break;
      case 'run.paused':
        isPaused = true;
        break;
      case 'run.resumed':
        isPaused = false;
        break;
      case 'run.continued':
        isAway = false;
        isPaused = false;
        break;
      case 'run.ended':
      case 'run.undone':
      case 'handover.started':
        isAway = true;
        break;
      case 'round.started':
        atRoundStart = used();
        break;
      case 'round.ended':
        lastRound = less(used(), atRoundStart);
        break;
      case 'turn.started':
        begun.set(event.role, used());
        break;
      case 'usage.updated':
        turns.set(event.turn, event.derived);
        break;
      case 'turn.ended':
        if (event.derived.usage !== null) turns.set(event.turn, event.derived.usage);
        lastTurn[event.role] = less(used(), begun.get(event.role) ?? NOTHING);
        break;
    }
  }
  return { used: used(), lastRound, lastTurn };
}

/** Nothing of the run was at work before these. */
const AFTER_A_GAP: readonly LoopEvent['type'][] = ['run.continued', 'run.undone', 'handover.started'];

/** What the run may use now: as it was last asked for, with what the person has added since. Pure. */
export function allowedOf(events: readonly LoopEvent[]): Budget {
  const header = events.findLastIndex(({ type }) => type === 'run.started' || type === 'run.continued');
  const allowed: { [K in BudgetKind]?: number } = { ...runHeaderOf(events)?.budget };
  for (const { kind, optionId } of answersOf(events.slice(header + 1))) {
    const limit = allowed[kind];
    if (optionId === RAISE && limit !== undefined) allowed[kind] = raised(kind, limit);
  }
  return allowed;
}

/** The first limit that `next` would likely pass, or that is passed already. Null: go on. Pure. */
export function overrunOf(events: readonly LoopEvent[], next: Role): Overrun | null {
  const allowed = allowedOf(events);
  if (KINDS.every((kind) => allowed[kind] === undefined)) return null;
  const { used, lastRound, lastTurn } = spendingOf(events);
  const expected = next === 'execute' ? lastRound : lastTurn.review;
  const sinceRound = events.slice(events.findLastIndex(({ type }) => type === 'round.ended') + 1);
  const waived = answersOf(sinceRound).filter(({ optionId }) => optionId === GO_ON);
  for (const kind of KINDS) {
    const limit = allowed[kind];
    if (limit === undefined || waived.some((answer) => answer.kind === kind)) continue;
    if (used[kind] < limit && used[kind] + expected[kind] <= limit) continue;
    return { limit: kind, used: used[kind], allowed: limit, expected: expected[kind] };
  }
  return null;
}

/** What the budget is asked before each turn. */
export interface BudgetGate {
  /** Null: the turn may begin. Else the limit at which the run ends. */
  before(next: Role): Promise<Omit<Overrun, 'expected'> | null>;
}

export interface BudgetParts {
  readonly log: Pick<EventLog, 'events' | 'append'>;
  /** Asks the person; the option's id, or null when nobody is there or the question was not answered. */
  readonly ask: (request: PermissionRequest) => Promise<string | null>;
  readonly t: Translate;
}

/** Asks before a limit is passed, as far as that can be foreseen; a turn under way is never cut short. */
export function createBudgetGate({ log, ask, t }: BudgetParts): BudgetGate {
  const sayUntold = (): void => {
    const { events } = log;
    for (const kind of KINDS) {
      const text = allowedOf(events)[kind] === undefined ? null : untoldWords(events, kind, t);
      if (text === null || events.some((event) => event.type === 'diagnostic' && event.derived.text === text)) continue;
      log.append(loopDiagnostic('warning', text, 'budget'));
    }
  };
  return {
    async before(next) {
      sayUntold();
      for (;;) {
        const over = overrunOf(log.events, next);
        if (over === null) return null;
        const answer = await ask(questionOf(over, next, untoldWords(log.events, over.limit, t), t));
        const { limit, used, allowed } = over;
        if (answer !== GO_ON && answer !== RAISE) return { limit, used, allowed };
      }
    },
  };
}

const GO_ON = 'goOn';
const RAISE = 'raise';
const QUESTION = 'budget/';

function questionOf(over: Overrun, next: Role, untold: string | null, t: Translate): PermissionRequest {
  const { limit, allowed } = over;
  return ownQuestion({
    toolCallId: `${QUESTION}${limit}`,
    title: [whyOf(over, next, t), ...(untold === null ? [] : [untold]), t('Go on?')].join(' '),
    options: [
      {
        optionId: GO_ON,
        name: t('Go on with this round'),
        kind: 'allow_once',
        scope: t('asked again before the next round'),
      },
      {
        optionId: RAISE,
        name: t('Raise the limit by half'),
        kind: 'allow_once',
        scope: t('to {0}', amountWords(limit, raised(limit, allowed), t)),
      },
      { optionId: 'end', name: t('End the run here'), kind: 'reject_once' },
    ],
  });
}

function whyOf({ limit, used, allowed, expected }: Overrun, next: Role, t: Translate): string {
  const words = (value: number) => amountWords(limit, value, t);
  const [has, may, more] = [words(used), words(allowed), words(expected)];
  if (used >= allowed) return t('The run has used {0} of the {1} that it may use.', has, may);
  return next === 'execute'
    ? t(
        'The run has used {0} of {1}, and the last round took {2}: the next one is likely to pass the limit.',
        has,
        may,
        more,
      )
    : t(
        'The run has used {0} of {1}, and the last review took {2}: the next one is likely to pass the limit.',
        has,
        may,
        more,
      );
}

function raised(kind: BudgetKind, limit: number): number {
  const more = limit * 1.5;
  return kind === 'tokens' ? Math.round(more) : more;
}

interface BudgetAnswer {
  readonly kind: BudgetKind;
  readonly optionId: string;
}

/** What the person answered to our questions. */
function answersOf(events: readonly LoopEvent[]): BudgetAnswer[] {
  const asked = new Map<string, BudgetKind>();
  const answers: BudgetAnswer[] = [];
  for (const event of events) {
    if (event.type === 'permission.requested' && event.derived.asker === 'loop') {
      const kind = KINDS.find((one) => event.derived.toolCallId === `${QUESTION}${one}`);
      if (kind !== undefined) asked.set(event.permissionId, kind);
    } else if (event.type === 'permission.resolved') {
      const kind = asked.get(event.permissionId);
      const { answer } = event;
      if (kind !== undefined && answer.outcome === 'selected') answers.push({ kind, optionId: answer.optionId });
    }
  }
  return answers;
}

function less(a: BudgetUse, b: BudgetUse): BudgetUse {
  return { tokens: a.tokens - b.tokens, money: a.money - b.money, minutes: a.minutes - b.minutes };
}
