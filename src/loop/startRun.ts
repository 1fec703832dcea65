import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { EventLog } from '../session/eventLog.ts';
import { type LogFile, openLogFile } from '../session/logFile.ts';
import { PRODUCT } from '../session/product.ts';
import { createRedactor, knownSecrets } from '../session/redact.ts';
import { runHeaderOf } from '../session/replay.ts';
import { openRules, type RuleBook } from '../session/ruleFile.ts';
import { newRunId, runDirectory } from '../session/runs.ts';
import { createTrace, TRACE_NAME, type Trace } from '../session/trace.ts';
import type { Ending } from '../shared/ending.ts';
import type { LoopEventBody, RunHeader } from '../shared/events.ts';
import type { PermissionAnswer } from '../shared/permission.ts';
import type { CheckRequest, Feedback, FindingDecision } from '../shared/roundEvents.ts';
import { type Checkpoints, openCheckpoints } from '../workspace/checkpoint.ts';
import { detectChecks } from '../workspace/checks/detectChecks.ts';
import { filesOnDisk } from '../workspace/checks/projectFiles.ts';
import { trimCheckpoints } from '../workspace/dropCheckpoints.ts';
import { isInside } from '../workspace/isInside.ts';
import { createProcessRecords, endOrphans } from '../workspace/orphans.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { diskPaths } from '../workspace/turnTruth.ts';
import type { NewWorktree } from '../workspace/worktree.ts';
import { type AssembledRun, assembleRun } from './assembleRun.ts';
import { attachedTo } from './attachments.ts';
import { createBudgetGate } from './budget.ts';
import { checkFolder } from './checkFolder.ts';
import { applyRetention } from './deleteRuns.ts';
import { findEarlierRun } from './earlierRun.ts';
import { endState } from './endState.ts';
import { noteOf } from './findingQuestions.ts';
import { decideFinding, ledgerOf } from './findings.ts';
import { createHeadWatch } from './headWatch.ts';
import { type ResumedAt, runLoop } from './loop.ts';
import { DEFAULTS, type RunOptions, type StartProblem } from './options.ts';
import { createPauseGate } from './pauseGate.ts';
import { findAgents, type OpenedReview, openReview, type ReviewResult } from './reviewRun.ts';
import type { RunServices } from './runServices.ts';
import {
  isAgreed,
  LARGE,
  largeFolder,
  largeProblem,
  largeQuestion,
  offerPruning,
  type Place,
  placeOf,
} from './startPlace.ts';
import { takeFolder } from './takeFolder.ts';
import type { Clock } from './turnLimit.ts';
import type { WarmAgents } from './warmAgents.ts';

/** A run under way, as both faces hold it. */
export interface RunHandle {
  readonly id: string;
  readonly log: EventLog;
  /** How many of the log's events are of before: a run that goes on begins with those. */
  readonly pastEvents: number;
  /** The run's folder on disk, with `log.jsonl`. */
  readonly directory: string;
  /** Settles after both agents are gone and the log is on disk. Never rejects. */
  readonly done: Promise<Ending>;
  /** Answers an open permission as the person. False: it was already settled, nothing was done. */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** The person saved, made, moved or deleted this file (absolute) in the editor; it is theirs. Outside the folder nothing is noted. */
  noteUserEdit(edited: string): void;
  /** Whether the run will wait for the person after the round under way, because `pause` was called. */
  readonly pauseWanted: boolean;
  /** Wait for the person after the round under way (or, with false, do not). Nobody waits where nobody is there. */
  pause(wanted: boolean): void;
  /** The run waits between two rounds, and goes on now. False: it does not wait. */
  proceed(feedback: Feedback | null): boolean;
  /**
   * Words for the next execution; with `finding` a question about that one for the next review. False: the run is over, they
   * are empty, or there is no such finding.
   */
  note(text: string, finding?: string): boolean;
  /** The person's decision about a finding of the run. False: there is no such finding, it is so already, or the run is over. */
  decideFinding(id: string, decision: FindingDecision): boolean;
  /** Stops both agents; `done` settles with `stopped`. A second call does not wait until they stop by themselves. */
  stop(): void;
  /**
   * For a process that is about to end: settles questions as `dispose` and ends both agents. What follows is not
   * written any more, so that the log has no ending and the run opens as interrupted. `done` settles as ever.
   */
  abandon(): void;
}

/** `problems`: nothing was changed and no log was written (exit 1). `cancelled`: the signal was aborted while agents came up. */
export type StartResult =
  | { readonly type: 'started'; readonly run: RunHandle }
  | { readonly type: 'problems'; readonly problems: readonly StartProblem[] }
  | { readonly type: 'cancelled' };

/** `startRun` with what the face serves. */
export type StartRun = (options: RunOptions, cancel: AbortSignal) => Promise<StartResult>;

const CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Checks, starts both agents unless they are `warm` already, and runs the loop: the one entry of `cgloop` and the extension. */
export async function startRun(
  options: RunOptions,
  cancel: AbortSignal,
  services: RunServices,
  warm: WarmAgents | null = null,
): Promise<StartResult> {
  const writes = options.permissionMode !== 'read-only' && options.kind !== 'review';
  const folder = checkFolder(options.folder, os.homedir(), writes);
  if (folder.type === 'problem') return problems(folder.problem);
  const found = await findAgents(options);
  if (found.type === 'problems') return found;

  const id = options.resume ?? newRunId(Date.now(), Math.random);
  let place: Place;
  try {
    place = await placeOf(options, folder.path, id);
  } catch (error) {
    return problems({ agent: null, what: messageOf(error), fix: 'Without a worktree the run works in the folder.' });
  }
  const lock = await takeFolder({ ...options, folder: place.folder, runId: id }, cancel);
  const leave = async <T>(result: T): Promise<T> => {
    if (lock.type === 'acquired') await lock.release();
    await place.created?.discard();
    return result;
  };
  if (lock.type === 'cancelled') return leave(lock);
  if (lock.type === 'held') return leave(problems(lock.problem));
  // Only now nobody else can go on with it.
  const earlier = options.resume === undefined ? null : await findEarlierRun(options.stateFolder, id, options);
  if (earlier?.type === 'problem') return leave(problems({ agent: null, what: earlier.message, fix: '' }));
  const from = earlier?.run.from ?? null;
  const past = earlier?.run.events ?? [];
  const worktree = place.created?.ref ?? runHeaderOf(past)?.worktree ?? null;
  let rules: RuleBook;
  try {
    rules = await openRules(options.stateFolder, worktree?.origin ?? place.folder);
  } catch (error) {
    const fix = 'Correct the file, or delete it: what its rules refuse would be allowed without it.';
    return leave(problems({ agent: null, what: messageOf(error), fix }));
  }
  const opened = await openReview(options, place.folder, past).catch(failedReview);
  if (opened.type === 'problem') return leave(problems(opened.problem));
  const { reviewed } = opened;
  // Before anything else works in the folder: they may still write in it.
  const orphans = await endOrphans(options.stateFolder);
  // A trace begins with the process, and an earlier session is told at its start: those want processes of their own.
  const fresh = options.trace !== true && from === null && options.kind !== 'review' && worktree === null;
  const warmed = fresh ? ((await warm?.take(options, services)) ?? null) : null;
  const checks = options.checks ?? (await projectChecks(options, place.folder));
  const resolved: RunOptions = { ...options, folder: place.folder, checks };
  const secrets = knownSecrets(process.env, options.secrets);
  const trace = options.trace === true ? createTrace(CLOCK.now, createRedactor(secrets, os.homedir())) : null;
  const run = assembleRun(
    id,
    resolved,
    { execute: found.executor, review: found.reviewer },
    {
      now: Date.now,
      clock: CLOCK,
      secrets,
      trace,
      services,
      rules,
      past,
      worktree,
      warm: warmed,
      attached: await attachedTo(options.task, place.folder, options.images),
      processes: createProcessRecords(options.stateFolder),
    },
  );
  const header = runHeaderOf(run.log.events);
  for (const { name, pid } of orphans) {
    const text = `${name} (process ${pid}) was still at work for a run that was killed: it was ended.`;
    const derived = { source: 'loop', level: 'warning', code: 'orphan', text } as const;
    run.log.append({ type: 'diagnostic', turn: 0, role: 'execute', wire: null, derived });
  }
  let checkpoints: Checkpoints | null = null;
  const giveUp = async (result: StartResult) => {
    await run.dispose();
    trace?.close();
    await checkpoints?.close();
    await reviewed?.close();
    return leave(result);
  };
  // A person who cancels while the agents come up does not wait for them.
  const onCancel = () => void run.dispose();
  cancel.addEventListener('abort', onCancel, { once: true });
  try {
    const [agentProblems, ground] = await Promise.all([
      run.startAgents(),
      openCheckpoints({ folder: place.folder, stateFolder: options.stateFolder, runId: id }),
    ]);
    checkpoints = ground;
    if (cancel.aborted) return await giveUp({ type: 'cancelled' });
    if (agentProblems.length > 0) {
      const where = header === null ? null : keepTrace(trace, options.stateFolder, header);
      return await giveUp(problems(...agentProblems.map((problem) => withTrace(problem, where))));
    }
    const large = await largeFolder(checkpoints, resolved);
    if (large !== null && !options.interactive) return await giveUp(problems(largeProblem(large)));
    const directory = runDirectory(options.stateFolder, id);
    const file = await openLogFile({
      directory,
      product: PRODUCT,
      onProblem: (text) =>
        run.log.append({
          type: 'diagnostic',
          turn: 0,
          role: 'execute',
          wire: null,
          derived: { source: 'loop', level: 'error', code: 'loop', text },
        }),
    });
    for (const event of run.log.events.slice(past.length)) file.append(event);
    if (header !== null) trace?.writeTo(path.join(directory, TRACE_NAME), PRODUCT, header);
    const release = async () => {
      trace?.close();
      await lock.release();
    };
    const said = options.feedback === undefined ? {} : { paused: null };
    const resumed = from === null ? null : { ...from, ...said, remembers: await run.remembers() };
    const begun = {
      id,
      directory,
      options: resolved,
      from: resumed,
      pastEvents: past.length,
      reviewed,
      large,
      created: place.created,
    };
    return { type: 'started', run: begin(begun, run, ground, file, release) };
  } catch (error) {
    return await giveUp(problems({ agent: null, what: messageOf(error), fix: '' }));
  } finally {
    cancel.removeEventListener('abort', onCancel);
  }
}

/** What the checkpoints of a folder without git may take in all: twice of what one of them is asked about. */
const MOST_PRIVATE_BYTES = 2 * LARGE.bytes;

interface Begun {
  readonly id: string;
  readonly directory: string;
  readonly options: RunOptions;
  readonly from: ResumedAt | null;
  readonly pastEvents: number;
  readonly reviewed: OpenedReview | null;
  /** Why somebody has to agree to the first checkpoint. */
  readonly large: string | null;
  readonly created: NewWorktree | null;
}

function begin(
  { id, directory, options, from, pastEvents, reviewed, large, created }: Begun,
  run: AssembledRun,
  checkpoints: Checkpoints,
  file: LogFile,
  release: () => Promise<void>,
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
      if (created !== null) await offerPruning(created.ref, options.stateFolder, run.ask);
      const mayBegin = large === null || isAgreed(await run.ask(largeQuestion(large)));
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
              marker: randomUUID,
              revive: run.revive,
              reviewing: run.reviewing,
              pause,
              budget: createBudgetGate({ log: run.log, ask: run.ask }),
              head: createHeadWatch({ checkpoints, append, pause, past: run.log.events.slice(0, pastEvents) }),
              checks: run.checks((of, file) => checkpoints.textOf(of, file)),
              reviewed,
            },
            options,
            from,
          );
    } catch (error) {
      ending = { type: 'failed', role: null, cause: 'loop', message: messageOf(error) };
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
    await release();
    const { stateFolder, retentionDays: days = DEFAULTS.retentionDays } = options;
    await applyRetention({ stateFolder, days, now: Date.now() });
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

/** What the project itself names: read only where the person trusts it, and of use only where something is written. */
async function projectChecks(
  { trusted, permissionMode }: RunOptions,
  folder: string,
): Promise<readonly CheckRequest[]> {
  if (!trusted || permissionMode === 'read-only') return [];
  const found = await detectChecks(await filesOnDisk(folder), process.platform);
  return found.map(({ command }) => ({ command, source: 'detected' }));
}

/** The trace of a start that failed has no run to lie in; gives its file. */
function keepTrace(trace: Trace | null, stateFolder: string, run: RunHeader): string | null {
  if (trace === null) return null;
  const folder = path.join(stateFolder, 'traces');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${run.id}.jsonl`);
  trace.writeTo(file, PRODUCT, run);
  return file;
}

function withTrace(problem: StartProblem, file: string | null): StartProblem {
  return file === null ? problem : { ...problem, fix: `${problem.fix} What was said on its wire: ${file}`.trim() };
}

function failedReview(error: unknown): Extract<ReviewResult, { readonly type: 'problem' }> {
  return { type: 'problem', problem: { agent: null, what: messageOf(error), fix: '' } };
}

function problems(...all: readonly StartProblem[]): StartResult {
  return { type: 'problems', problems: all };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
