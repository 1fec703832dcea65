import assert from 'node:assert/strict';
import { type FindContext, findCommand } from '../../src/agent/findCommand.ts';

const NODE = { command: '/app/editor', env: { ELECTRON_RUN_AS_NODE: '1' } };

/** A disk that holds `files` (path → text) and nothing else. */
function disk(
  platform: NodeJS.Platform,
  env: Record<string, string>,
  files: Record<string, string>,
): FindContext & { readonly asked: string[] } {
  const asked: string[] = [];
  const look = (file: string) => {
    asked.push(file);
    return files[file] ?? null;
  };
  return { platform, env, node: NODE, asked, probe: { isProgram: (file) => look(file) !== null, read: look } };
}

const NPM = 'C:\\Users\\A B\\AppData\\Roaming\\npm';
const GEMINI_SHIM = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  '  SET PATHEXT=%PATHEXT:;.JS;=;%',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js" %*',
].join('\r\n');
const CLAUDE_SHIM = [
  '@ECHO off',
  'SETLOCAL',
  'CALL :find_dp0',
  '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*',
].join('\r\n');
const GEMINI_SCRIPT = `${NPM}\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js`;
const CLAUDE_PROGRAM = `${NPM}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`;

describe('findCommand', () => {
  it('takes the first folder of PATH that holds the program', () => {
    const context = disk(
      'linux',
      { PATH: '/usr/bin:/home/u/.nvm/bin:/late' },
      { '/home/u/.nvm/bin/claude': '', '/late/claude': '' },
    );
    assert.deepEqual(findCommand('claude', context), {
      type: 'found',
      command: '/home/u/.nvm/bin/claude',
      args: [],
      env: {},
    });
  });

  it('names every folder it looked in when the program is missing', () => {
    const context = disk('darwin', { PATH: '/usr/bin:/bin' }, {});
    assert.deepEqual(findCommand('gemini', context), { type: 'missing', lookedIn: ['/usr/bin', '/bin'] });
    assert.deepEqual(findCommand('gemini', disk('linux', {}, {})), { type: 'missing', lookedIn: [] });
  });

  it('never starts a program of the working folder: empty and relative folders of PATH are passed over', () => {
    const context = disk(
      'linux',
      { PATH: ':.:node_modules/.bin:/usr/bin' },
      { claude: '', './claude': '', 'node_modules/.bin/claude': '' },
    );
    assert.deepEqual(findCommand('claude', context), { type: 'missing', lookedIn: ['/usr/bin'] });
    assert.deepEqual(context.asked, ['/usr/bin/claude']);
  });

  it('looks only where the person said, when the person said it', () => {
    const context = disk(
      'linux',
      { PATH: '/usr/bin' },
      { '/usr/bin/claude': '', '/opt/claude': '', '/opt/cli.mjs': '' },
    );
    assert.deepEqual(findCommand('claude', context, '/opt/claude'), {
      type: 'found',
      command: '/opt/claude',
      args: [],
      // A script there looks for its interpreter beside itself.
      env: { PATH: '/opt:/usr/bin' },
    });
    assert.deepEqual(findCommand('claude', context, '/gone/claude'), { type: 'missing', lookedIn: ['/gone/claude'] });
    assert.deepEqual(findCommand('claude', context, 'claude'), { type: 'missing', lookedIn: ['claude'] });
    assert.deepEqual(findCommand('claude', context, '/opt/cli.mjs'), {
      type: 'found',
      command: '/app/editor',
      args: ['/opt/cli.mjs'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  it('C49: resolves a Windows shim in a path with a space to its script, run by the Node on PATH', () => {
    const env = { Path: `C:\\Windows;"${NPM}";C:\\Program Files\\nodejs`, PATHEXT: '.COM;.EXE;.BAT;.CMD;.VBS;.JS' };
    const context = disk('win32', env, {
      [`${NPM}\\gemini.cmd`]: GEMINI_SHIM,
      [GEMINI_SCRIPT]: 'js',
      'C:\\Program Files\\nodejs\\node.exe': '',
    });
    assert.deepEqual(findCommand('gemini', context), {
      type: 'found',
      command: 'C:\\Program Files\\nodejs\\node.exe',
      args: [GEMINI_SCRIPT],
      env: {},
    });
  });

  it('C49: prefers the node.exe beside the shim, and falls back to our own Node', () => {
    const files = { [`${NPM}\\gemini.cmd`]: GEMINI_SHIM, [GEMINI_SCRIPT]: 'js' };
    const beside = findCommand('gemini', disk('win32', { PATH: NPM }, { ...files, [`${NPM}\\node.exe`]: '' }));
    assert.equal(beside.type === 'found' && beside.command, `${NPM}\\node.exe`);
    const ours = findCommand('gemini', disk('win32', { PATH: NPM }, files));
    assert.deepEqual(ours, { type: 'found', command: '/app/editor', args: [GEMINI_SCRIPT], env: NODE.env });
  });

  it('C49: resolves a shim to a native program, also when the person names the shim', () => {
    const context = disk('win32', { PATH: '' }, { [`${NPM}\\claude.cmd`]: CLAUDE_SHIM, [CLAUDE_PROGRAM]: '' });
    assert.deepEqual(findCommand('claude', context, `${NPM}\\claude.cmd`), {
      type: 'found',
      command: CLAUDE_PROGRAM,
      args: [],
      env: {},
    });
  });

  it('C49: takes the shim for the script of the same name beside it, which only other shells start', () => {
    const files = { [`${NPM}\\gemini`]: '#!/bin/sh', [`${NPM}\\gemini.cmd`]: GEMINI_SHIM, [GEMINI_SCRIPT]: '' };
    const found = findCommand('gemini', disk('win32', {}, files), `${NPM}\\gemini`);
    assert.deepEqual(found.type === 'found' && found.args, [GEMINI_SCRIPT]);
  });

  it('C49: reads the older shims that say %~dp0', () => {
    const shim =
      '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\cli.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\cli.js" %*\r\n)';
    const context = disk('win32', { PATH: 'D:\\bin' }, { 'D:\\bin\\gemini.cmd': shim, 'D:\\bin\\cli.js': 'js' });
    const found = findCommand('gemini', context);
    assert.deepEqual(found.type === 'found' && found.args, ['D:\\bin\\cli.js']);
  });

  it('C47: looks at the login shell’s PATH, then at the usual folders, only when PATH does not have it', () => {
    const env = { PATH: '/usr/bin:/bin' };
    const files = { '/home/u/.nvm/bin/claude': '', '/opt/homebrew/bin/claude': '', '/opt/homebrew/bin/gemini': '' };
    const elsewhere = { loginPath: '/home/u/.nvm/bin::relative:/usr/bin', folders: ['/opt/homebrew/bin'] };
    const context = { ...disk('darwin', env, files), elsewhere };
    assert.deepEqual(findCommand('claude', context), {
      type: 'found',
      command: '/home/u/.nvm/bin/claude',
      args: [],
      env: { PATH: '/home/u/.nvm/bin:relative:/usr/bin:/bin' },
    });
    const gemini = findCommand('gemini', context);
    assert.equal(gemini.type === 'found' && gemini.env.PATH?.split(':')[0], '/opt/homebrew/bin');
    const onPath = { ...disk('darwin', env, { ...files, '/bin/claude': '' }), elsewhere };
    assert.deepEqual(findCommand('claude', onPath), { type: 'found', command: '/bin/claude', args: [], env: {} });
    const missing = findCommand('codex', context);
    assert.deepEqual(missing.type === 'missing' && missing.lookedIn, [
      '/usr/bin',
      '/bin',
      '/home/u/.nvm/bin',
      '/opt/homebrew/bin',
    ]);
  });

  it('C47, C49: finds a shim in a usual folder of Windows, with Node in another, and spells PATH as Windows does', () => {
    const elsewhere = { loginPath: null, folders: [NPM, 'C:\\Program Files\\nodejs'] };
    const files = {
      [`${NPM}\\gemini.cmd`]: GEMINI_SHIM,
      [GEMINI_SCRIPT]: 'js',
      'C:\\Program Files\\nodejs\\node.exe': '',
    };
    const context = { ...disk('win32', { Path: 'C:\\Windows' }, files), elsewhere };
    assert.deepEqual(findCommand('gemini', context), {
      type: 'found',
      command: 'C:\\Program Files\\nodejs\\node.exe',
      args: [GEMINI_SCRIPT],
      env: { Path: `${NPM};C:\\Windows` },
    });
  });

  it('C49: takes the endings in the order of PATHEXT, and none that it does not list', () => {
    const files = { 'D:\\b\\claude.exe': '', 'D:\\b\\claude.cmd': CLAUDE_SHIM, [CLAUDE_PROGRAM]: '' };
    const shim = { ...files, 'D:\\b\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe': '' };
    const found = (PATHEXT: string) => {
      const command = findCommand('claude', disk('win32', { PATH: 'D:\\b', PATHEXT }, shim));
      return command.type === 'found' ? command.command : null;
    };
    assert.equal(found('.EXE;.CMD'), 'D:\\b\\claude.exe');
    assert.equal(found('.CMD;.EXE'), 'D:\\b\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe');
    assert.equal(found('.JS;.PY'), null);
  });

  it('C49: a batch file that is no shim is passed over, for it would need a shell', () => {
    const context = disk(
      'win32',
      { PATH: 'D:\\a;D:\\b' },
      { 'D:\\a\\claude.bat': '@echo %*', 'D:\\b\\claude.exe': '' },
    );
    const found = findCommand('claude', context);
    assert.equal(found.type === 'found' && found.command, 'D:\\b\\claude.exe');
  });
});
