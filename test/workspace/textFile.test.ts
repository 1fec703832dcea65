import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  changeBetween,
  decodeText,
  encodeText,
  keepLineEnds,
  lineEndOf,
  lineWindow,
} from '../../src/workspace/textFile.ts';

/** Texts with every kind of line end, marks and characters outside the basic plane. */
const texts = fc
  .array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '\uFEFF', 'a', 'ü', '🎉'), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));
const forms = fc.constantFrom(
  { encoding: 'utf-8', bom: false } as const,
  { encoding: 'utf-8', bom: true } as const,
  { encoding: 'utf-16le', bom: true } as const,
  { encoding: 'utf-16be', bom: true } as const,
);

describe('the text of a file', () => {
  it('comes back from its bytes, without the mark, in each form', () => {
    fc.assert(
      fc.property(texts, forms, (text, form) => {
        const own = text.startsWith('\uFEFF') ? text.slice(1) : text;
        // A text that still begins with a mark, or holds a NUL, says something else in these bytes.
        fc.pre(!own.startsWith('\uFEFF') && !own.includes('\0'));
        assert.deepEqual(decodeText(encodeText(text, form)), { text: own, form });
      }),
    );
  });

  it('is none for NUL bytes and for bytes that are not its encoding', () => {
    for (const bytes of ['00', '61ff', 'c3', 'fffe00d8', 'efbbbf00'])
      assert.equal(decodeText(Buffer.from(bytes, 'hex')), null, bytes);
    assert.deepEqual(decodeText(Buffer.alloc(0)), { text: '', form: { encoding: 'utf-8', bom: false } });
  });

  it('C64: its windows are exact parts, and those that follow each other give the whole', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const parts: string[] = [];
        for (let line = 1; parts.join('').length < text.length; line += size) parts.push(lineWindow(text, line, size));
        assert.equal(parts.join(''), text);
        assert.equal(lineWindow(text, 1, null), text);
        assert.equal(lineWindow(text, 1, 0), '');
        assert.equal(lineWindow(text, text.length + 2, null), '');
      }),
    );
  });

  it('keeps the one line end that the file had, and touches nothing where it had none or both', () => {
    assert.deepEqual(['', 'a', 'a\r', 'a\nb\n', 'a\r\nb', 'a\r\nb\n'].map(lineEndOf), [
      null,
      null,
      null,
      '\n',
      '\r\n',
      null,
    ]);
    assert.equal(keepLineEnds('a\nb\r\n', 'x\r\n'), 'a\r\nb\r\n');
    assert.equal(keepLineEnds('a\nb\r\n', 'x\n'), 'a\nb\n');
    assert.equal(keepLineEnds('a\nb\r\n', 'x\ny\r\n'), 'a\nb\r\n');
    assert.equal(keepLineEnds('a\r\r\nb', 'x\n'), 'a\r\nb');
  });

  it('is changed by one replacement that cuts no pair and no CRLF', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (before, other, at) => {
        // Two texts with a part in common, as edits have.
        const after = before.slice(0, at % (before.length + 1)) + other;
        const { start, end, text } = changeBetween(before, after);
        assert.equal(before.slice(0, start) + text + before.slice(end), after);
        for (const [whole, place] of [
          [before, start],
          [before, end],
          [after, start],
          [after, start + text.length],
        ] as const) {
          assert.doesNotMatch(whole.slice(Math.max(0, place - 1), place + 1), /^\r\n$/);
          // Halves that stood alone before stay so; a pair is never cut.
          assert.doesNotMatch(whole.slice(Math.max(0, place - 1), place + 1), /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/);
        }
      }),
    );
  });
});
