import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The variable that every process below a test carries; children inherit it, however deep. */
export const MARK_VARIABLE = 'CGLOOP_TEST_MARK';

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

export function newMark(): string {
  return randomUUID();
}

/** Every living process that carries the mark, read from `/proc` (Linux). Zombies are not alive. */
export async function markedProcesses(mark: string): Promise<MarkedProcess[]> {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(entries.map((pid) => readMarked(pid, `${MARK_VARIABLE}=${mark}`)));
  return found.filter((one) => one !== null);
}

async function readMarked(pid: string, entry: string): Promise<MarkedProcess | null> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    if (!environment.split('\0').includes(entry)) return null;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').join(' ').trim();
    return { pid: Number(pid), command };
  } catch {
    return null; // It ended while we looked, or it is another user's.
  }
}

/**
 * Rejects when a marked process lives. One that was just sent SIGKILL may take a moment to be gone: the check is
 * repeated for three seconds, which nothing that runs on by itself survives unnoticed.
 */
export async function assertNothingAlive(mark: string): Promise<void> {
  let alive = await markedProcesses(mark);
  for (let attempt = 0; alive.length > 0 && attempt < 30; attempt += 1) {
    await wait(100);
    alive = await markedProcesses(mark);
  }
  assert.deepEqual(alive, [], 'processes of this test are still alive');
}

/** Ends what a failed test left behind. */
export async function killMarked(mark: string): Promise<void> {
  for (const { pid } of await markedProcesses(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was faster.
    }
  }
}
