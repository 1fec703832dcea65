import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openChangeRange, type RangeOptions } from '../../src/workspace/changeRange.ts';
import { at, clear, commit, type Ground, ground, temporary } from './grounds.ts';

describe('changes of a repository to be reviewed', () => {
  afterEach(clear);

  const open = (own: Ground, range: string | null, more: Partial<RangeOptions> = {}) =>
    openChangeRange({ folder: own.folder, stateFolder: own.stateFolder, range, toFolder: false, ...more });
  /** What a range holds, path by path with its lines. */
  const look = async (own: Ground, range: string | null, more: Partial<RangeOptions> = {}) => {
    const opened = await open(own, range, more);
    assert.ok(opened.type === 'range', JSON.stringify(opened));
    const { files, patch } = await opened.range.changes();
    await opened.range.close();
    const { base, isCheckedOut } = opened.range;
    return {
      files: files.map(({ path: file, status, added, removed }) => [file, status, added, removed]),
      patch,
      base,
      isCheckedOut,
    };
  };
  const problemOf = async (own: Ground, range: string | null, more: Partial<RangeOptions> = {}) => {
    const opened = await open(own, range, more);
    assert.ok(opened.type === 'problem', JSON.stringify(opened));
    return `${opened.what} ${opened.fix}`;
  };
  const add = (own: Ground, file: string, content: string, message: string) => {
    own.write(file, content);
    own.git('add', '-A');
    commit(own, message);
  };
  const head = (own: Ground) => own.git('rev-parse', 'HEAD').trim();

  it('are those of the working tree: staged, unstaged and untracked, and nothing of the repository is touched', async () => {
    const own = ground('repository');
    add(own, 'second.txt', 'a\nb\n', 'second');
    own.write('first.txt', 'staged\n');
    own.git('add', 'first.txt');
    own.write('second.txt', 'a\nB\n');
    own.write('deep/new.txt', 'new\n');
    own.write('.gitignore', 'ignored.txt\n');
    own.write('ignored.txt', 'no\n');
    const status = own.git('status', '--porcelain=v2');
    const told = await look(own, null);
    assert.deepEqual(told.files, [
      ['.gitignore', 'added', 1, 0],
      ['deep/new.txt', 'added', 1, 0],
      ['first.txt', 'modified', 1, 1],
      ['second.txt', 'modified', 1, 1],
    ]);
    assert.match(told.patch, /^-b\n\+B$/m);
    assert.deepEqual([told.base, told.isCheckedOut], [head(own), true]);
    assert.equal(own.git('status', '--porcelain=v2'), status);
    own.git('fsck', '--strict');
  });

  it('begin where branches parted: A...B, a branch alone, A..B, and commits back', async () => {
    const own = ground('repository');
    own.git('checkout', '--quiet', '-b', 'topic');
    add(own, 'topic.txt', 'one\n', 'one');
    add(own, 'topic.txt', 'one\ntwo\n', 'two');
    own.git('checkout', '--quiet', 'main');
    add(own, 'main.txt', 'main\n', 'on main');
    own.git('checkout', '--quiet', 'topic');
    const topic = [['topic.txt', 'added', 2, 0]];
    assert.deepEqual((await look(own, 'main...HEAD')).files, topic);
    assert.deepEqual((await look(own, 'main...')).files, topic);
    assert.deepEqual((await look(own, 'main')).files, topic);
    assert.deepEqual((await look(own, 'HEAD~1')).files, [['topic.txt', 'modified', 1, 0]]);
    assert.deepEqual((await look(own, 'main..topic')).files, [['main.txt', 'deleted', 0, 1], ...topic]);

    own.write('topic.txt', 'one\ntwo\nthree\n');
    assert.deepEqual((await look(own, 'main')).files, [['topic.txt', 'added', 3, 0]], 'up to the working tree');
    const committed = await look(own, 'main...HEAD');
    assert.deepEqual([committed.files, committed.isCheckedOut], [topic, false]);
    const worked = await look(own, 'main...HEAD', { toFolder: true });
    assert.deepEqual([worked.files, worked.isCheckedOut], [[['topic.txt', 'added', 3, 0]], true]);
    assert.match(await problemOf(own, 'topic..main', { toFolder: true }), /main is not what is checked out/);
    assert.equal((await look(own, 'topic..main')).isCheckedOut, false);
  });

  it('hold a change that came in the very moment in which the index was written', async () => {
    const own = ground('repository');
    const file = path.join(own.folder, 'second.txt');
    const moment = new Date('2026-01-15T12:00:00Z');
    const inTheMoment = (name: string) => fs.utimesSync(name, moment, moment);
    own.git('config', 'core.trustctime', 'false');
    own.write('second.txt', 'a\n');
    inTheMoment(file);
    own.git('add', '-A');
    commit(own, 'second');
    inTheMoment(path.join(own.folder, '.git/index'));
    own.write('second.txt', 'b\n');
    inTheMoment(file);
    assert.deepEqual((await look(own, null)).files, [['second.txt', 'modified', 1, 1]]);
  });

  it('go on from the same commit, wherever the branch has gone since', async () => {
    const own = ground('repository');
    const base = head(own);
    own.write('first.txt', 'changed\n');
    own.git('add', '-A');
    commit(own, 'by the executor');
    assert.deepEqual((await look(own, null, { base })).files, [['first.txt', 'modified', 1, 1]]);
    assert.match(await problemOf(own, null), /There are no changes since HEAD to review .*main\.\.\.HEAD/);
    assert.match(await problemOf(own, 'HEAD..HEAD'), /There are no changes in HEAD\.\.HEAD/);
  });

  it('are everything where nothing is committed yet', async () => {
    const own = ground('unborn');
    own.write('a.txt', 'a\n');
    const told = await look(own, null);
    assert.deepEqual([told.files, told.base], [[['a.txt', 'added', 1, 0]], null]);
    assert.match(await problemOf(own, 'HEAD~1'), /no revision "HEAD~1"/);
  });

  it('are those of the folder alone, with line ends as the repository keeps them, and no filter of it is started', async () => {
    const own = ground('repository');
    add(own, 'sub/text.txt', 'one\ntwo\n', 'sub');
    const seen = path.join(temporary(), 'ran');
    own.git('config', 'core.autocrlf', 'true');
    own.git('config', 'filter.spy.clean', `touch '${seen}'; cat`);
    own.git('config', 'filter.spy.required', 'true');
    add(own, '.gitattributes', 'spied.bin filter=spy\nsub/hidden.js -diff\n', 'attributes');
    own.write('spied.bin', 'x\n');
    own.write('first.txt', 'outside\n');
    own.write('sub/text.txt', 'one\r\n2\r\n');
    own.write('sub/hidden.js', 'seen all the same\n');
    const inner = at(path.join(own.folder, 'sub'), own.stateFolder, path.dirname(own.folder));
    const told = await look(inner, null);
    assert.deepEqual(told.files, [
      ['hidden.js', 'added', 1, 0],
      ['text.txt', 'modified', 1, 1],
    ]);
    assert.match(told.patch, /\+seen all the same/);
    await look(own, null);
    assert.ok(!fs.existsSync(seen), 'a filter ran');
  });

  it('leave repositories inside alone, and our own state folder', async () => {
    const own = ground('repository');
    const inner = at(path.join(own.folder, 'inner'), own.stateFolder, path.dirname(own.folder));
    fs.mkdirSync(inner.folder);
    inner.git('init', '--quiet');
    inner.write('theirs.txt', 'x\n');
    own.write('mine.txt', 'x\n');
    const told = await look(own, null, { stateFolder: path.join(own.folder, '.state') });
    assert.deepEqual(told.files, [['mine.txt', 'added', 1, 0]]);
  });

  it('say what is in the way: no git, a word that is no revision, a clone without the history', async () => {
    assert.match(await problemOf(ground('none'), null), /is in no git repository/);
    const own = ground('repository');
    add(own, 'a.txt', 'a\n', 'second');
    own.git('branch', 'side');
    for (const word of ['nonsense', '--all', '-h', ':/', 'nonsense...HEAD', 'a\nb'])
      assert.match(await problemOf(own, word), /There is no revision ".*Name a branch, a tag or a commit/s, word);
    const orphaned = ground('repository');
    orphaned.git('checkout', '--quiet', '--orphan', 'other');
    commit(orphaned, 'another beginning');
    assert.match(
      await problemOf(orphaned, 'main...other'),
      /no commit in common\. Compare the two as they are: main\.\.other/,
    );

    const clone = path.join(temporary(), 'clone');
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${own.folder}`, clone]);
    const cloned = at(clone, own.stateFolder, path.dirname(own.folder));
    assert.match(await problemOf(cloned, 'HEAD~1'), /no revision "HEAD~1".*git fetch --unshallow.*fetch-depth: 0/s);
    cloned.git('fetch', '--quiet', '--depth=1', 'origin', 'side:refs/remotes/origin/side');
    assert.match(await problemOf(cloned, 'side'), /There is "origin\/side"/);
    add(own, 'b.txt', 'b\n', 'third');
    cloned.git('fetch', '--quiet', '--depth=1', 'origin', 'main:refs/remotes/origin/newer');
    assert.match(
      await problemOf(cloned, 'origin/newer...HEAD'),
      /not in this clone, which is a shallow one.*--unshallow/s,
    );
  });
});
