import { readFileSync } from 'node:fs';

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
