import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isAgreed } from '../../src/loop/agreement.ts';
import { prepareCommit } from '../../src/loop/commitRun.ts';
import { type ApplyOptions, applyWorktree, dropWorktree, keepWorktree } from '../../src/loop/settleWorktree.ts';
import { offerPruning } from '../../src/loop/startPlace.ts';
import { undoRun } from '../../src/loop/undoRun.ts';
import { endingOf, readRun } from '../../src/session/replay.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import { createWorktree, type NewWorktree } from '../../src/workspace/worktree.ts';
import { at, clear, commit, files, type Ground, ground, repositoryState } from '../workspace/grounds.ts';
import { RUN_ID, writeRun } from './undoneRun.ts';

describe('the worktree of a run that is over', function () {
  this.timeout(60_000);
  afterEach(clear);

  /** A run in a worktree that changed `a.txt`, made `new.txt` and deleted `first.txt`, begun on an uncommitted `mine.txt`. */
  const runInWorktree = async (work: (inside: Ground) => void = () => undefined) => {
    const own = ground('repository');
    own.write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n');
    own.git('add', '-A');
    commit(own, 'second');
    own.write('mine.txt', 'not committed\n');
    const tree = await createWorktree({ folder: own.folder, stateFolder: own.stateFolder, runId: RUN_ID });
    const inside = at(tree.folder, own.stateFolder, path.join(own.folder, '../home'));
    await writeRun(
      inside,
      [
        {
          work: () => {
            inside.write('a.txt', 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n');
            inside.write('new.txt', 'new\n');
            inside.remove('first.txt');
            work(inside);
          },
        },
      ],
      undefined,
      { worktree: tree.ref },
    );
    return { own, tree, inside };
  };
  const apply = async (own: Ground, more: Partial<ApplyOptions> = {}) => {
    const result = await applyWorktree({ run: RUN_ID, stateFolder: own.stateFolder, ...more });
    assert.ok(result.type !== 'problem', result.type === 'problem' ? result.message : '');
    return result;
  };
  const gone = ({ ref }: NewWorktree, own: Ground) =>
    !fs.existsSync(ref.path) && own.git('worktree', 'list').trim().split('\n').length === 1;
  const branches = (own: Ground) => own.git('branch', '--list', 'cgloop/*').trim();

  it('is applied to the folder, put together with what changed there, and an undo takes it out again', async () => {
    const { own, tree } = await runInWorktree();
    own.write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
    own.write('later.txt', 'mine\n');
    const before = files(own.folder);
    const { HEAD, index, stash } = repositoryState(own);
    const shown = await apply(own, { preview: true });
    assert.deepEqual([shown.type, shown.merged, shown.conflicts], ['preview', ['a.txt'], []]);
    assert.deepEqual(files(own.folder), before);
    assert.ok(fs.existsSync(tree.ref.path));

    const done = await apply(own);
    assert.equal(done.type, 'applied');
    assert.deepEqual(done.files, shown.files);
    assert.equal(own.read('a.txt'), 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
    assert.deepEqual(
      ['new.txt', 'first.txt', 'mine.txt', 'later.txt'].map((file) => own.exists(file)),
      [true, false, true, true],
    );
    assert.ok(gone(tree, own));
    assert.equal(branches(own), '');
    const after = repositoryState(own);
    assert.deepEqual([after.HEAD, after.index, after.stash], [HEAD, index, stash]);
    const { events } = await readRun(runDirectory(own.stateFolder, RUN_ID));
    assert.deepEqual([events.at(-1)?.type, endingOf(events)?.type], ['worktree.settled', 'stopped']);
    const again = await applyWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.match(again.type === 'problem' ? again.message : '', /was applied already/);

    const undone = await undoRun({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.ok(undone.type === 'undone', JSON.stringify(undone));
    assert.deepEqual([undone.folder, files(own.folder)], [own.folder, before]);
  });

  it('stays when files are in conflict, until somebody says what becomes of them', async () => {
    const { own, tree } = await runInWorktree();
    own.write('a.txt', 'mine\ntwo\nthree\nfour\nfive\nsix\nseven\n');
    const part = await apply(own);
    assert.deepEqual([part.type, part.conflicts], ['part', [{ path: 'a.txt', why: 'lines' }]]);
    assert.equal(own.read('a.txt'), 'mine\ntwo\nthree\nfour\nfive\nsix\nseven\n');
    assert.equal(own.read('new.txt'), 'new\n', 'the rest is there');
    assert.ok(fs.existsSync(tree.ref.path));
    const done = await apply(own, { conflicts: 'mark' });
    assert.equal(done.type, 'applied');
    assert.match(own.read('a.txt'), /<<<<<<< .*\nmine\n=======\nONE\n>>>>>>> /);
    assert.ok(gone(tree, own));
  });

  it('stays with what marks cannot say, such as a binary file, and names its work in those that it writes', async () => {
    const { own, tree } = await runInWorktree((inside) => inside.write('b.bin', Buffer.from([0, 1])));
    own.write('a.txt', 'mine\ntwo\nthree\nfour\nfive\nsix\nseven\n');
    own.write('b.bin', Buffer.from([0, 2]));
    const part = await apply(own, { conflicts: 'mark' });
    assert.equal(part.type, 'part');
    assert.match(own.read('a.txt'), />>>>>>> the work of the run\n/);
    assert.deepEqual([own.read('b.bin'), fs.existsSync(tree.ref.path)], ['\0\u0002', true]);
    assert.equal((await apply(own, { conflicts: 'take' })).type, 'applied');
    assert.deepEqual([own.read('b.bin'), gone(tree, own)], ['\0\u0001', true]);
  });

  it('is applied from its checkpoints, or dropped, when somebody removed its folder', async () => {
    for (const how of ['apply', 'drop'] as const) {
      const { own, tree } = await runInWorktree();
      fs.rmSync(tree.ref.path, { recursive: true });
      const undone = await undoRun({ run: RUN_ID, stateFolder: own.stateFolder });
      assert.match(undone.type === 'problem' ? undone.message : '', /worktree of run .* is gone.*worktree apply/);
      const kept = await keepWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
      assert.match(kept.type === 'problem' ? kept.message : '', /is gone.*"apply".*"drop"/);
      if (how === 'apply') {
        assert.equal((await apply(own)).type, 'applied');
        assert.deepEqual([own.read('new.txt'), own.exists('first.txt')], ['new\n', false]);
        const staged = await prepareCommit({ run: RUN_ID, stateFolder: own.stateFolder });
        assert.equal(staged.type === 'prepared' ? staged.folder : staged.message, own.folder);
        assert.equal(own.git('diff', '--cached', '--name-only'), 'a.txt\nfirst.txt\nnew.txt\n');
      } else {
        const dropped = await dropWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
        assert.ok(dropped.type === 'dropped', JSON.stringify(dropped));
        assert.equal(own.git('show', `${dropped.saved.id}:new.txt`), 'new\n');
      }
      assert.deepEqual([gone(tree, own), branches(own)], [true, '']);
    }
  });

  it('is kept as a branch, in a commit of all that is in it; the folder stays as it is', async () => {
    const { own, tree } = await runInWorktree((inside) => {
      inside.git('add', 'new.txt');
      commit(inside, 'By the agent');
    });
    const before = files(own.folder, true);
    const kept = await keepWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.ok(kept.type === 'kept', JSON.stringify(kept));
    assert.equal(kept.commits, 2);
    assert.deepEqual(files(own.folder, true), before);
    assert.ok(gone(tree, own));
    assert.equal(branches(own), `cgloop/${RUN_ID}`);
    assert.deepEqual(own.git('diff', '--name-status', `main...cgloop/${RUN_ID}`).trim().split('\n'), [
      'M\ta.txt',
      'D\tfirst.txt',
      'A\tmine.txt',
      'A\tnew.txt',
    ]);
    assert.match(
      own.git('log', '-1', '--format=%s%n%b', `cgloop/${RUN_ID}`),
      /^Make the sum test pass\nRun .* of cgloop/,
    );
  });

  it('is kept on its branch also where the agent checked out another one, or none, or gave it another name', async () => {
    const ways: readonly (readonly (readonly string[])[])[] = [
      [['switch', '-q', '-c', 'feature']],
      [['switch', '-q', '--detach']],
      [['branch', '-m', 'renamed']],
    ];
    for (const all of [true, false]) {
      for (const way of ways) {
        const { own, tree } = await runInWorktree((inside) => {
          for (const words of way) inside.git(...words);
          inside.git('add', all ? '--all' : 'new.txt');
          commit(inside, 'By the agent');
        });
        const kept = await keepWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
        assert.deepEqual(
          [kept.type, kept.type === 'kept' && kept.commits],
          ['kept', all ? 1 : 2],
          JSON.stringify(kept),
        );
        assert.deepEqual([gone(tree, own), branches(own)], [true, `cgloop/${RUN_ID}`]);
        assert.match(own.git('show', `cgloop/${RUN_ID}:a.txt`), /^ONE/);
        assert.match(own.git('log', '--format=%s', `cgloop/${RUN_ID}`), /By the agent/);
        clear();
      }
    }
  });

  it('is not kept where that would lose commits of its branch', async () => {
    const { own, tree } = await runInWorktree((inside) => {
      inside.git('add', 'new.txt');
      commit(inside, 'By the agent');
      inside.git('switch', '-q', '--detach', 'HEAD~1');
    });
    const kept = await keepWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.match(kept.type === 'problem' ? kept.message : '', /has commits that .* lacks.*git merge cgloop/);
    assert.ok(fs.existsSync(tree.ref.path));
    assert.match(own.git('log', '-1', '--format=%s', `cgloop/${RUN_ID}`), /By the agent/);
  });

  it('is dropped only after a checkpoint of what is in it, commits too', async () => {
    const { own, tree } = await runInWorktree((inside) => commit(inside, 'By the agent'));
    const dropped = await dropWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.ok(dropped.type === 'dropped', JSON.stringify(dropped));
    assert.ok(gone(tree, own));
    assert.equal(branches(own), '');
    own.git('gc', '--quiet', '--prune=now');
    assert.equal(own.git('show', `${dropped.saved.id}:new.txt`), 'new\n');
    assert.match(own.git('log', '--format=%s', dropped.saved.id), /By the agent/);
    assert.equal(own.exists('new.txt'), false);
    const undone = await undoRun({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.match(undone.type === 'problem' ? undone.message : '', /worktree of run .* was dropped/);
  });

  it('is saved whole where the run worked in a part of it', async () => {
    for (const how of ['apply', 'drop'] as const) {
      const top = ground('repository');
      top.write('sub/a.txt', 'a\n');
      top.git('add', '-A');
      commit(top, 'second');
      const home = path.join(top.folder, '../home');
      const own = at(path.join(top.folder, 'sub'), top.stateFolder, home);
      const tree = await createWorktree({ folder: own.folder, stateFolder: top.stateFolder, runId: RUN_ID });
      const inside = at(tree.folder, top.stateFolder, home);
      const work = () => {
        inside.write('a.txt', 'A\n');
        fs.writeFileSync(path.join(tree.ref.path, 'outside.txt'), 'of a command\n');
      };
      await writeRun(inside, [{ work }], undefined, { worktree: tree.ref });
      const done =
        how === 'apply' ? await apply(own) : await dropWorktree({ run: RUN_ID, stateFolder: top.stateFolder });
      assert.ok(done.type === 'applied' || done.type === 'dropped', JSON.stringify(done));
      const saved = done.type === 'dropped' ? done.saved : done.rest;
      assert.equal(top.git('show', `${saved?.id}:outside.txt`), 'of a command\n');
      assert.equal(top.git('show', `${saved?.id}:sub/a.txt`), 'A\n');
      assert.deepEqual([own.read('a.txt'), gone(tree, top)], [how === 'apply' ? 'A\n' : 'a\n', true]);
      clear();
    }
  });

  it('stays while it holds a repository of its own, which nothing saves', async () => {
    const { own, tree, inside } = await runInWorktree((inside) => {
      inside.write('clone/work.txt', 'work');
      inside.git('init', '-q', 'clone');
      inside.git('-C', 'clone', 'add', '-A');
      inside.git('-C', 'clone', '-c', 'user.name=U', '-c', 'user.email=u@e', 'commit', '-qm', 'x');
    });
    const before = files(own.folder);
    for (const settle of [applyWorktree, keepWorktree, dropWorktree]) {
      const result = await settle({ run: RUN_ID, stateFolder: own.stateFolder });
      assert.match(result.type === 'problem' ? result.message : '', /no checkpoint saves: clone\/\. Move them out/);
    }
    assert.deepEqual([files(own.folder), inside.read('clone/work.txt')], [before, 'work']);
    inside.remove('clone');
    assert.equal((await apply(own)).type, 'applied');
    assert.ok(gone(tree, own));
  });

  it('is no matter of a run that worked in the folder itself', async () => {
    const own = ground('repository');
    await writeRun(own, [{ work: () => own.write('b', 'b') }]);
    const result = await dropWorktree({ run: RUN_ID, stateFolder: own.stateFolder });
    assert.match(result.type === 'problem' ? result.message : '', /itself, not in a worktree/);
  });

  it('C85: a lost one of before is offered to be pruned at a start, and left alone when nobody agrees', async () => {
    const { own, tree } = await runInWorktree();
    fs.rmSync(tree.ref.path, { recursive: true });
    const asked: PermissionRequest[] = [];
    const offer = (answer: string | null) =>
      offerPruning({ origin: own.folder }, own.stateFolder, async (request) => {
        asked.push(request);
        return answer;
      });
    assert.deepEqual(await offer(null), []);
    assert.match(asked[0]?.title ?? '', new RegExp(`cgloop/${RUN_ID}.*Unlock and prune`));
    assert.match(own.git('worktree', 'list', '--porcelain'), /locked cgloop run/);
    const yes = asked[0]?.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
    assert.ok(isAgreed(yes));
    assert.equal((await offer(yes)).length, 1);
    assert.doesNotMatch(own.git('worktree', 'list', '--porcelain'), /locked/);
    asked.length = 0;
    assert.deepEqual([await offer(yes), asked], [[], []], 'there is nothing left to ask about');
  });
});
