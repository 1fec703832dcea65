import type { EventLog } from '../session/eventLog.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { Ending, FileChange, TurnTruth } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { slashWord } from '../shared/task.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { personsFiles, turnTruth } from '../workspace/turnTruth.ts';
import { attachedLines } from './attachments.ts';
import { execute } from './executeStep.ts';
import { createLedger, type Ledger, openFindings } from './findings.ts';
import { type LoopParts, takeCheckpoint } from './loopParts.ts';
import type { RunOptions } from './options.ts';
import { executorPrompt, goOnPrompt, reviewerPrompt } from './prompts.ts';
import type { ResumePoint } from './resumePoint.ts';
import { type Review, review } from './reviewStep.ts';

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
