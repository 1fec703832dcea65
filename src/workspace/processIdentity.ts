import fs from 'node:fs/promises';
import { childEnv } from '../transport/childEnv.ts';
import { runProgram } from '../transport/childProcess.ts';

/** One process, told apart from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own words: only good for comparing. Null: the system does not tell. */
  readonly started: string | null;
}

/** This process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return identityOf(process.pid);
}

/** The process that has this pid now. */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  return { pid, started: await startOf(pid) };
}

/** Whether that very process surely runs: the one with this pid is alive, and its start time is known and the same. */
export async function isExactly({ pid, started }: ProcessIdentity): Promise<boolean> {
  return started !== null && answersSignals(pid) && (await startOf(pid)) === started;
}

/** Whether that very process still runs. A pid whose start time cannot be asked counts as the same process. */
export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  if (!answersSignals(pid)) return false;
  if (started === null) return true;
  const now = await startOf(pid);
  return now === null ? process.platform !== 'linux' : now === started;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Null: no such process, a dead one that nobody has reaped yet, or a system without an answer. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return null;
  const { exit, stdout } = await runProgram({
    command: 'ps',
    args: ['-o', 'lstart=', '-p', String(pid)],
    cwd: '/',
    env: childEnv(process.env, { LC_ALL: 'C', TZ: 'UTC' }),
    timeoutMs: 5_000,
  });
  const text = stdout.toString('utf8').trim();
  return exit.code === 0 && text !== '' ? text : null;
}

/** Ticks since boot (proc(5), field 22 of `stat`), with the boot's own id: ticks alone repeat after a restart. */
async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const [boot, stat] = await Promise.all([
      fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      fs.readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // Field 2 is the program's name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return ticks === undefined || state === 'Z' || state === 'X' ? null : `${boot.trim()}/${ticks}`;
  } catch {
    return null;
  }
}
