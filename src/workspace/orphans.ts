import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import { childEnv } from '../transport/childEnv.ts';
import {
  type Child,
  type ChildOptions,
  type ChildTimes,
  newMark,
  runProgram,
  spawnChild,
} from '../transport/childProcess.ts';
import { isMarked, sweepMarked } from '../transport/sweep.ts';
import { identityOf, isAlive, isExactly, ownIdentity } from './processIdentity.ts';

/** An agent's process whose owner was killed, as it stood in its record. */
export interface Orphan {
  /** For people, such as `Claude Code`. */
  readonly name: string;
  readonly pid: number;
}

const identity = { pid: z.int().positive(), started: z.nullable(z.string()) };
const recordSchema = z.object({
  ...identity,
  name: z.string(),
  mark: z.string().regex(/^CGLOOP_CHILD_[0-9a-f]{32}$/),
  /** As it was started; compared where no environment can be read. */
  command: z.string(),
  args: z.array(z.string()),
  owner: z.object(identity),
});

type ProcessRecord = z.output<typeof recordSchema>;

/** Starts children that are found again if this process is killed. */
export interface ProcessRecords {
  /** As `spawnChild`; a file below the state folder tells of the child until it is gone. */
  spawn(name: string, options: ChildOptions, times?: ChildTimes): Child;
  /** Settles when every record that is begun is written, or removed. Never rejects. */
  settled(): Promise<void>;
}

/** Records below `stateFolder`. What the disk refuses is left out: an agent works without its record. */
export function createProcessRecords(stateFolder: string): ProcessRecords {
  const pending = new Set<Promise<void>>();
  const keep = (work: Promise<void>): void => {
    const quiet = work.catch(() => undefined).finally(() => pending.delete(quiet));
    pending.add(quiet);
  };
  return {
    spawn(name, options, times) {
      const mark = options.mark ?? newMark();
      const child = spawnChild({ ...options, mark }, times);
      if (child.pid !== null) keep(recordUntilGone(stateFolder, { name, mark, options, child, pid: child.pid }, keep));
      return child;
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function recordUntilGone(
  stateFolder: string,
  started: {
    readonly name: string;
    readonly mark: string;
    readonly options: ChildOptions;
    readonly child: Child;
    readonly pid: number;
  },
  keep: (work: Promise<void>) => void,
): Promise<void> {
  const { name, mark, options, child, pid } = started;
  const [identity, owner] = await Promise.all([identityOf(pid), ownIdentity()]);
  const record: ProcessRecord = { ...identity, name, mark, command: options.command, args: [...options.args], owner };
  const folder = folderOf(stateFolder);
  const file = path.join(folder, `${mark}.json`);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  void child.exited.then(() => keep(fs.rm(file, { force: true })));
}

/**
 * Ends the agents of owners that were killed, with everything that they started, and gives those that were still alive.
 * A process is ended only if its owner is dead and its pid, its start time and our mark are those of the record; where
 * no environment tells the mark, its command line must be the recorded one. On Linux also what has our mark and outlived
 * its agent. Never rejects: what cannot be read or ended stays for the next time.
 */
export async function endOrphans(stateFolder: string): Promise<readonly Orphan[]> {
  const folder = folderOf(stateFolder);
  const names = await fs.readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => endRecorded(path.join(folder, name)).catch(() => null)));
  return found.filter((orphan) => orphan !== null);
}

async function endRecorded(file: string): Promise<Orphan | null> {
  const record = parseRecord(await fs.readFile(file, 'utf8'));
  if (record === null) {
    await fs.rm(file, { force: true });
    return null;
  }
  if (await isAlive(record.owner)) return null;
  const isOurs = (await isExactly(record)) && (await isAsRecorded(record));
  if (isOurs) endTree(record.pid);
  const swept = sweepMarked(record.mark);
  if (isOurs || swept.length > 0) await gone(record, swept);
  await fs.rm(file, { force: true });
  return isOurs || swept.length > 0 ? { name: record.name, pid: record.pid } : null;
}

function parseRecord(text: string): ProcessRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = parseWire(recordSchema, null, value);
  return parsed.type === 'known' ? parsed.value : null;
}

async function isAsRecorded({ pid, mark, command, args }: ProcessRecord): Promise<boolean> {
  if (process.platform === 'linux') return isMarked(pid, mark);
  const { exit, stdout } = await runProgram({
    command: 'ps',
    args: ['-ww', '-o', 'command=', '-p', String(pid)],
    cwd: '/',
    env: childEnv(process.env, { LC_ALL: 'C' }),
    timeoutMs: 5_000,
  });
  return exit.code === 0 && isCommandOf(stdout.toString('utf8'), command, args);
}

/**
 * Whether a command line of `ps` is that of a process started like this: a script has its interpreter before it, and
 * Claude Code gives itself its own short name.
 */
export function isCommandOf(line: string, command: string, args: readonly string[]): boolean {
  const told = line.trim();
  const whole = [command, ...args].join(' ');
  return told === whole || told.endsWith(` ${whole}`) || told === path.basename(command);
}

/** A child of ours leads its own group. */
function endTree(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Gone in the meantime.
    }
  }
}

/** Waits, at most a second, until the system has taken them away: whoever asks wants to write in their folder. */
async function gone(record: ProcessRecord, swept: readonly number[]): Promise<void> {
  const isThere = async () => swept.some((pid) => isMarked(pid, record.mark)) || (await isExactly(record));
  for (let look = 0; look < 50 && (await isThere()); look++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'processes');
}
