import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  commitAll,
  commitsOn,
  createWorktree,
  pruneWorktrees,
  removeWorktree,
  staleWorktrees,
  unsavedIn,
} from '../../src/workspace/worktree.ts';
import { at, clear, commit, files, type Ground, ground, repositoryState } from './grounds.ts';

describe('worktree of a run', function () {
  this.timeout(30_000);
  afterEach(clear);
  const make = (own: Ground, runId = 'run-1') =>
    createWorktree({ folder: own.folder, stateFolder: own.stateFolder, runId });

  it('holds what the folder holds, uncommitted, untracked and small ignored files too, and touches nothing of it', async () => {
    const own = ground('repository');
    own.write('.gitignore', '.env\nnode_modules/\n');
    own.write('crlf.txt', 'a\r\nb\r\n');
    own.write('.gitattributes', '*.txt text eol=lf ident\n');
    own.git('add', '-A');
    commit(own, 'second');
    own.write('first.txt', 'changed\n');
    own.write('staged.txt', 'staged\n');
    own.git('add', 'staged.txt');
    own.write('untracked.sh', 'x\n', 0o755);
    own.link('link', 'first.txt');
    own.write('.env', 'KEY=1', 0o600);
    own.write('node_modules/m', 'm');
    own.write('.git/hooks/post-checkout', '#!/bin/sh\ntouch hooked\n', 0o755);
    const before = { files: files(own.folder, true), state: repositoryState(own) };
    const { ref, folder } = await make(own);
    const { top: _, refs: __, logs: ___, ...state } = repositoryState(own);
    const { top: ____, refs: _____, logs: ______, ...stateBefore } = before.state;
    assert.deepEqual(state, stateBefore);
    assert.deepEqual(files(own.folder, true), before.files);
    const there = files(folder);
    const here = files(own.folder);
    here.delete('node_modules/m');
    assert.deepEqual(there, here);
    assert.equal(fs.statSync(path.join(folder, '.env')).mode & 0o777, 0o600);
    const inside = at(folder, own.stateFolder, path.join(own.folder, '../home'));
    assert.equal(inside.git('rev-parse', '--abbrev-ref', 'HEAD').trim(), 'cgloop/run-1');
    assert.deepEqual(inside.git('status', '--porcelain').trimEnd().split('\n').sort(), [
      ' M first.txt',
      '?? link',
      '?? staged.txt',
      '?? untracked.sh',
    ]);
    assert.deepEqual([ref.origin, ref.base], [own.folder, own.git('rev-parse', 'HEAD').trim()]);
  });

  it('leads to the same folder below the top, leaves out what is sparse, and takes submodules for no deletion', async () => {
    const lib = ground('repository', 'lib');
    const top = ground('repository');
    top.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.folder, 'lib');
    top.write('sub/a', '1');
    top.write('far/away.txt', 'x');
    top.git('add', '-A');
    commit(top, 'second');
    top.git('sparse-checkout', 'set', '--no-cone', '/*', '!/far/');
    const own = at(path.join(top.folder, 'sub'), top.stateFolder, path.join(top.folder, '../home'));
    own.write('b', '2');
    const { ref, folder } = await make(own);
    assert.equal(folder, path.join(ref.path, 'sub'));
    const inside = at(ref.path, own.stateFolder, path.join(top.folder, '../home'));
    assert.deepEqual([inside.exists('far/away.txt'), inside.read('sub/b')], [false, '2']);
    inside.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    inside.git('init', '-q', 'clone');
    assert.deepEqual(await unsavedIn(ref.path, ['lib/', 'clone/']), ['clone/']);
    inside.remove('clone');
    inside.write('lib/new.txt', 'x');
    assert.deepEqual(await unsavedIn(ref.path, ['lib/']), ['lib/']);
    inside.remove('lib/new.txt');
    inside.write('sub/a', 'changed');
    const tip = await commitAll(ref, 'Kept\n');
    assert.equal(inside.git('status', '--porcelain'), '');
    const changed = inside.git('diff', '--name-status', `${ref.base}..${tip}`).trim().split('\n');
    assert.deepEqual(changed, ['M\tsub/a', 'A\tsub/b']);
    assert.equal(await commitsOn(ref), 1);
    assert.equal(await commitAll(ref, 'Again\n'), tip, 'nothing more to commit');
  });

  it('is refused where it cannot be, with the way out, and then leaves nothing', async () => {
    const none = ground('none');
    await assert.rejects(make(none), /in no git repository/);
    await assert.rejects(make(ground('unborn')), /no commit yet.*Commit something first/);
    const own = ground('repository');
    const within = at(own.folder, path.join(own.folder, 'state'), path.join(own.folder, '../home'));
    await assert.rejects(make(within), /in the repository itself.*CGLOOP_HOME/);
    own.write('.gitignore', 'mine/\n');
    own.write('mine/a', '1');
    await assert.rejects(
      make(at(path.join(own.folder, 'mine'), own.stateFolder, path.join(own.folder, '../home'))),
      /no part of its repository/,
    );
    assert.equal(own.git('worktree', 'list').trim().split('\n').length, 1);
    assert.equal(own.git('branch', '--list', 'cgloop/*'), '');
    assert.equal(own.git('for-each-ref', 'refs/cgloop'), '');
  });

  it('goes with its branch, or without, also where its folder is gone already', async () => {
    const own = ground('repository');
    const first = await make(own, 'run-1');
    await removeWorktree(first.ref, true);
    await removeWorktree(first.ref, true);
    assert.equal(fs.existsSync(first.ref.path), false);
    const second = await make(own, 'run-2');
    fs.rmSync(second.ref.path, { recursive: true });
    await removeWorktree(second.ref, false);
    assert.equal(own.git('worktree', 'list').trim().split('\n').length, 1);
    assert.equal(own.git('branch', '--list', 'cgloop/*').trim(), 'cgloop/run-2');
  });

  it('C85: a locked entry of ours without its folder is found and pruned; those of others are left alone', async () => {
    const own = ground('repository');
    const ours = await make(own);
    const theirs = path.join(own.folder, '../theirs');
    own.git('worktree', 'add', '--quiet', theirs);
    own.git('worktree', 'lock', theirs);
    const alive = await make(own, 'run-2');
    for (const gone of [ours.ref.path, theirs]) fs.rmSync(gone, { recursive: true });
    const asked = { folder: own.folder, stateFolder: own.stateFolder };
    const stale = await staleWorktrees(asked);
    assert.deepEqual(stale, [{ path: ours.ref.path, branch: 'cgloop/run-1' }]);
    assert.throws(() => own.git('branch', '-D', 'cgloop/run-1'), 'it is blocked');
    await pruneWorktrees(own.folder, stale);
    assert.deepEqual(await staleWorktrees(asked), []);
    own.git('branch', '-D', 'cgloop/run-1');
    const listed = own.git('worktree', 'list', '--porcelain');
    assert.ok(listed.includes(alive.ref.path) && listed.includes('/theirs'));
    assert.deepEqual(await staleWorktrees({ ...asked, folder: ground('none').folder }), []);
  });
});
