import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunOptions } from '../../src/loop/options.ts';
import type { StartResult } from '../../src/loop/runHandle.ts';
import { startRun } from '../../src/loop/startRun.ts';
import { readRun } from '../../src/session/replay.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { assertNothingAlive, MARK_VARIABLE, newMark } from '../e2e/harness/processAudit.ts';

export const FAULTS = [
  'exit0',
  'exit1',
  'SIGKILL',
  'hang',
  'halfLine',
  'noise',
  'longLine',
  'endlessLine',
  'deaf',
  'mute',
  'wrongIds',
  'unknownVariants',
  'malformed',
] as const;

/** The moments that each agent can be met at. Claude Code's wire has no session/new and no sign-in. */
export const MOMENTS = {
  executor: ['initialize', 'streaming', 'permission', 'tool', 'cancel', 'between', 'paused', 'shutdown'],
  reviewer: [
    'initialize',
    'authenticate',
    'new',
    'streaming',
    'permission',
    'tool',
    'cancel',
    'between',
    'paused',
    'shutdown',
  ],
} as const;

export type Fault = (typeof FAULTS)[number];
export type FaultyRole = keyof typeof MOMENTS;

/** One broken run from its start to its end; what it came to, in a word. Everything that must hold is asserted. */
export async function breakRun(role: FaultyRole, fault: Fault, moment: string): Promise<string> {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-fault-')));
  const folder = path.join(scratch, 'project');
  const marker = path.join(scratch, 'fault-was-done');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'users.txt'), 'the user’s own\n');
  const mark = newMark();
  try {
    const result = await run({ role, fault, moment, folder, marker, mark, stateFolder: path.join(scratch, 'state') });
    assert.ok(fs.existsSync(marker), `the fault was never done: the run came to "${result}"`);
    assert.equal(fs.readFileSync(path.join(folder, 'users.txt'), 'utf8'), 'the user’s own\n');
    await assertNothingAlive(mark);
    return result;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Lets the agent break while the run waits for the person, who goes on a moment later. */
function breakThePause(marker: string, proceed: () => boolean): void {
  const look = () => {
    if (!fs.existsSync(marker)) return;
    watcher.close();
    // What the fault does to the process shows while nothing is asked of it.
    setTimeout(() => assert.ok(proceed(), 'the pause ended by itself'), 100);
  };
  const watcher = fs.watch(path.dirname(marker), look);
  fs.writeFileSync(`${marker}.go`, '');
}

interface Setup {
  readonly role: FaultyRole;
  readonly fault: Fault;
  readonly moment: string;
  readonly folder: string;
  readonly marker: string;
  readonly mark: string;
  readonly stateFolder: string;
}

async function run({ role, fault, moment, folder, marker, mark, stateFolder }: Setup): Promise<string> {
  const script = path.join(import.meta.dirname, 'faultyAgent.mjs');
  const options: RunOptions = {
    task: 'Write slugify(title).',
    folder,
    executor: role === 'executor' ? 'faulty' : 'healthy',
    reviewer: role === 'reviewer' ? 'faulty' : 'healthy',
    executorModel: null,
    reviewerModel: null,
    rounds: 2,
    threshold: 9,
    turnLimitSeconds: 2,
    permissionMode: 'ask',
    trusted: true,
    interactive: true,
    askBetweenRounds: moment === 'paused',
    stateFolder,
    executablePaths: {},
    agents: {
      faulty: {
        protocol: role === 'executor' ? 'claude-stream-json' : 'acp',
        command: process.execPath,
        args: [script, role, fault, moment, marker],
        env: { CGLOOP_DEMO_SPEED: '0', [MARK_VARIABLE]: mark },
        mcpServers: {},
      },
      healthy: {
        protocol: role === 'executor' ? 'acp' : 'claude-stream-json',
        command: process.execPath,
        args: [path.resolve('dist/demo-agents.cjs'), role === 'executor' ? 'reviewer' : 'executor'],
        env: { CGLOOP_DEMO_SPEED: '0', [MARK_VARIABLE]: mark },
        mcpServers: {},
      },
    },
  };

  const cancel = new AbortController();
  // A person does not wait for ever for agents that do not come up.
  const watcher = fs.watch(path.dirname(marker), () => {
    if (fs.existsSync(marker) && ['initialize', 'authenticate', 'new'].includes(moment)) {
      setTimeout(() => cancel.abort(), 1000).unref();
    }
  });
  let started: StartResult;
  try {
    started = await startRun(options, cancel.signal, {
      files: null,
      unsaved: null,
      askSignIn: async (question) => question.choices[0]?.id ?? null,
    });
  } finally {
    watcher.close();
  }
  if (started.type === 'cancelled') return 'cancelled';
  if (started.type === 'problems') {
    assert.ok(started.problems.length > 0);
    for (const { what } of started.problems) assert.match(what, /\S/);
    return 'problems';
  }

  const { run } = started;
  const events: LoopEvent[] = [...run.log.events];
  const turnRole = role === 'executor' ? 'execute' : 'review';
  run.log.subscribe((event) => {
    events.push(event);
    if (event.type === 'permission.requested') {
      // An agent that breaks at every start is not started again and again.
      const wish = event.derived.toolCallId === 'restart' ? 'reject_once' : 'allow_once';
      const option = event.derived.options.find(({ kind }) => kind === wish);
      // As a person would: later, so that the fault meets an open question.
      if (option)
        setTimeout(() => run.answer(event.permissionId, { outcome: 'selected', optionId: option.optionId }), 50);
    }
    if (event.type === 'run.paused') breakThePause(marker, () => run.proceed(null));
    if (moment === 'cancel' && event.type === 'message.chunk' && event.role === turnRole) run.stop();
  });
  const ending = await run.done;

  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'permission.requested') open.add(event.permissionId);
    if (event.type === 'permission.resolved')
      assert.ok(open.delete(event.permissionId), 'a question was settled twice');
  }
  assert.deepEqual([...open], [], 'questions that nobody settled');
  assert.equal(events.at(-1)?.type, 'run.ended');
  assert.deepEqual(
    events.map((event) => event.seq),
    events.map((_, index) => index + 1),
  );
  const record = await readRun(run.directory);
  assert.deepEqual(record.problems, []);
  assert.deepEqual(record.events, JSON.parse(JSON.stringify(events)), 'the log on disk tells the same');
  return ending.type === 'failed' ? `failed: ${ending.cause}` : ending.type;
}
