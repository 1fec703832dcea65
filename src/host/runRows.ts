import type { RunScores } from '../session/runScores.ts';
import type { RunSummary } from '../session/runs.ts';
import type { Ending } from '../shared/ending.ts';
import { homeOf } from '../shared/runPlace.ts';
import type { Translate } from '../shared/translate.ts';
import type { RunGroup, RunRow } from './runsTree.ts';

/** What the Runs view shows of one run. `words`: label and description as the lists of runs have them. */
export function runRow(
  { state, ending, run, directory }: RunSummary,
  words: { readonly label: string; readonly description: string; readonly outcome: string },
): RunRow {
  const [icon, color] = ending === null ? STATE_ICONS[state] : ENDING_ICONS[ending.type];
  return {
    label: words.label,
    description: words.description,
    spoken: `${words.label}, ${words.outcome}, ${words.description}`,
    tooltip: run === null ? directory : `${run.task}\n\n${run.folder}`,
    icon,
    color,
    directory,
    kind: state === 'running' ? 'running' : ending?.type === 'approved' || run === null ? 'settled' : 'resumable',
  };
}

/** When the list is drawn, and in which language. */
export interface ListTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** BCP 47 tag. */
  readonly language: string;
}

/** Such as `8→9 · 3 rounds · 2 h ago`; `outcome`: how it stands, which is left out where the scores say it. */
export function runDescription(
  { ending, undone, startedAt, state }: Pick<RunSummary, 'ending' | 'undone' | 'startedAt' | 'state'>,
  { scores, rounds }: RunScores,
  outcome: string,
  { now, language }: ListTime,
  t: Translate,
): string {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const said = scores.map((score) => (score === null ? '–' : number.format(score)));
  const isPlain = ending?.type === 'approved' && said.length > 0;
  return [
    ...(said.length === 0 ? [] : [said.length > 4 ? `${said[0]}→…→${said.at(-1)}` : said.join('→')]),
    ...(rounds === 0 ? [] : [rounds === 1 ? t('1 round') : t('{0} rounds', rounds)]),
    ...(isPlain && state === 'ended' ? [] : [outcome]),
    ...(undone ? [t('undone')] : []),
    ...(startedAt === null ? [] : [ago(now - startedAt, language)]),
  ].join(' · ');
}

const UNITS = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const;

function ago(milliseconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    if (milliseconds >= length) return format.format(-Math.floor(milliseconds / length), unit);
  }
  return format.format(0, 'second');
}

/** The rows under the folders that their runs are of, in the order of the rows. */
export function groupRows(
  rows: readonly { readonly run: RunSummary['run']; readonly row: RunRow }[],
): readonly RunGroup[] {
  const groups = new Map<string, RunRow[]>();
  for (const { run, row } of rows) {
    const folder = run === null ? '' : homeOf(run);
    groups.set(folder, [...(groups.get(folder) ?? []), row]);
  }
  return [...groups].map(([folder, inside]) => ({
    folder,
    label: /[^\\/]*$/.exec(folder)?.[0] ?? folder,
    rows: inside,
  }));
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
