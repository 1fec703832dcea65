import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createLineSplitter, createObjectParser } from '../../src/transport/ndjson.ts';

interface Read {
  readonly objects: unknown[];
  readonly diagnostics: string[];
}

/** Feeds the pieces and ends the stream. */
function read(pieces: readonly (string | Uint8Array)[], limit?: number): Read {
  const objects: unknown[] = [];
  const diagnostics: string[] = [];
  const parser = createObjectParser(
    { onObject: (object) => objects.push(object), onDiagnostic: (d) => diagnostics.push(d.code) },
    limit,
  );
  for (const piece of pieces) parser.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  parser.end();
  return { objects, diagnostics };
}

/** The same bytes, cut at every position in turn. */
function cuts(bytes: Buffer): Buffer[][] {
  return Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
}

const DEEP = process.env.DEEP === '1';

describe('createObjectParser', () => {
  it('C14: gives the same messages wherever the bytes are cut (N01, N02, N04, N06)', () => {
    const text =
      '\ufeff{"a":"评分 👋"}\r\n\n  \n\x1b[?2004h{"b":1}\x1b[0m\nbanner\n[1]\n{"c":"x\\u0000y\u2028z"}\n{"d"';
    const bytes = Buffer.from(text);
    const expected = read([bytes]);
    assert.deepEqual(expected, {
      objects: [{ a: '评分 👋' }, { b: 1 }, { c: 'x\u0000y\u2028z' }],
      diagnostics: ['noise', 'notObject', 'truncatedEof'],
    });
    for (const pieces of cuts(bytes)) assert.deepEqual(read(pieces), expected);
    assert.deepEqual(read(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
  });

  /** E5 of the reliability rows: `DEEP=1` runs it in full. */
  it('E5: gives the same messages for generated streams with random cuts, some cut at every byte', () => {
    let everyByte = DEEP ? 500 : 20;
    const line = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }).map((value) => JSON.stringify(value)),
      fc.constantFrom('', '   ', 'noise', '42', '[]', '{"half":', '\x1b[1m{"a":1}\x1b[0m', '\0\0{"a":2}\0'),
      fc.string().map((text) => text.replaceAll('\n', ' ')),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(400), { maxLength: 6 }),
        (lines, end, at) => {
          const bytes = Buffer.from(lines.join(end));
          const sorted = [...at.map((n) => Math.min(n, bytes.length)), bytes.length].sort((a, b) => a - b);
          const pieces = sorted.map((stop, i) => bytes.subarray(i === 0 ? 0 : sorted[i - 1], stop));
          const whole = read([bytes]);
          assert.deepEqual(read(pieces), whole);
          if (everyByte-- > 0) assert.deepEqual(read(Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
        },
      ),
      { numRuns: DEEP ? 100_000 : 300 },
    );
  });

  it('C16: removes terminal sequences, NUL padding and a BOM around a message (N10, N13)', () => {
    for (const around of [
      ['\x1b[?25l', '\x1b[0m'],
      ['\x1b]0;title\x07', '\x1b]8;;\x1b\\'],
      ['\x1b(B\x1b[m', '\x1b7'],
      ['\0\0', '\0'],
      ['\ufeff', ' '],
      ['\x1bPq...\x1b\\', '\x1b='],
    ]) {
      assert.deepEqual(read([`${around[0]}{"a":1}${around[1]}\n`]), { objects: [{ a: 1 }], diagnostics: [] });
    }
    assert.deepEqual(read(['\x1b[2K\n\0\0\n']), { objects: [], diagnostics: [] });
  });

  it('C01: calls JSON that is no object notObject, other text noise (N08, N12, N21, N27)', () => {
    assert.deepEqual(read(['null\n42\n"hi"\ntrue\n[{"a":1}]\n']).diagnostics, Array(5).fill('notObject'));
    assert.deepEqual(read(['{\n  "a": 1\n}\nLoaded.\n']).diagnostics, Array(4).fill('noise'));
  });

  it('uses a whole last line without an end and reports half of one (N17, N18)', () => {
    assert.deepEqual(read(['{"a":1}']), { objects: [{ a: 1 }], diagnostics: [] });
    assert.deepEqual(read(['{"a":']), { objects: [], diagnostics: ['truncatedEof'] });
  });

  it('drops what is nested so deep that writing it down again would end the program', () => {
    const nested = (levels: number) => `{"a":${'[{"b":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}}\n`;
    const { objects, diagnostics } = read([nested(100_000), nested(510), nested(400), '{"b":1}\n']);
    assert.deepEqual(diagnostics, ['invalid', 'invalid']);
    assert.equal(objects.length, 2);
    assert.equal(`${JSON.stringify(objects[0])}\n`, nested(400));
  });

  it('tells of the first lines of each kind that are no messages, and reads on for ever', () => {
    const texts: string[] = [];
    const objects: unknown[] = [];
    const parser = createObjectParser({
      onObject: (object) => objects.push(object),
      onDiagnostic: ({ code, text }) => texts.push(`${code}: ${text}`),
    });
    for (let n = 1; n <= 1_000; n++) parser.push(Buffer.from(`DEBUG ${n}\n{"n":${n}}\n`));
    parser.push(Buffer.from('[1]\n'));
    assert.deepEqual([objects.length, texts.length], [1_000, 21]);
    assert.equal(texts[19], 'noise: DEBUG 20 (more lines like this are not told)');
    assert.equal(texts[20], 'notObject: [1]');
  });

  it('gives up a line over the limit once and goes on after its line end', () => {
    const long = `{"a":"${'x'.repeat(100)}"}\n`;
    assert.deepEqual(read([long, '{"b":1}\n'], 50), { objects: [{ b: 1 }], diagnostics: ['lineTooLong'] });
    const pieces = [...Array.from(long, (c) => c), '{"b":1}\n'];
    assert.deepEqual(read(pieces, 50), { objects: [{ b: 1 }], diagnostics: ['lineTooLong'] });
    assert.deepEqual(read(['x'.repeat(60)], 50), { objects: [], diagnostics: ['lineTooLong'] });
    assert.deepEqual(read([`${'{"a":1}'.padEnd(50)}\n`], 50), { objects: [{ a: 1 }], diagnostics: [] });
  });

  it('CLAUDE.md 4.25: needs time linear in the length of a line, also in small chunks (N14)', () => {
    const cpu = (megabytes: number): number => {
      const line = Buffer.from(`{"a":"${'a'.repeat(megabytes * 1024 * 1024)}"}\n`);
      const before = process.cpuUsage();
      const pieces: Buffer[] = [];
      for (let at = 0; at < line.length; at += 4096) pieces.push(line.subarray(at, at + 4096));
      assert.equal(read(pieces).objects.length, 1);
      const used = process.cpuUsage(before);
      return used.user + used.system;
    };
    cpu(1);
    const best = (megabytes: number): number => Math.min(cpu(megabytes), cpu(megabytes), cpu(megabytes));
    const ratio = best(16) / best(2);
    assert.ok(ratio < 30, `CPU of a line eight times as long: ${ratio.toFixed(1)} times`);
  });
});

describe('createLineSplitter', () => {
  it('drops one CR before LF and keeps others as text', () => {
    const lines: [string, boolean][] = [];
    const splitter = createLineSplitter({
      onLine: (text, terminated) => lines.push([text, terminated]),
      onDiagnostic: () => assert.fail('no diagnostic expected'),
    });
    splitter.push(Buffer.from('one\r\ntwo\rthree\nfour'));
    splitter.end();
    assert.deepEqual(lines, [
      ['one', true],
      ['two\rthree', true],
      ['four', false],
    ]);
  });

  it('takes views into larger buffers', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter({ onLine: (text) => lines.push(text), onDiagnostic: () => undefined });
    splitter.push(new Uint8Array(Buffer.from('xxab')).subarray(2));
    splitter.push(new Uint8Array(Buffer.from('cd\nxx')).subarray(0, 3));
    assert.deepEqual(lines, ['abcd']);
  });
});
