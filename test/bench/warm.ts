import assert from 'node:assert/strict';
import * as z from 'zod';
import { startProgram } from '../e2e/harness/terminal.ts';
import { GEMINI_MODEL, type World } from '../e2e/loopWorld.ts';
import type { Bench, Figure, Goal } from './figure.ts';
import { inWorld, TASK } from './loopStory.ts';
import { residentMegabytes } from './memory.ts';
import { runNaively } from './naive.ts';
import { median, withProgram } from './program.ts';

/** The rest of group A: what it buys that both agents are up before the task, and stay up. */
export const WARM_BENCHES: readonly Bench[] = [{ ids: ['A2', 'A3', 'A5'], measure: measureWarm }];

const ROUNDS = 3;

const told = z.object({ ending: z.string(), roundEnds: z.array(z.number()) });

/** Ours, theirs, ours, theirs: times are the median of theirs over the median of ours. */
async function measureWarm(): Promise<readonly Figure[]> {
  const ours: Warm[] = [];
  const theirs: Naive[] = [];
  const defaults: number[] = [];
  for (let pair = 0; pair < 2; pair++) {
    ours.push(await withProgram('warmHost', (program) => inWorld(ROUNDS, (world) => runWarm(program, world))));
    theirs.push(await inWorld(ROUNDS, timeNaive));
    defaults.push(await inWorld(0, holdDefaults));
  }
  const compared = (
    id: string,
    name: string,
    value: readonly number[],
    other: readonly number[],
    goal: Goal,
  ): Figure => {
    const [us, them] = [median(value), median(other)];
    return { id, name, value: us, reference: them, ratio: goal.is === '≥' ? them / us : us / them, goal };
  };
  const later = (seconds: readonly number[]) => seconds.slice(1);
  return [
    compared(
      'A2',
      'seconds of a later round; naive / ours',
      ours.flatMap(({ rounds }) => later(rounds)),
      theirs.flatMap(({ rounds }) => later(rounds)),
      { is: '≥', number: 12 },
    ),
    compared(
      'A3',
      'seconds from the task to the first review; naive / ours, warmed',
      ours.flatMap(({ rounds }) => rounds.slice(0, 1)),
      theirs.flatMap(({ rounds }) => rounds.slice(0, 1)),
      { is: '≥', number: 8 },
    ),
    compared(
      'A5',
      'MB of both agents, warm; ours / both CLIs at their defaults',
      ours.map(({ megabytes }) => megabytes),
      defaults,
      { is: '≤', number: 0.85 },
    ),
  ];
}

interface Naive {
  /** Seconds of each. */
  readonly rounds: readonly number[];
}

interface Warm extends Naive {
  /** Of both agents before the task. */
  readonly megabytes: number;
}

async function runWarm(program: string, { clis, project }: World): Promise<Warm> {
  const args = [program, TASK, String(ROUNDS), GEMINI_MODEL];
  const host = startProgram(process.execPath, args, { cwd: project.folder, env: clis.env, keepOpen: true });
  await host.saw('warm');
  const megabytes = await residentMegabytes(clis.mark, [host.pid]);
  host.type('go\n');
  const { code, stdout, stderr } = await host.done;
  assert.equal(code, 0, stderr);
  const { ending, roundEnds } = told.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  assert.deepEqual([ending, roundEnds.length], ['approved', ROUNDS]);
  // From one end to the next: what is done between two rounds counts too.
  return { rounds: roundEnds.map((end, index) => (end - (roundEnds[index - 1] ?? 0)) / 1000), megabytes };
}

async function timeNaive(world: World): Promise<Naive> {
  const processes = await runNaively(world, ROUNDS);
  const seconds = processes.map(({ wallSeconds }) => wallSeconds);
  return { rounds: Array.from({ length: ROUNDS }, (_, n) => (seconds[2 * n] ?? 0) + (seconds[2 * n + 1] ?? 0)) };
}

/** Both CLIs in the modes that a program speaks with, and nothing else said to them: after their first answers. */
async function holdDefaults({ clis, project }: World): Promise<number> {
  const options = { cwd: project.folder, env: { ...clis.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' }, keepOpen: true };
  const streams = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const claude = startProgram(clis.claudePath, streams, options);
  const gemini = startProgram(clis.geminiPath, ['--acp'], options);
  const rpc = (id: number, method: string, params: object) =>
    gemini.type(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } };
  claude.type(`${JSON.stringify(request)}\n`);
  rpc(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
  await gemini.saw('"agentInfo"');
  rpc(1, 'session/new', { cwd: project.folder, mcpServers: [] });
  await Promise.all([claude.saw('"control_response"'), gemini.saw('"sessionId"')]);
  const megabytes = await residentMegabytes(clis.mark);
  for (const one of [claude, gemini]) one.endInput();
  // Gemini CLI does not end with its input: what is left is ended with the world.
  await claude.done;
  return megabytes;
}
