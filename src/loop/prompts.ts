import type { FileChange, TurnTruth } from '../shared/fileEvents.ts';
import type { Finding, Verdict } from '../shared/review.ts';
import type { CheckChange, CheckEvidence, RoundEventBody } from '../shared/roundEvents.ts';
import { type FittedPatch, fitPatch } from './fitPatch.ts';
import { PROMPT_LIMITS } from './promptLimits.ts';
import {
  checkChangeList,
  checkList,
  fileList,
  findingLines,
  findingList,
  headMovedList,
  truthList,
} from './promptLists.ts';
import type { PromptWords, VerdictForm } from './promptWords.ts';
import { ENGLISH } from './promptWordsEnglish.ts';
import { shortenMiddle } from './shorten.ts';

type Undone = Extract<RoundEventBody, { readonly type: 'run.undone' }>;

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
  /** The person chose these findings: the others are not to be dealt with now. */
  readonly onlyThese?: boolean;
  /** Words of the person's for this execution. */
  readonly personSays?: readonly string[];
  /** Those of the last round that did not pass. */
  readonly failedChecks?: readonly CheckEvidence[];
  /** Files of its work that were put back since its last turn. */
  readonly undone?: NonNullable<Undone['files']>;
  /** There is no task but the findings of changes that were reviewed. */
  readonly reviewed?: ReviewedChanges;
}

/** What is reviewed where no task was executed. */
export interface ReviewedChanges {
  /** As git says it; null: the changes of the working tree. */
  readonly range: string | null;
  /** Whether the files of the folder are what the changes lead to. */
  readonly isCheckedOut: boolean;
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
  /** Without what is withheld. */
  readonly runPatch: string;
  readonly roundPatch: string;
  /** Files whose contents, or lines of which, are not in the diffs because they may be secrets. */
  readonly withheld?: readonly string[];
  /** Every text of the executor's turn, in order. */
  readonly texts: readonly string[];
  /** What the executor was refused, one line each. */
  readonly denials: readonly string[];
  /** The executor's word against the folder, of this round; `byUser` and `byBoth` of the run. */
  readonly truth: TurnTruth;
  /** The whole ledger. */
  readonly findings: readonly Finding[];
  /** What the executor was given along with the task, one line each. Absent: nothing. */
  readonly attached?: readonly string[];
  /** Words of the person's to the executor during the run, the newest last. */
  readonly notes?: readonly string[];
  /** What the person asks the reviewer about its findings, one line each. */
  readonly questions?: readonly string[];
  /** The checks of this round; absent or empty: none was run. */
  readonly checks?: readonly CheckEvidence[];
  readonly skippedChecks?: readonly { readonly command: string; readonly why: string }[];
  readonly checkChanges?: readonly CheckChange[];
  /** Files that the checks of this round changed. */
  readonly byChecks?: readonly string[];
  /** Moves of HEAD in this round. */
  readonly headMoved?: readonly Omit<Extract<RoundEventBody, { readonly type: 'head.moved' }>, 'type'>[];
  /** How it gives its verdict; absent: fenced. */
  readonly form?: VerdictForm;
  /** Its folder is a copy of the work. */
  readonly isCopy?: boolean;
  /** There is no task: these changes are judged, with the work of this round in them where there was some. */
  readonly reviewed?: ReviewedChanges & { readonly isExecuted: boolean };
  /** Takes secrets out of a text; absent: there are none. The diffs and the task stay as they are. */
  readonly redact?: (text: string) => string;
}

/** A reviewer's prompt, and the changed files whose diff is not whole in it. */
export interface ReviewerPrompt {
  readonly text: string;
  readonly shortened: readonly string[];
}

/** The prompt of a round's execution: the task verbatim, and from the second round the review and the open findings. */
export function executorPrompt(input: ExecutorInput, words: PromptWords = ENGLISH): string {
  const { task, round, rounds, review, openFindings, previousOutput } = input;
  const { onlyThese = false, personSays = [], failedChecks = [], undone = [] } = input;
  const { execute } = words;
  const parts =
    input.reviewed === undefined
      ? [review === null ? execute.first(round, rounds) : execute.later(round, rounds), section(words.task, task)]
      : [words.reviewed.execute(round, rounds)];
  if (previousOutput !== null && previousOutput !== '') {
    const short = shortenMiddle(previousOutput, PROMPT_LIMITS.previousOutput, words.leftOut);
    parts.push(section(execute.previousOutput, fenced(short)));
  }
  if (undone.length > 0) parts.push(`${execute.undone}\n\n${fenced(fileList(undone, words))}`);
  if (review !== null) {
    const title = execute.review(review.verdict.score);
    const note = input.reviewed === undefined ? execute.reviewNote : words.reviewed.reviewNote;
    parts.push(section(title, `${note}\n\n${fenced(review.text)}`));
    const none = onlyThese ? execute.noChosenFindings : execute.noOpenFindings;
    const findings = openFindings.length === 0 ? none : findingList(openFindings, words);
    parts.push(section(onlyThese ? execute.chosenFindings : execute.openFindings, findings));
    parts.push(execute.dispute);
  }
  const failed = failedChecks.filter(({ end }) => !end.passed);
  if (failed.length > 0) parts.push(section(execute.failedChecks, fenced(checkList(failed, [], words))));
  const said = personSays.filter((text) => !isEmpty(text));
  if (said.length > 0) parts.push(section(execute.instruction, said.join('\n\n')));
  return parts.join('\n\n');
}

/** The prompt that asks once more for an execution that was interrupted; `prompt`: the one that it had. */
export function goOnPrompt(prompt: string, words: PromptWords = ENGLISH): string {
  return `${words.execute.interrupted}\n\n${prompt}`;
}

/**
 * The prompt of a review: the task, the diffs, the executor's texts, the checks and the findings as data between lines
 * with the marker, then the contract that `parseReview` reads. Look-alikes of the marker lines in the data are broken.
 */
export function reviewerPrompt(input: ReviewerInput, words: PromptWords = ENGLISH): ReviewerPrompt {
  const { task, threshold, marker, files, runPatch, roundPatch, texts, denials, truth, findings } = input;
  const {
    attached = [],
    notes = [],
    questions = [],
    withheld = [],
    checks = [],
    skippedChecks = [],
    checkChanges = [],
    byChecks = [],
  } = input;
  const { headMoved = [], form = 'fenced', isCopy = false, redact = (text: string) => text, reviewed } = input;
  const { review, leftOut } = words;
  const verbatim = (title: string, text: string): string => section(title, asData(text, marker));
  const data = (title: string, text: string, limit = Number.POSITIVE_INFINITY): string =>
    verbatim(title, shortenMiddle(redact(text), limit, leftOut));
  const names = (title: string, paths: readonly string[]): string => {
    const { names: most } = PROMPT_LIMITS;
    const more = paths.length > most ? [words.moreFiles(paths.length - most)] : [];
    return data(title, [...paths.slice(0, most), ...more].join('\n'));
  };

  const isExecuted = reviewed?.isExecuted ?? true;
  const titles = reviewed === undefined ? { files: review.files, patch: review.runPatch } : words.reviewed;
  const parts = [roleOf(input, words)];
  if (isCopy) parts.push(review.copy);
  parts.push(review.asData(marker));
  if (reviewed === undefined) parts.push(verbatim(`${words.task}. ${review.taskNote}`, task));
  else parts.push(verbatim(words.reviewed.what, reviewed.range ?? words.reviewed.workingTree));
  if (reviewed?.isCheckedOut === false) parts.push(words.reviewed.notCheckedOut);
  if (attached.length > 0) parts.push(data(review.attached, attached.join('\n'), PROMPT_LIMITS.denials));
  if (notes.length > 0) parts.push(data(review.notes, notes.join('\n\n'), PROMPT_LIMITS.texts));
  if (files.length > 0) parts.push(data(titles.files, fileList(files, words)));
  const cut: FittedPatch[] = [];
  const diff = (title: string, patch: string, limit: number): string => {
    const fitted = fitPatch(patch, limit, leftOut);
    cut.push(fitted);
    return verbatim(title, fitted.text);
  };
  if (isEmpty(runPatch)) parts.push(section(titles.patch, review.emptyPatch));
  else parts.push(diff(titles.patch, runPatch, PROMPT_LIMITS.runPatch));
  if (!isEmpty(roundPatch) && roundPatch !== runPatch) {
    parts.push(diff(review.roundPatch, roundPatch, PROMPT_LIMITS.roundPatch));
  } else if (!isEmpty(runPatch) && isExecuted) {
    parts.push(section(review.roundPatch, isEmpty(roundPatch) ? review.emptyRound : review.samePatch));
  }
  const shortened = [...new Set(cut.flatMap((one) => one.shortened))].filter((path) => !withheld.includes(path));
  if (shortened.length > 0) parts.push(names(review.shortened, shortened));
  if (withheld.length > 0) parts.push(names(review.withheld, withheld));

  const said = texts.join('\n\n');
  if (!isEmpty(said)) parts.push(data(review.texts, said, PROMPT_LIMITS.texts));
  else if (isExecuted) parts.push(section(review.texts, review.noTexts));
  if (denials.length > 0) parts.push(data(review.denials, denials.join('\n'), PROMPT_LIMITS.denials));
  for (const move of headMoved) {
    parts.push(data(review.headMoved(move.by, move.from, move.to), headMovedList(move, words)));
  }
  const compared = truthList(truth, words);
  if (compared !== '') parts.push(data(review.truth, compared, PROMPT_LIMITS.truth));
  if (checks.length > 0 || skippedChecks.length > 0) {
    parts.push(data(review.checks, checkList(checks, skippedChecks, words)));
  } else if (isExecuted) parts.push(section(review.checks, review.noChecks));
  if (checkChanges.length > 0) {
    parts.push(data(review.checkChanges, checkChangeList(checkChanges, words), PROMPT_LIMITS.checkChanges));
  }
  if (byChecks.length > 0) parts.push(names(review.byChecks, byChecks));

  const of = (...statuses: readonly Finding['status'][]) => findings.filter(({ status }) => statuses.includes(status));
  const open = of('open', 'regressed');
  const [fixed, dismissed] = [of('fixed'), of('dismissed')];
  if (open.length > 0) parts.push(data(review.openFindings, findingList(open, words)));
  if (fixed.length > 0) parts.push(data(review.fixedFindings, findingLines(fixed, words)));
  if (dismissed.length > 0) parts.push(data(review.dismissedFindings, findingLines(dismissed, words)));
  if (questions.length > 0) parts.push(data(review.questions, questions.join('\n\n'), PROMPT_LIMITS.texts));
  parts.push(review.contract(threshold, findings.length > 0, form));
  return { text: parts.join('\n\n'), shortened };
}

function roleOf({ reviewed, round, rounds }: ReviewerInput, { review, reviewed: words }: PromptWords): string {
  if (reviewed === undefined) return review.role(round, rounds);
  return reviewed.isExecuted ? words.roleFixed(round, rounds) : words.role;
}

/** The prompt that asks once more for a review that could not be used. `reason`: a sentence for people. */
export function retryPrompt(
  {
    reason,
    threshold,
    form = 'fenced',
  }: { readonly reason: string; readonly threshold: number; readonly form?: VerdictForm },
  words: PromptWords = ENGLISH,
): string {
  return words.retry(reason, threshold, form);
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
