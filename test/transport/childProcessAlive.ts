import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Whether the process runs; a zombie that nobody has reaped yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return stateOf(pid) !== 'Z';
}

/** The state letter of `/proc`: Linux only; elsewhere a zombie is soon reaped. */
function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  } catch {
    return 'unknown';
  }
}

/** Resolves when the process is gone. A killed one dies in the system's own time; one that lives two seconds more lives on. */
export async function gone(pid: number): Promise<void> {
  for (let look = 0; isAlive(pid); look++) {
    if (look === 200) throw new Error(`Process ${pid} lives on.`);
    await wait(10);
  }
}
