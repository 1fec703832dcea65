import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { runRow } from '../../src/host/runRows.ts';
import { createDemoProject } from '../../src/loop/demoRun.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { readRun } from '../../src/session/replay.ts';
import { listRuns, runDirectory } from '../../src/session/runs.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { acquireRunLock } from '../../src/workspace/runLock.ts';
import { assertNothingAlive, MARK_VARIABLE, markedProcesses, newMark } from '../e2e/harness/processAudit.ts';
import { TWO_ROUND_RUN } from '../fakes/events.ts';

/** The real program as a child, with the demo agents as its children. */
describe('cgloop as a program', function () {
  this.timeout(120_000);
  const root = path.resolve(import.meta.dirname, '../..');
  let scratch = '';

  before(async () => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-program-')));
    fs.mkdirSync(path.join(scratch, 'tmp'));
    for (const name of ['cgloop', 'demo-agents'] as const) {
      const outfile = path.join(scratch, `${name}.cjs`);
      await build({ ...bundles[name], absWorkingDir: root, outfile, metafile: false, sourcemap: false });
    }
  });
  after(() => fs.rmSync(scratch, { recursive: true, force: true }));

  function start(args: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [path.join(scratch, 'cgloop.cjs'), ...args], {
      cwd: scratch,
      env: {
        ...process.env,
        CGLOOP_HOME: path.join(scratch, 'state'),
        CGLOOP_DEMO_SPEED: '0',
        TMPDIR: path.join(scratch, 'tmp'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    let heard: (() => void)[] = [];
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString('utf8');
      for (const one of heard) one();
    });
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    /** Resolves once stderr holds the text. */
    const hear = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => said.err.includes(text) && resolve();
        heard = [...heard, look];
        look();
      });
    return { child, said, exit, hear };
  }

  async function run(args: readonly string[], env: Record<string, string> = {}) {
    const { said, exit } = start(args, env);
    return { code: await exit, ...said };
  }

  it('runs the demo: three rounds, scores rising, APPROVED, exit 0; undo puts the project back', async () => {
    const demo = await run(['demo']);
    assert.equal(demo.code, 0, demo.err);
    assert.match(demo.err, /Approved with 9\.5\/10 \(5 → 7\.5 → 9\.5\)/);
    assert.match(demo.out, /export function slugify/);
    const project = /The demo's project: (.*)\n/.exec(demo.err)?.[1] ?? '';
    assert.ok(fs.existsSync(path.join(project, 'test/slugify.test.mjs')));
    const id = /undo (\S+)\n/.exec(demo.err)?.[1] ?? '';
    assert.match((await run(['runs'])).out, new RegExp(`^${id} .*approved 9\\.5`, 'm'));
    const undo = await run(['undo', id]);
    assert.equal(undo.code, 0, undo.err);
    assert.ok(!fs.existsSync(path.join(project, 'test')));
    assert.match(fs.readFileSync(path.join(project, 'src/slugify.mjs'), 'utf8'), /return title;/);
    assert.match((await run(['runs'])).out, new RegExp(`^${id} .*undone`, 'm'));
  });

  it('shows what an undoing would do, takes one round back, and brings it back again', async () => {
    const demo = await run(['demo']);
    const project = /The demo's project: (.*)\n/.exec(demo.err)?.[1] ?? '';
    const [, id = ''] = / undo (\S+)\n/.exec(demo.err) ?? [];
    const code = path.join(project, 'src/slugify.mjs');
    const end = fs.readFileSync(code, 'utf8');
    const shown = await run(['undo', id, '--after', '2', '--preview']);
    assert.equal(shown.code, 0, shown.err);
    assert.match(shown.out, /would be as after round 2 \(.*\n {2}changed {2}src\/slugify\.mjs {2}\+\d+ −\d+\n/);
    assert.equal(fs.readFileSync(code, 'utf8'), end);
    const done = await run(['undo', id, '--after', '2']);
    assert.match(done.out, /is as after round 2 [\s\S]*kept as checkpoint/);
    assert.notEqual(fs.readFileSync(code, 'utf8'), end);
    assert.match((await run(['undo', id, '--redo'])).out, /is as before the last undoing/);
    assert.equal(fs.readFileSync(code, 'utf8'), end);
    assert.match((await run(['undo', id, '--round', '9'])).err, /has no round 9/);
  });

  it('works in a worktree, leaves the folder alone, and brings the work into it when it is asked to', async () => {
    const folder = createDemoProject();
    const git = (...args: readonly string[]) =>
      spawnSync('git', ['-c', 'user.name=U', '-c', 'user.email=u@example.org', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout;
    git('init', '--quiet');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'First');
    fs.writeFileSync(path.join(folder, 'mine.txt'), 'not committed\n');
    const agents = ['--executor', 'demo-executor', '--reviewer', 'demo-reviewer', '--permission', 'edits'];
    const done = await run([...agents, '--worktree', '-d', folder, 'Write it']);
    assert.equal(done.code, 0, done.err);
    assert.match(git('status', '--porcelain'), /^\?\? mine\.txt\n$/);
    const [, id = ''] = / worktree apply (\S+) /.exec(done.err) ?? [];
    assert.match(git('worktree', 'list'), new RegExp(`state/worktrees/${id} .*\\[cgloop/${id}\\]`));
    const shown = await run(['worktree', 'apply', id, '--preview']);
    assert.match(shown.out, /would get the work of the run[\s\S]*slugify\.mjs/);
    const applied = await run(['worktree', 'apply', id]);
    assert.equal(applied.code, 0, applied.err);
    assert.match(git('status', '--porcelain'), / M src\/slugify\.mjs\n/);
    assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
    assert.match((await run(['worktree', 'drop', id])).err, /was applied already/);
    assert.equal((await run(['undo', id])).code, 0);
    assert.match(git('status', '--porcelain'), /^\?\? mine\.txt\n$/);
    fs.rmSync(folder, { recursive: true });
  });

  it('lists, shows, hands on and deletes runs of before', async () => {
    const demo = await run(['demo']);
    const [, id = ''] = / undo (\S+)\n/.exec(demo.err) ?? [];
    const listed = JSON.parse((await run(['runs', 'SLUGIFY', 'approved', '--json'])).out);
    assert.ok(listed.some((one: { id: string; kind: string }) => one.id === id && one.kind === 'task'));
    assert.match((await run(['runs', 'no such words'])).out, /^None of \d+ runs? holds all of: no such words\n$/);

    const shown = await run(['show', id]);
    const live = demo.err.slice(demo.err.indexOf('── Round 1'), demo.err.indexOf('Approved with'));
    assert.ok(shown.out.includes(live), 'the story as it was printed');
    const round = await run(['show', id, '--round', '2']);
    assert.match(round.out, /^── Round 2 /);
    assert.doesNotMatch(round.out, /── Round [13] /);
    assert.match((await run(['show', id, '--round', '9'])).err, /has 3 rounds/);
    const whole = await run(['show', id, '--diff']);
    assert.match(whole.out, /^diff --git a\/src\/slugify\.mjs[\s\S]*\+\+\+ b\/test\/slugify\.test\.mjs/);
    const last = await run(['show', id, '--diff', '--round', '3']);
    assert.match(last.out, /^-\s+\.replace\(.*, '-'\);$/m);
    assert.ok(last.out.length < whole.out.length);

    const object = JSON.parse((await run(['export', id, '--format', 'json'])).out);
    assert.deepEqual([object.id, object.ending.score, object.rounds.length], [id, 9.5, 3]);
    assert.equal((await run(['show', id, '--json'])).out.includes('"cgloop-export"'), true);
    const file = path.join(scratch, 'story.md');
    assert.equal((await run(['export', id, '-o', file])).code, 0);
    assert.match(fs.readFileSync(file, 'utf8'), /^# Write slugify[\s\S]*## Ending\n\n\*\*Approved/);
    const again = await run(['export', id, '-o', file]);
    assert.equal(again.code, 1);
    assert.match(again.err, /is there already: name another file/);
    const nowhere = await run(['export', id, '-o', path.join(scratch, 'none', 'story.md')]);
    assert.match(nowhere.err, /^There is no folder .*none to write story\.md into: make it, or name another file\.\n$/);
    assert.match((await run(['worktree'])).err, /worktree apply RUN, keep RUN or drop RUN/);

    assert.match((await run(['commit', id])).err, /is in no git repository/);
    assert.equal((await run(['delete', id, 'nonsense'])).code, 1);
    assert.ok((await run(['runs'])).out.includes(id), 'nothing is deleted on a guess');
    const deleted = await run(['delete', id]);
    assert.deepEqual([deleted.code, deleted.err], [0, `Run ${id} is deleted.\n`]);
    assert.ok(!(await run(['runs'])).out.includes(id));
    assert.match((await run(['show', id])).err, /There is no run/);
    fs.rmSync(file);
  });

  it('opens a run that the editor began, and the editor finds what a terminal began', async () => {
    const stateFolder = path.join(scratch, 'state-of-both');
    const env = { CGLOOP_HOME: stateFolder };
    const id = '20260101-000000-editor';
    const directory = runDirectory(stateFolder, id);
    const file = await openLogFile({ directory, product: { name: 'editor', version: '1' }, onProblem: assert.fail });
    const folder = createDemoProject();
    for (const event of TWO_ROUND_RUN)
      file.append(event.type === 'run.started' ? { ...event, run: { ...event.run, id, folder } } : event);
    await file.close();
    assert.match((await run(['runs'], env)).out, new RegExp(`^${id} .*approved 9 `, 'm'));
    assert.match((await run(['show', 'editor'], env)).out, /── Round 2 [\s\S]*Guarded\.[\s\S]*Approved with 9\/10/);
    assert.match((await run(['export', 'editor'], env)).out, /^# Make the sum test pass/);

    assert.equal((await run(['demo'], env)).code, 0);
    const [newest, older] = await listRuns(stateFolder);
    assert.deepEqual([newest?.ending?.type, older?.id], ['approved', id]);
    assert.equal(runRow(newest ?? assert.fail(), { label: 'l', description: 'd', outcome: 'o' }).icon, 'pass');
    const record = await readRun(newest?.directory ?? '');
    assert.deepEqual(
      reduce(EMPTY_VIEW, record.events).scores.map(({ score }) => score),
      [5, 7.5, 9.5],
    );
    fs.rmSync(folder, { recursive: true });
  });

  it('deletes everything only when it is told twice', async () => {
    const home = path.join(scratch, 'state-to-delete');
    const own = { CGLOOP_HOME: home };
    await run(['demo'], own);
    await run(['rules', 'allow', 'npm test', '--everywhere', '-d', createDemoProject()], own);
    const refused = await run(['delete', '--all'], own);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /Nothing was deleted: nobody can be asked\. Add --yes\./);
    const deleted = await run(['delete', '--all', '--yes'], own);
    assert.equal(deleted.code, 0, deleted.err);
    assert.match(deleted.err, /^1 run deleted/);
    const left = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
    );
  });

  it('prints a run as one object, and nothing else on stdout', async () => {
    const demo = await run(['demo', '--output', 'json']);
    assert.equal(demo.code, 0);
    const told = JSON.parse(demo.out);
    assert.deepEqual([told.format, told.verdict.approved, told.executor.id], ['cgloop-export', true, 'demo-executor']);
    assert.match(demo.err, /Approved with 9\.5/);
  });

  it('names the file that is no log, and a name that is none', async () => {
    const file = path.join(scratch, 'notes.txt');
    fs.writeFileSync(file, 'one\ntwo\n');
    assert.match((await run(['replay', file])).err, new RegExp(`${file} is not the log of a run`));
    fs.rmSync(file);
    for (const command of ['undo', 'show', 'export', 'commit', 'delete', 'continue'])
      assert.match((await run([command, ''])).err, /^No run is named\. "cgloop runs" lists them\.\n$/, command);
  });

  it('tells of each command by --help, and the nearest name of a wrong option', async () => {
    const { out } = await run(['--help']);
    const commands = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    for (const name of ['review', 'fix', 'runs', 'show', 'export', 'commit', 'delete', 'undo', 'continue', 'replay'])
      assert.ok(commands.includes(name), name);
    for (const name of commands) {
      const help = await run([name, '--help']);
      assert.deepEqual([help.code, help.err], [0, '']);
      assert.match(help.out, /^Usage: cgloop /, name);
    }
    const wrong = await run(['--round', '3', 'x']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /unknown option '--round'\n\(Did you mean --rounds\?\)/);
  });

  it('ends the stubborn demo not approved, exit 3, with the log on stdout', async () => {
    const demo = await run(['demo', '--scenario', 'stubborn', '--output', 'stream-json']);
    assert.equal(demo.code, 3, demo.err);
    const types = demo.out
      .trimEnd()
      .split('\n')
      .map((line) => String(/"type":"([a-z.A-Z]+)"/.exec(line)?.[1]));
    assert.equal(types.filter((type) => type === 'round.started').length, 3);
    assert.equal(types.at(-1), 'run.ended');
  });

  it('serves one writing run a tree: a second one says where the first is, or waits for it', async () => {
    const folder = createDemoProject();
    const stateFolder = path.join(scratch, 'state');
    const lock = await acquireRunLock({ folder, stateFolder, runId: 'other', face: 'editor' });
    assert.ok(lock.type === 'acquired');
    const roles = ['--executor', 'demo-executor', '--reviewer', 'demo-reviewer', '--permission', 'edits', '-d', folder];
    const refused = await run([...roles, 'Make slugify work']);
    assert.equal(refused.code, 1);
    assert.equal(
      refused.err,
      `Another run is working in ${folder}, in another VS Code window (run other, process ${process.pid}).\nStop it there, or add --wait: this one then starts when that one has ended. Or add --worktree: it works in a copy of the repository beside that one.\n`,
    );
    const waiting = start([...roles, '--wait', 'Make slugify work']);
    await waiting.hear('Waiting until it has ended … (Ctrl-C gives up)');
    await lock.release();
    assert.equal(await waiting.exit, 0, waiting.said.err);
    assert.match(waiting.said.err, /Approved with/);
    fs.rmSync(folder, { recursive: true });
  });

  it('does not crash when nobody reads its output any more', async () => {
    const { child, exit } = start(['demo', '--output', 'stream-json']);
    child.stdout?.destroy();
    assert.equal(await exit, 0);
  });

  for (const [who, when] of [
    ['executor', '▶ Demo Executor'],
    ['reviewer', '▶ Demo Reviewer'],
  ] as const) {
    it(`C54: Ctrl-C while the ${who} works ends both agents, exit 130`, async function () {
      if (process.platform !== 'linux') this.skip();
      const mark = newMark();
      const { child, said, exit, hear } = start(['demo'], { CGLOOP_DEMO_SPEED: '1', [MARK_VARIABLE]: mark });
      await hear(when);
      const agents = (await markedProcesses(mark)).filter(({ command }) => command.includes('demo-agents'));
      assert.equal(agents.length, 2);
      child.kill('SIGINT');
      assert.equal(await exit, 130, said.err);
      assert.match(said.err, /Stopped\.\nGo on with it: .* --resume \S+\nUndo the run/);
      await assertNothingAlive(mark);
    });
  }

  it('goes on with --resume where a killed run stood, in the same log, and ends what was left of it', async function () {
    if (process.platform !== 'linux') this.skip();
    const mark = newMark();
    const killed = start(['demo'], { CGLOOP_DEMO_SPEED: '1', [MARK_VARIABLE]: mark });
    await killed.hear('✓ Edit');
    killed.child.kill('SIGKILL');
    await killed.exit;
    const [, id = ''] = /; run (\S+)$/m.exec(killed.said.err) ?? [];
    assert.match((await run(['runs'])).out, new RegExp(`^${id} .*interrupted`, 'm'));

    const resumed = await run(['--resume', id], { [MARK_VARIABLE]: mark });
    assert.equal(resumed.code, 0, resumed.err);
    assert.match(resumed.err, /^The run goes on\.$/m);
    assert.match(resumed.err, /Your work on this was interrupted/);
    assert.doesNotMatch(resumed.err, /── Round 1 /, 'what was before is not shown again');
    assert.match(resumed.err, /── Round 2 [\s\S]*Approved with 9\.5\/10/);
    assert.match((await run(['runs'])).out, new RegExp(`^${id} .*approved 9\\.5`, 'm'));
    await assertNothingAlive(mark);
    assert.deepEqual(fs.readdirSync(path.join(scratch, 'state', 'processes')), []);

    const again = await run(['--resume', id]);
    assert.equal(again.code, 1);
    assert.match(again.err, /cannot be gone on with: it was approved/);
    assert.equal((await run(['undo', id])).code, 0);
    const none = await run(['--resume', 'nothing']);
    assert.match(none.err, /There is no run nothing/);
  });

  it('refuses wrong arguments with exit 2 and starts nothing', async () => {
    const bad: readonly (readonly [readonly string[], RegExp])[] = [
      [['-n', '0', 'x'], /from 1 to 20/],
      [['x'], /--permission ask needs a terminal.*edits, read-only or all/],
      [['-d', path.join(scratch, 'none'), '--permission', 'edits', 'x'], /There is no folder/],
      [['-d', path.parse(scratch).root, '--permission', 'edits', 'x'], /the root of a disk/],
      [['-d', os.homedir(), '--permission', 'edits', 'x'], /your home folder/],
    ];
    for (const [args, message] of bad) {
      const { code, err, out } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message);
      assert.equal(out, '');
    }
  });

  it('says which agent is missing, where it was looked for and how to get it, exit 1', async () => {
    const folder = path.join(scratch, 'project');
    fs.mkdirSync(folder);
    const { code, err } = await run(['-d', folder, '--permission', 'edits', 'x'], { PATH: '/nowhere' });
    assert.equal(code, 1);
    assert.match(err, /Claude Code was not found: .*\/nowhere[\s\S]*npm i -g @anthropic-ai\/claude-code/);
    assert.match(err, /Gemini CLI was not found/);
  });

  it('has its own name for a run that is not there', async () => {
    const { code, err } = await run(['undo', 'nonsense']);
    assert.equal(code, 1);
    assert.match(err, /There is no run nonsense/);
  });

  it('goes on with its run when its output cannot be written, and says so', async function () {
    if (process.platform !== 'linux') this.skip(); // Only there is a device that is always full.
    const folder = createDemoProject();
    const full = fs.openSync('/dev/full', 'w');
    const args = ['--executor', 'demo-executor', '--reviewer', 'demo-reviewer', '--permission', 'edits', '-d', folder];
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(scratch, 'cgloop.cjs'), ...args, '--quiet', '--output', 'stream-json', 'Write it'],
      {
        env: { ...process.env, CGLOOP_HOME: path.join(scratch, 'full'), CGLOOP_DEMO_SPEED: '0' },
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      },
    );
    fs.closeSync(full);
    fs.rmSync(folder, { recursive: true });
    assert.equal(status, 1, stderr);
    assert.match(
      stderr,
      /^cgloop: The output cannot be written: ENOSPC.*\n(?!.*cannot be written)[\s\S]*Approved with/,
    );
    const [run] = await listRuns(path.join(scratch, 'full'));
    assert.equal(run?.ending?.type, 'approved');
  });

  it('undo of a folder that is gone says so, and an empty one in its place gets everything back', async () => {
    const folder = createDemoProject();
    const agents = ['--executor', 'demo-executor', '--reviewer', 'demo-reviewer', '--permission', 'edits'];
    fs.rmSync(path.join(folder, '.git'), { recursive: true, force: true });
    const { err } = await run([...agents, '-n', '1', '-d', folder, 'Write it']);
    const id = /undo (\S+)\n/.exec(err)?.[1] ?? '';
    const before = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
    fs.rmSync(folder, { recursive: true });
    const gone = await run(['undo', id]);
    assert.equal(gone.code, 1);
    assert.match(gone.err, /^The folder of run \S+ is gone: .*try again\.\n$/);
    for (const words of [
      ['show', id, '--diff'],
      ['continue', id, '--print'],
    ]) {
      const { code, err: said } = await run(words);
      assert.deepEqual([code, said], [1, gone.err], words.join(' '));
    }
    fs.mkdirSync(folder);
    assert.equal((await run(['undo', id])).code, 0);
    assert.equal(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'), before);
    fs.rmSync(folder, { recursive: true });
  });

  it('works in a terminal whose folder was deleted, but for what needs that folder', async function () {
    if (process.platform === 'win32') this.skip();
    const inGone = async (...args: readonly string[]) => {
      const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
      const program = [process.execPath, path.join(scratch, 'cgloop.cjs'), ...args];
      const child = spawn('sh', ['-c', script, path.join(scratch, 'deleted'), ...program], {
        env: { ...process.env, CGLOOP_HOME: path.join(scratch, 'state-of-none') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, said };
    };
    const runs = await inGone('runs');
    assert.equal(runs.code, 0);
    assert.match(runs.said, /There are no runs yet/);
    const task = await inGone('--permission', 'edits', 'Write it');
    assert.equal(task.code, 1);
    assert.match(task.said, /^cgloop: The folder that this terminal is in was deleted: .*--dir\.\n$/);
  });
});
