import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import { afterEach, before, describe, it } from 'mocha';
import { assertNothingAlive, killMarked, MARK_VARIABLE, markedProcesses, newMark } from './processAudit.ts';
import { FAILING_TEST, withProject } from './project.ts';
import { startProgram } from './terminal.ts';
import { gitDigest, treeDigest } from './treeDigest.ts';

const mark = newMark();
const env = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', [MARK_VARIABLE]: mark };
const sh = (script: string, options: { tty?: boolean; input?: string } = {}) =>
  startProgram('/bin/sh', ['-c', script], { cwd: '/', env, ...options });

describe('e2e harness', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(() => killMarked(mark));

  it('finds a marked process, even one that left its parent and its group', async () => {
    const started = sh('setsid sleep 600 >/dev/null 2>&1 & echo started; wait');
    await started.saw('started');
    // The shell says so before the child has become `sleep`; the test's own time limit ends a search in vain.
    let alive = await markedProcesses(mark);
    while (!alive.some((one) => one.command === 'sleep 600')) alive = await markedProcesses(mark);
    assert.ok(alive.some((one) => one.pid === started.pid));
    assert.deepEqual(await markedProcesses(newMark()), []);
    process.kill(started.pid, 'SIGKILL');
    await started.done;
    await assert.rejects(assertNothingAlive(mark), /still alive/);
    await killMarked(mark);
    await assertNothingAlive(mark);
  });

  it('sees outputs apart, the exit code, and an interrupt at a moment of the output', async () => {
    const asked = sh('read name; echo "hello $name"; echo oops >&2; exit 7', { input: 'you\n' });
    assert.deepEqual(await asked.done, { code: 7, signal: null, stdout: 'hello you\n', stderr: 'oops\n' });
    const trapped = sh('trap "echo caught; exit 130" INT; echo ready; while :; do sleep 0.05; done');
    await trapped.saw('ready');
    trapped.interrupt();
    await trapped.saw('caught');
    assert.equal((await trapped.done).code, 130);
    await assert.rejects(sh('echo nothing').saw('something'), /ended without something:\nnothing/);
  });

  it('gives a real terminal: questions, keys and Ctrl-C', async () => {
    const started = sh('test -t 0 && printf "sure? "; read answer; echo "you said $answer"; read again', { tty: true });
    await started.saw('sure? ');
    started.type('y\r');
    await started.saw('you said y');
    started.interrupt();
    assert.equal((await started.done).code, 130);
  });

  it('notices every difference between two trees', () =>
    withProject({ 'a.txt': 'a', 'b/c.txt': 'c' }, { git: true }, async (project) => {
      const before = await treeDigest(project.folder);
      assert.deepEqual(Object.keys(before), ['a.txt', 'b/', 'b/c.txt']);
      await project.write({ 'a.txt': 'a' });
      assert.deepEqual(await treeDigest(project.folder), before, 'the same bytes again');
      const git = await gitDigest(project.folder);
      await chmod(project.file('a.txt'), 0o755);
      await symlink('a.txt', project.file('link'));
      await project.write({ 'b/c.txt': 'd' });
      const after = await treeDigest(project.folder);
      const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
      assert.deepEqual(changed, ['a.txt', 'b/c.txt', 'link']);
      assert.notDeepEqual(await gitDigest(project.folder), git);
    }));

  it('has a sample project whose test fails until add adds', () =>
    withProject(FAILING_TEST, { git: false }, async (project) => {
      const test = () => startProgram(process.execPath, ['--test'], { cwd: project.folder, env }).done;
      assert.equal((await test()).code, 1);
      await project.write({ 'add.js': 'export function add(a, b) {\n  return a + b;\n}\n' });
      assert.equal((await test()).code, 0);
    }));
});
