import type { FileChange, Finding, TurnTruth, Verdict } from '../shared/events.ts';
import { ENGLISH, type PromptWords } from './promptWords.ts';
import { shortenMiddle } from './shorten.ts';

/**
 * How many characters of each part a prompt may hold; what is longer is cut in its middle, with a mark. The task, the
 * review and the contract are never cut.
 */
export const PROMPT_LIMITS = {
  previousOutput: 30_000,
  runPatch: 120_000,
  roundPatch: 60_000,
  texts: 40_000,
  denials: 4_000,
  truth: 8_000,
  /** Of one finding's detail. */
  findingDetail: 2_000,
  /** Number of files. */
  files: 300,
} as const;

/** What one round's executor is told. */
export interface ExecutorInput {
  /** The person's words, verbatim. */
  readonly task: string;
  /** From 1. */
  readonly round: number;
  readonly rounds: number;
  /** The last review; null in the first round. */
  readonly review: { readonly verdict: Pick<Verdict, 'score'>; readonly text: string } | null;
  readonly openFindings: readonly Finding[];
  /** The executor's last answer, when its session does not hold it (new or stateless); null when it does. */
  readonly previousOutput: string | null;
}

/** What one round's reviewer is told. */
export interface ReviewerInput {
  readonly task: string;
  readonly round: number;
  readonly rounds: number;
  /** Score from 1 to 10 at which an approval counts. */
  readonly threshold: number;
  /** Random, new for every prompt, so that no reviewed text can know it. */
  readonly marker: string;
  /** What the run changed so far. */
  readonly files: readonly FileChange[];
  readonly runPatch: string;
  readonly roundPatch: string;
  /** Every text of the executor's turn, in order. */
  readonly texts: readonly string[];
  /** What the executor was refused, one line each. */
  readonly denials: readonly string[];
  /** The executor's word against the folder, of this round; `byUser` and `byBoth` of the run. */
  readonly truth: TurnTruth;
  readonly openFindings: readonly Finding[];
  /** What the executor was given along with the task, one line each. Absent: nothing. */
  readonly attached?: readonly string[];
}

/** The prompt of a round's execution: the task verbatim, and from the second round the review and the open findings. */
export function executorPrompt(input: ExecutorInput, words: PromptWords = ENGLISH): string {
  const { task, round, rounds, review, openFindings, previousOutput } = input;
  const { execute } = words;
  const parts = [
    review === null ? execute.first(round, rounds) : execute.later(round, rounds),
    section(words.task, task),
  ];
  if (previousOutput !== null && previousOutput !== '') {
    const short = shortenMiddle(previousOutput, PROMPT_LIMITS.previousOutput, words.leftOut);
    parts.push(section(execute.previousOutput, fenced(short)));
  }
  if (review !== null) {
    parts.push(section(execute.review(review.verdict.score), `${execute.reviewNote}\n\n${fenced(review.text)}`));
    const findings = openFindings.length === 0 ? execute.noOpenFindings : findingList(openFindings, words);
    parts.push(section(execute.openFindings, findings));
  }
  return parts.join('\n\n');
}

/** The prompt that asks once more for an execution that was interrupted; `prompt`: the one that it had. */
export function goOnPrompt(prompt: string, words: PromptWords = ENGLISH): string {
  return `${words.execute.interrupted}\n\n${prompt}`;
}

/**
 * The prompt of a review: the task, the diffs, the executor's texts and the open findings as data between lines with
 * the marker, then the contract that `parseReview` reads. Look-alikes of the marker lines in the data are broken.
 */
export function reviewerPrompt(input: ReviewerInput, words: PromptWords = ENGLISH): string {
  const { task, round, rounds, threshold, marker, files, runPatch, roundPatch, texts, denials } = input;
  const { truth, openFindings, attached = [] } = input;
  const { review, leftOut } = words;
  const data = (title: string, text: string, limit = Number.POSITIVE_INFINITY): string =>
    section(title, asData(shortenMiddle(text, limit, leftOut), marker));
  const parts = [review.role(round, rounds), review.asData(marker), data(`${words.task}. ${review.taskNote}`, task)];
  if (attached.length > 0) parts.push(data(review.attached, attached.join('\n'), PROMPT_LIMITS.denials));
  if (files.length > 0) parts.push(data(review.files, fileList(files, words)));
  if (isEmpty(runPatch)) parts.push(section(review.runPatch, review.emptyPatch));
  else parts.push(data(review.runPatch, runPatch, PROMPT_LIMITS.runPatch));
  if (!isEmpty(roundPatch) && roundPatch !== runPatch) {
    parts.push(data(review.roundPatch, roundPatch, PROMPT_LIMITS.roundPatch));
  } else if (!isEmpty(runPatch)) {
    parts.push(section(review.roundPatch, isEmpty(roundPatch) ? review.emptyRound : review.samePatch));
  }
  const said = texts.join('\n\n');
  parts.push(isEmpty(said) ? section(review.texts, review.noTexts) : data(review.texts, said, PROMPT_LIMITS.texts));
  if (denials.length > 0) parts.push(data(review.denials, denials.join('\n'), PROMPT_LIMITS.denials));
  const compared = truthList(truth, words);
  if (compared !== '') parts.push(data(review.truth, compared, PROMPT_LIMITS.truth));
  if (openFindings.length > 0) parts.push(data(review.openFindings, findingList(openFindings, words)));
  parts.push(review.contract(threshold, openFindings.length > 0));
  return parts.join('\n\n');
}

/** The prompt that asks once more for a review that could not be used. `reason`: a sentence for people. */
export function retryPrompt(
  { reason, threshold }: { readonly reason: string; readonly threshold: number },
  words: PromptWords = ENGLISH,
): string {
  return words.retry(reason, threshold);
}

function isEmpty(text: string): boolean {
  return text.trim() === '';
}

function section(title: string, body: string): string {
  return `# ${title}\n\n${body}`;
}

/** The text in a code fence that is longer than any row of back-ticks in it. */
function fenced(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** `<<<DATA`, `<<<END` and what looks like them. */
const MARK_LIKE = /[<＜‹«〈⟨《]{2,}(?=[^\S\n]{0,9}\/?[^\S\n]{0,9}(?:data|end|begin)(?![a-z]))/giu;

function asData(text: string, marker: string): string {
  const safe = text.replaceAll(marker, '[marker]').replace(MARK_LIKE, (marks) => [...marks].join(' '));
  return `<<<DATA ${marker}>>>\n${safe}\n<<<END ${marker}>>>`;
}

function fileList(files: readonly FileChange[], words: PromptWords): string {
  const lines = files.slice(0, PROMPT_LIMITS.files).map(({ path, status, added, removed }) => {
    const lineCounts = added === null || removed === null ? 'binary' : `+${added} −${removed}`;
    return `${status} ${path} (${lineCounts})`;
  });
  if (files.length > PROMPT_LIMITS.files) lines.push(words.moreFiles(files.length - PROMPT_LIMITS.files));
  return lines.join('\n');
}

/** The paths of each kind under its words; empty when the executor's word and the folder agree. */
function truthList(truth: TurnTruth, { review }: PromptWords): string {
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

/** One finding after another: id, severity and place before the title, the rest below. */
function findingList(findings: readonly Finding[], { leftOut }: PromptWords): string {
  return findings
    .map(({ id, severity, file, line, title, detail, suggestion }) => {
      const place = file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`;
      const more = [detail, suggestion === undefined ? '' : `→ ${suggestion}`]
        .filter((text) => !isEmpty(text))
        .map((text) => shortenMiddle(text, PROMPT_LIMITS.findingDetail, leftOut));
      return `- ${id} (${severity})${place}: ${[title, ...more].join('\n').replaceAll('\n', '\n  ')}`;
    })
    .join('\n');
}
