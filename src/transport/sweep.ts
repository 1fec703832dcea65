import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ends with SIGKILL every process whose first environment holds `variable`: what a child started in sessions of its
 * own, where a signal to its group does not reach. Claude Code's commands run like that, and outlive a killed CLI
 * (80-SIGKILL-oneshot-bash). Gives their pids. Linux only: elsewhere nothing tells another process's environment.
 */
export function sweepMarked(variable: string, platform: NodeJS.Platform = process.platform): readonly number[] {
  const ended = new Set<number>();
  if (platform !== 'linux') return [];
  // Again while there was something to end: what forks in between is found by the next pass.
  for (let pass = 0; pass < 5 && sweepOnce(`${variable}=`, ended); pass++);
  return [...ended];
}

/** Whether the environment that the process was started with holds `variable`. False where nothing tells it. */
export function isMarked(pid: number, variable: string): boolean {
  return holds(pid, `${variable}=`);
}

function sweepOnce(mark: string, ended: Set<number>): boolean {
  let found = false;
  for (const name of processNames()) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !holds(pid, mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      ended.add(pid);
      found = true;
    } catch {
      // Gone by itself in the meantime.
    }
  }
  return found;
}

/** Empty where `/proc` is not mounted. */
function processNames(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** False for processes of others and for dead ones, whose environment cannot be read. */
function holds(pid: number, mark: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return environment.startsWith(mark) || environment.includes(`\0${mark}`);
  } catch {
    return false;
  }
}
