import type { TurnResult } from '../agent/agent.ts';
import type { Ending } from '../shared/ending.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import type { Verdict } from '../shared/review.ts';
import { english, type Words } from '../shared/translate.ts';
import type { Checked } from './checkStep.ts';
import { readGround } from './findingGround.ts';
import { questionsOf } from './findingQuestions.ts';
import { applyReview, type Ledger, ledgerOf, openBlockers } from './findings.ts';
import { movesToTell } from './headWatch.ts';
import { failureOf, type LoopParts } from './loopParts.ts';
import type { RunOptions } from './options.ts';
import { type ReviewerInput, retryPrompt, reviewerPrompt } from './prompts.ts';
import type { VerdictForm } from './promptWords.ts';
import { isQuotedVerdict } from './quotedVerdict.ts';
import { parseReview } from './review.ts';
import { changedWords, outputsOf, personsWords, reviewText, whoChanged } from './reviewTold.ts';
import type { CleanMaterial } from './withheldGate.ts';

/** A review that could be read. */
export interface Review {
  /** As the executor is shown it. */
  readonly text: string;
  readonly verdict: Verdict;
  /** The gate's decision. */
  readonly approved: boolean;
  readonly ledger: Ledger;
  /** The folder when the review was over. */
  readonly tree: string;
}

interface Changes {
  readonly files: readonly FileChange[];
  readonly patch: string;
}

/** The work of a round, to be reviewed. */
export interface ReviewedWork {
  /** The folder before it. */
  readonly before: CheckpointRef;
  readonly checked: Pick<Checked, 'tree' | 'blockedBy'>;
  /** Of the run so far, and of the round. */
  readonly ofRun: Changes;
  readonly ofRound: Changes;
  /** What the reviewer is told besides; the rest is the log's, and the reviewer's own. */
  readonly told: Omit<
    ReviewerInput,
    | 'marker'
    | 'files'
    | 'runPatch'
    | 'roundPatch'
    | 'findings'
    | 'withheld'
    | 'redact'
    | 'form'
    | 'isCopy'
    | 'notes'
    | 'questions'
    | 'headMoved'
  >;
}

/** The review, asked once more with the reason when the first answer was unusable; then `noVerdict`. */
export async function review(
  parts: LoopParts,
  { threshold }: RunOptions,
  work: ReviewedWork,
): Promise<Review | Ending> {
  const { log, checkpoints, reviewing, t } = parts;
  const { form, words, copy } = reviewing;
  const clean = await reviewing.withheld.clean({ runPatch: work.ofRun.patch, roundPatch: work.ofRound.patch });
  if (parts.stopped.aborted) return { type: 'stopped' };
  if (copy !== null) await checkpoints.exportTo(work.checked.tree, copy);
  /** Why the last answer is none. */
  let unusable: Words | null = null;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const prompt =
      unusable === null
        ? firstPrompt(parts, work, clean)
        : { text: retryPrompt({ reason: unusable(english), threshold, form }, words) };
    const { turn, result } = await parts.turns.run('review', prompt.text, prompt);
    if (parts.stopped.aborted || result.outcome.type === 'failed') {
      return failureOf('review', result, parts) ?? { type: 'stopped' };
    }
    if (result.outcome.type !== 'completed') {
      unusable = cutOff(result.outcome);
      continue;
    }
    const said = saidIn(result, form);
    if (said === null) {
      unusable = NO_STRUCTURED;
      continue;
    }
    const verdict = parseReview(said.verdict, { threshold }, t);
    const material = [work.ofRun.patch, work.ofRound.patch, ...work.told.texts, ...outputsOf(log.events, turn)];
    const isQuoted = form === 'fenced' && verdict.approved && isQuotedVerdict(said.verdict, material);
    const { applied, tree, changed } = await compare(parts, work, turn, verdict);
    // From here on nothing waits: what the person decided until now counts.
    const blockers = openBlockers(applied.ledger).map(({ id, title }) => t('{0} is an open blocker: {1}', id, title));
    const against = [...work.checked.blockedBy, ...blockers, ...changed, ...(isQuoted ? [QUOTED(t)] : [])];
    const approved = verdict.approved && against.length === 0;
    const warnings = [...verdict.warnings, ...applied.warnings, ...(verdict.approved ? [] : changed)];
    const blockedBy = verdict.approved ? against : [];
    log.append({ type: 'review.scored', turn, verdict: { ...verdict, warnings }, approved, blockedBy });
    if (verdict.status === 'unparsable') unusable = UNPARSABLE[verdict.reason];
    else if (isQuoted) unusable = QUOTED;
    else {
      for (const event of applied.events) log.append(event);
      return { text: said.text, verdict, approved, ledger: applied.ledger, tree };
    }
  }
  return { type: 'noVerdict', message: unusable?.(t) ?? '' };
}

/** The prompt of the first attempt, with what is not whole in it. */
function firstPrompt(parts: LoopParts, { ofRun, told }: ReviewedWork, clean: CleanMaterial) {
  const { log, reviewing, marker } = parts;
  const { text, shortened } = reviewerPrompt(
    {
      ...told,
      ...clean,
      marker: marker(),
      files: ofRun.files,
      findings: ledgerOf(log.events),
      notes: personsWords(log.events),
      questions: questionsOf(log.events),
      headMoved: movesToTell(log.events),
      form: reviewing.form,
      isCopy: reviewing.copy !== null,
    },
    reviewing.words,
  );
  return {
    text,
    ...(clean.withheld.length === 0 ? {} : { withheld: clean.withheld }),
    ...(shortened.length === 0 ? {} : { shortened }),
  };
}

/** Holds the review against the folder: who changed it meanwhile, and what became of the findings. */
async function compare(
  parts: LoopParts,
  { before, checked, ofRound, told }: ReviewedWork,
  turn: number,
  verdict: Verdict,
) {
  const { log, checkpoints, reviewing, paths, t } = parts;
  const { round } = told;
  const tree = await checkpoints.treeNow();
  const isSame = tree === checked.tree.tree;
  const files = isSame ? [] : (await checkpoints.changes(checked.tree, { tree })).files;
  const by = isSame ? null : whoChanged(log.events, turn, files, paths);
  const wasReviewed = log.events.some(
    (event) => event.type === 'review.scored' && event.round < round && event.verdict.status !== 'unparsable',
  );
  const ground = await readGround(
    {
      checkpoints,
      folders: [paths.folder, ...(reviewing.copy === null ? [] : [reviewing.copy])],
      round,
      before,
      reviewed: checked.tree,
      wasReviewed,
      fixedHere: fixedIn(log.events, round),
      ...ofRound,
    },
    ledgerOf(log.events),
    verdict,
  );
  // A void review closes nothing.
  const counted = by === 'reviewer' ? { ...verdict, previous: [] } : verdict;
  const applied = applyReview(ledgerOf(log.events), counted, round, ground, t);
  return { applied, tree, changed: isSame ? [] : [changedWords(by, reviewing.name, files, t)] };
}

/** The findings that were called fixed in this round last. */
function fixedIn(events: readonly LoopEvent[], round: number): ReadonlySet<string> {
  const rounds = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'finding.updated' && event.status === 'fixed') rounds.set(event.id, event.round);
  }
  return new Set([...rounds].filter(([, at]) => at === round).map(([id]) => id));
}

/** What a completed turn says: the verdict for the parser, and the whole review for the executor. Null: no verdict came. */
function saidIn({ texts, structured }: TurnResult, form: VerdictForm): { verdict: string; text: string } | null {
  if (form === 'structured' && structured === undefined) return null;
  const text = reviewText(texts, form === 'structured' ? structured : undefined);
  return { verdict: form === 'structured' ? JSON.stringify(structured) : text, text };
}

/** What cut an answer off, or refused it: whatever stands in its text is not a verdict. */
function cutOff(outcome: Extract<TurnResult['outcome'], { readonly type: 'incomplete' | 'cancelled' }>): Words {
  return outcome.type === 'incomplete' ? () => outcome.message : (t) => t('The reviewer cancelled its own turn.');
}

const NO_STRUCTURED: Words = (t) => t('The review gave no verdict through the tool StructuredOutput.');
const QUOTED: Words = (t) =>
  t(
    'The verdict stands word for word in the reviewed work, so it may be quoted from there. State the verdict in words of your own.',
  );

const READABLE: Words = () => '';
const UNPARSABLE: Record<Verdict['reason'], Words> = {
  ok: READABLE,
  no_approved_line: READABLE,
  json_not_approved: READABLE,
  score_below_threshold: READABLE,
  open_blocker: READABLE,
  no_score: (t) => t('The review states no score.'),
  ambiguous_score: (t) => t('The review states more than one score, or a range.'),
  score_out_of_range: (t) => t('The score of the review is not between 1 and 10.'),
  invalid_json_verdict: (t) => t('The JSON verdict of the review is broken or has wrong types.'),
  empty: (t) => t('The review is empty.'),
};
