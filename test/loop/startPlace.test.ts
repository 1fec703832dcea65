import assert from 'node:assert/strict';
import { isAgreed } from '../../src/loop/agreement.ts';
import { LARGE, largeFolder, largeProblem, largeQuestion } from '../../src/loop/startPlace.ts';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { clear, ground } from '../workspace/grounds.ts';

describe('a large folder', () => {
  afterEach(clear);
  const of = (files: number, bytes: number, large?: boolean) =>
    largeFolder(
      { unread: async () => ({ files, bytes }) },
      { folder: '/p', ...(large === undefined ? {} : { large }) },
    );

  it('is one with more files or bytes than are read in a moment, until somebody agrees', async () => {
    assert.equal(await of(LARGE.files, LARGE.bytes), null);
    assert.match((await of(LARGE.files + 1, 0)) ?? '', /^\/p holds more than 100,000 files that git does not ignore\./);
    assert.match((await of(12, LARGE.bytes + 1)) ?? '', /12 files and more than 2 GB/);
    assert.equal(await of(LARGE.files + 1, LARGE.bytes + 1, true), null);
  });

  it('is asked about, and without a person the way out is named', async () => {
    const what = (await of(LARGE.files + 1, 0)) ?? '';
    const { title, options, asker } = largeQuestion(what);
    assert.ok(title.startsWith(what) && asker === 'loop');
    const [yes, no] = options;
    assert.deepEqual(
      [isAgreed(yes?.optionId ?? null), isAgreed(no?.optionId ?? null), isAgreed(null)],
      [true, false, false],
    );
    assert.match(largeProblem(what).fix, /--large/);
  });

  it('is measured by what was not read yet: neither ignored files, nor those that an earlier run hashed', async function () {
    this.timeout(10_000);
    const own = ground('repository');
    own.write('.gitignore', 'dist/\n');
    own.write('dist/large', 'x'.repeat(1000));
    own.write('b.txt', '12345');
    const open = () => openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId: 'r' });
    const first = await open();
    // `first.txt` of the ground, the rules and `b.txt`.
    assert.deepEqual(await first.unread(10), { files: 3, bytes: 6 + 6 + 5 });
    assert.deepEqual(await first.unread(2), { files: 3, bytes: 0 });
    await first.snapshot('start');
    await first.close();
    own.write('c.txt', '1');
    const second = await open();
    assert.deepEqual(await second.unread(10), { files: 1, bytes: 1 });
    await second.close();
  });
});
