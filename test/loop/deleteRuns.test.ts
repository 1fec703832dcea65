import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { applyRetention, deleteAllData, deleteRun, findRuns, runsBefore } from '../../src/loop/deleteRuns.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { addRule } from '../../src/session/ruleFile.ts';
import { listRuns, runDirectory } from '../../src/session/runs.ts';
import type { LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { acquireRunLock } from '../../src/workspace/runLock.ts';
import { createWorktree } from '../../src/workspace/worktree.ts';
import { HEADER } from '../fakes/events.ts';
import { clear, type Ground, ground } from '../workspace/grounds.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('deleting runs', () => {
  afterEach(clear);

  /** A run on disk with one checkpoint; gives the way to let go of its log. */
  const makeRun = async (own: Ground, id: string, more: Partial<RunHeader> = {}, ended = true) => {
    const log = createEventLog({ now: () => 1 });
    const directory = runDirectory(own.stateFolder, id);
    const file = await openLogFile({ directory, product: { name: 'cgloop', version: '0' }, onProblem: assert.fail });
    const add = (body: LoopEventBody) => file.append(log.append(body));
    add({ type: 'run.started', run: { ...HEADER, id, folder: own.folder, ...more } });
    const checkpoints = await openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId: id });
    add({ type: 'checkpoint.created', checkpoint: await checkpoints.snapshot('before round 1') });
    await checkpoints.close();
    if (!ended) return () => file.close();
    add({ type: 'run.ended', ending: { type: 'stopped' } });
    await file.close();
    return async () => {};
  };
  const age = (own: Ground, id: string, days: number, now: number) => {
    const at = new Date(now - days * DAY);
    for (const name of fs.readdirSync(runDirectory(own.stateFolder, id)))
      fs.utimesSync(path.join(runDirectory(own.stateFolder, id), name), at, at);
  };
  const idsOf = async (own: Ground) => (await listRuns(own.stateFolder)).map(({ id }) => id);
  const refsOf = (own: Ground) =>
    own.git('for-each-ref', '--format=%(refname)', 'refs/cgloop').split('\n').filter(Boolean);
  const A = '20260101-000000-aaaaaa';
  const B = '20260102-000000-bbbbbb';
  const C = '20260103-000000-cccccc';

  it('takes log, reports, traces and refs, and leaves other runs and the files of the folder', async () => {
    const own = ground('repository');
    await makeRun(own, A);
    await makeRun(own, B);
    for (const file of [`reports/${A}/report.md`, `traces/${A}.jsonl`]) {
      fs.mkdirSync(path.dirname(path.join(own.stateFolder, file)), { recursive: true });
      fs.writeFileSync(path.join(own.stateFolder, file), 'x');
    }
    const head = own.git('rev-parse', 'HEAD');
    assert.deepEqual(await deleteRun(own.stateFolder, A), { type: 'deleted', id: A });
    assert.deepEqual(await idsOf(own), [B]);
    assert.deepEqual(refsOf(own), [`refs/cgloop/${B}/1`]);
    assert.deepEqual(fs.readdirSync(path.join(own.stateFolder, 'reports')), []);
    assert.deepEqual(fs.readdirSync(path.join(own.stateFolder, 'traces')), []);
    assert.equal(own.git('rev-parse', 'HEAD'), head);
    assert.equal(own.read('first.txt'), 'first\n');
  });

  it('takes the private checkpoints of a folder without git, once no run has any there', async () => {
    const own = ground('none');
    own.write('a.txt', 'a\n');
    await makeRun(own, A);
    await makeRun(own, B);
    const repositories = () => fs.readdirSync(path.join(own.stateFolder, 'checkpoints')).length;
    await deleteRun(own.stateFolder, A);
    assert.equal(repositories(), 1);
    fs.rmSync(own.folder, { recursive: true });
    assert.equal((await deleteRun(own.stateFolder, B)).type, 'deleted');
    assert.equal(repositories(), 0);
  });

  it('finds the refs of a folder that is gone from its repository', async () => {
    const own = ground('repository');
    own.write('sub/a.txt', 'a\n');
    const inner: Ground = { ...own, folder: path.join(own.folder, 'sub') };
    await makeRun(inner, A);
    assert.equal(refsOf(own).length, 1);
    own.remove('sub');
    assert.equal((await deleteRun(own.stateFolder, A)).type, 'deleted');
    assert.deepEqual(refsOf(own), []);
  });

  it('leaves a run that is under way, and one whose worktree holds work, and says so', async () => {
    const own = ground('repository');
    const end = await makeRun(own, A, {}, false);
    const worktree = { path: own.folder, branch: 'cgloop/x', origin: own.folder, base: 'HEAD' };
    await makeRun(own, B, { worktree });
    await makeRun(own, C, { worktree: { ...worktree, path: path.join(own.folder, 'gone') } });
    const running = await deleteRun(own.stateFolder, A);
    assert.match(running.type === 'kept' ? running.why : '', /under way: stop it first/);
    const unsettled = await deleteRun(own.stateFolder, B);
    assert.match(unsettled.type === 'kept' ? unsettled.why : '', /has its work in .*settle that first/);
    assert.equal((await deleteRun(own.stateFolder, C)).type, 'deleted');
    assert.deepEqual(await idsOf(own), [B, A]);
    await end();
    // Its agents come up, and nothing is written yet.
    const lock = await acquireRunLock({ folder: own.folder, stateFolder: own.stateFolder, runId: A });
    assert.ok(lock.type === 'acquired');
    const starting = await deleteRun(own.stateFolder, A);
    assert.match(starting.type === 'kept' ? starting.why : '', /under way: stop it first/);
    await lock.release();
    assert.equal((await deleteRun(own.stateFolder, A)).type, 'deleted');
  });

  it('takes git’s entry of a worktree that is gone away with its run', async () => {
    const own = ground('repository');
    const { ref } = await createWorktree({ folder: own.folder, stateFolder: own.stateFolder, runId: A });
    await makeRun(own, A, { worktree: ref });
    fs.rmSync(ref.path, { recursive: true });
    assert.match(own.git('worktree', 'list', '--porcelain'), /cgloop\//);
    assert.deepEqual(await deleteRun(own.stateFolder, A), { type: 'deleted', id: A });
    assert.doesNotMatch(own.git('worktree', 'list', '--porcelain'), /cgloop\//);
    assert.match(own.git('branch', '--list', ref.branch), /cgloop\//, 'its branch is the person’s to delete');
  });

  it('deletes a run whose log cannot be read', async () => {
    const own = ground('none');
    fs.mkdirSync(runDirectory(own.stateFolder, A), { recursive: true });
    fs.writeFileSync(path.join(runDirectory(own.stateFolder, A), 'log.jsonl'), 'nonsense');
    assert.equal((await deleteRun(own.stateFolder, A)).type, 'deleted');
    assert.deepEqual(await idsOf(own), []);
  });

  it('finds what is meant, and says what is not there', async () => {
    const own = ground('repository');
    await makeRun(own, A);
    await makeRun(own, B);
    const { ids, problems } = await findRuns(own.stateFolder, ['aaaaaa', A, 'none', '', '2026']);
    assert.deepEqual(ids, [A]);
    assert.match(problems.join('\n'), /no run none\. .*\nNo run is named\. .*\nSeveral runs begin with 2026/);
  });

  it('keeps runs for a time: the old ones go, but the newest of a folder and one that was added to', async () => {
    const now = Date.UTC(2026, 2, 1);
    const own = ground('repository');
    const other = { ...ground('repository'), stateFolder: own.stateFolder };
    await makeRun(own, A);
    await makeRun(own, B);
    await makeRun(own, C);
    await makeRun(other, '20260101-000000-dddddd');
    for (const id of await idsOf(own)) age(own, id, 50, now);
    age(own, B, 3, now);
    assert.deepEqual(await applyRetention({ stateFolder: own.stateFolder, days: 0, now }), []);
    assert.deepEqual(
      (await runsBefore(own.stateFolder, now - 30 * DAY)).map(({ id }) => id),
      [A, '20260101-000000-dddddd', C],
    );
    assert.deepEqual(await applyRetention({ stateFolder: own.stateFolder, days: 30, now }), [A]);
    assert.deepEqual(await idsOf(own), [C, B, '20260101-000000-dddddd']);
    assert.deepEqual(await applyRetention({ stateFolder: own.stateFolder, days: 30, now }), []);
  });

  it('keeps no old run for the worktree that it alone worked in', async () => {
    const now = Date.UTC(2026, 2, 1);
    const own = ground('repository');
    for (const id of [A, B]) {
      const place = path.join(own.stateFolder, 'worktrees', id);
      const worktree = {
        path: place,
        branch: `cgloop/${id}`,
        origin: own.folder,
        base: own.git('rev-parse', 'HEAD').trim(),
      };
      await makeRun(own, id, { folder: place, worktree });
      age(own, id, 50, now);
    }
    assert.deepEqual(await applyRetention({ stateFolder: own.stateFolder, days: 30, now }), [A]);
    assert.deepEqual(await idsOf(own), [B], 'the newest of the person’s folder');
  });

  it('deletes all data: runs, refs in every known repository, rules and checks, but what is the person’s own', async () => {
    const own = ground('repository');
    const none = { ...ground('none'), stateFolder: own.stateFolder };
    none.write('a.txt', 'a\n');
    await makeRun(own, A);
    await makeRun(none, B);
    // The log of this one was taken away by hand.
    await makeRun(own, C);
    fs.rmSync(runDirectory(own.stateFolder, C), { recursive: true });
    await addRule(own.stateFolder, null, { effect: 'deny', scope: 'user', tool: 'web' });
    fs.writeFileSync(path.join(own.stateFolder, 'agents.json'), '{}');
    assert.deepEqual(await deleteAllData(own.stateFolder), { runs: 2, kept: [] });
    assert.deepEqual(refsOf(own), []);
    const left = fs.readdirSync(own.stateFolder).filter((name) => {
      const file = path.join(own.stateFolder, name);
      return !fs.statSync(file).isDirectory() || fs.readdirSync(file).length > 0;
    });
    assert.deepEqual(left, ['agents.json']);
  });

  it('leaves what a run under way needs when all else goes', async () => {
    const own = ground('none');
    own.write('a.txt', 'a\n');
    const end = await makeRun(own, A, {}, false);
    await makeRun(own, B);
    const { runs, kept } = await deleteAllData(own.stateFolder);
    assert.equal(runs, 1);
    assert.match(kept.join(), /aaaaaa is under way/);
    const checkpoints = await openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId: A });
    await checkpoints.snapshot('still there');
    await checkpoints.close();
    await end();
    assert.deepEqual(await idsOf(own), [A]);
  });
});
