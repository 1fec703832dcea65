import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { childEnv } from '../../src/transport/childEnv.ts';
import { CHILD_TIMES, type Child, type ChildTimes, runProgram, spawnChild } from '../../src/transport/childProcess.ts';
import { killPlan } from '../../src/transport/killPlan.ts';
import { gone, isAlive } from './childProcessAlive.ts';

const env = childEnv(process.env);
const cwd = tmpdir();
const quick: ChildTimes = { ...CHILD_TIMES, endMs: 100, termMs: 200, quietMs: 100 };

/** A Node program given by its text. */
const node = (script: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: ['-e', script, ...args],
  cwd,
  env,
});

/** All of stdout so far, as text. */
function read(child: Child): { text: string } {
  const seen = { text: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    seen.text += bytes.toString('utf8');
  });
  return seen;
}

async function firstLine(child: Child): Promise<string> {
  let text = '';
  for await (const bytes of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(bytes);
    if (text.includes('\n')) break;
  }
  child.stdout.resume();
  return text.slice(0, text.indexOf('\n'));
}

describe('childProcess', () => {
  it('C14: gives stdout whole and stderr decoded across chunks, then the exit', async () => {
    const child = spawnChild(
      node(`
        process.stdout.write('x'.repeat(3_000_000));
        const bytes = Buffer.from('äöü');
        process.stderr.write(bytes.subarray(0, 3), () => process.stderr.write(bytes.subarray(3)));
        process.exitCode = 7;
      `),
    );
    const seen = read(child);
    const exit = await child.exited;
    assert.equal(seen.text.length, 3_000_000);
    assert.deepEqual(exit, { code: 7, signal: null, error: null });
    assert.equal(child.stderrTail(), 'äöü');
  });

  it('keeps the newest 64 kB of stderr', async () => {
    const child = spawnChild(node(`process.stderr.write('a'.repeat(200_000) + 'end')`));
    await child.exited;
    assert.equal(child.stderrTail().length, 65_536);
    assert.ok(child.stderrTail().endsWith('aend'));
  });

  it('C53: a program that does not exist is an exit with an error, and writing to it harms nobody', async () => {
    const child = spawnChild({ command: '/no/such/program', args: [], cwd, env });
    child.stdin.write('x'.repeat(1_000_000));
    const exit = await child.exited;
    assert.match(exit.error?.message ?? '', /ENOENT/);
    assert.equal(child.pid, null);
    assert.deepEqual(await child.stop(), exit);
    child.kill();
  });

  it('C53: a program that exits at once while 1 MB is written to it is one exit', async () => {
    const child = spawnChild(node('process.exit(3)'));
    child.stdin.write('x'.repeat(1_000_000));
    const exit = await child.exited;
    child.stdin.write('late');
    assert.equal(exit.code, 3);
  });

  it('C51: a spawn that the system refuses at once is an exit with an error', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = spawnChild(node('', 'x'.repeat(200_000)));
    child.stdin.end('text');
    assert.match((await child.exited).error?.message ?? '', /E2BIG/);
  });

  it('names the working folder when it is the folder that is missing', async () => {
    const exit = await spawnChild({ ...node(''), cwd: '/no/such/folder' }).exited;
    assert.equal(exit.error?.message, 'The working folder does not exist: /no/such/folder');
  });

  it('stops by the end of stdin alone when that is enough', async () => {
    const child = spawnChild(node(`process.stdin.on('end', () => process.exit(5)).resume(); console.log('up')`));
    await firstLine(child);
    const [first, second] = await Promise.all([child.stop(), child.stop()]);
    assert.deepEqual(first, { code: 5, signal: null, error: null });
    assert.equal(second, first);
  });

  it('GEMINI.md 0.2: sends SIGTERM to who ignores the end of stdin, and SIGKILL to who ignores that', async function () {
    if (process.platform === 'win32') this.skip();
    const polite = spawnChild(node(`setInterval(() => {}, 60000); console.log('up')`), quick);
    await firstLine(polite);
    assert.equal((await polite.stop()).signal, 'SIGTERM');
    const deaf = spawnChild(
      node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 60000); console.log('up')`),
      quick,
    );
    await firstLine(deaf);
    assert.equal((await deaf.stop()).signal, 'SIGKILL');
  });

  it('C54: ends a grandchild that ignores SIGTERM, also when the leader went first', async function () {
    if (process.platform === 'win32') this.skip();
    const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 60000); console.log(process.pid)`;
    const leader = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { stdio: ['ignore', 'inherit', 'inherit'] });`;
    const stopped = spawnChild(node(`${leader} setInterval(() => {}, 60000)`), quick);
    const first = Number(await firstLine(stopped));
    assert.ok(isAlive(first));
    await stopped.stop();
    await gone(first);

    const crashed = spawnChild(
      node(`${leader} process.stdin.on('data', () => process.kill(process.pid, 'SIGKILL'))`),
      quick,
    );
    const second = Number(await firstLine(crashed));
    crashed.stdin.write('now');
    assert.equal((await crashed.exited).signal, 'SIGKILL');
    await gone(second);
  });

  it('C54: ends what moved to a session of its own, as Claude Code’s commands do (80-SIGKILL-oneshot-bash)', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = spawnChild(
      node(`
        const options = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] };
        const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 60000); console.log(process.pid)';
        require('node:child_process').spawn(process.execPath, ['-e', script], options);
        process.stdin.on('data', () => process.kill(process.pid, 'SIGKILL'));
      `),
      quick,
    );
    const pid = Number(await firstLine(child));
    assert.ok(isAlive(pid));
    child.stdin.write('now');
    await child.exited;
    await gone(pid);
  });

  it('is not held by a stranger that keeps stdout open (43-detached-child-inherits-stdout)', async function () {
    if (process.platform !== 'linux') this.skip();
    // Without our environment and in a session of its own, nothing shows that it was ours.
    const child = spawnChild(
      node(`
        const options = { detached: true, env: {}, stdio: ['ignore', 'inherit', 'ignore'] };
        const stranger = require('node:child_process').spawn('/bin/sleep', ['60'], options);
        console.log(stranger.pid);
        stranger.unref();
      `),
      quick,
    );
    const pid = Number(await firstLine(child));
    try {
      assert.equal((await child.exited).code, 0);
      assert.ok(isAlive(pid));
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('loses nothing that was written before the exit, though the reader was blocked', async () => {
    const child = spawnChild(node(`process.stdout.write('y'.repeat(100_000))`), { ...quick, quietMs: 1 });
    const seen = read(child);
    const until = process.hrtime.bigint() + 300_000_000n;
    while (process.hrtime.bigint() < until);
    await child.exited;
    assert.equal(seen.text.length, 100_000);
  });
});

describe('runProgram', () => {
  it('C41: ends or withholds stdin, so that a program which reads it to the end answers', async () => {
    const echo = node(`let t = ''; process.stdin.on('data', (d) => (t += d)).on('end', () => console.log('got ' + t))`);
    assert.equal((await runProgram(echo)).stdout.toString(), 'got \n');
    assert.equal((await runProgram({ ...echo, input: 'ä\nb' })).stdout.toString(), 'got ä\nb\n');
  });

  it('ends a program at its time limit, at too much output, and when told to', async () => {
    const endless = node(`setInterval(() => console.log('z'.repeat(10_000)), 1)`);
    const late = await runProgram({ ...endless, timeoutMs: 200 });
    assert.equal(late.stoppedBy, 'timeLimit');
    const big = await runProgram({ ...endless, maxBytes: 50_000 });
    assert.equal(big.stoppedBy, 'size');
    assert.ok(big.stdout.length <= 50_000);
    const told = await runProgram({ ...endless, signal: AbortSignal.abort() });
    assert.equal(told.stoppedBy, 'signal');
  });

  it('gives the exit code and stderr of a program that fails', async () => {
    const { exit, stderr, stoppedBy } = await runProgram(node(`console.error('no'); process.exit(2)`));
    assert.deepEqual([exit.code, stderr, stoppedBy], [2, 'no\n', null]);
  });
});

describe('childEnv', () => {
  it('C16, C46: leaves out what belongs to the host and keeps what the child needs', () => {
    const host = {
      PATH: '/bin',
      HOME: '/home/user',
      HTTPS_PROXY: 'http://proxy:8080',
      no_proxy: 'localhost',
      ANTHROPIC_API_KEY: 'key',
      CLAUDE_CONFIG_DIR: '/home/user/.config/claude',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--inspect',
      VSCODE_IPC_HOOK_CLI: '/run/x.sock',
      VSCODE_GIT_ASKPASS_MAIN: '/x/askpass-main.js',
      GIT_ASKPASS: '/x/askpass.sh',
      GEMINI_CLI_IDE_SERVER_PORT: '1234',
      GEMINI_CLI_EXP_AGENT: 'true',
      FORCE_COLOR: '3',
      CLICOLOR_FORCE: '1',
      GONE: undefined,
    };
    assert.deepEqual(childEnv(host, { EXTRA: 'yes' }), {
      PATH: '/bin',
      HOME: '/home/user',
      HTTPS_PROXY: 'http://proxy:8080',
      no_proxy: 'localhost',
      ANTHROPIC_API_KEY: 'key',
      CLAUDE_CONFIG_DIR: '/home/user/.config/claude',
      NO_COLOR: '1',
      EXTRA: 'yes',
    });
  });

  it('C46: gives the editor binary its Node variable when it is asked for', () => {
    const env = childEnv({ ELECTRON_RUN_AS_NODE: '1' }, { ELECTRON_RUN_AS_NODE: '1' });
    assert.equal(env.ELECTRON_RUN_AS_NODE, '1');
  });

  it('keeps a password program that is not the editor’s', () => {
    assert.equal(childEnv({ GIT_ASKPASS: '/usr/bin/ask' }).GIT_ASKPASS, '/usr/bin/ask');
  });
});

describe('killPlan', () => {
  it('signals the group where there are groups', () => {
    assert.deepEqual(killPlan('linux', {}, 42, 'SIGTERM'), { type: 'signal', target: -42, signal: 'SIGTERM' });
    assert.deepEqual(killPlan('darwin', {}, 42, 'SIGKILL'), { type: 'signal', target: -42, signal: 'SIGKILL' });
  });

  it('C54: walks the tree with the system’s own taskkill on Windows', () => {
    const command = 'D:\\Windows\\System32\\taskkill.exe';
    const env = { SystemRoot: 'D:\\Windows' };
    assert.deepEqual(killPlan('win32', env, 42, 'SIGTERM'), { type: 'program', command, args: ['/PID', '42', '/T'] });
    assert.deepEqual(killPlan('win32', env, 42, 'SIGKILL'), {
      type: 'program',
      command,
      args: ['/PID', '42', '/T', '/F'],
    });
  });
});
