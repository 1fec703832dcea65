import type { AgentRef, Role, Usage } from '../shared/agentEvents.ts';
import type { Ending, TurnOutcome } from '../shared/ending.ts';
import type { RunHeader } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { Finding } from '../shared/review.ts';
import type { Budget } from '../shared/roundEvents.ts';
import { sumUsage } from '../shared/usage.ts';
import type { ReviewItem, RoundView, RunView, TurnItem } from '../shared/view.ts';
import type { RunState } from './replay.ts';

/**
 * A run as one object, for programs: `cgloop export --format json` and `--output json`. Its fields stay as they are
 * within a version; later ones may add fields. Times are ISO 8601 in UTC, durations milliseconds, money US dollars;
 * null where it is not known.
 */
export interface RunExport {
  readonly format: 'cgloop-export';
  readonly version: 1;
  readonly id: string;
  readonly kind: 'task' | 'review' | 'fix';
  readonly task: string;
  /** What was reviewed, as it was asked for; null: the changes of the working tree, or the work of the run itself. */
  readonly range: string | null;
  readonly folder: string;
  readonly state: RunState;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Null: it has none yet. */
  readonly ending: Ending | null;
  /** Whether the folder was put back afterwards as it was before the run. */
  readonly undone: boolean;
  readonly settings: {
    readonly rounds: number;
    readonly threshold: number;
    readonly turnLimitSeconds: number;
    readonly permission: PermissionMode;
    readonly trusted: boolean;
    readonly budget: Budget;
  };
  /** Null: nobody executed. */
  readonly executor: ExportedAgent | null;
  readonly reviewer: ExportedAgent;
  /** The last review that there is; null: none. */
  readonly verdict: ExportedReview | null;
  /** All findings of the run, in the order in which they were opened, as they stand at its end. */
  readonly findings: readonly Finding[];
  readonly rounds: readonly ExportedRound[];
}

export interface ExportedAgent extends AgentRef {
  /** As its wire named them. */
  readonly models: readonly string[];
  readonly usage: Usage;
}

export interface ExportedRound {
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly turns: readonly ExportedTurn[];
  /** What the round's work changed in the folder; null: it was not compared. */
  readonly changes: readonly FileChange[] | null;
  readonly checks: readonly ExportedCheck[];
  readonly review: ExportedReview | null;
}

export interface ExportedTurn {
  readonly role: Role;
  /** All that the agent wrote in it, in order; thoughts are left out. */
  readonly texts: readonly string[];
  /** Null: it never ended. */
  readonly outcome: TurnOutcome | null;
  readonly durationMs: number | null;
  readonly usage: Usage | null;
}

export interface ExportedCheck {
  readonly command: string;
  /** Null: it never ended. */
  readonly passed: boolean | null;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
}

export interface ExportedReview {
  readonly round: number;
  readonly status: 'approved' | 'not_approved' | 'unparsable';
  /** Whether it counts as an approval: the verdict, the threshold, open blockers, checks, an unchanged folder. */
  readonly approved: boolean;
  readonly score: number | null;
  readonly summary: string;
  /** Contradictions in it, and why an approval does not count. */
  readonly remarks: readonly string[];
  readonly suggestions: readonly string[];
}

/** The run as an object; null: its log does not say what was asked for. Pure. */
export function exportRun(view: RunView, state: RunState): RunExport | null {
  const { run } = view;
  if (run === null) return null;
  const rounds = view.rounds.filter(({ number }) => number > 0).map(roundOf);
  return {
    format: 'cgloop-export',
    version: 1,
    id: run.id,
    kind: run.kind ?? 'task',
    task: run.task,
    range: run.range ?? null,
    folder: run.folder,
    state,
    startedAt: timeOf(view.startedAt),
    endedAt: timeOf(view.endedAt),
    ending: view.ending,
    undone: view.undoneAt !== null,
    settings: settingsOf(run),
    executor: run.kind === 'review' ? null : agentOf(view, run.executor, 'execute'),
    reviewer: agentOf(view, run.reviewer, 'review'),
    verdict: rounds.findLast(({ review }) => review !== null)?.review ?? null,
    findings: view.findings,
    rounds,
  };
}

function settingsOf(run: RunHeader): RunExport['settings'] {
  const { rounds, threshold, turnLimitSeconds, permissionMode: permission, trusted, budget = {} } = run;
  return { rounds, threshold, turnLimitSeconds, permission, trusted, budget };
}

function agentOf(view: RunView, asked: AgentRef, role: Role): ExportedAgent {
  const turns = view.rounds.flatMap((round) => round.turns).filter((turn) => turn.role === role);
  const models = turns.flatMap(({ models: told, model }) => (told.length > 0 || model === null ? told : [model]));
  const usage = sumUsage(turns.map((turn) => turn.usage));
  return { ...(view.agents[role] ?? asked), models: [...new Set(models)], usage };
}

function roundOf(round: RoundView): ExportedRound {
  return {
    number: round.number,
    startedAt: isoTime(round.startedAt),
    endedAt: timeOf(round.endedAt),
    turns: round.turns.map((turn) => turnOf(round, turn)),
    changes: round.changes,
    checks: round.checks.map(({ command, end, at, endedAt }) => ({
      command,
      passed: end?.passed ?? null,
      exitCode: end?.exitCode ?? null,
      durationMs: endedAt === null ? null : endedAt - at,
    })),
    review: round.review === null ? null : reviewOf(round.number, round.review),
  };
}

function turnOf(round: RoundView, { turn, role, outcome, at, endedAt, usage }: TurnItem): ExportedTurn {
  const texts = textsOf(round, turn);
  return { role, texts, outcome, durationMs: endedAt === null ? null : endedAt - at, usage };
}

/** What the agent wrote in a turn, in order, without thoughts and what it took back. */
export function textsOf(round: RoundView, turn: number): readonly string[] {
  return round.items.flatMap((item) =>
    item.type === 'message' &&
    item.turn === turn &&
    item.channel === 'message' &&
    !item.withdrawn &&
    item.text.trim() !== ''
      ? [item.text]
      : [],
  );
}

function reviewOf(round: number, { verdict, approved, blockedBy }: ReviewItem): ExportedReview {
  const { status, score, summary, warnings, suggestions } = verdict;
  return { round, status, approved, score, summary, remarks: [...warnings, ...blockedBy], suggestions };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
