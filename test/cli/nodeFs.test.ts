import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { FileRefused } from '../../src/scheduler/fileService.ts';
import { clear, temporary } from '../workspace/grounds.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('the files under plain Node', () => {
  afterEach(clear);

  it('are those of the run’s folder and of the others that are named', async () => {
    const [folder, more, outside] = [temporary(), temporary(), temporary()];
    for (const each of [folder, more, outside]) fs.writeFileSync(path.join(each, 'a.txt'), 'a\n');
    const files = createNodeFs({ folders: [more, path.join(more, 'removed')] }).open(folder);
    const read = (each: string) => files.read(path.join(each, 'a.txt'), { line: null, limit: null });
    assert.deepEqual(await read(folder), { text: 'a\n', from: 'disk' });
    assert.deepEqual(await read(more), { text: 'a\n', from: 'disk' });
    await assert.rejects(read(outside), (error) => error instanceof FileRefused && error.problem === 'outside');
    assert.equal(await files.write(files.locate(path.join(more, 'b.txt')), 'b'), 'disk');
    assert.deepEqual(createNodeFs().unsaved([path.join(folder, 'a.txt')]), []);
  });

  it('are shown to a person where they can be', async () => {
    const folder = temporary();
    fs.writeFileSync(path.join(folder, 'a.txt'), 'a\n');
    const files = createNodeFs().open(folder);
    assert.equal(await files.look(path.join(folder, 'a.txt')), 'a\n');
    assert.equal(await files.look(path.join(folder, 'none.txt')), null);
  });

  it('need a folder', () => {
    assert.throws(() => createNodeFs().open(path.join(temporary(), 'none')), FileRefused);
  });

  // The superuser may write what is read-only: the handed cases run as somebody else too.
  it('pass the handed cases as a user without rights (P31)', function () {
    this.timeout(60_000);
    if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
    const command = ['--import', 'tsx', 'test/cases/run.ts', 'files', 'test/cases/files.jsonl'];
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, ...command];
    const env = { ...process.env, HOME: '/tmp', TMPDIR: '/tmp' };
    const { stdout, stderr, error } = spawnSync('setpriv', nobody, { cwd: root, env, encoding: 'utf8' });
    if (error !== undefined || /cannot|denied|EACCES/i.test(stderr)) this.skip(); // No setpriv, or a tree that is closed to others.
    assert.match(stdout, /^\d+ passed, 0 failed, /m, stderr);
  });

  it('are refused by the system in a folder without rights, in our words', async function () {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
    this.timeout(60_000);
    const folder = temporary();
    fs.chmodSync(folder, 0o755);
    fs.mkdirSync(path.join(folder, 'closed'), { mode: 0o700 });
    fs.writeFileSync(path.join(folder, 'closed', 'a.txt'), 'a');
    fs.writeFileSync(path.join(folder, 'ours.txt'), 'a', { mode: 0o644 });
    const script = path.join(root, 'test/fakes/asNobody.ts');
    const nobody = [
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      process.execPath,
      '--import',
      'tsx',
      script,
      folder,
    ];
    const { stdout, error, stderr } = spawnSync('setpriv', nobody, { cwd: root, encoding: 'utf8' });
    if (error !== undefined || stdout === '') {
      assert.match(String(error ?? stderr), /ENOENT|denied|EACCES/);
      this.skip();
    }
    assert.deepEqual(JSON.parse(stdout), {
      'read closed/a.txt': 'failed',
      'read ours.txt': 'disk',
      'write ours.txt': 'readOnly',
      'write new.txt': 'readOnly',
      'write closed/new.txt': 'readOnly',
    });
  });
});
