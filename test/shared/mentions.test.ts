import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mentionOf, mentionsIn } from '../../src/shared/mentions.ts';
import { bytesOf, slashWord } from '../../src/shared/task.ts';

const found = (text: string) =>
  mentionsIn(text).map(({ path, lines }) => (lines === null ? path : `${path} ${lines.from}-${lines.to}`));

describe('mentionsIn', () => {
  it('finds files with and without lines, and says where they stand', () => {
    const text = 'Look at @src/a.ts:10-20 and (@b.md), then @"my notes.md":3.';
    assert.deepEqual(found(text), ['src/a.ts 10-20', 'b.md', 'my notes.md 3-3']);
    assert.deepEqual(
      mentionsIn(text).map(({ from, to }) => text.slice(from, to)),
      ['@src/a.ts:10-20', '@b.md', '@"my notes.md":3'],
    );
  });

  it('takes no address of a person, and nothing of the sentence around it', () => {
    assert.deepEqual(found('me@example.com @ @, x@y'), []);
    assert.deepEqual(found('@a.ts, @b.ts; @c.ts! @d.ts: @e.ts?'), ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']);
  });

  it('turns lines round that are given from the end, and knows no line 0', () => {
    assert.deepEqual(found('@a:9-3 @b:0'), ['a 3-9', 'b']);
  });

  it('reads every mention that is written for a path and lines', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !/["\n\r]/.test(text));
    const lines = fc.option(fc.record({ from: fc.integer({ min: 1, max: 99 }), more: fc.nat(99) }));
    fc.assert(
      fc.property(name, lines, (path, told) => {
        const range = told === null ? null : { from: told.from, to: told.from + told.more };
        const [mention, ...others] = mentionsIn(`See ${mentionOf(path, range)} please`);
        assert.deepEqual([mention?.path, mention?.lines, others], [path, range, []]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('slashWord', () => {
  it('is the command that a task begins with, and no path', () => {
    assert.deepEqual(
      ['/review all', '/mcp__a__b', '/x:y\nmore', '/etc/hosts is wrong', ' /review', '/', 'review', '/1'].map(
        slashWord,
      ),
      ['review', 'mcp__a__b', 'x:y', null, null, null, null, null],
    );
  });
});

describe('bytesOf', () => {
  it('counts what base64 stands for', () => {
    for (const length of [0, 1, 2, 3, 4, 1000]) {
      assert.equal(bytesOf(Buffer.alloc(length).toString('base64')), length);
    }
  });
});
