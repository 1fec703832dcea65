import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEndedRun } from '../../src/loop/endedRun.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { endingOf, readRun } from '../../src/session/replay.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { acquireRunLock } from '../../src/workspace/runLock.ts';
import { HEADER } from '../fakes/events.ts';

describe('a run that is over', () => {
  let root = '';
  let folder = '';
  let stateFolder = '';
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-ended-')));
    folder = path.join(root, 'project');
    stateFolder = path.join(root, 'state');
    fs.mkdirSync(folder);
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  const write = async (id: string, ...bodies: readonly LoopEventBody[]) => {
    const log = createEventLog({ now: () => 1 });
    const directory = runDirectory(stateFolder, id);
    const file = await openLogFile({ directory, product: { name: 'cgloop', version: '0' }, onProblem: assert.fail });
    for (const body of bodies) file.append(log.append(body));
    return { directory, file };
  };
  const started = (): LoopEventBody => ({ type: 'run.started', run: { ...HEADER, folder } });
  const ended: LoopEventBody = { type: 'run.ended', ending: { type: 'stopped' } };
  const problemOf = async (run: string, how: 'lock' | 'leave' = 'leave') => {
    const opened = await openEndedRun({ run, stateFolder, folder: how });
    assert.ok(opened.type === 'problem');
    return opened.message;
  };

  it('is found by a part of its id, and its log goes on where it ended without the run going on', async () => {
    const { directory, file } = await write('20260101-000000-aaaaaa', started(), ended);
    await file.close();
    const opened = await openEndedRun({ run: 'aaaaaa', stateFolder, folder: 'lock' });
    assert.ok(opened.type === 'open');
    const { run } = opened;
    assert.deepEqual([run.id, run.state, run.header.folder], ['20260101-000000-aaaaaa', 'ended', folder]);
    const taken = await acquireRunLock({ folder, stateFolder, runId: 'other' });
    assert.equal(taken.type, 'held');
    await run.append({ type: 'worktree.settled', how: 'kept' });
    assert.equal(run.events.at(-1)?.seq, 3);
    await run.close();
    await run.close();
    const { events, state } = await readRun(directory);
    assert.deepEqual([events.at(-1)?.type, state, endingOf(events)?.type], ['worktree.settled', 'ended', 'stopped']);
    const free = await acquireRunLock({ folder, stateFolder, runId: 'other' });
    assert.ok(free.type === 'acquired');
    await free.release();
  });

  it('says what is in the way, and then holds nothing', async () => {
    assert.match(await problemOf('nonsense'), /There is no run nonsense\. "cgloop runs"/);
    const running = await write('20260101-000000-aaaaaa', started());
    assert.match(await problemOf('aaaaaa'), /still running: stop it first/);
    await running.file.close();
    const opened = await openEndedRun({ run: 'aaaaaa', stateFolder, folder: 'leave' });
    assert.ok(opened.type === 'open');
    assert.equal(opened.run.state, 'interrupted');
    await opened.run.close();

    const other = await acquireRunLock({ folder, stateFolder, runId: 'other' });
    assert.ok(other.type === 'acquired');
    assert.match(await problemOf('aaaaaa', 'lock'), /Run other is working in .*stop it, or wait/);
    await other.release();
    await (await write('20260101-000000-bbbbbb', started(), ended)).file.close();
    assert.match(await problemOf('20260101'), /Several runs begin with/);
    await (await write('20260101-000000-cccccc')).file.close();
    assert.match(await problemOf('cccccc'), /does not say what it worked on/);
    fs.rmSync(folder, { recursive: true });
    assert.match(await problemOf('bbbbbb', 'lock'), /is gone: .*Bring it back/);
  });

  it('keeps a log that somebody writes by now as it is', async () => {
    const { directory, file } = await write('20260101-000000-aaaaaa', started(), ended);
    await file.close();
    const opened = await openEndedRun({ run: 'aaaaaa', stateFolder, folder: 'leave' });
    assert.ok(opened.type === 'open');
    const writer = await openLogFile({ directory, product: { name: 'cgloop', version: '0' }, onProblem: assert.fail });
    await assert.rejects(opened.run.append({ type: 'worktree.settled', how: 'kept' }), /is being written by process/);
    await opened.run.close();
    await writer.close();
    assert.equal((await readRun(directory)).events.length, 2);
  });
});
