import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openLogFile } from '../session/logFile.ts';
import { PRODUCT } from '../session/product.ts';
import { createRedactor, knownSecrets } from '../session/redact.ts';
import { runHeaderOf } from '../session/replay.ts';
import { openRules, type RuleBook } from '../session/ruleFile.ts';
import { newRunId, runDirectory } from '../session/runs.ts';
import { createTrace, TRACE_NAME } from '../session/trace.ts';
import { errorText } from '../shared/errors.ts';
import { english, type Translate } from '../shared/translate.ts';
import { type Checkpoints, openCheckpoints } from '../workspace/checkpoint.ts';
import { createProcessRecords, endOrphans } from '../workspace/orphans.ts';
import { type AssembledRun, assembleRun } from './assembleRun.ts';
import { attachedTo } from './attachments.ts';
import { beginRun } from './beginRun.ts';
import { checkFolder } from './checkFolder.ts';
import { findEarlierRun } from './earlierRun.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import type { RunOptions, StartProblem } from './options.ts';
import { projectChecks } from './projectChecks.ts';
import { findAgents, openReview, type ReviewResult } from './reviewRun.ts';
import type { StartResult } from './runHandle.ts';
import type { RunServices } from './runServices.ts';
import { keepTrace, withTrace } from './runTrace.ts';
import { largeFolder, largeProblem, type Place, placeOf } from './startPlace.ts';
import { type FolderTaken, takeFolder } from './takeFolder.ts';
import type { Clock } from './turnLimit.ts';
import type { WarmAgents } from './warmAgents.ts';

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
  const t = services.translate ?? english;
  const writes = options.permissionMode !== 'read-only' && options.kind !== 'review';
  const folder = checkFolder(options.folder, os.homedir(), writes, undefined, t);
  if (folder.type === 'problem') return problems(folder.problem);
  const found = await findAgents(options, t);
  if (found.type === 'problems') return found;

  const id = options.resume ?? newRunId(Date.now(), Math.random);
  let place: Place;
  try {
    place = await placeOf(options, folder.path, id);
  } catch (error) {
    const fix = t('Without a worktree the run works in the folder.');
    return problems({ agent: null, what: errorText(error, t), fix });
  }
  let lock: FolderTaken | null = null;
  const leave: Leave = async (result) => {
    if (lock?.type === 'acquired') await lock.release();
    await place.created?.discard();
    return result;
  };
  try {
    lock = await takeFolder({ ...options, folder: place.folder, runId: id, t }, cancel);
    if (lock.type === 'cancelled') return await leave(lock);
    if (lock.type === 'held') return await leave(problems(lock.problem));
    return await startIn({ id, place, found, leave, release: lock.release }, options, cancel, services, warm);
  } catch (error) {
    return leave(problems({ agent: null, what: errorText(error, t), fix: '' }));
  }
}

type Leave = (result: StartResult) => Promise<StartResult>;

/** Where a run is to begin: the folder is its own by now. */
interface Taken {
  readonly id: string;
  readonly place: Place;
  readonly found: Extract<Awaited<ReturnType<typeof findAgents>>, { readonly type: 'ready' }>;
  /** Gives the folder back, and takes a new worktree away. */
  readonly leave: Leave;
  /** Only gives the folder back. */
  readonly release: () => Promise<void>;
}

async function startIn(
  { id, place, found, leave, release: releaseFolder }: Taken,
  options: RunOptions,
  cancel: AbortSignal,
  services: RunServices,
  warm: WarmAgents | null,
): Promise<StartResult> {
  const t = services.translate ?? english;
  // Only now nobody else can go on with it.
  const earlier = options.resume === undefined ? null : await findEarlierRun(options.stateFolder, id, options, t);
  if (earlier?.type === 'problem') return leave(problems({ agent: null, what: earlier.message, fix: '' }));
  const from = earlier?.run.from ?? null;
  const past = earlier?.run.events ?? [];
  const worktree = place.created?.ref ?? runHeaderOf(past)?.worktree ?? null;
  let rules: RuleBook;
  try {
    rules = await openRules(options.stateFolder, worktree?.origin ?? place.folder);
  } catch (error) {
    const fix = t('Correct the file, or delete it: what its rules refuse would be allowed without it.');
    return leave(problems({ agent: null, what: errorText(error, t), fix }));
  }
  // Before anything else works in the folder: they may still write in it.
  const orphans = await endOrphans(options.stateFolder);
  const checks = options.checks ?? (await projectChecks(options, place.folder));
  const attached = await attachedTo(options.task, place.folder, options.images);
  const opened = await openReview(options, place.folder, past, t).catch((error: unknown) => failedReview(error, t));
  if (opened.type === 'problem') return leave(problems(opened.problem));
  const { reviewed } = opened;
  // A trace begins with the process, and an earlier session is told at its start: those want processes of their own.
  const fresh = options.trace !== true && from === null && options.kind !== 'review' && worktree === null;
  const warmed = fresh ? ((await warm?.take(options, services)) ?? null) : null;
  const resolved: RunOptions = { ...options, folder: place.folder, checks };
  const secrets = knownSecrets(process.env, options.secrets);
  const trace = options.trace === true ? createTrace(CLOCK.now, createRedactor(secrets, os.homedir())) : null;
  let run: AssembledRun;
  try {
    run = assembleRun(
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
        attached,
        processes: createProcessRecords(options.stateFolder),
      },
    );
  } catch (error) {
    const up = warmed === null ? [] : [warmed.execute, warmed.review];
    await Promise.all([reviewed?.close(), ...up.map(({ agent }) => agent.dispose())]);
    throw error;
  }
  const header = runHeaderOf(run.log.events);
  for (const { name, pid } of orphans) {
    const text = t('{0} (process {1}) was still at work for a run that was killed: it was ended.', name, pid);
    run.log.append(loopDiagnostic('warning', text, 'orphan'));
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
    // Cancelled while the folder was looked at: nothing is started.
    if (cancel.aborted) return await giveUp({ type: 'cancelled' });
    const [agentProblems, ground] = await Promise.all([
      run.startAgents(),
      openCheckpoints({ folder: place.folder, stateFolder: options.stateFolder, runId: id }),
    ]);
    checkpoints = ground;
    if (cancel.aborted) return await giveUp({ type: 'cancelled' });
    if (agentProblems.length > 0) {
      const where = header === null ? null : keepTrace(trace, options.stateFolder, header);
      return await giveUp(problems(...agentProblems.map((problem) => withTrace(problem, where, t))));
    }
    const large = await largeFolder(checkpoints, resolved, t);
    if (large !== null && !options.interactive) return await giveUp(problems(largeProblem(large, t)));
    const said = options.feedback === undefined ? {} : { paused: null };
    const resumed = from === null ? null : { ...from, ...said, remembers: await run.remembers() };
    const directory = runDirectory(options.stateFolder, id);
    // From here on nothing can be in the way any more: the log is the run's.
    const file = await openLogFile({
      directory,
      product: PRODUCT,
      onProblem: (text) => run.log.append(loopDiagnostic('error', text)),
      t,
    });
    for (const event of run.log.events.slice(past.length)) file.append(event);
    if (header !== null) trace?.writeTo(path.join(directory, TRACE_NAME), PRODUCT, header);
    const release = async () => {
      trace?.close();
      await releaseFolder();
    };
    const begun = {
      id,
      directory,
      options: resolved,
      from: resumed,
      pastEvents: past.length,
      reviewed,
      large,
      created: place.created,
      release,
      now: Date.now,
      marker: randomUUID,
    };
    return { type: 'started', run: beginRun(begun, run, ground, file) };
  } catch (error) {
    return await giveUp(problems({ agent: null, what: errorText(error, t), fix: '' }));
  } finally {
    cancel.removeEventListener('abort', onCancel);
  }
}

function failedReview(error: unknown, t: Translate): Extract<ReviewResult, { readonly type: 'problem' }> {
  return { type: 'problem', problem: { agent: null, what: errorText(error, t), fix: '' } };
}

function problems(...all: readonly StartProblem[]): StartResult {
  return { type: 'problems', problems: all };
}
