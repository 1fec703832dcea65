import type { RunSummary } from '../session/runs.ts';
import type { Ending } from '../shared/events.ts';
import type { RunRow } from './runsTree.ts';

/** What the Runs view shows of one run. `words`: label and description as the lists of runs have them. */
export function runRow(
  { state, ending, run, directory }: RunSummary,
  words: { readonly label: string; readonly description: string },
): RunRow {
  const [icon, color] = ending === null ? STATE_ICONS[state] : ENDING_ICONS[ending.type];
  return {
    label: words.label,
    description: words.description,
    tooltip: run === null ? directory : `${run.task}\n\n${run.folder}`,
    icon,
    color,
    directory,
  };
}

type Icon = readonly [icon: string, color: string | null];

/** A run without an ending. */
const STATE_ICONS: Record<RunSummary['state'], Icon> = {
  running: ['loading~spin', null],
  interrupted: ['debug-disconnect', 'problemsWarningIcon.foreground'],
  ended: ['circle-outline', null],
};

const ENDING_ICONS: Record<Ending['type'], Icon> = {
  approved: ['pass', 'testing.iconPassed'],
  failed: ['error', 'problemsErrorIcon.foreground'],
  notApproved: ['circle-slash', 'problemsWarningIcon.foreground'],
  noVerdict: ['question', 'problemsWarningIcon.foreground'],
  overBudget: ['dashboard', 'problemsWarningIcon.foreground'],
  stopped: ['debug-stop', null],
};
