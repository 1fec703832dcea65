import path from 'node:path';
import type { LogFile } from '../session/logFile.ts';
import type { Ending } from '../shared/ending.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import { trimCheckpoints } from '../workspace/dropCheckpoints.ts';
import { isInside } from '../workspace/isInside.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { diskPaths } from '../workspace/turnTruth.ts';
import type { NewWorktree } from '../workspace/worktree.ts';
import { isAgreed } from './agreement.ts';
import type { AssembledRun } from './assembleRun.ts';
import { createBudgetGate } from './budget.ts';
import { applyRetention } from './deleteRuns.ts';
import { endState } from './endState.ts';
import { noteOf } from './findingQuestions.ts';
import { decideFinding, ledgerOf } from './findings.ts';
import { createHeadWatch } from './headWatch.ts';
import { type ResumedAt, runLoop } from './loop.ts';
import { DEFAULTS, type RunOptions } from './options.ts';
import { createPauseGate } from './pauseGate.ts';
import type { OpenedReview } from './reviewRun.ts';
import type { RunHandle } from './runHandle.ts';
import { LARGE, largeQuestion, offerPruning } from './startPlace.ts';

/** What the checkpoints of a folder without git may take in all: twice of what one of them is asked about. */
const MOST_PRIVATE_BYTES = 2 * LARGE.bytes;

/** What a run begins with, once everything that could be in its way was looked at. */
export interface Begun {
  readonly id: string;
  readonly directory: string;
  readonly options: RunOptions;
  readonly from: ResumedAt | null;
  readonly pastEvents: number;
  readonly reviewed: OpenedReview | null;
  /** Why somebody has to agree to the first checkpoint. */
  readonly large: string | null;
  readonly created: NewWorktree | null;
  /** Gives the folder back to others. */
  readonly release: () => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Words that no text holds by chance. */
  readonly marker: () => string;
}

/** Runs the loop over agents that are up, writes its log, and ends everything with it. */
export function beginRun(
  { id, directory, options, from, pastEvents, reviewed, large, created, release, now, marker }: Begun,
  run: AssembledRun,
  checkpoints: Checkpoints,
  file: LogFile,
): RunHandle {
  let abandoned = false;
  let isOver = false;
  const append = (body: LoopEventBody) => void run.log.append(body);
  const pause = createPauseGate({
    append,
    interactive: options.interactive,
    askBetweenRounds: options.askBetweenRounds ?? false,
    stopped: run.stop.signal,
  });
  run.log.subscribe((event) => {
    if (!abandoned) file.append(event);
  });
  const work = async (): Promise<Ending> => {
    let ending: Ending;
    try {
      const { feedback } = options;
      if (from !== null && feedback !== undefined) append({ type: 'run.resumed', feedback });
      if (created !== null) await offerPruning(created.ref, options.stateFolder, run.ask, run.t);
      const mayBegin = large === null || isAgreed(await run.ask(largeQuestion(large, run.t)));
      ending = !mayBegin
        ? { type: 'stopped' }
        : await runLoop(
            {
              log: run.log,
              checkpoints,
              turns: run.turns,
              paths: diskPaths(options.folder),
              unsaved: run.unsaved,
              stopped: run.stop.signal,
              marker,
              revive: run.revive,
              reviewing: run.reviewing,
              pause,
              budget: createBudgetGate({ log: run.log, ask: run.ask, t: run.t }),
              head: createHeadWatch({
                checkpoints,
                append,
                pause,
                past: run.log.events.slice(0, pastEvents),
                t: run.t,
              }),
              checks: run.checks((of, file) => checkpoints.textOf(of, file)),
              reviewed,
              t: run.t,
            },
            options,
            from,
          );
    } catch (error) {
      ending = {
        type: 'failed',
        role: null,
        cause: 'loop',
        message: errorText(error, run.t),
      };
    }
    await run.dispose();
    // A process that is about to end has no time for it.
    const end = abandoned ? {} : await endState(run.log, checkpoints);
    run.log.append({ type: 'run.ended', ending, ...end });
    isOver = true;
    await Promise.all([file.close(), checkpoints.close(), reviewed?.close()]);
    // What cannot be trimmed now is at the end of the next run.
    const trimmed = { folder: options.folder, stateFolder: options.stateFolder, keep: id };
    await trimCheckpoints({ ...trimmed, mostBytes: MOST_PRIVATE_BYTES }).catch(() => undefined);
    // A lock that cannot be removed is taken over once this process has ended.
    await release().catch(() => undefined);
    const { stateFolder, retentionDays: days = DEFAULTS.retentionDays } = options;
    await applyRetention({ stateFolder, days, now: now() });
    return ending;
  };
  return {
    id,
    directory,
    log: run.log,
    pastEvents,
    done: work(),
    answer: (permissionId, answer) => run.broker.answer(permissionId, answer),
    noteUserEdit(edited) {
      const resolved = resolvePath(edited);
      if (isOver || !isInside(resolved, options.folder)) return;
      const relative = path.relative(options.folder, resolved).split(path.sep).join('/');
      run.log.append({ type: 'user.edited', path: relative });
    },
    get pauseWanted() {
      return pause.wanted;
    },
    pause: (wanted) => pause.want(wanted),
    proceed: (feedback) => pause.proceed(feedback),
    note(text, about) {
      const event = isOver ? null : noteOf(run.log.events, text, about);
      if (event !== null) run.log.append(event);
      return event !== null;
    },
    decideFinding(findingId, decision) {
      const event = isOver ? null : decideFinding(ledgerOf(run.log.events), findingId, decision);
      if (event !== null) run.log.append(event);
      return event !== null;
    },
    stop() {
      if (run.stop.signal.aborted) void run.dispose();
      else run.stop.abort();
    },
    abandon() {
      // Questions first, so that the log still tells how they were settled.
      void run.dispose();
      abandoned = true;
      run.stop.abort();
    },
  };
}
