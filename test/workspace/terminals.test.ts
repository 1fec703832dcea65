import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TerminalCommand } from '../../src/scheduler/terminalService.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { createTerminalService } from '../../src/workspace/terminals.ts';
import { gone } from '../transport/childProcessAlive.ts';

describe('terminals', function () {
  this.timeout(20_000);
  let cwd: string;
  before(() => {
    cwd = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-terminals-')));
  });
  after(() => fs.rmSync(cwd, { recursive: true }));

  /** A program of Node, started as the agent's command. */
  const node = (script: string, more: Partial<TerminalCommand> = {}): TerminalCommand => ({
    command: process.execPath,
    args: ['-e', script],
    env: {},
    cwd,
    outputByteLimit: 100_000,
    ...more,
  });

  /** Starts it, and settles `until` when its output holds a text. */
  async function start(command: TerminalCommand, env: NodeJS.ProcessEnv = process.env) {
    const service = createTerminalService({ spawn: spawnChild, env });
    let heard = '';
    const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
    const terminal = await service.start(command, (text) => {
      heard += text;
      for (const one of waiting) if (heard.includes(one.text)) one.resolve();
    });
    const until = (text: string) =>
      new Promise<void>((resolve) => {
        if (heard.includes(text)) resolve();
        else waiting.push({ text, resolve });
      });
    return { terminal, until, heard: () => heard };
  }

  it('give both outputs and the exit code, without a shell between', async () => {
    const script = 'process.stdout.write(process.argv[1]); process.stderr.write(" err"); process.exitCode = 3';
    const { terminal, heard } = await start(node(script, { args: ['-e', script, '--', '$HOME && echo *'] }));
    assert.deepEqual(await terminal.ended, { exitCode: 3, signal: null, by: 'itself' });
    assert.ok(terminal.output().output.includes('$HOME && echo *'));
    assert.ok(terminal.output().output.includes(' err'));
    assert.equal(terminal.output().output, heard());
    assert.equal(terminal.output().truncated, false);
  });

  it('keep the newest output, whole characters, also of those that come in pieces', async () => {
    const script = `
      const all = Buffer.from('€'.repeat(50));
      for (let i = 0; i < all.length; i++) require('fs').writeSync(1, all.subarray(i, i + 1));`;
    const { terminal, heard } = await start(node(script, { outputByteLimit: 10 }));
    await terminal.ended;
    assert.equal(heard(), '€'.repeat(50));
    assert.deepEqual(terminal.output(), {
      output: '€€€',
      truncated: true,
      end: { exitCode: 0, signal: null, by: 'itself' },
    });
  });

  it('end with all that they started, and stay readable', async () => {
    const script = `
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log('child ' + child.pid);
      setInterval(() => {}, 1000);`;
    const { terminal, until } = await start(node(script));
    await until('\n');
    const pid = Number(/child (\d+)/.exec(terminal.output().output)?.[1]);
    assert.equal(terminal.output().end, null);
    await terminal.kill('agent');
    await gone(pid);
    const end = terminal.output().end;
    assert.equal(end?.by, 'agent');
    assert.match(terminal.output().output, /child/);
    await terminal.kill('stop');
    assert.equal((await terminal.ended).by, 'agent', 'the first one who asked');
  });

  it('end also when they do not listen', async () => {
    const { terminal, until } = await start(
      node(`process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000);`),
    );
    await until('deaf');
    await terminal.kill('stop');
    assert.deepEqual(await terminal.ended, { exitCode: null, signal: 'SIGKILL', by: 'stop' });
  });

  it('have nothing on stdin, and none of the variables that belong to the host', async () => {
    const script = `
      process.stdin.on('data', () => {}).on('end', () => console.log('end of input'));
      console.log(JSON.stringify(process.env));`;
    const { terminal } = await start(node(script, { env: { MINE: 'yes' } }), {
      PATH: process.env.PATH,
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '1',
      NODE_OPTIONS: '--no-warnings',
      KEPT: 'kept',
    });
    assert.equal((await terminal.ended).exitCode, 0);
    const { output } = terminal.output();
    assert.match(output, /end of input/);
    assert.match(output, /"MINE":"yes"/);
    assert.match(output, /"KEPT":"kept"/);
    assert.match(output, /"NO_COLOR":"1"/);
    assert.doesNotMatch(output, /ELECTRON_|VSCODE_|NODE_OPTIONS/);
  });

  it('say when a program cannot be started, and where', async () => {
    await assert.rejects(
      start(node('', { command: 'no-such-program-of-anyone' })),
      /no-such-program-of-anyone cannot be started/,
    );
    await assert.rejects(start(node('', { cwd: path.join(cwd, 'gone') })), /working folder does not exist/);
  });
});
