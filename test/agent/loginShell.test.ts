import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type LoginShellDeps, loginShellPath, pathIn, shellArgs } from '../../src/agent/loginShell.ts';
import { runProgram } from '../../src/transport/childProcess.ts';

describe('the login shell’s PATH (C47)', () => {
  let home = '';
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'login-shell-'));
  });
  afterEach(() => {
    if (home !== '') fs.rmSync(home, { recursive: true, force: true });
  });

  const ask = (shell: string | undefined, more: Partial<LoginShellDeps> = {}) =>
    loginShellPath({
      env: { SHELL: shell, HOME: home, PATH: '/usr/bin:/bin', VSCODE_PID: '1' },
      platform: 'linux',
      home,
      userShell: null,
      run: runProgram,
      timeoutMs: 10_000,
      ...more,
    });

  /** A shell of this name that notes its arguments and then does what `body` says. */
  const fake = (name: string, body: string): string => {
    const file = path.join(home, name);
    const log = `printf '%s\\n' "$@" > '${home}/arguments'`;
    fs.writeFileSync(file, `#!/bin/sh\n${log}\n${body}\n`, { mode: 0o755 });
    return file;
  };
  const given = () => fs.readFileSync(path.join(home, 'arguments'), 'utf8').trimEnd().split('\n');

  it('is what a real shell’s set-up makes of it, whatever that prints besides', async function () {
    const shell = ['/bin/bash', '/usr/bin/bash'].find((file) => fs.existsSync(file));
    if (shell === undefined) this.skip();
    fs.writeFileSync(
      path.join(home, '.bash_profile'),
      [
        'echo Welcome; echo "cgloop-path<not this>cgloop-path" >&2',
        'export PATH="$HOME/.nvm/versions/node/v20/bin:$PATH"',
        "trap 'echo Goodbye' EXIT",
      ].join('\n'),
    );
    const [first, ...others] = (await ask(shell))?.split(':') ?? [];
    assert.equal(first, `${home}/.nvm/versions/node/v20/bin`);
    assert.ok(others.includes('/usr/bin'));
  });

  it('runs the shell in the home folder, without the editor’s own variables', async () => {
    const shell = fake('zsh', `echo "cgloop-path<$PWD:\${VSCODE_PID-none}:$DISABLE_AUTO_UPDATE>cgloop-path"`);
    assert.equal(await ask(shell), `${fs.realpathSync(home)}:none:true`);
    assert.deepEqual(given().slice(0, 3), ['-i', '-l', '-c']);
  });

  it('runs the command that it builds, for a shell that reads it as POSIX shells do', async () => {
    assert.equal(await ask(fake('dash', 'while [ $# -gt 1 ]; do shift; done; eval "$1"')), '/usr/bin:/bin');
  });

  it('joins fish’s list, and gives csh no argument that it refuses', async () => {
    // What fish would do with its own words for it.
    const fish = fake(
      'fish',
      `case "$4" in *'(string join : -- $PATH)'*) echo 'cgloop-path</opt/fish:/bin>cgloop-path';; esac`,
    );
    assert.equal(await ask(fish), '/opt/fish:/bin');
    const tcsh = fake('tcsh', 'eval "$3"');
    assert.equal(await ask(tcsh), '/usr/bin:/bin');
    assert.ok(!given().includes('-l'));
    assert.match(shellArgs('/usr/bin/nu').join(' '), /str join ":"/);
    assert.match(shellArgs('/usr/bin/pwsh').join(' '), /^-Login .*\$env:PATH/);
  });

  it('is given up after its time, and a shell that fails or says nothing says nothing', async () => {
    assert.equal(await ask(fake('zsh', 'sleep 60'), { timeoutMs: 200 }), null);
    assert.equal(await ask(fake('zsh', 'exit 1')), null);
    assert.equal(await ask(path.join(home, 'gone')), null);
    assert.equal(await ask(fake('zsh', 'yes | head -c 3000000')), null);
  });

  it('asks SHELL, else the user record, and nobody where there is none', async () => {
    const shell = fake('zsh', "echo 'cgloop-path</from/record>cgloop-path'");
    assert.equal(await ask(undefined, { userShell: shell }), '/from/record');
    assert.equal(await ask('zsh', { userShell: shell }), '/from/record');
    assert.equal(await ask(undefined), null);
    assert.equal(await ask(shell, { platform: 'win32' }), null);
  });

  it('takes the last pair of marks, and no command that was only echoed', () => {
    assert.equal(pathIn('hi\ncgloop-path</a>cgloop-path cgloop-path</b:/c>cgloop-path bye'), '/b:/c');
    assert.equal(pathIn(shellArgs('/bin/bash').join(' ')), null);
    assert.equal(pathIn(shellArgs('/bin/fish').join(' ')), null);
    assert.equal(pathIn('cgloop-path</a'), null);
    assert.equal(pathIn('cgloop-path<>cgloop-path'), null);
  });
});
