import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Checkpoints, openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { treeDigest } from '../e2e/harness/treeDigest.ts';

describe('reading a checkpoint', function () {
  this.timeout(20_000);
  let ground = '';
  let folder = '';
  let copy = '';
  let checkpoints: Checkpoints;

  beforeEach(async () => {
    ground = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'cgloop-test-'));
    folder = path.join(ground, 'project');
    copy = path.join(ground, 'copy');
    for (const one of [folder, copy, path.join(folder, 'src')]) await fs.mkdir(one);
    await fs.writeFile(path.join(folder, 'src', 'a.ts'), 'one\r\ntwo\n');
    await fs.writeFile(path.join(folder, 'bin'), Buffer.from([1, 0, 2]));
    checkpoints = await openCheckpoints({ folder, stateFolder: path.join(ground, 'state'), runId: 'run-1' });
  });
  afterEach(async () => {
    await checkpoints.close();
    await fs.rm(ground, { recursive: true, force: true });
  });

  it('gives a file’s text as it was, and null for what is no text of it', async () => {
    const then = await checkpoints.snapshot('then');
    await fs.writeFile(path.join(folder, 'src', 'a.ts'), 'other\n');
    assert.equal(await checkpoints.textOf(then, 'src/a.ts'), 'one\r\ntwo\n');
    for (const none of [
      'src',
      'src/b.ts',
      'bin',
      '',
      './src/a.ts',
      '../project/src/a.ts',
      '/etc/passwd',
      'a\0b',
      '--help',
    ]) {
      assert.equal(await checkpoints.textOf(then, none), null, JSON.stringify(none));
    }
  });

  it('writes it elsewhere, byte for byte and without what stood there; no link leads out of it', async () => {
    await fs.writeFile(path.join(ground, 'secret'), 'of the person');
    await fs.symlink(path.join(ground, 'secret'), path.join(folder, 'link'));
    const then = await checkpoints.snapshot('then');
    await fs.mkdir(path.join(copy, 'left', 'over'), { recursive: true });
    await fs.writeFile(path.join(copy, 'src'), 'a file where a folder comes');
    const before = await treeDigest(folder);
    await checkpoints.exportTo(then, copy);
    assert.equal(await fs.readFile(path.join(copy, 'src', 'a.ts'), 'utf8'), 'one\r\ntwo\n');
    assert.deepEqual((await fs.readdir(copy)).toSorted(), ['bin', 'link', 'src']);
    assert.ok((await fs.lstat(path.join(copy, 'link'))).isFile());
    assert.deepEqual(await treeDigest(folder), before);
    await fs.rm(path.join(folder, 'bin'));
    assert.notEqual(await checkpoints.treeNow(), then.tree, 'the private index is still that of the folder');
    await checkpoints.exportTo(await checkpoints.snapshot('now'), copy);
    assert.deepEqual((await fs.readdir(copy)).toSorted(), ['link', 'src']);
  });
});
