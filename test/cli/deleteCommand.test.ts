import assert from 'node:assert/strict';
import fs from 'node:fs';
import { type DeleteArguments, deleteCommand } from '../../src/cli/deleteCommand.ts';
import { listRuns, runDirectory } from '../../src/session/runs.ts';
import { clear, temporary } from '../session/events.ts';
import { fakeTerminal, settled } from './fakeTerminal.ts';

describe('cgloop delete', () => {
  afterEach(clear);

  const ground = () => {
    const state = temporary();
    for (const id of ['20260101-000000-aaaaaa', '20260102-000000-bbbbbb'])
      fs.mkdirSync(runDirectory(state, id), { recursive: true });
    return state;
  };
  /** Deletes on a terminal where a key is pressed once the question stands. */
  const on = async (state: string, what: DeleteArguments['what'], key: string) => {
    const fake = fakeTerminal(true);
    const done = deleteCommand({ what, yes: false }, state, fake.terminal);
    for (let look = 0; look < 1000 && !fake.err().includes('y/N'); look++) await settled();
    fake.type(key);
    const code = await done;
    return { code, err: fake.err(), isRaw: fake.isRaw(), left: (await listRuns(state)).length };
  };

  it('asks before everything goes, and takes nothing but y for a yes', async () => {
    for (const key of ['n', '\r', '\u0003', '\u001b', 'yes']) {
      const { code, err, isRaw, left } = await on(ground(), { type: 'all' }, key);
      assert.deepEqual([code, isRaw, left], [0, false, 2], JSON.stringify(key));
      assert.match(err, /Delete all data of the loop: 2 runs .*\? y\/N n\nNothing was deleted\.\n$/);
    }
    const gone = await on(ground(), { type: 'all' }, 'Y');
    assert.deepEqual([gone.code, gone.left], [0, 0]);
    assert.match(gone.err, /y\/N y\n2 runs deleted/);
  });

  it('asks before runs go by their age; a folder that nothing was written to is old', async () => {
    const { code, err, left } = await on(ground(), { type: 'olderThan', days: 0 }, 'y');
    assert.deepEqual([code, left], [0, 0]);
    assert.match(err, /Delete 2 runs\? y\/N y\nRun 20260101-000000-aaaaaa is deleted\./);
  });

  it('does not ask about runs that are named, and says when there is nothing', async () => {
    const state = ground();
    const fake = fakeTerminal(false);
    assert.equal(
      await deleteCommand({ what: { type: 'runs', runs: ['aaaaaa'] }, yes: false }, state, fake.terminal),
      0,
    );
    assert.equal((await listRuns(state)).length, 1);
    const none = await deleteCommand(
      { what: { type: 'olderThan', days: 100_000 }, yes: true },
      temporary(),
      fake.terminal,
    );
    assert.equal(none, 0);
    assert.match(fake.err(), /There is nothing to delete\.\n$/);
  });
});
