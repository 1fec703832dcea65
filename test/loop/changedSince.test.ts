import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { approvedTree, changedSince } from '../../src/loop/changedSince.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { HEADER, stamp } from '../fakes/events.ts';

describe('what is other than it was approved', function () {
  this.timeout(30_000);
  let scratch = '';
  const folder = () => path.join(scratch, 'project');
  const stateFolder = () => path.join(scratch, 'state');
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder(), name), text);

  beforeEach(() => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-since-')));
    fs.mkdirSync(folder());
    write('a.txt', 'one\n');
  });
  afterEach(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

  async function approved(...after: readonly LoopEventBody[]): Promise<LoopEvent[]> {
    const checkpoints = await openCheckpoints({ folder: folder(), stateFolder: stateFolder(), runId: HEADER.id });
    const tree = await checkpoints.treeNow();
    await checkpoints.close();
    return stamp([
      { type: 'run.started', run: { ...HEADER, folder: folder() } },
      { type: 'run.ended', ending: { type: 'approved', score: 9 }, tree },
      ...after,
    ]);
  }

  it('is nothing as long as every file is as it was, and then those that are not', async () => {
    const events = await approved();
    assert.deepEqual(await changedSince(events, stateFolder()), []);
    write('a.txt', 'two\n');
    write('b.txt', 'new\n');
    const changed = await changedSince(events, stateFolder());
    assert.deepEqual(
      changed.map(({ path: file, status }) => [file, status]),
      [
        ['a.txt', 'modified'],
        ['b.txt', 'added'],
      ],
    );
    write('a.txt', 'one\n');
    fs.rmSync(path.join(folder(), 'b.txt'));
    assert.deepEqual(await changedSince(events, stateFolder()), []);
  });

  it('is nobody’s question where no approval stands', async () => {
    const checkpoint = { id: 'c', tree: 't', label: 'x' };
    const undone = await approved({ type: 'run.undone', restored: checkpoint, replaced: checkpoint });
    const over = stamp([
      { type: 'run.started', run: { ...HEADER, folder: folder() } },
      { type: 'run.ended', ending: { type: 'stopped' }, tree: 't' },
    ]);
    assert.deepEqual([approvedTree(undone), approvedTree(over)], [null, null]);
    write('a.txt', 'two\n');
    assert.deepEqual(await changedSince(undone, stateFolder()), []);
    fs.rmSync(folder(), { recursive: true });
    assert.deepEqual(await changedSince(stamp([...undone.slice(0, 2)]), stateFolder()), [], 'the folder is gone');
  });
});
