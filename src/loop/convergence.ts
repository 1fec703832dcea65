import type { LoopEvent } from '../shared/events.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import { isOpen } from '../shared/isOpen.ts';
import type { Finding } from '../shared/review.ts';
import { bothOf, english, type Translate } from '../shared/translate.ts';
import { filesOf, hunksOf } from './patch.ts';
import { undoneRounds } from './undoneWork.ts';

/** What a reviewed round left behind, as far as it tells whether the rounds lead anywhere. */
export interface RoundTrace {
  readonly round: number;
  readonly score: number | null;
  readonly open: OpenCount;
  /** Tree id of the folder after the round's work; null where the log does not tell it. */
  readonly tree: string | null;
  /** The unified diff of the round's work. */
  readonly patch: string;
}

/** The open findings after a round. */
export interface OpenCount {
  /** Those that count: not the late ones, which a review could have raised before. */
  readonly counted: number;
  /** Blockers and majors among `counted`. */
  readonly grave: number;
  readonly late: number;
}

/** Why going on leads nowhere. `message`: the numbers, for people. */
export interface Stuck {
  readonly cause: 'plateau' | 'oscillation';
  readonly message: string;
}

/** The log's part of the traces. */
export interface LoggedRound extends Omit<RoundTrace, 'patch'> {
  /** The folder before and after the round's work; null where the log does not tell both. */
  readonly between: { readonly before: CheckpointRef; readonly after: CheckpointRef } | null;
}

/** Counts what is open. A late finding that came back after it was fixed counts as any other. */
export function openCount(findings: readonly Finding[]): OpenCount {
  const open = findings.filter(isOpen);
  const counted = open.filter(({ late, status }) => late !== true || status === 'regressed');
  const grave = counted.filter(({ severity }) => severity === 'blocker' || severity === 'major');
  return { counted: counted.length, grave: grave.length, late: open.length - counted.length };
}

/**
 * The rounds that are judged together, in order: those since the person last had a say (an ending, or a pause that is
 * over), and the one before them to compare with. Pure.
 */
export function roundsOf(events: readonly LoopEvent[]): LoggedRound[] {
  const findings = new Map<string, Finding>();
  const checkpoints = new Map<number, { before: CheckpointRef | null; after: CheckpointRef | null }>();
  const scores = new Map<number, number | null>();
  let newest: CheckpointRef | null = null;
  let rounds: LoggedRound[] = [];
  for (const event of events) {
    const { round } = event;
    switch (event.type) {
      case 'round.started':
        checkpoints.set(round, { before: newest, after: null });
        break;
      case 'checkpoint.created': {
        newest = event.checkpoint;
        const of = checkpoints.get(round);
        if (of !== undefined && newest.label === `after round ${round}`) of.after = newest;
        break;
      }
      case 'finding.opened':
        findings.set(event.finding.id, event.finding);
        break;
      case 'finding.updated': {
        const known = event.finding ?? findings.get(event.id);
        if (known !== undefined) findings.set(event.id, { ...known, status: event.status });
        break;
      }
      case 'review.scored':
        scores.set(round, event.verdict.score);
        break;
      case 'round.ended': {
        const { before = null, after = null } = checkpoints.get(round) ?? {};
        const between = before === null || after === null ? null : { before, after };
        const score = scores.get(round) ?? null;
        const done = { round, score, open: openCount([...findings.values()]), tree: after?.tree ?? null, between };
        rounds = [...rounds.filter((one) => one.round !== round), done];
        break;
      }
      case 'run.ended':
      case 'run.resumed':
        rounds = rounds.slice(-1);
        break;
    }
  }
  return rounds;
}

/** The round with the highest score by its newest review, the first of several. Null: none has a score. Pure. */
export function bestRoundOf(events: readonly LoopEvent[]): number | null {
  const scores = new Map<number, number>();
  for (const event of events) {
    if (event.type === 'review.scored' && event.verdict.score !== null) scores.set(event.round, event.verdict.score);
  }
  for (const round of undoneRounds(events)) scores.delete(round);
  const best = Math.max(...scores.values());
  return [...scores].find(([, score]) => score === best)?.[0] ?? null;
}

/**
 * Whether the rounds lead nowhere: the work goes round in circles, or what is open has not become less over
 * `plateauRounds` rounds (0: never asked). Null: they may lead somewhere, or are too few to tell. Pure.
 */
export function stuckIn(rounds: readonly RoundTrace[], plateauRounds: number, t: Translate = english): Stuck | null {
  return oscillation(rounds, t) ?? plateau(rounds, plateauRounds, t);
}

/** Fewer findings, or lighter ones, are progress; with nothing open at all, a better score is. */
function plateau(rounds: readonly RoundTrace[], over: number, t: Translate): Stuck | null {
  const window = rounds.slice(-(over + 1));
  const [first, ...later] = window;
  if (over < 1 || first === undefined || later.length < over) return null;
  const fell = later.some(({ open }) => open.counted < first.open.counted || open.grave < first.open.grave);
  if (fell) return null;
  const way = (of: (one: RoundTrace) => number | null) => window.map((one) => of(one) ?? '–').join(' → ');
  if (window.every(({ open }) => open.counted === 0)) {
    const rose = later.some(({ score }) => (score ?? 0) > (first.score ?? 0));
    if (rose || window.some(({ open }) => open.late > 0)) return null;
    const scores = way((one) => one.score);
    const message =
      over === 1
        ? t('No finding is open, and the score did not rise in the last round: {0}.', scores)
        : t('No finding is open, and the score did not rise over the last {0} rounds: {1}.', over, scores);
    return { cause: 'plateau', message };
  }
  const counts = way(({ open }) => open.counted);
  const message =
    over === 1
      ? t('The open findings did not become fewer in the last round: {0}.', counts)
      : t('The open findings did not become fewer over the last {0} rounds: {1}.', over, counts);
  const besides = lateWords(window.at(-1)?.open.late ?? 0, t);
  return { cause: 'plateau', message: [message, ...besides].join(' ') };
}

function lateWords(late: number, t: Translate): readonly string[] {
  if (late === 0) return [];
  return late === 1
    ? [t('1 more was raised late, on lines that had not changed, and did not count.')]
    : [t('{0} more were raised late, on lines that had not changed, and did not count.', late)];
}

function oscillation(rounds: readonly RoundTrace[], t: Translate): Stuck | null {
  const last = rounds.at(-1);
  if (last === undefined || last.patch.trim() === '') return null;
  const before = rounds.slice(0, -1);
  // A folder as it was before the run is none: to take back what was not wanted is what a review may ask for.
  const same = before.slice(0, -1).find(({ tree }) => tree !== null && tree === last.tree);
  if (same !== undefined) {
    return circle(
      t('After round {0} the folder is as it was after round {1}, which was not approved.', last.round, same.round),
    );
  }
  const again = before.find(({ patch }) => patch === last.patch);
  if (again !== undefined) {
    return circle(t('Round {0} made the very change that round {1} had made.', last.round, again.round));
  }
  return fileInCircles(rounds, t) ?? linesInCircles(rounds, t);
}

function circle(message: string): Stuck {
  return { cause: 'oscillation', message };
}

/** A file that the last round, and one before it, brought back to where it had been. Once is what a review may ask for. */
function fileInCircles(rounds: readonly RoundTrace[], t: Translate): Stuck | null {
  const states = new Map<string, { readonly seen: string[]; readonly returns: number[] }>();
  for (const { round, patch } of rounds) {
    for (const { path, from, to } of stepsOf(patch)) {
      const file = states.get(path) ?? { seen: [from], returns: [] };
      if (file.seen.includes(to)) file.returns.push(round);
      else file.seen.push(to);
      states.set(path, file);
    }
  }
  const last = rounds.at(-1)?.round;
  for (const [path, { returns }] of states) {
    if (returns.length < 2 || returns.at(-1) !== last) continue;
    return circle(t('{0} is back where it had been, in rounds {1}.', path, bothOf(returns.map(String), t)));
  }
  return null;
}

/** Lines shorter than this, such as a brace, come and go for any reason. */
const LEAST_LINE = 4;

/**
 * Lines that were made and taken back, and are made again now (or the other way round), when they are at least half of
 * what the last round did.
 */
function linesInCircles(rounds: readonly RoundTrace[], t: Translate): Stuck | null {
  const signs = new Map<string, number[]>();
  let touched: string[] = [];
  for (const { patch } of rounds) {
    const net = netLines(patch);
    touched = [...net.keys()];
    for (const [line, sign] of net) signs.set(line, [...(signs.get(line) ?? []), sign]);
  }
  const turned = touched.filter((line) => turns(signs.get(line) ?? []) >= 2);
  const last = rounds.at(-1);
  if (last === undefined || turned.length === 0 || turned.length * 2 < touched.length) return null;
  const files = [...new Set(turned.map((line) => line.slice(0, line.indexOf('\n'))))];
  const shown = files.slice(0, 3).join(', ') + (files.length > 3 ? ' …' : '');
  return circle(
    t(
      '{0} of the {1} changed lines of round {2} had been edited back and forth before, in {3}.',
      turned.length,
      touched.length,
      last.round,
      shown,
    ),
  );
}

/** How often the direction of a line's edits changes. */
function turns(signs: readonly number[]): number {
  return signs.filter((sign, at) => at > 0 && sign !== signs[at - 1]).length;
}

/** Each line that the patch adds (1) or removes (−1) in sum, by its file and text without its indentation. */
function netLines(patch: string): Map<string, number> {
  const net = new Map<string, number>();
  for (const { path, lines } of stepsOf(patch)) {
    for (const line of lines) {
      const text = line.slice(1).trim();
      if (text.length < LEAST_LINE) continue;
      const key = `${path}\n${text}`;
      net.set(key, (net.get(key) ?? 0) + (line.startsWith('+') ? 1 : -1));
    }
  }
  return new Map([...net].flatMap(([key, sum]) => (sum === 0 ? [] : [[key, Math.sign(sum)] as const])));
}

interface FileStep {
  readonly path: string;
  /** Git's words for the file's state before and after: object ids, or modes where only those changed. */
  readonly from: string;
  readonly to: string;
  /** With their sign. */
  readonly lines: readonly string[];
}

function stepsOf(patch: string): FileStep[] {
  return filesOf(patch).map(({ path, text }) => {
    const [, oldId = '', newId = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(text) ?? [];
    const [, oldMode = ''] = /^old mode (\d+)$/m.exec(text) ?? [];
    const [, newMode = ''] = /^new mode (\d+)$/m.exec(text) ?? [];
    const lines = hunksOf(text).flatMap((hunk) => hunk.text.split('\n').filter((line) => /^[+-]/.test(line)));
    return { path, from: `${oldId} ${oldMode}`, to: `${newId} ${newMode}`, lines };
  });
}
