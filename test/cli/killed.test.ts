import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { bundles } from '../../esbuild.mjs';
import { fillDemoProject } from '../../src/loop/demoRun.ts';
import { readRun } from '../../src/session/replay.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { assertNothingAlive, MARK_VARIABLE, newMark } from '../e2e/harness/processAudit.ts';
import { type Files, filesIn, sameFiles, statesOf } from '../fakes/writtenStates.ts';

const MINE: Files = { 'notes.txt': 'mine, untracked\n', 'ignored.log': 'mine, ignored\n', '.gitignore': '*.log\n' };

/** The real program is killed while the demo agents, which really write, are at work for it. */
describe('cgloop, killed (E2)', function () {
  const moments = process.env.DEEP === '1' ? 200 : 5;
  this.timeout(60_000 + moments * 20_000);
  const root = path.resolve(import.meta.dirname, '../..');
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-killed-')));
  const state = path.join(scratch, 'state');
  const template = path.join(scratch, 'template');

  before(async () => {
    for (const name of ['cgloop', 'demo-agents'] as const) {
      const outfile = path.join(scratch, `${name}.cjs`);
      await build({ ...bundles[name], absWorkingDir: root, outfile, metafile: false, sourcemap: false });
    }
    fs.mkdirSync(template);
    fillDemoProject(template);
    for (const [file, text] of Object.entries(MINE)) fs.writeFileSync(path.join(template, file), text);
    const agent = (role: string, protocol: string) => ({
      protocol,
      command: process.execPath,
      args: [path.join(scratch, 'demo-agents.cjs'), role],
    });
    const agents = { worker: agent('executor', 'claude-stream-json'), judge: agent('reviewer', 'acp') };
    fs.mkdirSync(state, { recursive: true });
    fs.writeFileSync(path.join(state, 'agents.json'), JSON.stringify(agents));
  });
  after(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

  const start = (args: readonly string[], mark: string) =>
    spawn(process.execPath, [path.join(scratch, 'cgloop.cjs'), ...args], {
      cwd: scratch,
      env: { ...process.env, CGLOOP_HOME: state, CGLOOP_DEMO_SPEED: '0.01', [MARK_VARIABLE]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** Runs until the log on stdout has this many lines, and kills it then; `lines` null: to its end. Gives what stdout held. */
  async function run(folder: string, lines: number | null, spin: number): Promise<readonly LoopEvent[]> {
    const mark = newMark();
    const asked = ['--executor', 'worker', '--reviewer', 'judge', '--permission', 'edits', '--output', 'stream-json'];
    const child = start([...asked, '-d', folder, 'Write slugify(title).'], mark);
    let out = '';
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (lines === null || child.killed || out.split('\n').length <= lines + 1) return;
      // Not always at the same place of its work.
      for (let i = 0; i < spin * 1000; i++) Math.sqrt(i);
      child.kill('SIGKILL');
    });
    await once(child, 'close');
    await assertNothingAlive(mark);
    const whole = out.slice(0, out.lastIndexOf('\n')).split('\n').slice(1);
    assert.ok(whole.length > 0, err);
    return whole.map((line) => JSON.parse(line));
  }

  it(`loses nothing of the log, the agents' work or the person's files (${moments} moments)`, async () => {
    const before = filesIn(template);
    const reference = path.join(scratch, 'reference');
    fs.cpSync(template, reference, { recursive: true });
    const whole = await run(reference, null, 0);
    const states = statesOf(before, whole, reference);
    assert.ok(states.length > 3, 'the agents write more than once');
    assert.deepEqual(filesIn(reference), states.at(-1), 'the calls in the log are all that is written');

    let n = 0;
    const moment = fc.tuple(fc.integer({ min: 1, max: whole.length - 1 }), fc.nat(2000));
    const kill = fc.asyncProperty(moment, async ([lines, spin]) => {
      const folder = path.join(scratch, `project-${n++}`);
      fs.cpSync(template, folder, { recursive: true });
      if (n % 2 === 0) execFileSync('git', ['init', '--quiet'], { cwd: folder });
      const seen = await run(folder, lines, spin);
      const [first] = seen;
      const id = first?.type === 'run.started' ? first.run.id : '';
      const record = await readRun(runDirectory(state, id));
      assert.deepEqual(record.problems, []);
      assert.deepEqual(record.events.slice(0, seen.length), seen, 'what was told is in the log');
      // Stdout may have been behind: a run that came to its end was not killed in it.
      if (record.state === 'ended') return;
      assert.equal(record.state, 'interrupted');

      const logged = statesOf(before, record.events, folder).length - 1;
      const now = filesIn(folder);
      const at = states.findIndex((one, index) => index >= logged && sameFiles(one, now));
      assert.ok(
        at >= 0,
        `after ${logged} logged writes the folder is in no state of the agent's: ${JSON.stringify(now)}`,
      );

      const undo = start(['undo', id], newMark());
      let said = '';
      undo.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      undo.stdout.resume();
      const [code] = await once(undo, 'close');
      if (record.events.some(({ type }) => type === 'checkpoint.created')) assert.equal(code, 0, said);
      assert.deepEqual(filesIn(folder), before, 'undone to the byte');
      fs.rmSync(folder, { recursive: true, force: true });
    });
    await fc.assert(kill, { numRuns: moments, endOnFailure: true });
  });
});
