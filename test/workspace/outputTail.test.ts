import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createOutputTail, newestBytes } from '../../src/workspace/outputTail.ts';

describe('output tail', () => {
  it('keeps the newest bytes and cuts at a character', () => {
    const tail = createOutputTail(8);
    tail.push('abcdefgh');
    assert.deepEqual([tail.text, tail.truncated], ['abcdefgh', false]);
    tail.push('é€');
    assert.deepEqual([tail.text, tail.truncated], ['fghé€', true]);
    tail.push('😀😀');
    assert.equal(tail.text, '😀😀');
    tail.push('x');
    assert.equal(tail.text, '😀x', 'half of a character is none');
    assert.equal(newestBytes('€', 2), '');
  });

  it('keeps nothing at a limit of nothing', () => {
    const tail = createOutputTail(0);
    tail.push('a');
    assert.deepEqual([tail.text, tail.truncated], ['', true]);
  });

  it('is the end of all that was pushed, and as long as it may be', () => {
    const piece = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(60), fc.boolean(), (pieces, limit, readOften) => {
        const tail = createOutputTail(limit);
        for (const one of pieces) {
          tail.push(one);
          if (readOften) assert.ok(Buffer.byteLength(tail.text) <= limit);
        }
        const all = pieces.join('');
        assert.ok(all.endsWith(tail.text));
        assert.equal(tail.truncated, Buffer.byteLength(all) > limit);
        // One character more would have been too much.
        const before = [...all.slice(0, all.length - tail.text.length)].at(-1) ?? '';
        if (tail.truncated) assert.ok(Buffer.byteLength(before + tail.text) > limit);
      }),
    );
  });
});
