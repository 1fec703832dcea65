import type { RunSummary } from '../session/runs.ts';
import { fitTo, pad, safeLine } from './terminalText.ts';

/** The list of runs, newest first, a line each. */
export function renderRuns(runs: readonly RunSummary[], program: string, columns: number): string {
  if (runs.length === 0) return `There are no runs yet. Start one: ${program} "Fix the failing test"\n`;
  return runs
    .map((run) => {
      const when = run.startedAt === null ? '' : localTime(run.startedAt);
      const start = `${run.id}  ${pad(when, 16)}  ${pad(outcomeOf(run), 12)}`;
      const what =
        run.run === null ? 'its log cannot be read' : `${safeLine(run.run.task)}  (${safeLine(run.run.folder)})`;
      return `${fitTo(`${start}  ${what}`, columns)}\n`;
    })
    .join('');
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
