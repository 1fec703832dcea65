import fs from 'node:fs';
import path from 'node:path';
import type { LoopEvent } from '../shared/events.ts';
import { LOG_NAME } from './logFormat.ts';
import { createLogReader } from './logReader.ts';

/** New events of a log, in order. `problems` are those of this batch. */
export interface LogBatch {
  readonly events: readonly LoopEvent[];
  readonly problems: readonly string[];
}

/**
 * Reads a log that another process writes: all that is there, then what is appended, as the file system reports it.
 * Calls `onBatch` in order, and `onError` once when the log cannot be read (any more). Returns the way to stop.
 */
export function followLog(
  directory: string,
  onBatch: (batch: LogBatch) => void,
  onError: (error: Error) => void,
): () => void {
  const file = path.join(directory, LOG_NAME);
  const reader = createLogReader(directory);
  let offset = 0;
  let told = 0;
  let changed = true;
  let reading = false;
  let stopped = false;
  let watcher: fs.FSWatcher | null = null;

  const stop = (): void => {
    stopped = true;
    watcher?.close();
  };
  const fail = (error: unknown): void => {
    if (stopped) return;
    stop();
    onError(error instanceof Error ? error : new Error(String(error)));
  };
  const read = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      while (changed && !stopped) {
        changed = false;
        for await (const chunk of fs.createReadStream(file, { start: offset, highWaterMark: 1024 * 1024 })) {
          offset += chunk.length;
          const events = await reader.push(chunk);
          if (stopped) return;
          const problems = reader.problems.slice(told);
          told = reader.problems.length;
          if (events.length > 0 || problems.length > 0) onBatch({ events, problems });
        }
      }
    } catch (error) {
      fail(error);
    } finally {
      reading = false;
    }
  };

  try {
    // Watched before it is read, so that nothing falls between the two.
    watcher = fs.watch(file, () => {
      changed = true;
      void read();
    });
    watcher.on('error', fail);
    void read();
  } catch (error) {
    queueMicrotask(() => fail(error));
  }
  return stop;
}
