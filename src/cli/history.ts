import { type RunSummary, searchRuns } from '../session/runs.ts';
import { count } from '../shared/runWords.ts';
import { fitTo, pad, safeLine } from './terminalText.ts';

/** Which runs `cgloop runs` lists. */
export interface RunsArguments {
  /** Words that all must be there; empty: every run. */
  readonly search: string;
  readonly json: boolean;
}

/** Columns below which what a run was about would have no room beside when it was and how it ended. */
const NARROW = 80;

/** The list of runs, newest first, a line each (two on a narrow terminal), or as JSON. */
export function renderRuns(
  all: readonly RunSummary[],
  { search, json }: RunsArguments,
  program: string,
  columns: number,
): string {
  const runs = searchRuns(all, search, outcomeOf);
  if (json) return `${JSON.stringify(runs.map(listed), null, 2)}\n`;
  if (all.length === 0) return `There are no runs yet. Start one: ${program} "Fix the failing test"\n`;
  if (runs.length === 0) return `None of ${count(all.length, 'run')} holds all of: ${safeLine(search)}\n`;
  return runs
    .map((run) => {
      const when = run.startedAt === null ? '' : localTime(run.startedAt);
      const outcome = pad(outcomeOf(run), 12);
      const what =
        run.run === null ? 'its log cannot be read' : `${safeLine(run.run.task)}  (${safeLine(run.run.folder)})`;
      if (columns >= NARROW) return `${fitTo(`${run.id}  ${pad(when, 16)}  ${outcome}  ${what}`, columns)}\n`;
      const head = `${run.id}  ${outcome}`;
      const dated = `${head}  ${when}`;
      return `${dated.length <= columns ? dated : fitTo(head.trimEnd(), columns)}\n${fitTo(`  ${what}`, columns)}\n`;
    })
    .join('');
}

/** A run of the list for programs; what cannot be read of it is null. */
function listed({ id, run, startedAt, state, ending, undone }: RunSummary) {
  return {
    id,
    kind: run === null ? null : (run.kind ?? 'task'),
    task: run?.task ?? null,
    range: run?.range ?? null,
    folder: run?.folder ?? null,
    executor: run === null || run.kind === 'review' ? null : run.executor.id,
    reviewer: run?.reviewer.id ?? null,
    startedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
    state,
    ending,
    undone,
  };
}

function outcomeOf({ state, ending, undone }: RunSummary): string {
  if (undone) return 'undone';
  if (ending === null) return state;
  switch (ending.type) {
    case 'approved':
      return `approved ${ending.score}`;
    case 'notApproved':
      return ending.score === null ? 'not approved' : `rejected ${ending.score}`;
    case 'noVerdict':
      return 'no verdict';
    case 'failed':
      return 'failed';
    case 'overBudget':
      return 'over budget';
    case 'stopped':
      return 'stopped';
    default:
      return ending satisfies never;
  }
}

/** `2026-01-31 14:25`, in the person's own time. */
function localTime(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
