import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openLogFile } from '../../src/session/logFile.ts';
import { commitAs, fenced, gitIn, type Hand, playWorld, type Turn } from '../loop/reviewWorld.ts';
import type { Bench, Figure } from './figure.ts';
import { inWorld } from './loopStory.ts';
import { runNaively } from './naive.ts';

/** A6: what a round costs beside the agents: diff, checkpoint, verdict, log. */
export const OVERHEAD_BENCHES: readonly Bench[] = [{ ids: ['A6'], measure: compareWithGit }];
export const OVERHEAD_CLI_BENCHES: readonly Bench[] = [{ ids: ['A6'], measure: compareWithNaive }];

const FILES = 10_000;
const CHANGED = 50;
/** The last one has no round after it, so that it is not measured. */
const ROUNDS = 6;

async function compareWithGit(): Promise<readonly Figure[]> {
  const { ours, bare } = await measureRounds();
  return [
    {
      id: 'A6',
      name: `CPU ms of our part of a round, ${CHANGED} of ${FILES} files changed; ours / git add -A + write-tree`,
      value: ours,
      reference: bare,
      ratio: ours / bare,
      goal: { is: '≤', number: 3 },
    },
  ];
}

async function compareWithNaive(): Promise<readonly Figure[]> {
  const { ours } = await measureRounds();
  const naive = await inWorld(1, async (world) => {
    const processes = await runNaively(world, 1);
    return processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) * 1000;
  });
  return [
    {
      id: 'A6',
      name: `CPU ms of our part of a round, ${CHANGED} of ${FILES} files changed; ours / a naive round`,
      value: ours,
      reference: naive,
      ratio: ours / naive,
      goal: { is: '≤', number: 0.15 },
    },
  ];
}

/** CPU milliseconds a round, of the real loop with scripted agents, and of git alone on a twin of its folder in the same minutes. */
async function measureRounds(): Promise<{ readonly ours: number; readonly bare: number }> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-overhead-'));
  try {
    const twin = path.join(root, 'twin');
    const files = repository();
    for (const [file, text] of Object.entries(files)) write(path.join(twin, file), text);
    // Housekeeping in the background would be counted for whoever is at work.
    gitIn(twin, ['init', '--quiet'], ['config', 'gc.auto', '0'], ['add', '-A'], commitAs('First'));

    const sum = { ours: 0, bare: 0 };
    let since: number | null = null;
    const execute: Turn = async (hand) => {
      if (since === null) await keepLog(hand, path.join(root, 'run'));
      else sum.ours += cpuMilliseconds() - since;
      change(twin);
      const begun = cpuMilliseconds();
      for (const args of [['add', '-A'], ['write-tree']]) {
        execFileSync('git', args, { cwd: twin, stdio: ['ignore', 'pipe', 'inherit'] });
      }
      sum.bare += cpuMilliseconds() - begun;
      change(hand.folder);
      since = cpuMilliseconds();
      return 'Fifty files are changed.';
    };
    const no: Turn = () => fenced({ score: 5, approved: false });
    const yes: Turn = () => `${fenced({ score: 9.5, approved: true })}APPROVED`;
    const { ending } = await playWorld({
      git: true,
      files,
      execute: Array.from({ length: ROUNDS }, () => execute),
      review: [...Array.from({ length: ROUNDS - 1 }, () => no), yes],
      options: { rounds: ROUNDS },
    });
    assert.equal(ending.type, 'approved');
    return { ours: sum.ours / (ROUNDS - 1), bare: sum.bare / ROUNDS };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** The run's log on disk, as `startRun` keeps it. */
async function keepLog({ log }: Hand, directory: string): Promise<void> {
  const product = { name: 'cgloop', version: '0' };
  const file = await openLogFile({ directory, product, onProblem: (text) => assert.fail(text) });
  for (const event of log.events) file.append(event);
  log.subscribe((event) => file.append(event));
}

/** Files of a project in a hundred folders. */
function repository(): Record<string, string> {
  const files: Record<string, string> = { '.gitignore': 'node_modules/\ndist/\n.env\n' };
  for (let at = 0; at < FILES; at++) files[nameOf(at)] = `export const value${at} = ${at};\n`.repeat(40);
  return files;
}

function nameOf(at: number): string {
  const folder = at % 100;
  return `packages/p${folder % 10}/m${folder}/file${Math.floor(at / 100)}.ts`;
}

/** One more line in each of the files. */
function change(folder: string): void {
  for (let at = 0; at < CHANGED; at++)
    fs.appendFileSync(path.join(folder, nameOf(at * 199)), '// Changed once more.\n');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** User and system time of this process and of the children that it waited for; Linux counts it in hundredths of a second. */
function cpuMilliseconds(): number {
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  const [utime, stime, cutime, cstime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return ((utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0)) * 10;
}
