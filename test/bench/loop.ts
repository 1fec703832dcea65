import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { markedProcesses } from '../e2e/harness/processAudit.ts';
import { GEMINI_MODEL, type World } from '../e2e/loopWorld.ts';
import { type Measured, measure } from './cpuTime.ts';
import type { Bench, Figure } from './figure.ts';
import { inWorld, TASK } from './loopStory.ts';
import { runNaively } from './naive.ts';

/** Group A: the loop on the real CLIs, against model servers that answer at once. */
export const LOOP_BENCHES: readonly Bench[] = [
  { ids: ['A1', 'A4'], measure: () => measureRounds(3, 2.8) },
  { ids: ['A1', 'A4'], measure: () => measureRounds(5, 4.2) },
];

/** Ours, theirs, ours again: the machine's load changes, and both should have met the same. */
async function measureRounds(rounds: number, leastRatio: number): Promise<readonly Figure[]> {
  const first = await inWorld(rounds, (world) => countOurs(world, rounds));
  const naive = await inWorld(rounds, async (world) => {
    const processes = await runNaively(world, rounds);
    return processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  });
  const second = await inWorld(rounds, (world) => countOurs(world, rounds));
  const ours = (first.cpuSeconds + second.cpuSeconds) / 2;
  const most = (of: 'sessions' | 'beyond' | 'orphans') => Math.max(first[of], second[of]);
  const count = (name: string, value: number, goal: number): Figure => ({
    id: 'A4',
    name: `${name}, ${rounds} rounds`,
    value,
    reference: null,
    ratio: null,
    goal: { is: '=', number: goal },
  });
  return [
    {
      id: 'A1',
      name: `CPU seconds of ${rounds} rounds; naive / ours`,
      value: ours,
      reference: naive,
      ratio: naive / ours,
      goal: { is: '≥', number: leastRatio },
    },
    count('agent session processes', most('sessions'), 2),
    count('model requests beyond the script', most('beyond'), 0),
    count('processes left alive', most('orphans'), 0),
  ];
}

async function countOurs(world: World, rounds: number) {
  const { cpuSeconds } = await runOurs(world, rounds);
  return {
    cpuSeconds,
    orphans: (await markedProcesses(world.clis.mark)).length,
    sessions: (await world.clis.sessions()).length,
    beyond: world.anthropic.beyondScript().length + world.gemini.beyondScript().length,
  };
}

/** `cgloop` as it is shipped. */
async function runOurs({ clis, project }: World, rounds: number): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cgloop-bench-'));
  try {
    const outfile = path.join(folder, 'cgloop.cjs');
    await build({ ...bundles.cgloop, outfile, minify: true, sourcemap: false });
    const args = ['-n', String(rounds), '--reviewer-model', GEMINI_MODEL, '--permission', 'edits', TASK];
    const told = await measure(process.execPath, [outfile, ...args], { cwd: project.folder, env: clis.env });
    assert.equal(told.code, 0, told.stderr);
    return told;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
