import fs from 'node:fs/promises';
import path from 'node:path';
import type { Ending } from '../shared/ending.ts';
import { isMissing } from '../shared/errors.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { runUndoneAt, standingUndoings } from '../shared/undo.ts';
import { holderOf } from '../workspace/claim.ts';
import { LOG_NAME, WRITER_NAME } from './logFormat.ts';
import { createLogReader } from './logReader.ts';
import { endingOf, type RunState, readRun, runHeaderOf, tellsState } from './replay.ts';

/** One line of the list of runs. */
export interface RunSummary {
  readonly id: string;
  readonly directory: string;
  /** Null: nothing of the run can be read. */
  readonly run: RunHeader | null;
  /** Milliseconds since the epoch; null with `run`. */
  readonly startedAt: number | null;
  readonly state: RunState;
  readonly ending: Ending | null;
  /** Whether the folder was put back afterwards. */
  readonly undone: boolean;
}

/** Where a run lives. */
export function runDirectory(stateFolder: string, id: string): string {
  return path.join(stateFolder, 'runs', id);
}

/**
 * A new id such as `20260131-142530-k3f9az`: the time in UTC, so that ids sort by age, and six characters against two
 * runs of the same second. `random` gives numbers from 0 to below 1.
 */
export function newRunId(now: number, random: () => number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const tail = Array.from({ length: 6 }, () => Math.floor(random() * 36).toString(36)).join('');
  return `${time}-${tail}`;
}

/** Every run of a state folder, newest first. Reads only the two ends of each log. */
export async function listRuns(stateFolder: string): Promise<RunSummary[]> {
  const ids = (await runIds(stateFolder)).reverse();
  const runs: RunSummary[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    runs.push(...(await Promise.all(some.map((id) => summaryOf(id, runDirectory(stateFolder, id))))));
  }
  return runs;
}

/** Logs that are open at the same time, each with its two ends in memory. */
const AT_ONCE = 32;

export type FoundRun =
  | { readonly type: 'found'; readonly id: string; readonly directory: string }
  | { readonly type: 'none' }
  /** Newest first. */
  | { readonly type: 'ambiguous'; readonly ids: readonly string[] };

/** Of a part of an id, as git wants them of a commit's: a single digit, such as the number of a round, is hardly meant for one. */
const LEAST_PART = 4;

/** The run with this id, or the only one whose id begins (or, after the time, ends) with it. */
export async function findRun(stateFolder: string, idOrPart: string): Promise<FoundRun> {
  if (idOrPart === '') return { type: 'none' };
  const ids = (await runIds(stateFolder)).reverse();
  const exact = ids.filter((id) => id === idOrPart);
  if (exact.length === 0 && idOrPart.length < LEAST_PART) return { type: 'none' };
  const found = exact.length > 0 ? exact : ids.filter((id) => id.startsWith(idOrPart) || id.endsWith(`-${idOrPart}`));
  const [id, ...others] = found;
  if (id === undefined) return { type: 'none' };
  if (others.length > 0) return { type: 'ambiguous', ids: found };
  return { type: 'found', id, directory: runDirectory(stateFolder, id) };
}

/** Why a name leads to no run, and the way out. */
export function findProblem(
  found: Exclude<FoundRun, { readonly type: 'found' }>,
  named: string,
  t: Translate = english,
): string {
  if (found.type === 'ambiguous') {
    return t('Several runs begin with {0}: {1}. Give more of the id.', named, found.ids.join(', '));
  }
  const none =
    named.length < LEAST_PART ? t('{0} is too short for a part of an id.', named) : t('There is no run {0}.', named);
  const what = named === '' ? t('No run is named.') : none;
  return `${what} ${t('"cgloop runs" lists them.')}`;
}

/**
 * The runs that hold every word of `search` in their task, folder, id or agents' names, or in `outcome`: what the face
 * calls how they stand. Upper and lower case are one. An empty search holds them all.
 */
export function searchRuns(
  runs: readonly RunSummary[],
  search: string,
  outcome: (run: RunSummary) => string,
): readonly RunSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return runs;
  return runs.filter((summary) => {
    const { id, run } = summary;
    const told = run === null ? [] : [run.task, run.folder, run.kind, run.range, run.executor.name, run.reviewer.name];
    const text = [id, outcome(summary), ...told].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

async function runIds(stateFolder: string): Promise<string[]> {
  try {
    const entries = await fs.readdir(path.join(stateFolder, 'runs'), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const HEAD = 256 * 1024;
const TAIL = 64 * 1024;

async function summaryOf(id: string, directory: string): Promise<RunSummary> {
  try {
    const writer = await holderOf(path.join(directory, WRITER_NAME));
    const events = (await endsOf(directory)) ?? (await readRun(directory)).events;
    const first = events.find((event) => event.type === 'run.started');
    const ending = endingOf(events);
    return {
      id,
      directory,
      run: runHeaderOf(events),
      startedAt: first?.at ?? null,
      state: ending !== null ? 'ended' : writer !== null ? 'running' : 'interrupted',
      ending,
      undone: runUndoneAt(standingUndoings(events)) !== null,
    };
  } catch {
    return { id, directory, run: null, startedAt: null, state: 'interrupted', ending: null, undone: false };
  }
}

/** The first events and the last ones; null when the two ends do not tell enough and the whole log has to be read. */
async function endsOf(directory: string): Promise<LoopEvent[] | null> {
  const file = await fs.open(path.join(directory, LOG_NAME));
  try {
    const { size } = await file.stat();
    const head = await readPart(file, 0, Math.min(size, HEAD));
    const reader = createLogReader(directory);
    const first = await reader.push(head);
    if (size <= HEAD) return first;
    const tail = await readPart(file, size - TAIL, TAIL);
    const cut = tail.indexOf(10);
    const headerEnd = head.indexOf(10);
    if (cut === -1 || headerEnd === -1 || runHeaderOf(first) === null) return null;
    const last = await createLogReader(directory, 'anywhere').push(
      Buffer.concat([head.subarray(0, headerEnd + 1), tail.subarray(cut + 1)]),
    );
    // Where there is nothing but what was added afterwards, the ending lies before it.
    return last.some(tellsState) ? [...first, ...last] : null;
  } finally {
    await file.close();
  }
}

async function readPart(file: fs.FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}
