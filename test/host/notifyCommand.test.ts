import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { resolveDeps } from '../../src/agent/catalog.ts';
import { createNotifyCommand, type OutsideEvent } from '../../src/host/notifyCommand.ts';
import { createOutsideEvents } from '../../src/host/outsideEvents.ts';
import type { RunController } from '../../src/host/runControl.ts';
import { createRunController } from '../../src/host/runController.ts';
import { readSettings, runOptions } from '../../src/host/settings.ts';
import type { StartResult } from '../../src/loop/runHandle.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { Ending } from '../../src/shared/ending.ts';
import { type ProgramOptions, type ProgramResult, runProgram } from '../../src/transport/childProcess.ts';
import { HEADER, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { english } from './windowState.ts';

const QUESTION: OutsideEvent = {
  type: 'question',
  run: 'r1',
  folder: '/home/me/project',
  task: 'Fix it',
  agent: 'Claude',
  question: 'Claude wants to run a command',
  kind: 'execute',
  command: 'echo "$HOME"; rm -rf ~\n',
  paths: [],
};

describe('cgloop.notifyCommand', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-notify-'));
  after(() => fs.rmSync(folder, { recursive: true }));
  const script = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };

  function ground(command: readonly string[], run: (options: ProgramOptions) => Promise<ProgramResult> = runProgram) {
    const told: string[] = [];
    const find = () => resolveDeps({ executablePaths: {}, stateFolder: folder, trusted: false });
    const env = { ...process.env, VSCODE_IPC_HOOK: 'x' };
    const parts = { command: () => command, find, run, env, cwd: folder, tell: (text: string) => told.push(text) };
    return { notify: createNotifyCommand({ ...parts, t: english }), told };
  }

  it('starts the program with its arguments and hands it the event as one line of JSON, without a shell', async () => {
    const out = path.join(folder, 'out.json');
    const file = script(
      'tell.mjs',
      `import fs from 'node:fs';
       const input = fs.readFileSync(0, 'utf8');
       const { VSCODE_IPC_HOOK } = process.env;
       fs.appendFileSync(${JSON.stringify(out)}, JSON.stringify({ args: process.argv.slice(2), input, VSCODE_IPC_HOOK }) + '\\n');`,
    );
    const { notify, told } = ground([file, '--loud', '$(touch evil)', 'a b']);
    const ended: OutsideEvent = {
      type: 'ended',
      run: 'r1',
      folder: '/p',
      task: 'Fix it',
      ending: { type: 'approved', score: 9 },
      scores: [6, 9],
    };
    await Promise.all([notify(QUESTION), notify(ended)]);
    assert.deepEqual(told, []);
    const lines = fs
      .readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines[0].args, ['--loud', '$(touch evil)', 'a b']);
    assert.deepEqual(
      lines.map(({ input }) => [input.split('\n').length, JSON.parse(input)]),
      [
        [2, QUESTION],
        [2, ended],
      ],
    );
    assert.equal(lines[0].VSCODE_IPC_HOOK, undefined, 'nothing of the editor');
    assert.equal(fs.existsSync(path.join(folder, 'evil')), false);
  });

  it('starts nothing where nothing is set', async () => {
    const { notify, told } = ground([], () => assert.fail('started'));
    await notify(QUESTION);
    assert.deepEqual(told, []);
  });

  it('tells once why a program failed, by its last words', async () => {
    const file = script('fail.mjs', 'console.error("first\\nno such bell"); process.exit(3);');
    const { notify, told } = ground([file]);
    await notify(QUESTION);
    await notify(QUESTION);
    assert.deepEqual(told, ['The program of cgloop.notifyCommand failed: exit code 3. no such bell']);
    const missing = ground([path.join(folder, 'nowhere')]);
    await missing.notify(QUESTION);
    assert.match(missing.told[0] ?? '', /nowhere was not found/);
  });

  it('gives it a limited time, and says so', async () => {
    const limits: (number | undefined)[] = [];
    const { notify, told } = ground([process.execPath], async ({ timeoutMs }) => {
      limits.push(timeoutMs);
      const exit = { code: null, signal: 'SIGKILL', error: null } as const;
      return { exit, stdout: Buffer.alloc(0), stderr: '', stoppedBy: 'timeLimit' };
    });
    await notify(QUESTION);
    assert.deepEqual(limits, [10_000]);
    assert.match(told[0] ?? '', /did not end within 10 s and was stopped/);
  });
});

/** Until what was logged is told. */
const frame = () => new Promise((resolve) => setImmediate(resolve));

describe('what people elsewhere are told', () => {
  const OPTIONS = runOptions({
    task: HEADER.task,
    folder: HEADER.folder,
    chosen: {
      rounds: 3,
      executor: 'claude',
      reviewer: 'gemini',
      models: {},
      permissionMode: 'ask',
      folder: null,
      checks: null,
      newWorktree: false,
    },
    settings: readSettings(() => ({ effective: undefined, user: undefined })).settings,
    stateFolder: '/state',
    secrets: {},
  });

  function ground() {
    const told: OutsideEvent[] = [];
    const watch = createOutsideEvents((event) => told.push(event), english);
    const log = createEventLog({ now: () => 0 });
    let end: (ending: Ending) => void = () => {};
    const done = new Promise<Ending>((resolve) => {
      end = resolve;
    });
    const run: RunController = createRunController({
      t: english,
      startRun: async (): Promise<StartResult> => ({
        type: 'started',
        run: {
          id: HEADER.id,
          directory: '/state/runs/r',
          pastEvents: 0,
          log,
          done,
          answer: () => true,
          noteUserEdit() {},
          decideFinding: () => false,
          stop() {},
          abandon() {},
          pauseWanted: false,
          pause() {},
          proceed: () => false,
          note: () => false,
        },
      }),
      undoRun: async () => ({ type: 'problem', message: 'no' }),
      previewUndo: async () => ({ type: 'problem', message: 'no' }),
      decideAfterwards: async () => ({ type: 'problem', message: 'no' }),
      askAfterwards: async () => ({ type: 'problem', message: 'no' }),
      isInRepository: () => false,
      readRun: async (directory) => ({
        directory,
        header: { format: 'cgloop-run', version: 1, product: { name: 'cgloop', version: '0' } },
        events: TWO_ROUND_RUN,
        state: 'ended',
        readOnly: false,
        problems: [],
      }),
      nextFrame: (callback) => {
        const frame = setImmediate(callback);
        return () => clearImmediate(frame);
      },
    });
    run.onDidChange(() => watch(run));
    return { run, log, told, end: () => end({ type: 'stopped' }) };
  }

  it('is each question once, and the ending', async () => {
    const { run, log, told, end } = ground();
    await run.start(OPTIONS);
    for (const event of WAITING_RUN) log.append(event);
    await frame();
    log.append({ type: 'user.edited', path: 'a' });
    await frame();
    assert.equal(told.length, 1);
    const [question] = told;
    assert.equal(question?.type === 'question' && question.question, 'Claude wants to edit src/sum.ts');
    assert.deepEqual(question?.type === 'question' && question.paths, ['/home/me/project/src/sum.ts']);
    log.append({ type: 'run.paused', reason: 'user', why: 'Round 1 is over.' });
    await frame();
    log.append({ type: 'user.edited', path: 'b' });
    await frame();
    log.append({ type: 'run.ended', ending: { type: 'approved', score: 9 } });
    end();
    await run.settled();
    assert.deepEqual(
      told.map((event) => [event.type, event.run]),
      [
        ['question', HEADER.id],
        ['paused', HEADER.id],
        ['ended', HEADER.id],
      ],
    );
  });

  it('is nothing of a run that is only read from disk', async () => {
    const { run, told } = ground();
    await run.open('/state/runs/r');
    assert.equal(run.view().ending?.type, 'approved');
    assert.deepEqual(told, []);
  });
});
