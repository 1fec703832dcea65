import type { EventLog } from '../session/eventLog.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { Ending } from '../shared/ending.ts';
import type { CheckpointRef, FileChange, TurnTruth } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import { slashWord } from '../shared/task.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { personsFiles, turnTruth } from '../workspace/turnTruth.ts';
import { attachedLines } from './attachments.ts';
import { check, checksOf } from './checkStep.ts';
import { bestRoundOf, type RoundTrace, roundsOf, type Stuck, stuckIn } from './convergence.ts';
import { disputesIn } from './disputes.ts';
import { execute, tellTrespass, type Work } from './executeStep.ts';
import { goesBack, standingWords } from './feedback.ts';
import { applyDisputes, ledgerOf } from './findings.ts';
import { type LoopParts, takeCheckpoint } from './loopParts.ts';
import { DEFAULTS, isReviewOnly, type RunOptions } from './options.ts';
import { personsWordOf } from './pauseGate.ts';
import { executorPrompt, goOnPrompt } from './prompts.ts';
import type { ResumePoint } from './resumePoint.ts';
import { type Review, review } from './reviewStep.ts';
import { NO_CHECKS } from './runChecks.ts';
import { undoneWork } from './undoneWork.ts';

/** Where a run goes on; `remembers`: the executor is in the session that it was in. */
export interface ResumedAt extends ResumePoint {
  readonly remembers: boolean;
}

/**
 * Execute, review, verdict, and again with the findings until the review approves or the rounds run out. Nobody
 * executes after the last review. `from`: the run goes on there. Rejects only when the loop's own work fails (git, disk):
 * the agents' failures are endings.
 */
export async function runLoop(parts: LoopParts, options: RunOptions, from: ResumedAt | null = null): Promise<Ending> {
  const { log, checkpoints, stopped, t } = parts;
  // Agents read the disk. What is saved now belongs to the tree that the run begins with.
  await parts.unsaved?.settle();
  const first = from?.round ?? 1;
  let start = from?.start ?? null;
  let before = from?.before ?? null;
  let left: { readonly after: CheckpointRef; readonly tree: string } | null = null;
  let last: Pick<Review, 'text' | 'verdict'> | null = from?.last ?? null;
  /** The diffs of the rounds, as far as they were made here. */
  const patches = new Map<number, string>();
  let stuck: Stuck | null = null;
  let checks = from === null ? [] : checksOf(log.events, first - 1);

  for (let round = first; ; round++) {
    const resumed = round === first ? from : null;
    const step = resumed?.step ?? 'execute';
    const standing = () => ({ score: last?.verdict.score ?? null, bestRound: bestRoundOf(log.events) });
    if (step === 'execute') {
      await parts.head?.beforeWork(false);
      const waited =
        last !== null &&
        (await parts.pause.pass(
          standingWords(round - 1, last.verdict, ledgerOf(log.events), stuck, t),
          resumed?.paused,
        ));
      if (stopped.aborted) return { type: 'stopped' };
      const over = await parts.budget.before('execute');
      if (stopped.aborted) return { type: 'stopped' };
      if (over !== null) return { type: 'overBudget', ...over, ...standing() };
      if (waited) await parts.head?.beforeWork(true);
      before = await groundOf(parts, round, left, waited);
      log.append({ type: 'round.started' });
    }
    before ??= await takeCheckpoint(parts, `before round ${round}`);
    start ??= before;
    if (round === first) await parts.checks?.begin(start);
    if (stopped.aborted) return { type: 'stopped' };
    const { task, rounds, threshold } = options;
    let work: Work | Ending = { texts: resumed?.texts ?? [], denials: [] };
    const isExecuted = !isReviewOnly(options, round);
    const { reviewed: subject = null } = parts;
    if (step !== 'review' && isExecuted) {
      const prompt =
        firstPrompt(log, task, last === null) ??
        executorPrompt(
          {
            task,
            round,
            rounds,
            ...goesBack(last, ledgerOf(log.events), personsWordOf(log.events)),
            failedChecks: checks,
            undone: undoneWork(log.events),
            previousOutput: resumed?.remembers === false ? resumed.previousOutput : null,
            ...(subject === null ? {} : { reviewed: subject }),
          },
          parts.reviewing.words,
        );
      work = await execute(parts, prompt, step === 'goOn' ? goOnPrompt(prompt, parts.reviewing.words) : prompt, work);
      await parts.head?.afterWork();
    }
    if ('type' in work) return work;
    const { texts, denials } = work;
    for (const event of applyDisputes(ledgerOf(log.events), disputesIn(texts))) log.append(event);

    const after = await takeCheckpoint(parts, `after round ${round}`);
    const ofRound = await checkpoints.changes(before, after);
    const ofRun =
      subject !== null ? await subject.changes() : round === 1 ? ofRound : await checkpoints.changes(start, after);
    patches.set(round, ofRound.patch);
    if (subject !== null && !isExecuted) {
      log.append({ type: 'changes.reviewed', base: subject.base, files: ofRun.files });
    }
    const truth = isExecuted ? tellChanges(parts, round, ofRound.files, ofRun.files) : NOTHING_DONE;
    const trespass = isExecuted ? await tellTrespass(parts, options, { start, after }, truth) : [];

    // The reviewer reads the disk too. What the person typed meanwhile is not the executor's work.
    const saved = (await parts.unsaved?.settle()) ?? false;
    const now = saved ? await takeCheckpoint(parts, `saved by the user in round ${round}`) : after;
    // Where something else is reviewed than what lies in the folder, no check says anything about it.
    const isThere = subject === null || subject.isCheckedOut || isExecuted;
    const checked = isThere
      ? await check(parts, { round, before, after, files: ofRound.files, now })
      : { ...NO_CHECKS, tree: now, wrote: [] };
    checks = checked.ran;
    if (stopped.aborted) return { type: 'stopped' };
    const over = await parts.budget.before('review');
    if (stopped.aborted) return { type: 'stopped' };
    if (over !== null) return { type: 'overBudget', ...over, ...standing() };
    const reviewed = await review(parts, options, {
      before,
      checked: { ...checked, blockedBy: [...trespass, ...checked.blockedBy] },
      ofRun,
      ofRound,
      told: {
        task,
        round,
        rounds,
        threshold,
        texts,
        denials,
        truth,
        checks: checked.ran,
        skippedChecks: checked.skipped,
        checkChanges: checked.changes,
        byChecks: checked.wrote,
        attached: attachedLines(runHeaderOf(log.events)?.attached ?? []),
        ...(subject === null ? {} : { reviewed: { ...subject, isExecuted } }),
      },
    });
    if ('type' in reviewed) return reviewed;
    last = reviewed;
    log.append({ type: 'round.ended' });

    const { score } = reviewed.verdict;
    if (reviewed.approved && score !== null) return { type: 'approved', score };
    if (stopped.aborted) return { type: 'stopped' };
    if (round >= rounds) return { type: 'notApproved', cause: 'roundLimit', ...standing() };
    // Which findings are worth the work is the person's to say, where there is one.
    if (!isExecuted)
      parts.pause.demand('betweenRounds', standingWords(round, last.verdict, ledgerOf(log.events), null, t));
    stuck = stuckIn(await tracesOf(parts, patches), options.plateauRounds ?? DEFAULTS.plateauRounds, t);
    // Somebody who is asked anyway is told instead.
    if (stuck !== null && !parts.pause.due) return { type: 'notApproved', ...standing(), ...stuck };
    left = { after: checked.tree, tree: reviewed.tree };
  }
}

const NOTHING_DONE: TurnTruth = {
  unannounced: [],
  unseen: [],
  outside: [],
  byUser: [],
  byBoth: [],
  ranCommands: false,
};

/** The checkpoint that the round's work is compared with: what changed since the last work is not the executor's. */
async function groundOf(
  parts: LoopParts,
  round: number,
  left: { readonly after: CheckpointRef; readonly tree: string } | null,
  waited: boolean,
): Promise<CheckpointRef> {
  const label = `before round ${round}`;
  if (left === null) return takeCheckpoint(parts, label);
  const savedSince = (await parts.unsaved?.settle()) ?? false;
  const tree = waited ? await parts.checkpoints.treeNow() : left.tree;
  return tree === left.after.tree && !savedSince ? left.after : takeCheckpoint(parts, label);
}

/** The rounds of the log with their diffs. A checkpoint that is gone by now has none. */
async function tracesOf(parts: LoopParts, patches: ReadonlyMap<number, string>): Promise<RoundTrace[]> {
  const traces: RoundTrace[] = [];
  for (const { between, ...one } of roundsOf(parts.log.events)) {
    const compared = async () =>
      between === null ? '' : (await parts.checkpoints.changes(between.before, between.after)).patch;
    traces.push({ ...one, patch: patches.get(one.round) ?? (await compared().catch(() => '')) });
  }
  return traces;
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
