import fs from 'node:fs/promises';
import path from 'node:path';
import { LOG_NAME, LogError } from '../session/logFormat.ts';
import { createLogReader } from '../session/logReader.ts';
import { findRun } from '../session/runs.ts';
import { isTrace, parseTrace } from '../session/trace.ts';
import type { LoopEvent } from '../shared/events.ts';
import { replayTrace } from './replayTrace.ts';

/** A run to look at again. */
export interface Replay {
  /** A trace holds what was on the wires, a log also what the loop made of it. */
  readonly source: 'log' | 'trace';
  readonly file: string;
  readonly events: readonly LoopEvent[];
  /** What could not be read, a line each, for people. */
  readonly problems: readonly string[];
}

/**
 * Reads a log or a trace: a file, a run's folder, or the id of a run (or a part that only it has). Rejects with `LogError`
 * when there is none.
 */
export async function loadReplay(named: string, stateFolder: string): Promise<Replay> {
  const file = named === '' ? null : ((await fileOf(path.resolve(named))) ?? (await fileOfRun(named, stateFolder)));
  if (file === null) {
    const what = named === '' ? 'Nothing is named.' : `There is no file and no run ${named}.`;
    throw new LogError(`${what} Name a log, a trace, a run's folder or its id.`);
  }
  const bytes = await fs.readFile(file);
  const end = bytes.indexOf(10);
  if (isTrace(bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8'))) {
    const record = parseTrace(file, bytes.toString('utf8'));
    return { source: 'trace', file, events: replayTrace(record), problems: record.problems };
  }
  const reader = createLogReader(path.dirname(file), 'first', file);
  const events = await reader.push(bytes);
  if (reader.header === null) throw new LogError(`${file} is neither the log nor the trace of a run.`);
  return { source: 'log', file, events, problems: [...reader.problems] };
}

/** The file itself, or the log in a folder; null when there is neither. */
async function fileOf(named: string): Promise<string | null> {
  const stats = await fs.stat(named).catch(() => null);
  if (stats === null) return null;
  return stats.isDirectory() ? fileOf(path.join(named, LOG_NAME)) : named;
}

async function fileOfRun(named: string, stateFolder: string): Promise<string | null> {
  const found = await findRun(stateFolder, named);
  return found.type === 'found' ? fileOf(found.directory) : null;
}
