import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withoutAnsi } from '../../src/shared/withoutAnsi.ts';
import { type Look, readAnsi } from '../../webview/ansi.ts';

const E = '\u001b';
const texts = (text: string) => readAnsi(text).map((line) => line.map((span) => span.text).join(''));
const looks = (text: string): readonly (readonly [string, Partial<Look> | null])[] =>
  readAnsi(text).flatMap((line) =>
    line.map(({ text: words, look }) => [
      words,
      look && Object.fromEntries(Object.entries(look).filter(([, value]) => value !== null && value !== false)),
    ]),
  );

describe('readAnsi', () => {
  it('reads the 16, the 256 and the true colours, for words and for their ground', () => {
    assert.deepEqual(looks(`${E}[31ma${E}[92;44mb${E}[38;5;9mc${E}[38;5;208md${E}[48;5;244me${E}[0mf`), [
      ['a', { colour: 'red' }],
      ['b', { colour: 'bright-green', background: 'blue' }],
      ['c', { colour: 'bright-red', background: 'blue' }],
      ['d', { colour: 'rgb(255, 135, 0)', background: 'blue' }],
      ['e', { colour: 'rgb(255, 135, 0)', background: 'rgb(128, 128, 128)' }],
      ['f', null],
    ]);
    assert.deepEqual(looks(`${E}[38;2;10;20;30ma${E}[39mb`), [
      ['a', { colour: 'rgb(10, 20, 30)' }],
      ['b', null],
    ]);
  });

  it('reads bold, dim, italic, underlined, struck and reversed', () => {
    assert.deepEqual(looks(`${E}[1;2;3;4;9ma${E}[22;23;24;29mb${E}[7;32mc${E}[27md`), [
      ['a', { bold: true, dim: true, italic: true, underline: true, strike: true }],
      ['b', null],
      ['c', { colour: 'page', background: 'green' }],
      ['d', { colour: 'green' }],
    ]);
  });

  it('keeps a style over lines', () => {
    assert.deepEqual(looks(`${E}[33ma\nb${E}[m\nc`), [
      ['a', { colour: 'yellow' }],
      ['b', { colour: 'yellow' }],
      ['c', null],
    ]);
  });

  it('follows a progress bar that rewrites its line, also with colours and when the rest is erased', () => {
    assert.deepEqual(texts('10%\r50%\r100%\ndone\r\n'), ['100%', 'done']);
    assert.deepEqual(texts('downloading\rdone'), ['doneloading']);
    assert.deepEqual(texts(`downloading\rdone${E}[K`), ['done']);
    assert.deepEqual(texts(`a${E}[2K\rb`), ['b']);
    assert.deepEqual(looks(`${E}[31mabcd${E}[0m\r${E}[32mXY`), [
      ['XY', { colour: 'green' }],
      ['cd', { colour: 'red' }],
    ]);
    assert.deepEqual(texts('spin |\b/\b-\b\\'), ['spin \\']);
  });

  it('follows moves over lines, as programs with several bars make them', () => {
    assert.deepEqual(texts(`a 1%\nb 1%\n${E}[2A${E}[2Ka 99%\n${E}[2Kb 98%\n`), ['a 99%', 'b 98%']);
    assert.deepEqual(texts(`one\ntwo\n${E}[F${E}[Jend`), ['one', 'end']);
    assert.deepEqual(texts(`old${E}[2J${E}[Hnew`), ['new']);
    assert.deepEqual(texts(`ab${E}[5Gc${E}[3Dd`), ['abd c']);
  });

  it('drops titles, links, bells and what only a terminal needs', () => {
    assert.deepEqual(texts(`${E}]0;title\u0007a${E}]8;;https://x.example${E}\\b${E}]8;;${E}\\${E}[?25l${E}7\u0007c`), [
      'abc',
    ]);
  });

  it('waits for the rest of a sequence that is cut off', () => {
    assert.deepEqual(texts(`a${E}`), ['a']);
    assert.deepEqual(texts(`a${E}[3`), ['a']);
    assert.deepEqual(texts(`a${E}]0;ti`), ['a']);
  });

  it('shows text without control characters as it stands, and never throws on others, in little time', () => {
    const plain = fc
      .string()
      .filter((text) => [...text].every((one) => one === '\n' || one === '\t' || (one >= ' ' && one !== '\u007f')));
    fc.assert(fc.property(plain, (text) => assert.equal(texts(text).join('\n'), text.replace(/\n$/, ''))));
    const piece = fc.constantFrom(
      'x',
      '\n',
      '\r',
      '\b',
      `${E}[`,
      `${E}]`,
      'A',
      'K',
      'J',
      'm',
      '9',
      ';',
      '38',
      '2',
      E,
      'G',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const lines = readAnsi(pieces.join(''));
        assert.ok(lines.length <= 61);
      }),
    );
    const begun = performance.now();
    assert.equal(readAnsi(`${E}[999999999B${E}[99999999Cx`).length, 1);
    readAnsi(
      Array.from({ length: 2000 }, (_, index) => `${E}[3${index % 8}mline ${index}${E}[0m\r`)
        .join('')
        .repeat(3),
    );
    assert.ok(performance.now() - begun < 2000);
  });

  it('reads ordinary output as the plain text of it', () => {
    const text = `${E}[32m✔${E}[0m one\r\n${E}[31m✘${E}[0m two\n`;
    assert.equal(`${texts(text).join('\n')}\n`, withoutAnsi(text));
  });
});
