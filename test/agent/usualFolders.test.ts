import assert from 'node:assert/strict';
import path from 'node:path';
import { findCommand } from '../../src/agent/findCommand.ts';
import { usualFolders } from '../../src/agent/usualFolders.ts';

const nothing = (): readonly string[] => [];

describe('the usual folders (C47)', () => {
  it('are absolute on every platform, each once', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const paths = platform === 'win32' ? path.win32 : path.posix;
      const home = platform === 'win32' ? 'C:\\Users\\A B' : '/home/u';
      const env = { APPDATA: 'C:\\Users\\A B\\AppData\\Roaming', LocalAppData: 'D:\\Local', VOLTA_HOME: 'relative' };
      const folders = usualFolders({ env, platform, home, list: nothing });
      assert.ok(folders.length > 10, platform);
      assert.deepEqual(
        folders.filter((folder) => !paths.isAbsolute(folder)),
        [],
      );
      assert.equal(new Set(folders).size, folders.length);
    }
  });

  it('have the newest version of a version manager first', () => {
    const list = (folder: string) =>
      folder === '/home/u/.nvm/versions/node' ? ['v9.11.2', 'v20.9.0', 'v20.19.0', 'system', 'v18.1.0'] : [];
    const folders = usualFolders({ env: {}, platform: 'linux', home: '/home/u', list });
    assert.deepEqual(
      folders.filter((folder) => folder.includes('.nvm')).map((folder) => folder.split('/').at(-2)),
      ['v20.19.0', 'v20.9.0', 'v18.1.0', 'v9.11.2', 'system'],
    );
  });

  it('know where Homebrew, npm, Volta, Bun, asdf, fnm, pnpm and the agents’ installers put programs', () => {
    const mac = usualFolders({ env: { PNPM_HOME: '/p' }, platform: 'darwin', home: '/Users/u', list: nothing });
    for (const folder of [
      '/Users/u/.local/bin',
      '/Users/u/.claude/local',
      '/opt/homebrew/bin',
      '/usr/local/bin',
      '/Users/u/.npm-global/bin',
      '/Users/u/.volta/bin',
      '/Users/u/.bun/bin',
      '/Users/u/.asdf/shims',
      '/Users/u/Library/Application Support/fnm/aliases/default/bin',
      '/p',
    ])
      assert.ok(mac.includes(folder), folder);
    const env = {
      APPDATA: 'C:\\Users\\A B\\AppData\\Roaming',
      LOCALAPPDATA: 'C:\\L',
      ProgramFiles: 'C:\\Program Files',
    };
    const windows = usualFolders({ env, platform: 'win32', home: 'C:\\Users\\A B', list: nothing });
    for (const folder of [
      'C:\\Users\\A B\\.local\\bin',
      'C:\\Users\\A B\\AppData\\Roaming\\npm',
      'C:\\L\\Volta\\bin',
      'C:\\Users\\A B\\scoop\\shims',
      'C:\\Program Files\\nodejs',
    ])
      assert.ok(windows.includes(folder), folder);
  });

  it('are the first place where a person with a bare PATH and a version manager has the program', () => {
    const list = (folder: string) => (folder === '/home/u/.nvm/versions/node' ? ['v20.19.0'] : []);
    const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
    const folders = usualFolders({ env, platform: 'linux', home: '/home/u', list });
    const program = '/home/u/.nvm/versions/node/v20.19.0/bin/gemini';
    const found = findCommand('gemini', {
      env,
      platform: 'linux',
      probe: { isProgram: (file) => file === program, read: () => null },
      node: { command: '/node', env: {} },
      elsewhere: { loginPath: null, folders },
    });
    assert.deepEqual(found, {
      type: 'found',
      command: program,
      args: [],
      // Its first line asks for `node`, which stands beside it.
      env: { PATH: `/home/u/.nvm/versions/node/v20.19.0/bin:${env.PATH}` },
    });
  });
});
