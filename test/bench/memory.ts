import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { markedProcesses } from '../e2e/harness/processAudit.ts';

/**
 * MB that the marked processes other than `besides` hold, each page that several processes share counted by its share
 * (`Pss` of Linux). Looks every half second until it has changed by less than one percent: programs go on loading after
 * their first answer.
 */
export async function residentMegabytes(mark: string, besides: readonly number[] = []): Promise<number> {
  let last = 0;
  for (let look = 0; look < 20; look++) {
    const pids = (await markedProcesses(mark)).map(({ pid }) => pid).filter((pid) => !besides.includes(pid));
    const now = (await Promise.all(pids.map(pssKilobytes))).reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
    if (now > 0 && Math.abs(now - last) < 0.01 * now) return now;
    last = now;
    await wait(500);
  }
  return last;
}

async function pssKilobytes(pid: number): Promise<number> {
  const told = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''));
  return Number(told?.[1] ?? 0);
}
