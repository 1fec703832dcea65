import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openLogFile } from '../../src/session/logFile.ts';
import { readRun } from '../../src/session/replay.ts';
import { findProblem, findRun, listRuns, newRunId, runDirectory } from '../../src/session/runs.ts';
import { ownStateFolder, stateFolder } from '../../src/session/stateFolder.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { chunk, clear, PRODUCT, RUN, STORY, stamped, temporary } from './events.ts';

describe('runs', () => {
  afterEach(clear);

  const write = async (
    state: string,
    id: string,
    events: readonly LoopEvent[],
    close = true,
  ): Promise<() => Promise<void>> => {
    const directory = runDirectory(state, id);
    const log = await openLogFile({ directory, product: PRODUCT, onProblem: (message) => assert.fail(message) });
    for (const event of events) log.append(event);
    if (close) await log.close();
    return () => log.close();
  };

  it('makes ids that sort by time', () => {
    const at = Date.UTC(2026, 0, 31, 14, 25, 30);
    assert.equal(
      newRunId(at, () => 0.5),
      '20260131-142530-iiiiii',
    );
    assert.equal(
      newRunId(at, () => 0.999999),
      '20260131-142530-zzzzzz',
    );
    assert.ok(newRunId(at, () => 0.9) < newRunId(at + 1000, () => 0));
  });

  it('lists runs, newest first, each with its state, ending and whether it was undone', async () => {
    const state = temporary();
    assert.deepEqual(await listRuns(state), []);
    const begun = STORY.slice(0, 5);
    const end: LoopEventBody = { type: 'run.ended', ending: { type: 'stopped' } };
    await write(state, '20260101-000000-aaaaaa', stamped([...begun, end]));
    await write(state, '20260102-000000-aaaaaa', stamped(STORY));
    await write(state, '20260103-000000-aaaaaa', stamped(begun));
    const close = await write(state, '20260104-000000-aaaaaa', stamped(begun), false);
    fs.mkdirSync(runDirectory(state, '20260105-000000-aaaaaa'));
    const runs = await listRuns(state);
    await close();
    assert.deepEqual(
      runs.map(({ id, state: now, ending, undone, run }) => [id.slice(6, 8), now, ending?.type, undone, run?.task]),
      [
        ['05', 'interrupted', undefined, false, undefined],
        ['04', 'running', undefined, false, RUN.task],
        ['03', 'interrupted', undefined, false, RUN.task],
        ['02', 'ended', 'approved', true, RUN.task],
        ['01', 'ended', 'stopped', false, RUN.task],
      ],
    );
    assert.equal(runs[1]?.startedAt, 1_000);
  });

  it('tells the state of a long log from its two ends', async () => {
    const state = temporary();
    const middle = Array.from({ length: 4_000 }, () => chunk('words of an agent '.repeat(4)));
    const [first, ...rest] = STORY;
    assert.ok(first);
    await write(state, '20260101-000000-aaaaaa', stamped([first, ...middle, ...rest]));
    const [run] = await listRuns(state);
    assert.deepEqual([run?.run, run?.state, run?.ending?.type], [RUN, 'ended', 'approved']);
  });

  it('reads a long log as a whole when its ends do not tell', async () => {
    const state = temporary();
    const wire = { parts: Array.from({ length: 40_000 }, () => 'short part') };
    const wide = { ...chunk(''), wire };
    const derived = { source: 'agent', level: 'info', code: 'unknownVariant', text: '' } as const;
    const afterwards = { type: 'diagnostic', turn: 0, role: 'execute', wire, derived } as const;
    const end = STORY.findIndex(({ type }) => type === 'run.ended') + 1;
    await write(
      state,
      '20260101-000000-aaaaaa',
      stamped([...STORY.slice(0, 5), wide, wide, ...STORY.slice(5, end), afterwards]),
    );
    const [run] = await listRuns(state);
    assert.deepEqual([run?.state, run?.ending?.type], ['ended', 'approved']);
  });

  it('knows the ending of a run to which much was added afterwards', async () => {
    const state = temporary();
    const checkpoint = { id: 'c', tree: 't', label: 'x' };
    const files = Array.from({ length: 500 }, (_, at) => ({
      path: `src/a/rather/long/path/to/a/file-${at}.ts`,
      status: 'modified' as const,
      added: 1,
      removed: 1,
    }));
    const undone: LoopEventBody = { type: 'run.undone', restored: checkpoint, replaced: checkpoint, files };
    const end: LoopEventBody = { type: 'run.ended', ending: { type: 'approved', score: 9 } };
    const redone: LoopEventBody = { ...undone, scope: { type: 'redo' } };
    const long = Array.from({ length: 3000 }, (_, at) => chunk(`${'word '.repeat(10)}${at}`));
    await write(state, 'run-1', stamped([...STORY.slice(0, 5), ...long, end, undone, redone, undone]));
    await write(state, 'run-2', stamped([...STORY.slice(0, 5), ...long, end, undone, undone, redone, redone]));
    const runs = await listRuns(state);
    assert.deepEqual(
      runs.map(({ id, ending, undone, state: now }) => [id, now, ending?.type, undone]),
      [
        ['run-2', 'ended', 'approved', false],
        ['run-1', 'ended', 'approved', true],
      ],
    );
  });

  it('counts a run that went on as running or interrupted, whatever it ended with before', async () => {
    const state = temporary();
    const end = STORY.findIndex(({ type }) => type === 'run.ended') + 1;
    const continued = { type: 'run.continued', run: { ...RUN, rounds: 7 } } as const;
    await write(
      state,
      '20260101-000000-aaaaaa',
      stamped([...STORY.slice(0, end), continued, { type: 'round.started' }]),
    );
    const [run] = await listRuns(state);
    assert.deepEqual([run?.state, run?.ending, run?.run?.rounds], ['interrupted', null, 7]);
    const { state: read } = await readRun(runDirectory(state, '20260101-000000-aaaaaa'));
    assert.equal(read, 'interrupted');
  });

  it('finds a run by its id, the beginning or the last part of one', async () => {
    const state = temporary();
    for (const id of ['20260101-000000-abc123', '20260102-000000-abc124', '20260102-000000-xyz123']) {
      fs.mkdirSync(runDirectory(state, id), { recursive: true });
    }
    const found = {
      type: 'found',
      id: '20260101-000000-abc123',
      directory: runDirectory(state, '20260101-000000-abc123'),
    };
    for (const part of ['20260101-000000-abc123', '20260101', 'abc123'])
      assert.deepEqual(await findRun(state, part), found);
    assert.deepEqual(await findRun(state, '20260102'), {
      type: 'ambiguous',
      ids: ['20260102-000000-xyz123', '20260102-000000-abc124'],
    });
    fs.rmSync(runDirectory(state, '20260102-000000-abc124'), { recursive: true });
    fs.rmSync(runDirectory(state, '20260102-000000-xyz123'), { recursive: true });
    assert.deepEqual(await findRun(state, '2026'), found);
    for (const part of ['', '2', '202', '2025', '../x', '.', 'bc123'])
      assert.deepEqual(await findRun(state, part), { type: 'none' });
    assert.deepEqual(await findRun(temporary(), 'xxxx'), { type: 'none' });
    assert.match(findProblem({ type: 'none' }, '2'), /^2 is too short for a part of an id\./);
  });
});

describe('stateFolder', () => {
  it("is CGLOOP_HOME, else the platform's state folder", () => {
    const cases = [
      ['linux', {}, '/home/u', '/home/u/.local/state/cgloop'],
      ['linux', { XDG_STATE_HOME: '/s' }, '/home/u', '/s/cgloop'],
      ['linux', { XDG_STATE_HOME: 'relative' }, '/home/u', '/home/u/.local/state/cgloop'],
      ['darwin', { XDG_STATE_HOME: '/s' }, '/Users/u', '/Users/u/Library/Application Support/cgloop'],
      ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\Users\\u', 'C:\\L\\cgloop'],
      ['win32', {}, 'C:\\Users\\u', 'C:\\Users\\u\\AppData\\Local\\cgloop'],
      ['linux', { CGLOOP_HOME: '/own/', XDG_STATE_HOME: '/s' }, '/home/u', '/own/'],
      ['linux', { CGLOOP_HOME: '' }, '/home/u', '/home/u/.local/state/cgloop'],
    ] as const;
    for (const [platform, env, homedir, expected] of cases) {
      assert.equal(stateFolder({ platform, env, homedir }), expected);
    }
    assert.throws(
      () => stateFolder({ platform: 'linux', env: { CGLOOP_HOME: 'here' }, homedir: '/home/u' }),
      /CGLOOP_HOME is "here", but must be an absolute path/,
    );
  });

  it('is refused, with the way out, where a file stands in its place or above it', () => {
    const folder = temporary();
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    const before = process.env.CGLOOP_HOME;
    try {
      for (const home of [file, path.join(file, 'a/b')]) {
        process.env.CGLOOP_HOME = home;
        const said = `CGLOOP_HOME is ${home}, but ${file} is no folder. Set it to a folder, or unset it.`;
        assert.throws(ownStateFolder, { message: said });
      }
      process.env.CGLOOP_HOME = path.join(folder, 'new/deep');
      assert.equal(ownStateFolder(), path.join(folder, 'new/deep'));
    } finally {
      if (before === undefined) delete process.env.CGLOOP_HOME;
      else process.env.CGLOOP_HOME = before;
    }
  });
});
