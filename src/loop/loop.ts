import type { TurnResult } from '../agent/agent.ts';
import type { EventLog } from '../session/eventLog.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { CheckpointRef, Ending, FileChange, Role, TurnTruth, Verdict } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { slashWord } from '../shared/task.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import { personsFiles, type TruthContext, turnTruth } from '../workspace/turnTruth.ts';
import { attachedLines } from './attachments.ts';
import { applyReview, createLedger, type Ledger, openBlockers, openFindings } from './findings.ts';
import type { RunOptions } from './options.ts';
import { executorPrompt, goOnPrompt, retryPrompt, reviewerPrompt } from './prompts.ts';
import type { ResumePoint } from './resumePoint.ts';
import { parseReview } from './review.ts';
import type { TurnRunner } from './runTurn.ts';
import type { UnsavedGuard } from './unsavedFiles.ts';

/** What the loop works with; `startRun` puts it together. */
export interface LoopParts {
  readonly log: EventLog;
  readonly checkpoints: Pick<Checkpoints, 'snapshot' | 'treeNow' | 'changes'>;
  readonly turns: TurnRunner;
  /** Null where the face has no editors. */
  readonly unsaved: UnsavedGuard | null;
  /** How paths of the folder are compared. */
  readonly paths: TruthContext;
  /** A new random marker for the fences of a reviewer prompt. */
  readonly marker: () => string;
  /** Aborted when the person stops the run. */
  readonly stopped: AbortSignal;
  /**
   * The executor's program ended in the middle of its turn: asks the person whether to go on, and starts it again in its
   * session. False: it is not to be, or cannot be. Never rejects.
   */
  readonly revive: () => Promise<boolean>;
}

/** Where a run goes on; `remembers`: the executor is in the session that it was in. */
export interface ResumedAt extends ResumePoint {
  readonly remembers: boolean;
}

interface Review {
  readonly text: string;
  readonly verdict: Verdict;
  /** The gate's decision. */
  readonly approved: boolean;
  readonly ledger: Ledger;
  /** The folder when the review was over. */
  readonly tree: string;
}

/**
 * Execute, review, verdict, and again with the findings until the review approves or the rounds run out. Nobody
 * executes after the last review. `from`: the run goes on there. Rejects only when the loop's own work fails (git, disk):
 * the agents' failures are endings.
 */
export async function runLoop(parts: LoopParts, options: RunOptions, from: ResumedAt | null = null): Promise<Ending> {
  const { log, checkpoints, stopped } = parts;
  // Agents read the disk. What is saved now belongs to the tree that the run begins with.
  await parts.unsaved?.settle();
  const first = from?.round ?? 1;
  let before = from?.before ?? (await takeCheckpoint(parts, `before round ${first}`));
  const start = from?.start ?? before;
  let last: Pick<Review, 'text' | 'verdict' | 'ledger'> | null = from?.last
    ? { ...from.last, ledger: from.ledger }
    : null;
  let best: { readonly round: number; readonly score: number } | null = from?.best ?? null;

  for (let round = first; ; round++) {
    const resumed = round === first ? from : null;
    const step = resumed?.step ?? 'execute';
    if (step === 'execute') log.append({ type: 'round.started' });
    const ledger: Ledger = last?.ledger ?? createLedger();
    const { task, rounds, threshold } = options;
    const prompt =
      firstPrompt(log, task, last === null) ??
      executorPrompt({
        task,
        round,
        rounds,
        review: last && { verdict: last.verdict, text: last.text },
        openFindings: openFindings(ledger),
        previousOutput: resumed?.remembers === false ? resumed.previousOutput : null,
      });
    const earlier = { texts: resumed?.texts ?? [], denials: [] };
    const work =
      step === 'review'
        ? earlier
        : await execute(parts, prompt, step === 'goOn' ? goOnPrompt(prompt) : prompt, earlier);
    if ('type' in work) return work;

    const after = await takeCheckpoint(parts, `after round ${round}`);
    const ofRound = await checkpoints.changes(before, after);
    const ofRun = round === 1 ? ofRound : await checkpoints.changes(start, after);
    const truth = tellChanges(parts, round, ofRound.files, ofRun.files);

    // The reviewer reads the disk too. What the person typed meanwhile is not the executor's work.
    const saved = (await parts.unsaved?.settle()) ?? false;
    const tree = saved ? await takeCheckpoint(parts, `saved by the user in round ${round}`) : after;
    const reviewed = await review(parts, options, round, ledger, tree, () =>
      reviewerPrompt({
        task,
        round,
        rounds,
        threshold,
        marker: parts.marker(),
        files: ofRun.files,
        runPatch: ofRun.patch,
        roundPatch: ofRound.patch,
        texts: work.texts,
        denials: work.denials,
        truth,
        openFindings: openFindings(ledger),
        attached: attachedLines(runHeaderOf(log.events)?.attached ?? []),
      }),
    );
    if ('type' in reviewed) return reviewed;
    last = reviewed;
    log.append({ type: 'round.ended' });

    const { score } = reviewed.verdict;
    if (score !== null && score > (best?.score ?? 0)) best = { round, score };
    if (reviewed.approved && score !== null) return { type: 'approved', score };
    if (stopped.aborted) return { type: 'stopped' };
    if (round >= rounds) return { type: 'notApproved', cause: 'roundLimit', score, bestRound: best?.round ?? null };
    const savedSince = (await parts.unsaved?.settle()) ?? false;
    // What changed while the review ran is not the executor's work of the next round.
    before =
      reviewed.tree === after.tree && !savedSince ? after : await takeCheckpoint(parts, `before round ${round + 1}`);
  }
}

/** The task as it stands, where it is one of the executor's own commands, which begin a prompt or are none; else null. */
function firstPrompt(log: EventLog, task: string, isFirst: boolean): string | null {
  const word = isFirst ? slashWord(task) : null;
  if (word === null) return null;
  const told = log.events.findLast((event) => event.type === 'commands.updated' && event.role === 'execute');
  const commands = told?.type === 'commands.updated' ? told.derived.commands : [];
  return commands.some(({ name }) => name === word || name.startsWith(`${word} `)) ? task : null;
}

/** Logs what the round changed; gives what the reviewer is told of it, the person's own part being that of the run. */
function tellChanges(
  { log, paths }: LoopParts,
  round: number,
  ofRound: readonly FileChange[],
  ofRun: readonly FileChange[],
): TurnTruth {
  const items = reduce(EMPTY_VIEW, log.events).rounds.find(({ number }) => number === round)?.items ?? [];
  const truth = turnTruth(items, ofRound, paths);
  log.append({ type: 'round.changes', files: ofRound, truth });
  const persons = personsFiles(reduce(EMPTY_VIEW, log.events).rounds, paths);
  const changed = new Set(ofRun.map((file) => file.path));
  return {
    ...truth,
    byUser: persons.alone.filter((file) => changed.has(file)),
    byBoth: persons.withAgent.filter((file) => changed.has(file)),
  };
}

/** What an execution gave for its reviewer. */
interface Work {
  readonly texts: readonly string[];
  readonly denials: readonly string[];
}

/**
 * One execution. When its program ends in the middle of it, it is asked again only if the person wants it, with a
 * prompt that says so: what was begun may be done already.
 */
async function execute(parts: LoopParts, prompt: string, opening: string, earlier: Work): Promise<Work | Ending> {
  let next = opening;
  let work = earlier;
  for (;;) {
    const { result } = await parts.turns.run('execute', next);
    work = { texts: [...work.texts, ...result.texts], denials: [...work.denials, ...result.denials] };
    const failed = failureOf('execute', result, parts.stopped);
    if (failed === null) return work;
    if (failed.type !== 'failed' || failed.cause !== 'agentExit' || !(await parts.revive())) {
      return parts.stopped.aborted ? { type: 'stopped' } : failed;
    }
    next = goOnPrompt(prompt);
  }
}

async function takeCheckpoint(parts: LoopParts, label: string): Promise<CheckpointRef> {
  const checkpoint = await parts.checkpoints.snapshot(label);
  parts.log.append({ type: 'checkpoint.created', checkpoint });
  return checkpoint;
}

/** The review, asked once more with the reason when the first answer was unusable; then `noVerdict`. */
async function review(
  parts: LoopParts,
  { threshold }: RunOptions,
  round: number,
  ledger: Ledger,
  reviewed: CheckpointRef,
  prompt: () => string,
): Promise<Review | Ending> {
  let unusable: string | null = null;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const text: string = unusable === null ? prompt() : retryPrompt({ reason: unusable, threshold });
    const { turn, result } = await parts.turns.run('review', text);
    if (parts.stopped.aborted || result.outcome.type === 'failed') {
      return failureOf('review', result, parts.stopped) ?? { type: 'stopped' };
    }
    if (result.outcome.type !== 'completed') {
      // Cut off or refused: whatever stands in its text is not a verdict.
      unusable = result.outcome.type === 'incomplete' ? result.outcome.message : 'The reviewer cancelled its own turn.';
      continue;
    }
    const said = result.texts.join('\n\n');
    const verdict = parseReview(said, { threshold });
    const applied = applyReview(ledger, verdict, round);
    const blockedBy = openBlockers(applied.ledger).map((f) => `${f.id} is an open blocker: ${f.title}`);
    const tree = await parts.checkpoints.treeNow();
    if (tree !== reviewed.tree) {
      blockedBy.push('The folder changed while it was reviewed: the review is not about what is there now.');
    }
    const approved = verdict.approved && blockedBy.length === 0;
    parts.log.append({
      type: 'review.scored',
      turn,
      verdict,
      approved,
      blockedBy: verdict.approved ? blockedBy : [],
    });
    if (verdict.status !== 'unparsable') {
      for (const event of applied.events) parts.log.append(event);
      return { text: said, verdict, approved, ledger: applied.ledger, tree };
    }
    unusable = UNPARSABLE[verdict.reason];
  }
  return { type: 'noVerdict', message: unusable ?? '' };
}

const UNPARSABLE: Record<Verdict['reason'], string> = {
  ok: '',
  no_approved_line: '',
  json_not_approved: '',
  score_below_threshold: '',
  open_blocker: '',
  no_score: 'The review states no score.',
  ambiguous_score: 'The review states more than one score, or a range.',
  score_out_of_range: 'The score of the review is not between 1 and 10.',
  invalid_json_verdict: 'The JSON verdict of the review is broken or has wrong types.',
  empty: 'The review is empty.',
};

/** The ending that this turn makes, null when the work can go on. */
function failureOf(role: Role, { outcome }: TurnResult, stopped: AbortSignal): Ending | null {
  if (stopped.aborted) return { type: 'stopped' };
  switch (outcome.type) {
    case 'completed':
      return null;
    case 'incomplete':
      return { type: 'failed', role, cause: 'incomplete', message: outcome.message };
    case 'cancelled':
      return { type: 'failed', role, cause: 'incomplete', message: 'The agent cancelled its own turn.' };
    case 'failed':
      return { type: 'failed', role, cause: outcome.cause, message: outcome.message };
    default:
      return outcome satisfies never;
  }
}
