import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allBlocks, type Block, type Cut, cutBlocks } from '../../webview/blocks.ts';
import { readMarkdown } from '../../webview/markdown.ts';

const sources = (text: string) =>
  allBlocks(cutBlocks(text, null)).map((block) => (block.type === 'code' ? block.text : block.source));
const closed = (text: string) => cutBlocks(text, null).closed.length;

describe('cutBlocks', () => {
  it('cuts at blank lines, fences and headings', () => {
    assert.deepEqual(sources('# One\nwords\nmore\n\n\n> a\n> b\n\nsee\n```ts\na\n\nb\n```\nthen'), [
      '# One',
      'words\nmore',
      '> a\n> b',
      'see',
      'a\n\nb',
      'then',
    ]);
  });

  it('knows fences by their mark, their indent and their language', () => {
    const block = (text: string) => allBlocks(cutBlocks(text, null))[0];
    assert.deepEqual(block('````md\n```\n````\n'), { type: 'code', language: 'md', text: '```' });
    assert.deepEqual(block('  ~~~\n  a\n    b\n ~~~\n'), { type: 'code', language: '', text: 'a\n  b' });
    assert.deepEqual(block('```ts\nlet a'), { type: 'code', language: 'ts', text: 'let a' });
  });

  it('cuts lists between their items, and keeps what is nested in one together', () => {
    assert.deepEqual(sources('- a\n  - b\n\n  more\n- c\n\n  ```\n  x\n\n  y\n  ```\n\nend'), [
      '- a\n  - b\n\n  more',
      '- c\n\n  ```\n  x\n\n  y\n  ```',
      'end',
    ]);
    const items = allBlocks(cutBlocks('3. x\n4. y', null));
    assert.deepEqual(
      items.map((block) => block.type === 'item' && [block.ordered, block.start]),
      [
        [true, 3],
        [true, 4],
      ],
    );
  });

  it('tells a list from a rule, a line under a heading, and a number in a running text', () => {
    assert.deepEqual(sources('a\n---\nb\n2. c\n* * *'), ['a\n---\nb\n2. c\n* * *']);
    assert.deepEqual(sources('a\n1. b'), ['a', '1. b']);
  });

  it('closes a block as soon as no more text can change it', () => {
    assert.equal(closed('# Title\n'), 1);
    assert.equal(closed('words\n'), 0);
    assert.equal(closed('words\n\n'), 1);
    assert.equal(closed('- item\n\n'), 0, 'more of it may be indented');
    assert.equal(closed('- item\n\nW'), 1);
    assert.equal(closed('- item\n-'), 0, 'that may become a rule or words');
    assert.equal(closed('```\ncode\n``'), 0);
    assert.equal(closed('```\ncode\n```\n'), 1);
  });

  it('cuts a text that comes in pieces as it cuts the whole, whatever the pieces', () => {
    const line = fc.constantFrom(
      '',
      '',
      'words of *a* text',
      '# Heading',
      '- item',
      '* item',
      '1. first',
      '12. later',
      '  nested',
      '    deep',
      '\ttab',
      '> quote',
      '```ts',
      '```',
      '~~~~',
      '---',
      '| a | b |',
      '|---|---|',
      '-',
      '#',
      '1',
      '**',
      '- - -',
      'ends\r',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), fc.array(fc.nat(7), { minLength: 1 }), (lines, sizes) => {
        const text = lines.join('\n');
        const cuts: Cut[] = [];
        let came = '';
        for (let step = 0; came.length < text.length; step++) {
          came = text.slice(0, came.length + 1 + (sizes[step % sizes.length] ?? 0));
          const before = cuts.at(-1) ?? null;
          const next = cutBlocks(came, before);
          assert.deepEqual(next.closed.slice(0, before?.closed.length ?? 0), before?.closed ?? []);
          cuts.push(next);
        }
        const whole = cutBlocks(text, null);
        const last = cuts.at(-1);
        assert.deepEqual(last === undefined ? [] : allBlocks(last), allBlocks(whole));
        const words = (blocks: readonly Block[]) =>
          blocks.map((block) => (block.type === 'code' ? block.text : block.source)).join('\n');
        const marks = /[\s`~]|ts\b/g;
        assert.equal(words(allBlocks(whole)).replace(marks, ''), text.replace(marks, ''), 'nothing is lost');
      }),
    );
  });

  it('begins anew where the text is another one', () => {
    const first = cutBlocks('one\n\ntwo\n\nthree', null);
    assert.deepEqual(sources('1\n\n2'), ['1', '2']);
    assert.deepEqual(allBlocks(cutBlocks('1\n\n2', first)), [
      { type: 'text', source: '1' },
      { type: 'text', source: '2' },
    ]);
  });

  it('gives blocks that read by themselves as they read in the whole', () => {
    const text =
      '# A\n\nWords **bold**\nand `code`.\n\n> q\n> r\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n---\n\nA [link](https://a.example).';
    const apart = sources(text).flatMap((source) => readMarkdown(source));
    assert.deepEqual(apart, readMarkdown(text));
  });
});
