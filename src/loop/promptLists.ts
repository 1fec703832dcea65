import type { FileChange, TurnTruth } from '../shared/fileEvents.ts';
import type { Finding } from '../shared/review.ts';
import type { CheckChange, CheckEvidence, RoundEventBody } from '../shared/roundEvents.ts';
import { PROMPT_LIMITS } from './promptLimits.ts';
import type { PromptWords } from './promptWords.ts';
import { shortenMiddle } from './shorten.ts';

/** The files with what happened to each, a line each, and how many more there are. */
export function fileList(files: readonly FileChange[], words: PromptWords): string {
  const lines = files.slice(0, PROMPT_LIMITS.files).map(({ path, status, added, removed }) => {
    const lineCounts = added === null || removed === null ? 'binary' : `+${added} −${removed}`;
    return `${status} ${path} (${lineCounts})`;
  });
  if (files.length > PROMPT_LIMITS.files) lines.push(words.moreFiles(files.length - PROMPT_LIMITS.files));
  return lines.join('\n');
}

/** The paths of each kind under its words; empty when the executor's word and the folder agree. */
export function truthList(truth: TurnTruth, { review }: PromptWords): string {
  const lists = [
    [review.unannounced(truth.ranCommands), truth.unannounced],
    [review.unseen, truth.unseen],
    [review.outside, truth.outside],
    [review.byUser, truth.byUser],
    [review.byBoth, truth.byBoth],
  ] as const;
  return lists
    .filter(([, paths]) => paths.length > 0)
    .map(([title, paths]) => [title, ...paths.map((path) => `- ${path}`)].join('\n'))
    .join('\n\n');
}

/** One check after another: how it ended, then the last of its output. How it ended is never cut. */
export function checkList(
  checks: readonly CheckEvidence[],
  skipped: readonly { readonly command: string; readonly why: string }[],
  { check }: PromptWords,
): string {
  const ran = checks.map(({ command, end, tail }) => {
    const { checkTail } = PROMPT_LIMITS;
    const output = tail.trimEnd();
    const last = output.length > checkTail ? `…${output.slice(-checkTail)}` : output;
    return `$ ${command}\n${check.ended(end)}\n${last === '' ? check.noOutput : last.toWellFormed()}`;
  });
  return [...ran, ...skipped.map(({ command, why }) => `$ ${command}\n${check.skipped} ${why}`)].join('\n\n');
}

/** What a round did to the ground that its checks stand on. */
export function checkChangeList(changes: readonly CheckChange[], { check }: PromptWords): string {
  return changes
    .map((change) => {
      switch (change.type) {
        case 'definition': {
          const { command, file, before, after } = change;
          const texts = [check.before, before ?? check.absent, check.after, after ?? check.absent];
          return [check.definitionChanged(command, file), ...texts].join('\n');
        }
        case 'testsRemoved':
          return [check.testsRemoved, ...change.files.map((file) => `- ${file}`)].join('\n');
        default:
          return change satisfies never;
      }
    })
    .join('\n\n');
}

/** The commits that came, a line each. */
export function headMovedList(
  { commits }: Pick<Extract<RoundEventBody, { readonly type: 'head.moved' }>, 'commits'>,
  { review }: PromptWords,
): string {
  if (commits.length === 0) return review.noCommits;
  const lines = commits.slice(0, PROMPT_LIMITS.commits).map(({ id, subject }) => `${id.slice(0, 12)} ${subject}`);
  return [...lines, ...(commits.length > lines.length ? ['…'] : [])].join('\n');
}

/**
 * One finding after another: id, severity and place before the title, the rest below. Bounded: beyond the limit the worst
 * still have all their words, others one line, and then they are counted.
 */
export function findingList(findings: readonly Finding[], words: PromptWords): string {
  const rank = ['blocker', 'major', 'minor', 'nit'];
  const bySeverity = findings.toSorted((a, b) => rank.indexOf(a.severity) - rank.indexOf(b.severity));
  const whole = new Set<Finding>();
  let length = 0;
  for (const finding of bySeverity) {
    length += wholeFinding(finding, words).length;
    if (length > PROMPT_LIMITS.findings) break;
    whole.add(finding);
  }
  return bounded(findings, words, (finding) =>
    whole.has(finding) ? wholeFinding(finding, words) : findingLine(finding, words),
  );
}

/** One line a finding: those that are settled. */
export function findingLines(findings: readonly Finding[], words: PromptWords): string {
  return bounded(findings, words, (finding) => findingLine(finding, words));
}

function bounded(findings: readonly Finding[], words: PromptWords, line: (finding: Finding) => string): string {
  const lines: string[] = [];
  let length = 0;
  for (const [at, finding] of findings.entries()) {
    const next = line(finding);
    length += next.length;
    if (length > PROMPT_LIMITS.findings * 1.5) {
      lines.push(words.moreFindings(findings.length - at));
      break;
    }
    lines.push(next);
  }
  return lines.join('\n');
}

const MOST_TITLE = 300;

function findingLine(finding: Finding, { finding: words, leftOut }: PromptWords): string {
  const { id, severity, file, line, title, status, late, reason } = finding;
  const place = file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`;
  const marks = [
    severity,
    ...(status === 'regressed' ? [words.regressed] : []),
    ...(late === true ? [words.late] : []),
  ].join(', ');
  const why = status === 'dismissed' && reason !== undefined ? [`${words.dismissed} ${reason}`] : [];
  const text = [title, ...why].map((one) => shortenMiddle(one, MOST_TITLE, leftOut)).join('\n');
  return `- ${id} (${marks})${place}: ${text.replaceAll('\n', '\n  ')}`;
}

function wholeFinding(finding: Finding, words: PromptWords): string {
  const { detail, suggestion, disputed } = finding;
  const more = [
    detail,
    suggestion === undefined ? '' : `→ ${suggestion}`,
    disputed === undefined ? '' : `${words.finding.disputed} ${disputed}`,
  ]
    .filter((text) => text.trim() !== '')
    .map((text) => `\n${shortenMiddle(text, PROMPT_LIMITS.findingDetail, words.leftOut)}`);
  return `${findingLine(finding, words)}${more.join('').replaceAll('\n', '\n  ')}`;
}
