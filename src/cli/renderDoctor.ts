import type { DoctorLine, DoctorReport } from '../shared/doctor.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;

/** What the doctor found, for a terminal. */
export function renderDoctor(report: DoctorReport, style: Style): string {
  const sections = report.sections.map(({ title, lines }) =>
    [style.bold(safeLine(title)), ...lines.flatMap((line) => renderLine(line, style))].join('\n'),
  );
  const end = report.ok ? style.green('Ready.') : style.red('Something keeps a run from working: see ✗ above.');
  return `${sections.join('\n\n')}\n\n${end}\n`;
}

function renderLine(line: DoctorLine, style: Style): readonly string[] {
  const colour = line.level === 'ok' ? style.green : line.level === 'warning' ? style.yellow : style.red;
  const [first = '', ...more] = safe(line.what).split('\n');
  const ways = [line.fix, ...wayOut(line)].filter((way) => way !== '');
  return [
    `  ${colour(MARKS[line.level])} ${first}`,
    ...more.map((text) => `    ${style.dim(text)}`),
    ...ways.map((way) => `    → ${safe(way)}`),
  ];
}

/** What the extension has a button for, as something to type. */
function wayOut({ command, action }: DoctorLine): readonly string[] {
  if (command !== null) return [command];
  switch (action?.type) {
    case undefined:
    case 'signIn':
    case 'install':
    case 'openSettings':
      return [];
    case 'setKey':
      return ['export GEMINI_API_KEY=…'];
    case 'manageTrust':
      return ['--trust'];
    default:
      return action satisfies never;
  }
}
