import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { claimFile, holderOf, type Owner } from '../../src/workspace/claim.ts';
import { isAlive, ownIdentity } from '../../src/workspace/processIdentity.ts';
import { acquireRunLock, type RunLock } from '../../src/workspace/runLock.ts';
import { clear, temporary } from './grounds.ts';

describe('runLock', function () {
  this.timeout(30_000);
  const children: ChildProcess[] = [];
  let root = '';
  let stateFolder = '';
  const folder = (name: string): string => {
    fs.mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const lock = (name: string, runId: string): Promise<RunLock> =>
    acquireRunLock({ folder: folder(name), stateFolder, runId });
  const acquired = async (name: string, runId: string): Promise<() => Promise<void>> => {
    const result = await lock(name, runId);
    assert.equal(result.type, 'acquired');
    return result.type === 'acquired' ? result.release : assert.fail();
  };

  beforeEach(() => {
    root = temporary();
    stateFolder = path.join(root, 'state');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    clear();
  });

  it('gives a tree to one run, and says who has it', async () => {
    const release = await acquired('a', 'one');
    const second = await lock('a', 'two');
    assert.ok(second.type === 'held');
    assert.deepEqual(
      { ...second.by, started: null },
      { pid: process.pid, started: null, runId: 'one', folder: fs.realpathSync(path.join(root, 'a')) },
    );
    await release();
    await release();
    await acquired('a', 'three');
  });

  it('gives neither a folder above nor one inside, but one beside', async () => {
    await acquired('a/b', 'one');
    for (const name of ['a', 'a/b/c']) {
      const other = await lock(name, 'two');
      assert.ok(other.type === 'held' && other.by.runId === 'one', name);
    }
    await acquired('a/bb', 'beside');
    await acquired('a/..b', 'two dots are a name');
  });

  it('knows a folder through a link', async () => {
    await acquired('a', 'one');
    fs.symlinkSync(path.join(root, 'a'), path.join(root, 'link'));
    assert.equal((await acquireRunLock({ folder: path.join(root, 'link'), stateFolder, runId: 'two' })).type, 'held');
  });

  it('serves exactly one of many at once, a dead owner in the way or not', async () => {
    for (const dead of [false, true]) {
      const name = `many-${dead}`;
      if (dead) {
        const release = await acquired(name, 'dead');
        const [file = ''] = fs.readdirSync(path.join(stateFolder, 'locks')).filter((entry) => entry.endsWith('.json'));
        await release();
        fs.writeFileSync(
          path.join(stateFolder, 'locks', file),
          JSON.stringify({ pid: process.pid, started: 'another life', runId: 'dead', folder: root }),
        );
      }
      const results = await Promise.all(Array.from({ length: 12 }, (_, index) => lock(name, `r${index}`)));
      const winners = results.flatMap((result) => (result.type === 'acquired' ? [result.release] : []));
      assert.equal(winners.length, 1);
      await winners[0]?.();
      assert.deepEqual(fs.readdirSync(path.join(stateFolder, 'locks')), [], 'nothing is left behind');
    }
  });

  it('takes over from a process that was killed, and not while it lives', async () => {
    const claim = pathToFileURL(path.resolve('src/workspace/runLock.ts')).href;
    const script = `import { acquireRunLock } from ${JSON.stringify(claim)};
      const lock = await acquireRunLock(${JSON.stringify({ folder: folder('a'), stateFolder, runId: 'child' })});
      process.stdout.write(lock.type); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = await once(child.stdout, 'data');
    assert.equal(String(said), 'acquired');
    const held = await lock('a', 'mine');
    assert.ok(held.type === 'held' && held.by.pid === child.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await acquired('a', 'mine');
  });

  it('tells a reused pid from its former owner, and survives a file that is none', async () => {
    const me = await ownIdentity();
    assert.equal(await isAlive(me), true);
    assert.equal(await isAlive({ pid: me.pid, started: 'another life' }), me.started === null);
    assert.equal(await isAlive({ pid: 4_194_303, started: null }), false);
    const file = path.join(folder('locks'), 'x.json');
    const owner: Owner = { ...me, runId: 'r', folder: root };
    for (const text of ['', '{', '[]', '{"pid":-1}']) {
      fs.writeFileSync(file, text);
      assert.equal(await claimFile(file, owner), null);
      assert.deepEqual(await holderOf(file), owner);
      fs.rmSync(file);
    }
  });
});
