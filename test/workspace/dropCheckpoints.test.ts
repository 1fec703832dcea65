import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { trimCheckpoints } from '../../src/workspace/dropCheckpoints.ts';
import { clear, type Ground, ground } from './grounds.ts';

describe('the private checkpoints of a folder', function () {
  this.timeout(30_000);
  afterEach(clear);
  const open = (own: Ground, runId: string) =>
    openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId });
  /** About 340 kB when it is compressed, in a checkpoint of the run. */
  const take = async (own: Ground, runId: string) => {
    own.write('data', randomBytes(300_000).toString('hex'));
    const checkpoints = await open(own, runId);
    const start = await checkpoints.snapshot('start');
    await checkpoints.close();
    return start;
  };
  const isThere = async (own: Ground, runId: string, start: Awaited<ReturnType<typeof take>>) => {
    const checkpoints = await open(own, runId);
    const text = await checkpoints.textOf(start, 'data');
    await checkpoints.close();
    return text !== null;
  };

  it('take no more room than they may: the oldest runs go first, the newest never', async () => {
    const own = ground('none');
    const one = await take(own, 'run-1');
    const two = await take(own, 'run-2');
    const three = await take(own, 'run-3');
    const trim = (mostBytes: number) =>
      trimCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, keep: 'run-3', mostBytes });
    await trim(2_000_000);
    assert.equal(await isThere(own, 'run-1', one), true);
    await trim(1_300_000);
    await trim(900_000);
    assert.deepEqual(
      [await isThere(own, 'run-1', one), await isThere(own, 'run-2', two), await isThere(own, 'run-3', three)],
      [false, true, true],
    );
    await trim(1);
    assert.deepEqual([await isThere(own, 'run-2', two), await isThere(own, 'run-3', three)], [false, true]);
  });

  it('are not those of a repository, which git looks after', async () => {
    const own = ground('repository');
    const one = await take(own, 'run-1');
    await take(own, 'run-2');
    await trimCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, keep: 'run-2', mostBytes: 1 });
    assert.equal(await isThere(own, 'run-1', one), true);
  });
});
