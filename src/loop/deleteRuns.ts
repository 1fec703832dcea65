import fs from 'node:fs/promises';
import path from 'node:path';
import { WRITER_NAME } from '../session/logFormat.ts';
import { readRun, runHeaderOf } from '../session/replay.ts';
import { findProblem, findRun, listRuns, type RunSummary, runDirectory } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import type { WorktreeRef } from '../shared/roundEvents.ts';
import { homeOf } from '../shared/runPlace.ts';
import { english, type Translate } from '../shared/translate.ts';
import { holderOf } from '../workspace/claim.ts';
import { type DroppedRuns, dropCheckpoints } from '../workspace/dropCheckpoints.ts';
import { endOrphans } from '../workspace/orphans.ts';
import { runIn } from '../workspace/runLock.ts';
import { pruneWorktrees, staleWorktrees } from '../workspace/worktree.ts';

/** What became of a run that was to be deleted. `why`: for people, what is in the way and the way out. */
export type DeletedRun =
  | { readonly type: 'deleted'; readonly id: string }
  | { readonly type: 'kept'; readonly id: string; readonly why: string };

/**
 * Deletes a run: its log, reports, traces and checkpoints. The files of its folder stay as they are. One that is under
 * way stays, and so does one whose worktree holds work that is nowhere else. Never rejects.
 */
export async function deleteRun(stateFolder: string, id: string, t: Translate = english): Promise<DeletedRun> {
  const kept = (why: string): DeletedRun => ({ type: 'kept', id, why });
  try {
    const directory = runDirectory(stateFolder, id);
    if ((await holderOf(path.join(directory, WRITER_NAME))) !== null) {
      return kept(t('Run {0} is under way: stop it first.', id));
    }
    // What cannot be read has nothing in it that leads elsewhere.
    const events = await readRun(directory).then(
      (record) => record.events,
      () => [],
    );
    const run = runHeaderOf(events);
    // Somebody goes on with it, or takes it back, and does not write yet.
    const holder = run === null ? null : await runIn({ folder: run.folder, stateFolder });
    if (holder?.runId === id) return kept(t('Run {0} is under way: stop it first.', id));
    const worktree = run === null ? null : await openWorktree(run, events);
    if (worktree !== null) {
      return kept(
        t(
          'Run {0} has its work in {1}: settle that first, so that nothing is lost ("cgloop worktree" applies, keeps or drops it).',
          id,
          worktree,
        ),
      );
    }
    if (run?.worktree !== undefined) await pruneEntry(run.worktree, stateFolder);
    for (const folder of foldersOf(run)) await dropCheckpoints({ folder, stateFolder, runs: { ids: [id] } });
    for (const file of besides(stateFolder, id)) await fs.rm(file, { recursive: true, force: true });
    await fs.rm(directory, { recursive: true, force: true, maxRetries: 3 });
    return { type: 'deleted', id };
  } catch (error) {
    return kept(t('Run {0} could not be deleted: {1}', id, errorText(error, t)));
  }
}

/** The runs that are meant, by id or a part that only one has; the others in words. */
export async function findRuns(
  stateFolder: string,
  named: readonly string[],
): Promise<{ readonly ids: readonly string[]; readonly problems: readonly string[] }> {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const name of named) {
    const found = await findRun(stateFolder, name);
    if (found.type === 'found') ids.add(found.id);
    else problems.push(findProblem(found, name));
  }
  return { ids: [...ids], problems };
}

/** The runs that nothing was added to since `before` (milliseconds since the epoch), oldest first, without those under way. */
export async function runsBefore(stateFolder: string, before: number): Promise<readonly RunSummary[]> {
  const old: RunSummary[] = [];
  for (const run of (await listRuns(stateFolder)).reverse()) {
    if (run.state !== 'running' && (await lastWritten(run.directory)) < before) old.push(run);
  }
  return old;
}

/** What of a run lies outside its own folder. */
function besides(stateFolder: string, id: string): readonly string[] {
  return [path.join(stateFolder, 'reports', id), path.join(stateFolder, 'traces', `${id}.jsonl`)];
}

function foldersOf(run: RunHeader | null): readonly string[] {
  if (run === null) return [];
  return run.worktree === undefined ? [run.folder] : [run.folder, run.worktree.origin];
}

/** Where the run's worktree lies, if it is there and nobody has said what becomes of it. */
async function openWorktree({ worktree }: RunHeader, events: readonly LoopEvent[]): Promise<string | null> {
  if (worktree === undefined || events.some(({ type }) => type === 'worktree.settled')) return null;
  return fs.stat(worktree.path).then(
    () => worktree.path,
    () => null,
  );
}

/** Takes git's entry of a worktree that is gone away, if it is ours. */
async function pruneEntry({ path: place, origin }: WorktreeRef, stateFolder: string): Promise<void> {
  const stale = await staleWorktrees({ folder: origin, stateFolder }).catch(() => []);
  const entries = stale.filter((one) => one.path === place);
  if (entries.length > 0) await pruneWorktrees(origin, entries);
}

async function lastWritten(directory: string): Promise<number> {
  const files = await fs.readdir(directory).catch(() => []);
  const times = await Promise.all(
    files.map((name) =>
      fs.stat(path.join(directory, name)).then(
        (stat) => stat.mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(0, ...times);
}

export interface RetentionOptions {
  readonly stateFolder: string;
  /** Days after which a run that nothing was added to goes; 0: never. */
  readonly days: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Runs that one call deletes at most, so that the end of a run never waits long for it. */
const MOST_AT_ONCE = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes old runs, the oldest first. The newest run of each folder stays however old it is: it is the one that somebody
 * comes back to. Costs a listing of names when none is old enough. Gives the ids. Never rejects.
 */
export async function applyRetention({ stateFolder, days, now }: RetentionOptions): Promise<readonly string[]> {
  if (days <= 0) return [];
  const before = now - days * DAY_MS;
  const ids = await fs.readdir(path.join(stateFolder, 'runs')).catch(() => []);
  // An id begins with the time of its run, so that names alone tell when there is nothing to do.
  if (!ids.some((id) => begunAt(id) < before)) return [];
  try {
    const newest = new Map<string, string>();
    for (const { id, run } of await listRuns(stateFolder)) {
      if (run !== null && !newest.has(homeOf(run))) newest.set(homeOf(run), id);
    }
    const keep = new Set(newest.values());
    const deleted: string[] = [];
    for (const { id } of await runsBefore(stateFolder, before)) {
      if (deleted.length === MOST_AT_ONCE) break;
      if (!keep.has(id) && (await deleteRun(stateFolder, id)).type === 'deleted') deleted.push(id);
    }
    return deleted;
  } catch {
    return [];
  }
}

/** When the run of this id began; what is no such id began never. */
function begunAt(id: string): number {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-\d{6}-/.exec(id) ?? [];
  return year === undefined ? Infinity : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** What was deleted, and what was left and why. */
export interface DeletedData {
  readonly runs: number;
  readonly kept: readonly string[];
}

/** What we keep in the state folder besides runs. The person's own `agents.json` is none of it. */
const OWN_DATA = ['rules', 'checks', 'reports', 'traces'];
/** What agents and runs that are up work with. */
const IN_USE = ['checkpoints', 'gemini'];

/**
 * Deletes everything that is kept of loops: all runs with their checkpoints, also those in the repositories of folders
 * that runs worked in, stored rules and confirmed checks. Runs under way, and worktrees with work in them, stay with what
 * belongs to them. Keys lie with the face that keeps them. Never rejects.
 */
export async function deleteAllData(stateFolder: string, t: Translate = english): Promise<DeletedData> {
  await endOrphans(stateFolder);
  const runs = await listRuns(stateFolder);
  const folders = new Set(runs.flatMap(({ run }) => foldersOf(run)));
  const results: DeletedRun[] = [];
  for (const { id } of runs) results.push(await deleteRun(stateFolder, id, t));
  const kept = results.flatMap((result) => (result.type === 'kept' ? [result] : []));
  const problems = kept.map(({ why }) => why);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => problems.push(errorText(error, t)));
  };
  // Refs of runs whose logs somebody took away by hand.
  const others: DroppedRuns = { allBut: kept.map(({ id }) => id) };
  for (const folder of folders) await attempt(() => dropCheckpoints({ folder, stateFolder, runs: others }));
  const agents = await fs.readdir(path.join(stateFolder, 'processes')).catch(() => []);
  const isIdle = kept.length === 0 && agents.length === 0;
  for (const name of isIdle ? [...OWN_DATA, ...IN_USE] : OWN_DATA) {
    await attempt(() => fs.rm(path.join(stateFolder, name), { recursive: true, force: true, maxRetries: 3 }));
  }
  return { runs: results.length - kept.length, kept: problems };
}
