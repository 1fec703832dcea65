import { isOpen } from '../shared/isOpen.ts';
import type { Finding, Severity, Verdict } from '../shared/review.ts';
import { score } from '../shared/runWords.ts';
import type { Style } from './style.ts';
import { displayWidth, fitEndTo, fitTo, pad, safe, safeLine } from './terminalText.ts';

/** Score, word and summary of a review, and what speaks against it. Whole lines. */
export function renderVerdict(
  verdict: Verdict,
  approved: boolean,
  blockedBy: readonly string[],
  threshold: number,
  style: Style,
): string {
  const lines: string[] = [];
  if (verdict.status === 'unparsable') lines.push(style.yellow(style.bold('no verdict')));
  else if (approved) lines.push(style.green(style.bold(`${score(verdict.score)}  APPROVED`)));
  else
    lines.push(
      style.yellow(style.bold(`${score(verdict.score)}  not approved`)) + style.dim(`  (threshold ${threshold})`),
    );
  if (verdict.summary !== '') lines.push(safe(verdict.summary));
  for (const warning of verdict.warnings) lines.push(style.yellow(`! ${safeLine(warning)}`));
  for (const why of blockedBy) lines.push(style.yellow(`! Does not count as an approval: ${safeLine(why)}`));
  for (const suggestion of verdict.suggestions) lines.push(style.dim(`· ${safeLine(suggestion)}`));
  return lines.join('\n');
}

const RANK = { blocker: 0, major: 1, minor: 2, nit: 3 } as const satisfies Record<Severity, number>;

/** In what way a finding is other than simply open; empty for one that is not. */
function stateWords({ status, late, disputed }: Finding): string {
  const words = [
    ...(status === 'open' ? [] : [status]),
    ...(late === true ? ['late'] : []),
    ...(disputed === undefined || !isOpen({ status }) ? [] : ['disputed']),
  ];
  return words.join(', ');
}

/**
 * The open findings as a table, worst first, each followed by its place where that has no room in a column, by what is
 * proposed and by what the executor holds against it; then those that the person dismissed, with the reason. Empty without any.
 */
export function renderFindings(findings: readonly Finding[], columns: number, style: Style): string {
  const rows = findings
    .filter((finding) => isOpen(finding) || finding.status === 'dismissed')
    .sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || RANK[a.severity] - RANK[b.severity])
    .map((finding) => ({ finding, place: placeOf(finding), state: stateWords(finding) }));
  if (rows.length === 0) return '';
  const widest = (texts: readonly string[], most: number) => Math.min(most, Math.max(...texts.map(displayWidth)));
  const idWidth = widest(
    rows.map(({ finding }) => finding.id),
    12,
  );
  const placeWidth = widest(
    rows.map(({ place }) => place),
    Math.max(12, Math.floor(columns / 3)),
  );
  const stateWidth = Math.max(...rows.map(({ state }) => state.length));
  return rows
    .flatMap(({ finding, place, state }) => {
      const cells = [
        style.bold(pad(fitTo(safeLine(finding.id), idWidth), idWidth)),
        coloured(finding.severity, style),
        pad(fitEndTo(place, placeWidth), placeWidth),
        ...(stateWidth === 0 ? [] : [pad(state === '' ? 'open' : state, Math.max(stateWidth, 'open'.length))]),
        safeLine(finding.title),
      ];
      const indent = ' '.repeat(idWidth + 2);
      const whole = displayWidth(place) > placeWidth ? [indent + place] : [];
      if (!isOpen(finding)) {
        const why = finding.reason === undefined ? [] : [`the reason: ${finding.reason}`];
        return [cells.join('  '), ...whole, ...why.map((one) => indent + safeLine(one))].map((row) => style.dim(row));
      }
      const more = [
        finding.detail,
        ...(finding.suggestion === undefined ? [] : [`→ ${finding.suggestion}`]),
        ...(finding.disputed === undefined ? [] : [`disputed by the executor: ${finding.disputed}`]),
      ];
      const below = [...whole, ...more.filter((one) => one !== '').map((one) => indent + safeLine(one))];
      return [cells.join('  '), ...below.map((row) => style.dim(row))];
    })
    .join('\n');
}

function coloured(severity: Severity, style: Style): string {
  const word = pad(severity, 7);
  switch (severity) {
    case 'blocker':
      return style.red(style.bold(word));
    case 'major':
      return style.red(word);
    case 'minor':
      return style.yellow(word);
    case 'nit':
      return style.dim(word);
    default:
      return severity satisfies never;
  }
}

function placeOf({ file, line }: Finding): string {
  if (file === undefined) return '';
  return safeLine(line === undefined ? file : `${file}:${line}`);
}
