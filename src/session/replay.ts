import fs from 'node:fs';
import path from 'node:path';
import type { Ending } from '../shared/ending.ts';
import { errorText, isMissing } from '../shared/errors.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import { holderOf } from '../workspace/claim.ts';
import { LOG_NAME, LOG_VERSION, LogError, type LogHeader, WRITER_NAME } from './logFormat.ts';
import { createLogReader } from './logReader.ts';

/** `interrupted`: it never ended, and nobody is writing it any more. */
export type RunState = 'ended' | 'running' | 'interrupted';

/** A run as it lies on disk. */
export interface RunRecord {
  readonly directory: string;
  readonly header: LogHeader;
  /** Numbered without a gap; a line that could not be read is a diagnostic in its place. */
  readonly events: readonly LoopEvent[];
  readonly state: RunState;
  /** Written by a newer version: it may be looked at, not continued. */
  readonly readOnly: boolean;
  /** What could not be read, for people. A torn last line of a killed writer is not one. */
  readonly problems: readonly string[];
}

/** Reads a run's folder. Rejects with `LogError` when there is no log of a run in it. */
export async function readRun(directory: string): Promise<RunRecord> {
  const file = path.join(directory, LOG_NAME);
  // Asked first: a writer that ends while we read has then written everything that we read.
  const writer = await holderOf(path.join(directory, WRITER_NAME));
  const reader = createLogReader(directory);
  const events: LoopEvent[] = [];
  try {
    for await (const chunk of fs.createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      for (const event of await reader.push(chunk)) events.push(event);
    }
  } catch (error) {
    if (error instanceof LogError) throw error;
    if (isMissing(error)) {
      const way = `"cgloop delete ${path.basename(directory)}" removes what is left of the run`;
      throw new LogError(`There is no log ${file}: ${way}.`);
    }
    throw new LogError(`The log of the run cannot be read: ${errorText(error)}`);
  }
  const { header, problems } = reader;
  if (header === null) throw new LogError(`${file} is not the log of a run: it has no whole first line.`);
  const state = endingOf(events) !== null ? 'ended' : writer === null ? 'interrupted' : 'running';
  return { directory, header, events, state, readOnly: header.version > LOG_VERSION, problems: [...problems] };
}

/** The run's own header: what was asked for, the last time that it was. Null when the log ends before it. */
export function runHeaderOf(events: readonly LoopEvent[]): RunHeader | null {
  const told = events.findLast((event) => event.type === 'run.started' || event.type === 'run.continued');
  return told !== undefined && 'run' in told ? told.run : null;
}

/** How the run ended; null when it did not, or went on since. */
export function endingOf(events: readonly LoopEvent[]): Ending | null {
  const last = events.findLast(tellsState);
  return last?.type === 'run.ended' ? last.ending : null;
}

/** Whether the event says how the run stands: what is only added to a run that is over does not. */
export function tellsState({ type }: LoopEvent): boolean {
  return !AFTERWARDS.includes(type);
}

/** What a log may hold after the ending without the run going on. */
const AFTERWARDS: readonly LoopEvent['type'][] = [
  'run.undone',
  'worktree.settled',
  'finding.updated',
  'handover.started',
  'handover.ended',
  'diagnostic',
  'user.edited',
  'user.note',
];

/** The folder as it was before the run touched it. Null when the run ended before its first checkpoint. */
export function firstCheckpointOf(events: readonly LoopEvent[]): CheckpointRef | null {
  for (const event of events) if (event.type === 'checkpoint.created') return event.checkpoint;
  return null;
}
