import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { leftInConflict } from '../../src/shared/undo.ts';
import { type Checkpoints, openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { dropCheckpoints } from '../../src/workspace/dropCheckpoints.ts';
import { at, clear, commit, type Ground, ground } from './grounds.ts';

describe('small ignored files beside a checkpoint', function () {
  this.timeout(30_000);
  const opened: Checkpoints[] = [];
  const open = async (own: Ground, runId = 'run-1'): Promise<Checkpoints> => {
    const checkpoints = await openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId });
    opened.push(checkpoints);
    return checkpoints;
  };
  afterEach(async () => {
    for (const checkpoints of opened.splice(0)) await checkpoints.close();
    clear();
  });
  const project = (): Ground => {
    const own = ground('repository');
    own.write('.gitignore', '.env\n*.log\nnode_modules/\nlocal/\nlarge.bin\n');
    own.write('.env', 'KEY=first', 0o600);
    own.write('local/settings.json', '{}');
    own.write('build.log', 'log');
    own.write('node_modules/m/index.js', 'm');
    own.write('large.bin', Buffer.alloc(1024 * 1024 + 1));
    return own;
  };
  const kept = (own: Ground): string[] => {
    const [key = ''] = fs.readdirSync(path.join(own.stateFolder, 'checkpoints'));
    return fs
      .readdirSync(path.join(own.stateFolder, 'checkpoints', key, 'ignored'), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(own.stateFolder, 'checkpoints', key, 'ignored', name))
      .filter((file) => fs.statSync(file).isFile());
  };

  it('are kept for the person alone and never in git, and what programs make is not', async () => {
    const own = project();
    await (await open(own)).snapshot('start');
    const files = kept(own);
    for (const file of files) assert.equal(fs.statSync(file).mode & 0o777, 0o600, file);
    const contents = files.map((file) => fs.readFileSync(file, 'utf8'));
    const [manifest = ''] = contents.filter((text) => text.startsWith('['));
    assert.deepEqual(
      JSON.parse(manifest).map((one: { readonly path: string }) => one.path),
      ['.env', 'local/settings.json'],
    );
    assert.ok(contents.includes('KEY=first'));
    const all = own.git('cat-file', '--batch-all-objects', '--batch-check').split('\n');
    for (const line of all.filter((one) => / blob /.test(one))) {
      assert.doesNotMatch(own.git('cat-file', 'blob', line.split(' ')[0] ?? ''), /KEY=first/);
    }
  });

  it('are put back with their mode; what changed since is a conflict, and what came later stays', async () => {
    const own = project();
    const checkpoints = await open(own);
    const before = await checkpoints.snapshot('before');
    own.write('.env', 'KEY=agent', 0o644);
    own.remove('local');
    const after = await checkpoints.snapshot('after');
    own.write('late.env', 'x');
    const asked = { from: after, to: before, label: 'x', ignored: { from: after.id, to: before.id } };
    assert.deepEqual((await checkpoints.previewPutBack(asked)).ignored, ['.env', 'local/settings.json']);
    assert.equal(own.read('.env'), 'KEY=agent');
    const done = await checkpoints.putBack(asked);
    assert.deepEqual([done.ignored, done.files], [['.env', 'local/settings.json'], []]);
    assert.deepEqual([own.read('.env'), own.read('local/settings.json')], ['KEY=first', '{}']);
    assert.equal(fs.statSync(path.join(own.folder, '.env')).mode & 0o777, 0o600);

    const redo = { from: done.restored, to: done.replaced, label: 'x' };
    await checkpoints.putBack({ ...redo, ignored: { from: done.restored.id, to: done.replaced.id } });
    assert.equal(own.read('.env'), 'KEY=agent');

    own.write('.env', 'KEY=mine');
    const again = await checkpoints.putBack(asked);
    assert.deepEqual([again.ignored, again.conflicts], [[], [{ path: '.env', why: 'lines' }]]);
    assert.equal(own.read('local/settings.json'), '{}', 'nothing that is ignored is ever deleted');
    assert.equal(own.read('.env'), 'KEY=mine');
    await checkpoints.putBack({ ...asked, conflicts: 'take' });
    assert.equal(own.read('.env'), 'KEY=first');
    const { ignored } = await checkpoints.putBack({ ...asked, conflicts: 'take', keep: ['.env'] });
    assert.deepEqual(ignored, []);
  });

  it('are never written through a link, and a rule that is gone makes them part of the tree', async () => {
    const own = project();
    const checkpoints = await open(own);
    const before = await checkpoints.snapshot('before');
    const outside = path.join(own.stateFolder, '../outside');
    fs.mkdirSync(outside);
    own.remove('local');
    own.link('local', outside);
    own.write('.gitignore', '*.log\n');
    own.write('.env', 'KEY=agent');
    const now = { from: null, to: before, label: 'x', ignored: { from: null, to: before.id } };
    const done = await checkpoints.putBack(now);
    assert.equal(own.read('.env'), 'KEY=first');
    assert.deepEqual(fs.readdirSync(outside), []);
    assert.ok(done.ignored.includes('.env'));
  });

  it('never take the place of what cannot be saved first', async () => {
    const own = project();
    const checkpoints = await open(own);
    const before = await checkpoints.snapshot('before');
    own.write('.env', 'KEY=agent');
    const after = await checkpoints.snapshot('after');
    const grown = 'x'.repeat(1024 * 1024 + 1);
    own.write('.env', grown);
    own.remove('local/settings.json');
    own.link('local/settings.json', 'mine.json');
    const ignored = { from: null, to: before.id };
    const unkept = (...paths: readonly string[]) => paths.map((file) => ({ path: file, why: 'unkept' }));
    for (const conflicts of ['leave', 'take'] as const) {
      const asked = { from: null, to: before, label: 'x', ignored, conflicts };
      const told = await checkpoints.previewPutBack(asked);
      const done = await checkpoints.putBack(asked);
      for (const { ignored, conflicts } of [told, done]) {
        assert.deepEqual([ignored, conflicts], [[], unkept('.env', 'local/settings.json')]);
      }
      assert.deepEqual(leftInConflict(done.conflicts, conflicts), done.conflicts);
    }
    const round = { from: after, to: before, label: 'x', ignored: { from: after.id, to: before.id } };
    const { conflicts } = await checkpoints.putBack({ ...round, conflicts: 'take' });
    assert.deepEqual(conflicts, unkept('.env'), 'what the round did not touch is no matter of it');
    assert.equal(own.read('.env'), grown);
    assert.equal(fs.readlinkSync(path.join(own.folder, 'local/settings.json')), 'mine.json');
  });

  it('go with the checkpoints of their run', async () => {
    const own = project();
    const first = await open(own, 'run-1');
    await first.snapshot('start');
    const second = await open(own, 'run-2');
    await second.snapshot('start');
    await first.close();
    await second.close();
    const drop = (id: string) =>
      dropCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runs: { ids: [id] } });
    await drop('run-1');
    assert.ok(kept(own).every((file) => file.includes('run-2')));
    assert.ok(kept(own).length > 0);
    await drop('run-2');
    assert.deepEqual(fs.readdirSync(path.join(own.stateFolder, 'checkpoints')), []);
  });

  it('HEAD is part of a checkpoint, and what came between two of them can be told', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    const head = own.git('rev-parse', 'HEAD').trim();
    assert.deepEqual([await checkpoints.head(), await checkpoints.headOf(start)], [head, head]);
    own.write('a.txt', 'a');
    own.git('add', '-A');
    commit(own, 'First of two');
    commit(own, 'Second\ttab');
    const moved = await checkpoints.head();
    const commits = await checkpoints.commits(head, moved);
    assert.deepEqual(
      commits.map(({ subject }) => subject),
      ['Second\ttab', 'First of two'],
    );
    assert.equal(commits[0]?.id, moved);
    assert.deepEqual(await checkpoints.commits(moved, head), [], 'it went back');
    own.git('reset', '-q', '--hard', head);
    own.git('reflog', 'expire', '--expire=now', '--all');
    execFileSync('git', ['-C', own.folder, 'gc', '-q', '--prune=now']);
    assert.equal(await checkpoints.headOf(start), head);

    const linked = at(path.join(own.folder, '../linked'), own.stateFolder, path.join(own.folder, '../home'));
    own.git('worktree', 'add', '--quiet', linked.folder);
    commit(linked, 'In a linked worktree');
    const headOf = async (one: Ground, run: string) => [
      await (await open(one, run)).head(),
      one.git('rev-parse', 'HEAD').trim(),
    ];
    for (const how of [
      ['pack-refs', '--all'],
      ['checkout', '--quiet', '--detach'],
    ]) {
      for (const one of [own, linked]) {
        one.git(...how);
        const [told, real] = await headOf(one, how[0] ?? '');
        assert.equal(told, real, how.join(' '));
      }
    }

    const unborn = await open(ground('unborn'));
    const empty = await unborn.snapshot('start');
    assert.deepEqual([await unborn.head(), await unborn.headOf(empty)], [null, null]);
  });
});
