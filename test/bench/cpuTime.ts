import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Finished, startProgram } from '../e2e/harness/terminal.ts';

/** A program that ran to its end, and what it took. */
export interface Measured extends Finished {
  /** User and system time of the program and everything below it that was waited for, in seconds. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/**
 * Runs a program and takes the CPU time of its whole tree: the shell around it tells what it waited for, and what that
 * waited for. A process that nobody waits for is not counted.
 */
export async function measure(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cgloop-cpu-'));
  const file = path.join(folder, 'times');
  try {
    const start = performance.now();
    const script = '"$@"; code=$?; times > "$0"; exit $code';
    const finished = await startProgram('/bin/sh', ['-c', script, file, command, ...args], options).done;
    const wallSeconds = (performance.now() - start) / 1000;
    return { ...finished, wallSeconds, cpuSeconds: childSeconds(await readFile(file, 'utf8')) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The children's line of POSIX `times`, such as `0m1.020s 0m0.190s`: user and system. */
export function childSeconds(times: string): number {
  const line = times.trim().split('\n')[1] ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`not what \`times\` prints: ${times}`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
