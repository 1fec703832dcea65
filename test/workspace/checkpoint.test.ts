import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Checkpoints, openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { at, clear, commit, files, type Ground, ground, repositoryState, restore, temporary } from './grounds.ts';

describe('checkpoint', function () {
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

  it('C83: HEAD, index, stash, refs, configuration and untracked files stay as they are', async () => {
    const own = ground('repository');
    own.write('kept.txt', 'stashed\n');
    own.git('add', 'kept.txt');
    own.git('-c', 'user.name=U', '-c', 'user.email=u@example.org', 'stash');
    own.write('staged.txt', 'staged\n');
    own.git('add', 'staged.txt');
    own.write('staged.txt', 'staged, then changed\n');
    own.write('untracked.txt', 'mine\n');
    own.write('.gitignore', '*.log\n');
    own.write('build.log', 'ignored\n');
    const repository = repositoryState(own);
    const before = files(own.folder, true);

    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('before round 1');
    assert.deepEqual(repositoryState(own), repository);
    assert.deepEqual(files(own.folder, true), before, 'a snapshot touches no file');

    own.write('untracked.txt', 'of the agent\n');
    own.remove('staged.txt');
    own.write('deep/down/new.txt', 'new\n');
    own.write('build.log', 'ignored, and written since\n');
    await restore(checkpoints, start);
    assert.deepEqual(repositoryState(own), repository);
    const after = files(own.folder);
    assert.equal(own.read('build.log'), 'ignored, and written since\n', 'an ignored file is left alone');
    own.write('build.log', 'ignored\n');
    assert.deepEqual(
      files(own.folder),
      new Map([...before].map(([name, what]) => [name, what.replace(/ [\d.]+$/, '')])),
    );
    assert.ok(after.has('untracked.txt'));
    assert.equal(own.exists('deep'), false, 'folders that the restore emptied are gone');
  });

  it('says so when the repository that holds it is gone', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    await checkpoints.snapshot('start');
    own.remove('.git');
    await assert.rejects(
      checkpoints.snapshot('after'),
      /^GitError: The git repository of .* is gone.*Bring its \.git back/,
    );
    assert.equal(own.read('first.txt'), 'first\n');
  });

  it('says what it did, and a restore of what it replaced is the way back', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('first.txt', 'first\nsecond\n');
    own.write('new.txt', 'a\nb\n');
    own.write('tool.sh', 'x\n', 0o755);
    const changed = files(own.folder);
    const end = await checkpoints.snapshot('end');
    const { files: list, patch } = await checkpoints.changes(start, end);
    assert.deepEqual(list, [
      { path: 'first.txt', status: 'modified', added: 1, removed: 0 },
      { path: 'new.txt', status: 'added', added: 2, removed: 0 },
      { path: 'tool.sh', status: 'added', added: 1, removed: 0 },
    ]);
    assert.match(patch, /^\+second$/m);
    assert.match(patch, /new file mode 100755/);

    const { replaced, files: undone } = await restore(checkpoints, start);
    assert.deepEqual(
      undone.map(({ path: file, status }) => [file, status]),
      [
        ['first.txt', 'modified'],
        ['new.txt', 'deleted'],
        ['tool.sh', 'deleted'],
      ],
    );
    assert.equal(replaced.tree, end.tree);
    assert.equal(await checkpoints.treeNow(), start.tree);
    await restore(checkpoints, replaced);
    assert.deepEqual(files(own.folder), changed);
  });

  it('leaves the files that are to be kept as they are, and says which of them differ', async () => {
    const own = ground('repository');
    own.write('gone.txt', 'x\n');
    own.write('dir/inner.txt', 'x\n');
    own.write('same.txt', 'x\n');
    own.write('old/a.txt', 'x\n');
    own.write('old/b/c.txt', 'x\n');
    own.write('older.txt', 'x\n');
    own.write('way.txt', 'x\n');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('first.txt', 'the person’s\n');
    own.write('made.txt', 'the person’s\n');
    own.remove('gone.txt');
    own.remove('old');
    own.remove('older.txt');
    own.write('agent.txt', 'the agent’s\n');
    own.write('same.txt', 'the agent’s\n');
    own.remove('dir');
    own.write('dir', 'a file where the checkpoint has a folder\n');
    own.remove('way.txt');
    own.write('way.txt/inner.txt', 'a folder where the checkpoint has a file of the agent’s\n');
    const keep = ['first.txt', 'made.txt', 'gone.txt', 'dir', 'old', 'way.txt/inner.txt', 'never there.txt'];
    const { files: undone, kept, replaced } = await restore(checkpoints, start, keep);
    const mine = ['dir', 'dir/inner.txt', 'first.txt', 'gone.txt', 'made.txt', 'old/a.txt', 'old/b/c.txt'];
    assert.deepEqual(kept.toSorted(), mine);
    assert.deepEqual(undone.map((file) => file.path).toSorted(), [
      'agent.txt',
      'older.txt',
      'same.txt',
      'way.txt',
      'way.txt/inner.txt',
    ]);
    assert.deepEqual(
      ['first.txt', 'made.txt', 'same.txt', 'way.txt'].map((file) => own.read(file)),
      ['the person’s\n', 'the person’s\n', 'x\n', 'x\n'],
    );
    assert.equal(own.read('dir'), 'a file where the checkpoint has a folder\n');
    assert.deepEqual(
      ['gone.txt', 'agent.txt', 'old', 'older.txt'].map((file) => own.exists(file)),
      [false, false, false, true],
    );
    await restore(checkpoints, replaced);
    assert.equal(own.read('way.txt/inner.txt'), 'a folder where the checkpoint has a file of the agent’s\n');
    assert.equal(own.read('agent.txt'), 'the agent’s\n');
  });

  it('leaves such a file in a folder below the top, by a name outside ASCII', async () => {
    const top = ground('repository');
    top.write('sub/in/a', '1');
    const own = at(path.join(top.folder, 'sub/in'), top.stateFolder, path.join(top.folder, '../home'));
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('größe.txt', 'mine\n');
    own.write('a', '2');
    assert.deepEqual((await restore(checkpoints, start, ['größe.txt'])).kept, ['größe.txt']);
    assert.deepEqual([own.read('größe.txt'), own.read('a')], ['mine\n', '1']);
  });

  it('keeps bytes, whatever attributes, filters and autocrlf say', async () => {
    const own = ground('repository');
    own.git('config', 'core.autocrlf', 'true');
    own.git('config', 'filter.lfs.clean', 'exit 1');
    own.git('config', 'filter.lfs.smudge', 'exit 1');
    own.git('config', 'filter.lfs.required', 'true');
    own.write(
      '.gitattributes',
      '* text=auto eol=crlf\n*.bin filter=lfs -text\n*.id ident\n*.u16 working-tree-encoding=UTF-16\nsub/* crlf\n*.lock -diff\n',
    );
    own.write('lf.txt', 'a\nb\n');
    own.write('crlf.txt', 'a\r\nb\r\n');
    own.write('mixed.txt', 'a\r\nb\n');
    own.write('big.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n');
    own.write('key.id', '$Id$ and $Id: 0123 $\n');
    own.write('wide.u16', Buffer.from('\ufeffwide', 'utf16le'));
    own.write('odd.u16', Buffer.from([0xd8, 0x00, 0x41]));
    own.write('sub/.gitattributes', '* text eol=crlf filter=lfs\n');
    own.write('sub/x', 'a\nb\n');
    own.write('yarn.lock', 'one\n');
    const before = files(own.folder);
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    for (const name of before.keys()) if (!name.endsWith('.gitattributes')) own.write(name, 'changed\r\n');
    const { patch } = await checkpoints.changes(start, await checkpoints.snapshot('end'));
    assert.match(patch, /^-one$/m, 'no attribute hides a file from the diff');
    await restore(checkpoints, start);
    assert.deepEqual(files(own.folder), before);
  });

  it('works in a repository without a commit, and needs no identity', async () => {
    const own = ground('unborn');
    own.git('config', 'user.useConfigOnly', 'true');
    own.git('config', 'commit.gpgSign', 'true');
    own.write('a', '1');
    own.git('add', 'a');
    own.write('b', '2');
    const repository = repositoryState(own);
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.remove('a');
    own.write('b', '3');
    await restore(checkpoints, start);
    assert.deepEqual([own.read('a'), own.read('b')], ['1', '2']);
    assert.deepEqual(repositoryState(own), repository);
  });

  it('keeps a folder without git in a private repository, and leaves nothing in the folder', async () => {
    const own = ground('none');
    own.write('a', '1');
    own.write('.gitignore', 'skipped\n');
    own.write('skipped', 'x');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('a', '2');
    own.write('b', '3');
    await restore(checkpoints, start);
    assert.deepEqual([...files(own.folder).keys()].sort(), ['.gitignore', 'a', 'skipped']);
    assert.equal(own.read('a'), '1');
    assert.equal(own.exists('.git'), false);
  });

  it('takes an empty folder, and brings it back to empty', async () => {
    for (const own of [ground('none'), ground('unborn')]) {
      const checkpoints = await open(own);
      const start = await checkpoints.snapshot('start');
      own.write('deep/a', '1');
      await restore(checkpoints, start);
      assert.deepEqual(
        fs.readdirSync(own.folder).filter((name) => name !== '.git'),
        [],
      );
    }
  });

  it('goes on with a folder that became a repository during the run', async () => {
    const own = ground('none');
    own.write('a', '1');
    const start = await (await open(own)).snapshot('start');
    own.git('init', '--quiet');
    own.write('a', '2');
    own.git('add', '-A');
    commit(own, 'of the agent');
    const { replaced } = await restore(await open(own), start);
    assert.equal(own.read('a'), '1');
    await restore(await open(own), replaced);
    assert.equal(own.read('a'), '2');
  });

  it('stays within a folder below the top, and heeds the ignore files above it', async () => {
    const top = ground('repository');
    top.write('.gitignore', '*.tmp\n/sub/in/build/\n');
    top.write('sub/in/a', '1');
    top.write('sub/in/build/out', 'x');
    top.write('sub/in/x.tmp', 'x');
    const repository = repositoryState(top);
    const own = at(path.join(top.folder, 'sub/in'), top.stateFolder, path.join(top.folder, '../home'));
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    top.write('first.txt', 'beside the folder\n');
    top.write('sub/in/a', '2');
    top.write('sub/in/d/e', 'new');
    top.write('sub/in/.gitignore', '!x.tmp\n');
    assert.deepEqual(
      (await checkpoints.changes(start, await checkpoints.snapshot('end'))).files.map(({ path: file }) => file),
      ['.gitignore', 'a', 'd/e', 'x.tmp'],
    );
    await restore(checkpoints, start);
    assert.deepEqual([...files(own.folder).keys()].sort(), ['a', 'build/out', 'x.tmp']);
    assert.equal(own.read('a'), '1');
    assert.equal(top.read('first.txt'), 'beside the folder\n');
    assert.deepEqual(repositoryState(top), repository);

    own.remove('a');
    const empty = await checkpoints.snapshot('empty');
    own.write('later', 'x');
    await restore(checkpoints, empty);
    assert.equal(own.exists('later'), false);
    await restore(checkpoints, start);
    assert.equal(own.read('a'), '1');
  });

  it('treats a folder that an outer repository ignores as one without git', async () => {
    const top = ground('repository');
    top.write('.gitignore', '*\n');
    top.write('mine/a', '1');
    const own = at(path.join(top.folder, 'mine'), top.stateFolder, path.join(top.folder, '../home'));
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('a', '2');
    await restore(checkpoints, start);
    assert.equal(own.read('a'), '1');
    assert.equal(top.git('for-each-ref', 'refs/cgloop'), '');
  });

  it('keeps what is ignored but tracked by the user', async () => {
    const own = ground('repository');
    own.write('.gitignore', 'vendor/\n.env\n');
    own.write('vendor/lib', '1');
    own.write('.env', 'secret');
    own.git('add', '-f', 'vendor/lib');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('vendor/lib', '2');
    own.write('.env', 'changed');
    await restore(checkpoints, start);
    assert.equal(own.read('vendor/lib'), '1');
    assert.equal(own.read('.env'), 'changed');
  });

  it('does not delete a file that was ignored at the time, though the rules no longer ignore it', async () => {
    const own = ground('repository');
    own.write('.gitignore', '.env\nnode_modules/\n');
    own.write('.env', 'secret');
    own.write('node_modules/m/index.js', 'm');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('.gitignore', '');
    own.write('new.txt', 'new');
    const { files: undone } = await restore(checkpoints, start);
    assert.equal(own.read('.env'), 'secret');
    assert.equal(own.read('node_modules/m/index.js'), 'm');
    assert.deepEqual(
      undone.map(({ path: file }) => file),
      ['.gitignore', 'new.txt'],
    );
  });

  it('takes away what came later behind a new ignore rule, and keeps it in what was replaced', async () => {
    const own = ground('repository');
    const start = await (await open(own)).snapshot('start');
    own.write('.gitignore', '*.log\nfirst.txt\n');
    own.write('late.log', 'late');
    own.write('first.txt', 'changed behind the rule\n');
    const all = files(own.folder);
    const checkpoints = await open(own);
    const { replaced, files: undone } = await restore(checkpoints, start);
    assert.deepEqual([...files(own.folder).keys()], ['first.txt']);
    assert.equal(own.read('first.txt'), 'first\n');
    assert.deepEqual(
      undone.map(({ path: file }) => file),
      ['.gitignore', 'first.txt', 'late.log'],
    );
    await restore(checkpoints, replaced);
    assert.deepEqual(files(own.folder), all);
  });

  it('takes away what came later behind rules that hid each other, and keeps it in what was replaced', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('d/e/y', 'deep\n');
    own.write('d/.gitignore', '*\n!.gitignore\n');
    own.write('.gitignore', '*\n!.gitignore\n');
    const { replaced } = await restore(checkpoints, start);
    for (const name of ['d/e/y', 'd/.gitignore', '.gitignore']) assert.equal(own.exists(name), false, name);
    await restore(checkpoints, replaced);
    for (const name of ['d/e/y', 'd/.gitignore', '.gitignore']) assert.equal(own.exists(name), true, name);
  });

  it('captures ignored files that stand in the way before it writes over them', async () => {
    const own = ground('repository');
    own.write('a/x', '1');
    own.write('b', '2');
    own.write('c/y', '3');
    const start = await (await open(own)).snapshot('start');
    own.remove('a');
    own.remove('b');
    own.remove('c');
    own.write('.gitignore', '/a\n/b\n/c\n');
    own.write('a', 'a file where a folder was');
    own.write('b/inner/z', 'a folder where a file was');
    own.link('c', '../elsewhere');
    const all = files(own.folder);
    const checkpoints = await open(own);
    const { replaced } = await restore(checkpoints, start);
    assert.deepEqual([own.read('a/x'), own.read('b'), own.read('c/y')], ['1', '2', '3']);
    await restore(checkpoints, replaced);
    assert.deepEqual(files(own.folder), all);
  });

  it('never writes through a link out of the folder', async () => {
    const own = ground('repository');
    const outside = temporary();
    fs.writeFileSync(path.join(outside, 'x'), 'outside');
    own.write('d/x', 'inside');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.remove('d');
    own.link('d', outside);
    await restore(checkpoints, start);
    assert.equal(own.read('d/x'), 'inside');
    assert.equal(fs.readFileSync(path.join(outside, 'x'), 'utf8'), 'outside');
  });

  it('leaves repositories inside the folder alone, and names them', async () => {
    const own = ground('repository');
    const inner = at(path.join(own.folder, 'inner'), own.stateFolder, path.join(own.folder, '../home'));
    const unborn = path.join(own.folder, 'unborn');
    for (const folder of [inner.folder, unborn]) {
      fs.mkdirSync(folder);
      execFileSync('git', ['init', '--quiet', folder], { env: { PATH: process.env.PATH } });
    }
    inner.write('x', '1');
    inner.git('add', '-A');
    commit(inner, 'inner');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    assert.deepEqual([...checkpoints.nested].sort(), ['inner/', 'unborn/']);
    inner.write('x', '2');
    own.write('first.txt', 'changed\n');
    await restore(checkpoints, start);
    assert.equal(inner.read('x'), '2');
    assert.equal(own.read('first.txt'), 'first\n');
  });

  it('leaves a submodule, a sparse checkout and the lock of another git alone', async () => {
    const lib = ground('repository', 'lib');
    const own = ground('repository');
    own.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.folder, 'lib');
    own.write('far/away.txt', 'not checked out\n');
    own.git('add', '-A');
    commit(own, 'second');
    own.git('sparse-checkout', 'set', '--no-cone', '/*', '!/far/');
    assert.equal(own.exists('far/away.txt'), false);
    const repository = repositoryState(own);
    own.write('.git/index.lock', 'of another git');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('lib/first.txt', 'changed in the submodule\n');
    own.write('first.txt', 'changed\n');
    await restore(checkpoints, start);
    assert.equal(own.read('first.txt'), 'first\n');
    assert.equal(own.read('lib/first.txt'), 'changed in the submodule\n');
    assert.equal(own.exists('far/away.txt'), false);
    assert.equal(own.read('.git/index.lock'), 'of another git');
    own.remove('.git/index.lock');
    assert.deepEqual(repositoryState(own), repository);
  });

  it("works in a linked worktree, and its refs are the repository's", async () => {
    const top = ground('repository');
    const folder = path.join(top.folder, '../linked');
    top.git('worktree', 'add', '--quiet', folder);
    const own = at(folder, top.stateFolder, path.join(top.folder, '../home'));
    const repository = repositoryState(own);
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('first.txt', 'changed\n');
    await restore(checkpoints, start);
    assert.equal(own.read('first.txt'), 'first\n');
    assert.deepEqual(repositoryState(own), repository);
    assert.match(top.git('for-each-ref', 'refs/cgloop/run-1'), /refs\/cgloop\/run-1\/1/);
  });

  it('keeps a private mode when it brings a file back', async () => {
    const own = ground('repository');
    own.write('key', '1', 0o600);
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    fs.writeFileSync(path.join(own.folder, 'key'), '2');
    await restore(checkpoints, start);
    assert.equal(fs.statSync(path.join(own.folder, 'key')).mode & 0o777, 0o600);
  });

  it('runs no hook, filter, monitor or signature of the repository', async () => {
    const own = ground('repository');
    const trace = path.join(own.stateFolder, '..', 'trace');
    const hook = `#!/bin/sh\necho "$0" >> '${trace}'\n`;
    for (const name of [
      'reference-transaction',
      'post-index-change',
      'pre-commit',
      'fsmonitor-watchman',
      'post-checkout',
    ]) {
      own.write(`.git/hooks/${name}`, hook, 0o755);
    }
    own.write('.git/monitor', hook, 0o755);
    own.git('config', 'core.fsmonitor', path.join(own.folder, '.git/monitor'));
    own.git('config', 'diff.external', path.join(own.folder, '.git/monitor'));
    own.git('config', 'diff.t.textconv', path.join(own.folder, '.git/monitor'));
    own.write('.gitattributes', '* diff=t\n');
    fs.rmSync(trace, { force: true });
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('first.txt', 'changed\n');
    await checkpoints.changes(start, await checkpoints.snapshot('end'));
    await restore(checkpoints, start);
    assert.equal(fs.existsSync(trace), false);
  });

  it("heeds the person's global and private excludes", async () => {
    const own = ground('repository');
    own.write('../home/.config/git/ignore', '*.swp\n');
    own.write('../home/more', '*.orig\n');
    own.write('.git/info/exclude', '/private\n');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('a.swp', 'x');
    own.write('private', 'x');
    assert.equal(await checkpoints.treeNow(), start.tree);
    own.write('../home/.gitconfig', '[core]\n\texcludesFile = ~/more\n');
    own.remove('a.swp');
    const again = await open(own);
    own.write('a.orig', 'x');
    assert.equal(await again.treeNow(), start.tree);
  });

  it('does not take its own state folder into a checkpoint', async () => {
    const kept = ground('repository');
    const own = at(kept.folder, path.join(kept.folder, 'state [1]'), path.join(kept.folder, '../home'));
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('state [1]/runs/x', 'log');
    assert.equal(await checkpoints.treeNow(), start.tree);
    own.write('state 1', 'not it');
    assert.notEqual(await checkpoints.treeNow(), start.tree);
  });

  it('survives `git gc --prune=now` of the user', async () => {
    const own = ground('repository');
    own.write('untracked', 'only here\n');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('untracked', 'between\n');
    await checkpoints.treeNow();
    own.git('gc', '--quiet', '--prune=now');
    own.write('other', 'x');
    await checkpoints.snapshot('after gc');
    await restore(checkpoints, start);
    assert.equal(own.read('untracked'), 'only here\n');
  });

  it('does calls one after the other, and numbers refs over several openings', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    const labels = ['a', 'b', 'c'];
    const refs = await Promise.all(labels.map((label) => checkpoints.snapshot(label)));
    assert.deepEqual(
      refs.map(({ label }) => label),
      labels,
    );
    await (await open(own)).snapshot('d');
    const names = own.git('for-each-ref', '--format=%(refname:short)', 'refs/cgloop').trim().split('\n');
    assert.deepEqual(
      names,
      ['1', '2', '3', '4'].map((n) => `cgloop/run-1/${n}`),
    );
  });

  it('is let go of also when its scratch folder cannot be removed now', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    await checkpoints.snapshot('x');
    const { rm } = fs.promises;
    fs.promises.rm = async (file, options) => {
      if (String(file).includes('scratch-')) throw Object.assign(new Error('held open'), { code: 'EBUSY' });
      return rm(file, options);
    };
    try {
      await checkpoints.close();
    } finally {
      fs.promises.rm = rm;
    }
  });

  it('never leaves its rules half written for another process that works with them', async () => {
    const own = ground('repository');
    await open(own);
    const [key = ''] = fs.readdirSync(path.join(own.stateFolder, 'checkpoints'));
    const exclude = path.join(own.stateFolder, 'checkpoints', key, 'info', 'exclude');
    const { ino, mtimeNs } = fs.statSync(exclude, { bigint: true });
    await open(own, 'run-2');
    const same = fs.statSync(exclude, { bigint: true });
    assert.deepEqual([same.ino, same.mtimeNs], [ino, mtimeNs]);
    own.write('.git/info/exclude', 'private.txt\n');
    const held = fs.openSync(exclude, 'r');
    const before = fs.readFileSync(exclude, 'utf8');
    await open(own, 'run-3');
    assert.equal(fs.readFileSync(held, 'utf8'), before, 'whoever reads it reads it whole');
    fs.closeSync(held);
    assert.match(fs.readFileSync(exclude, 'utf8'), /private\.txt/);
  });

  it('says that git is missing, and the way out', async () => {
    const own = ground('none');
    const { PATH } = process.env;
    process.env.PATH = own.folder;
    try {
      await assert.rejects(open(own), /git was not found on PATH.*https:\/\/git-scm\.com/);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('fails on a file that it cannot read, names it and the way out', async function () {
    if (process.getuid?.() === 0) return this.skip();
    const own = ground('repository');
    own.write('locked', 'x', 0o000);
    const checkpoints = await open(own);
    await assert.rejects(checkpoints.snapshot('start'), /locked[\s\S]*made readable, or ignored/);
  });

  it('refuses a checkpoint that is not there, before it changes anything', async () => {
    const own = ground('repository');
    const checkpoints = await open(own);
    const tree = '1234567890123456789012345678901234567890';
    await assert.rejects(restore(checkpoints, { id: tree, tree, label: 'lost' }), /"lost".*Nothing was changed/);
    assert.equal(own.git('for-each-ref', 'refs/cgloop'), '');
  });

  it('refuses to put a file where a repository stands, before it changes anything', async () => {
    const own = ground('repository');
    own.write('a', '1');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.remove('a');
    own.git('init', '--quiet', 'a');
    own.write('a/x', 'of the repository');
    own.write('first.txt', 'changed\n');
    await assert.rejects(restore(checkpoints, start), /repository of its own.*Nothing was changed/);
    assert.equal(own.read('first.txt'), 'changed\n');
  });

  it('cleans up after itself and after a process that was killed', async () => {
    const own = ground('none');
    const first = await open(own);
    const [key = ''] = fs.readdirSync(path.join(own.stateFolder, 'checkpoints'));
    const gitDir = path.join(own.stateFolder, 'checkpoints', key);
    const left = (): string[] => fs.readdirSync(gitDir).filter((name) => name.startsWith('scratch-'));
    fs.mkdirSync(path.join(gitDir, 'scratch-4194303-dead'));
    const second = await open(own);
    assert.equal(left().length, 2, 'only those of the living');
    await first.close();
    await second.close();
    assert.deepEqual(left(), []);
    await assert.rejects(second.treeNow(), /closed/);
  });

  it('a folder whose .git leads nowhere, as that of a removed work tree, has checkpoints all the same', async () => {
    const own = ground('none');
    own.write('.git', 'gitdir: /nonexistent/repository\n');
    own.write('kept.txt', 'one\n');
    const checkpoints = await open(own);
    const start = await checkpoints.snapshot('start');
    own.write('kept.txt', 'two\n');
    await restore(checkpoints, start);
    assert.equal(own.read('kept.txt'), 'one\n');
    assert.equal(own.read('.git'), 'gitdir: /nonexistent/repository\n');
  });
});
