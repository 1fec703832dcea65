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

const ROUNDS = 2;
const PAIRS = 3;

const told = z.object({ ending: z.string(), roundEnds: z.array(z.number()) });

/** Ours, theirs, ours again, three times over: each ratio is the median of those three. */
async function measureWarm(): Promise<readonly Figure[]> {
  const pairs: Pair[] = [];
  for (let pair = 0; pair < PAIRS; pair++) pairs.push(await withProgram('warmHost', measurePair));
  const compared = (id: string, name: string, of: (measured: Times & Memory) => number, goal: Goal): Figure => {
    const values = pairs.map(({ ours }) => (of(ours[0]) + of(ours[1])) / 2);
    const references = pairs.map(({ theirs }) => of(theirs));
    const ratios = values.map((value, pair) => {
      const reference = references[pair] ?? Number.NaN;
      return goal.is === '≥' ? reference / value : value / reference;
    });
    return { id, name, value: median(values), reference: median(references), ratio: median(ratios), goal };
  };
  return [
    compared('A2', 'seconds of a later round; naive / ours', ({ later }) => later, { is: '≥', number: 12 }),
    compared('A3', 'seconds from the task to the first review; naive / ours, warmed', ({ first }) => first, {
      is: '≥',
      number: 8,
    }),
    compared('A5', 'MB of both agents; ours / both CLIs at their defaults', ({ megabytes }) => megabytes, {
      is: '≤',
      number: 0.85,
    }),
  ];
}

/** Seconds of the first round and of the one after it. */
interface Times {
  readonly first: number;
  readonly later: number;
}

interface Memory {
  /** Of both agents before the task. */
  readonly megabytes: number;
}

interface Pair {
  readonly ours: readonly [Times & Memory, Times & Memory];
  readonly theirs: Times & Memory;
}

async function measurePair(program: string): Promise<Pair> {
  const ours = () => inWorld(ROUNDS, (world) => runWarm(program, world));
  const before = await ours();
  const theirs = { ...(await inWorld(ROUNDS, timeNaive)), megabytes: await inWorld(0, holdDefaults) };
  return { ours: [before, await ours()], theirs };
}

async function runWarm(program: string, { clis, project }: World): Promise<Times & Memory> {
  const args = [program, TASK, String(ROUNDS), GEMINI_MODEL];
  const host = startProgram(process.execPath, args, { cwd: project.folder, env: clis.env, keepOpen: true });
  await host.saw('warm');
  const megabytes = await residentMegabytes(clis.mark, [host.pid]);
  host.type('go\n');
  const { code, stdout, stderr } = await host.done;
  assert.equal(code, 0, stderr);
  const { ending, roundEnds } = told.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  assert.deepEqual([ending, roundEnds.length], ['approved', ROUNDS]);
  const [first = Number.NaN, second = Number.NaN] = roundEnds;
  // From one end to the next: what is done between two rounds counts too.
  return { first: first / 1000, later: (second - first) / 1000, megabytes };
}

async function timeNaive(world: World): Promise<Times> {
  const seconds = (await runNaively(world, ROUNDS)).map(({ wallSeconds }) => wallSeconds);
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  return { first: sum(seconds.slice(0, 2)), later: sum(seconds.slice(2)) };
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
