import type { UndoResult } from '../loop/undoRun.ts';
import type { RunSummary } from '../session/runs.ts';
import { changes } from '../shared/runWords.ts';
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

/** What an undo did. */
export function renderUndo(result: Extract<UndoResult, { type: 'undone' }>): string {
  const { folder, files, kept, mixed, replaced } = result;
  const listed = (paths: readonly string[]) => paths.map((path) => `  ${safeLine(path)}\n`).join('');
  const own = kept.length === 0 ? '' : `Left as it is, because you alone changed it during the run:\n${listed(kept)}`;
  if (files.length === 0) return `${safeLine(folder)} was already as before the run.\n${own}`;
  const both = mixed.length === 0 ? '' : `You changed these too; your part is in that checkpoint:\n${listed(mixed)}`;
  const marks = { added: 'back   ', modified: 'changed', deleted: 'removed', typeChanged: 'changed' } as const;
  const list = files.map((file) => `  ${marks[file.status]}  ${safeLine(file.path)}\n`).join('');
  const saved = `What stood there is kept as checkpoint ${replaced.id}.`;
  return `${safeLine(folder)} is as before the run (${changes(files)}).\n${list}${saved}\n${both}${own}`;
}
