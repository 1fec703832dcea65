import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { keepTerminalPath } from '../../src/host/terminalPath.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** As VS Code keeps it: the latest change of each variable. */
function fakeCollection() {
  const changes = new Map<string, string>();
  return {
    changes,
    description: undefined,
    clear: () => changes.clear(),
    prepend: (name: string, value: string) => void changes.set(name, `prepend ${value}`),
    replace: (name: string, value: string) => void changes.set(name, `replace ${value}`),
  };
}

describe('cgloop on the PATH of terminals', () => {
  const facts = { wanted: true, bin: '/ext/bin', node: '/usr/bin/node', description: 'cgloop' } as const;

  it('is put first, with a Node that is there', () => {
    const collection = fakeCollection();
    keepTerminalPath(collection, { ...facts, platform: 'linux' });
    assert.deepEqual(Object.fromEntries(collection.changes), {
      PATH: 'prepend /ext/bin:',
      CGLOOP_NODE: 'replace /usr/bin/node',
    });
    assert.equal(collection.description, 'cgloop');
    keepTerminalPath(collection, { ...facts, bin: 'C:\\ext\\bin', platform: 'win32' });
    assert.equal(collection.changes.get('PATH'), 'prepend C:\\ext\\bin;');
  });

  it('is taken away where it is not wanted, also what a former window has left', () => {
    const collection = fakeCollection();
    keepTerminalPath(collection, { ...facts, platform: 'linux' });
    keepTerminalPath(collection, { ...facts, platform: 'linux', wanted: false });
    assert.deepEqual(Object.fromEntries(collection.changes), {});
  });
});

describe('the scripts of bin/', () => {
  const script = path.join(root, 'bin/cgloop');

  it('run with the Node that the extension names, and pass arguments as they are', function () {
    if (process.platform === 'win32') this.skip(); // A shell script.
    // A Node that tells what it was started with.
    const env = { PATH: '/usr/bin:/bin', CGLOOP_NODE: '/bin/echo' };
    const { stdout } = spawnSync(script, ['a b', '$HOME'], { env, encoding: 'utf8' });
    assert.equal(stdout, `${path.join(root, 'dist/host.cjs')} a b $HOME\n`);
  });

  it('name the way out where there is no Node at all', function () {
    if (process.platform === 'win32') this.skip(); // A shell script.
    const folder = fs.mkdtempSync('/tmp/cgloop-bin-');
    for (const name of ['sh', 'dirname']) fs.symlinkSync(`/usr/bin/${name}`, path.join(folder, name));
    const env = { PATH: folder, CGLOOP_NODE: '/nowhere/node' };
    const { status, stderr } = spawnSync('/bin/sh', [script], { env, encoding: 'utf8' });
    fs.rmSync(folder, { recursive: true });
    assert.equal(status, 127);
    assert.match(stderr, /no Node to run .*install Node/);
  });

  it('of Windows has the line ends that its shell wants, and names the same program', () => {
    const text = fs.readFileSync(path.join(root, 'bin/cgloop.cmd'), 'utf8');
    assert.equal(text.replaceAll('\r\n', '').includes('\n'), false);
    assert.match(text, /"%CGLOOP_NODE%" "%~dp0\.\.\\dist\\host\.cjs" %\*/);
  });
});
