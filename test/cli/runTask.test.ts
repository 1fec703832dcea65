import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DisplayOptions } from '../../src/cli/optionKinds.ts';
import { runTask } from '../../src/cli/runTask.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import type { StartResult, StartRun } from '../../src/loop/runHandle.ts';
import { createEventLog, type EventLog } from '../../src/session/eventLog.ts';
import type { Ending } from '../../src/shared/ending.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionAnswer } from '../../src/shared/permission.ts';
import { EDIT_REQUEST, HEADER, TWO_ROUND_RUN } from '../fakes/events.ts';
import { type FakeTerminal, fakeTerminal, settled } from './fakeTerminal.ts';

const OPTIONS: RunOptions = {
  ...DEFAULTS,
  task: HEADER.task,
  folder: HEADER.folder,
  executorModel: null,
  reviewerModel: null,
  trusted: false,
  interactive: true,
  stateFolder: '/state',
  executablePaths: {},
};

const TEXT: DisplayOptions = { verbose: false, quiet: false, output: 'text' };

/** A run whose events and ending the test plays. */
function fakeRun() {
  const log: EventLog = createEventLog({ now: () => 0 });
  const answers: (readonly [string, PermissionAnswer])[] = [];
  let stops = 0;
  let end: (ending: Ending) => void = () => {};
  const done = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  let start: (result: StartResult) => void = () => {};
  let cancelled: AbortSignal | null = null;
  const begun = new Promise<StartResult>((resolve) => {
    start = resolve;
  });
  const startRun: StartRun = (_, signal) => {
    cancelled = signal;
    return begun;
  };
  const run = {
    id: 'r1',
    log,
    directory: '/state/runs/r1',
    pastEvents: 0,
    done,
    answer(id: string, answer: PermissionAnswer) {
      answers.push([id, answer]);
      log.append({ type: 'permission.resolved', permissionId: id, by: 'user', answer });
      return true;
    },
    noteUserEdit: () => assert.fail('a terminal has no editor'),
    decideFinding: () => false,
    stop: () => void stops++,
    abandon: () => assert.fail('a terminal stops'),
    pauseWanted: false,
    pause: () => assert.fail('nothing asks for a pause'),
    proceed: () => false,
    note: () => false,
  };
  return {
    log,
    answers,
    startRun,
    stops: () => stops,
    isCancelled: () => cancelled?.aborted === true,
    started: () => start({ type: 'started', run }),
    start,
    end: (ending: Ending) => {
      log.append({ type: 'run.ended', ending });
      end(ending);
    },
  };
}

const bodies: readonly LoopEventBody[] = TWO_ROUND_RUN.map(({ seq: _seq, at: _at, round: _round, ...body }) => body);
const ask = (permissionId: string): LoopEventBody => ({
  type: 'permission.requested',
  turn: 1,
  role: 'execute',
  permissionId,
  wire: {},
  derived: EDIT_REQUEST,
});

describe('runTask', () => {
  function begin(fake: FakeTerminal, display: DisplayOptions = TEXT) {
    const run = fakeRun();
    const code = runTask(OPTIONS, display, { terminal: fake.terminal, startRun: run.startRun });
    return { run, code };
  }

  /** Plays the whole run of two rounds. */
  async function play(fake: FakeTerminal, display: DisplayOptions = TEXT) {
    const { run, code } = begin(fake, display);
    // What was said before the run was handed over is shown too.
    for (const body of bodies.slice(0, 3)) run.log.append(body);
    run.started();
    await settled();
    for (const body of bodies.slice(3, -1)) run.log.append(body);
    run.end({ type: 'approved', score: 9 });
    return { code: await code, run };
  }

  it('puts the result on stdout and everything else on stderr', async () => {
    const fake = fakeTerminal(false);
    const { code } = await play(fake);
    assert.equal(code, 0);
    assert.equal(fake.out(), 'Guarded.\n');
    assert.match(fake.err(), /Make the sum test pass/);
    assert.match(fake.err(), /Approved with 9\/10 \(6 → 9\)\.\nUndo the run: cgloop undo r1\n.*\/state\/runs\/r1\n$/);
    assert.ok(!fake.err().includes('\u001b'), 'no control sequence without a terminal');
  });

  it('says only the ending with --quiet', async () => {
    const fake = fakeTerminal(false);
    await play(fake, { ...TEXT, quiet: true });
    assert.equal(fake.out(), 'Guarded.\n');
    assert.equal(fake.err(), 'Approved with 9/10 (6 → 9).\n');
  });

  it('prints the lines of the log with --output stream-json, and no result', async () => {
    const fake = fakeTerminal(false);
    const { run } = await play(fake, { ...TEXT, output: 'stream-json' });
    const lines = fake
      .out()
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    assert.deepEqual(lines.slice(1), JSON.parse(JSON.stringify(run.log.events)));
    assert.equal(JSON.stringify(lines[0]).includes('"format":"cgloop-run"'), true);
  });

  it('gives each ending its exit code', async () => {
    const endings: readonly (readonly [Ending, number])[] = [
      [{ type: 'failed', role: 'execute', cause: 'quota', message: 'Out.' }, 1],
      [{ type: 'notApproved', cause: 'roundLimit', score: 5, bestRound: 1 }, 3],
      [{ type: 'noVerdict', message: 'x' }, 4],
      [{ type: 'stopped' }, 130],
    ];
    for (const [ending, expected] of endings) {
      const fake = fakeTerminal(false);
      const { run, code } = begin(fake);
      run.started();
      await settled();
      run.end(ending);
      assert.equal(await code, expected);
      assert.equal(fake.out(), '');
    }
  });

  it('says what kept it from starting, and the way out', async () => {
    const fake = fakeTerminal(false);
    const { run, code } = begin(fake);
    run.start({ type: 'problems', problems: [{ agent: null, what: 'Gemini CLI was not found.', fix: 'Install it.' }] });
    assert.equal(await code, 1);
    assert.equal(fake.err(), 'Gemini CLI was not found.\nInstall it.\n');
  });

  it('waits for another run in the folder only when it is asked to, and says so', async () => {
    const held: StartResult = {
      type: 'problems',
      problems: [{ agent: null, what: 'Another run is working in /p.', fix: 'Add --wait.', held: true }],
    };
    for (const wait of [false, true]) {
      const fake = fakeTerminal(false);
      const asked: (boolean | undefined)[] = [];
      const startRun: StartRun = (options) => {
        asked.push(options.wait);
        return Promise.resolve(options.wait === true ? { type: 'cancelled' } : held);
      };
      const code = await runTask({ ...OPTIONS, wait }, TEXT, { terminal: fake.terminal, startRun });
      assert.deepEqual(asked, wait ? [undefined, true] : [undefined]);
      assert.equal(code, wait ? 130 : 1);
      assert.equal(
        fake.err(),
        wait
          ? 'Another run is working in /p.\nWaiting until it has ended … (Ctrl-C gives up)\n'
          : 'Another run is working in /p.\nAdd --wait.\n',
      );
    }
  });

  it('asks on a terminal: keys by meaning, with the change and a bell', async () => {
    const fake = fakeTerminal(true);
    const { run, code } = begin(fake);
    run.started();
    await settled();
    assert.equal(fake.isRaw(), true);
    fake.type('y');
    await settled();
    run.log.append(ask('q1'));
    await settled();
    assert.deepEqual(run.answers, [], 'what was typed ahead answers nothing');
    assert.ok(fake.err().includes('\u0007? Claude Code asks: src/sum.ts'));
    assert.match(fake.err(), / {2}- {2}a - b;\n {2}\+ {2}a \+ b;/);
    assert.match(fake.err(), /\[a\] Yes, and allow edits for this session – All edits of this session \(press twice\)/);
    fake.type('y');
    await settled();
    assert.deepEqual(run.answers, [['q1', { outcome: 'selected', optionId: 'once' }]]);
    run.end({ type: 'stopped' });
    await code;
    assert.equal(fake.isRaw(), false);
    assert.equal(fake.signalListeners(), 0);
  });

  it('stops on Ctrl-C, as a key or as a signal, and ends at once on the second', async () => {
    for (const press of ['key', 'signal'] as const) {
      const fake = fakeTerminal(true);
      const { run, code } = begin(fake);
      run.started();
      await settled();
      const interrupt = () => (press === 'key' ? fake.type('\u0003') : fake.signal());
      interrupt();
      await settled();
      assert.equal(run.stops(), 1);
      assert.match(fake.err(), /Stopping both agents/);
      interrupt();
      await settled();
      assert.deepEqual(fake.exits, [130]);
      run.end({ type: 'stopped' });
      assert.equal(await code, 130);
    }
  });

  it('stops while the agents are starting', async () => {
    const fake = fakeTerminal(true);
    const { run, code } = begin(fake);
    fake.type('\u0003');
    await settled();
    assert.equal(run.isCancelled(), true);
    run.start({ type: 'cancelled' });
    assert.equal(await code, 130);
  });

  it('stops a run that came up just when it was cancelled', async () => {
    const fake = fakeTerminal(false);
    const { run, code } = begin(fake);
    fake.signal();
    run.started();
    await settled();
    assert.equal(run.stops(), 1);
    run.end({ type: 'stopped' });
    assert.equal(await code, 130);
  });

  it('reads no keys any more when the run ended while the editor was open', async function () {
    if (process.platform === 'win32') this.skip(); // The editor is a shell script.
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-edit-'));
    const { TMPDIR } = process.env;
    process.env.TMPDIR = scratch;
    try {
      const [opened, close] = ['opened', 'close'].map((name) => path.join(scratch, name));
      const editor = path.join(scratch, 'editor.sh');
      // Stays open until somebody writes to the pipe.
      execFileSync('mkfifo', [opened ?? '', close ?? '']);
      fs.writeFileSync(editor, `#!/bin/sh\necho > '${opened}'\nread line < '${close}'\n`, { mode: 0o700 });
      const fake = fakeTerminal(true);
      const run = fakeRun();
      const terminal = { ...fake.terminal, env: { ...process.env, NO_COLOR: '1', VISUAL: '', EDITOR: editor } };
      const code = runTask(OPTIONS, TEXT, { terminal, startRun: run.startRun });
      run.started();
      await settled();
      run.log.append({ type: 'run.paused', reason: 'betweenRounds', why: 'Round 1 is over.' });
      fake.type('e');
      await fs.promises.readFile(opened ?? '');
      assert.equal(fake.isRaw(), false);
      run.end({ type: 'stopped' });
      assert.equal(await code, 130);
      await fs.promises.writeFile(close ?? '', '\n');
      while (fs.readdirSync(scratch).some((name) => name.startsWith('cgloop-review-'))) await settled();
      await settled();
      assert.equal(fake.isRaw(), false);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      fs.rmSync(scratch, { recursive: true, force: true });
    }
  });
});
