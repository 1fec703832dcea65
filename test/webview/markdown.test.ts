import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkTarget, readMarkdown } from '../../webview/markdown.ts';
import type { BlockNode, InlineNode } from '../../webview/markdownTree.ts';

const inline = (source: string): readonly InlineNode[] => {
  const [node] = readMarkdown(source);
  return node?.type === 'paragraph' ? node.children : [];
};
const text = (words: string): InlineNode => ({ type: 'text', text: words });

describe('readMarkdown', () => {
  it('reads headings, quotes, rules, code and breaks', () => {
    assert.deepEqual(readMarkdown('## A `b`\n\n> c\n\n---\n\n    d\n'), [
      { type: 'heading', level: 2, children: [text('A '), { type: 'code', text: 'b' }] },
      { type: 'quote', children: [{ type: 'paragraph', children: [text('c')] }] },
      { type: 'rule' },
      { type: 'code', language: '', text: 'd' },
    ]);
    assert.deepEqual(inline('a  \nb ~~c~~ *d* __e__'), [
      text('a'),
      { type: 'break' },
      text('b '),
      { type: 'deleted', children: [text('c')] },
      text(' '),
      { type: 'emphasis', children: [text('d')] },
      text(' '),
      { type: 'strong', children: [text('e')] },
    ]);
  });

  it('reads nested lists and tasks', () => {
    const words = (one: string): BlockNode => ({ type: 'words', children: [text(one)] });
    const [list] = readMarkdown('1. [x] done\n2. [ ] open\n   - inner\n3. plain');
    assert.ok(list?.type === 'list');
    assert.deepEqual([list.ordered, list.start], [true, 1]);
    assert.deepEqual(
      list.items.map(({ done }) => done),
      [true, false, null],
    );
    assert.deepEqual(list.items[0]?.children, [words('done')]);
    assert.deepEqual(list.items[1]?.children[1], {
      type: 'list',
      ordered: false,
      start: 1,
      items: [{ done: null, children: [words('inner')] }],
    });
  });

  it('reads tables with their sides', () => {
    assert.deepEqual(readMarkdown('|a|b|\n|:-:|--:|\n|1|*2*|'), [
      {
        type: 'table',
        align: ['center', 'right'],
        head: [[text('a')], [text('b')]],
        rows: [[[text('1')], [{ type: 'emphasis', children: [text('2')] }]]],
      },
    ]);
  });

  it('has no place for HTML: markup is text, and references are the characters they name', () => {
    const source =
      '<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\na <b onclick=x>b</b> &lt;i&gt; &#x41;&amp;&nope;';
    const all = JSON.stringify(readMarkdown(source));
    assert.match(all, /<script>alert\(1\)<\/script>/);
    assert.match(all, /<img src=x onerror=alert\(1\)>/);
    assert.deepEqual(
      inline('a &lt;b&gt; &#x41;&#66;&amp;&nope; &mdash;').map((node) => node.type === 'text' && node.text),
      ['a <b> AB&&nope; —'],
    );
    assert.deepEqual(inline('a<br>b')[1], { type: 'break' });
  });

  it('links to web addresses and to files, and to nothing else', () => {
    const web = (url: string) => ({ type: 'web', url });
    const file = (path: string, line: number | null = null) => ({ type: 'file', path, line });
    const targets: readonly (readonly [string, ReturnType<typeof linkTarget>])[] = [
      ['https://a.example/x?y#z', { type: 'web', url: 'https://a.example/x?y#z' }],
      ['src/a.ts', { type: 'file', path: 'src/a.ts', line: null }],
      ['src/a.ts:12', { type: 'file', path: 'src/a.ts', line: 12 }],
      ['a.ts:12:3', { type: 'file', path: 'a.ts', line: 12 }],
      ['src/a.ts#L7-L9', { type: 'file', path: 'src/a.ts', line: 7 }],
      ['/home/me/a%20b.ts', { type: 'file', path: '/home/me/a b.ts', line: null }],
      ['file:///home/me/a.ts', { type: 'file', path: '/home/me/a.ts', line: null }],
      ['file:///C:/a.ts#L3', { type: 'file', path: 'C:/a.ts', line: 3 }],
      ['C:\\a.ts:4', { type: 'file', path: 'C:\\a.ts', line: 4 }],
      ['100%.md', { type: 'file', path: '100%.md', line: null }],
      ['#part', null],
      ['', null],
      ['javascript:alert(1)', null],
      ['JaVaScRiPt:alert(1)', null],
      ['data:text/html,x', null],
      ['command:workbench.action.quit', null],
      ['vscode://file/x', null],
      ['mailto:a@b.example', null],
      ['//server/share', null],
      ['\\\\server\\share', null],
      ['file://server/share', null],
      ['https:///nothing', null],
    ];
    for (const [href, target] of targets) assert.deepEqual(linkTarget(href), target, href);
    assert.deepEqual(inline('[x](javascript:alert(1)) <https://a.example> www.b.example'), [
      text('x'),
      text(' '),
      { type: 'link', target: web('https://a.example'), children: [text('https://a.example')] },
      text(' '),
      { type: 'link', target: web('http://www.b.example'), children: [text('www.b.example')] },
    ]);
    assert.deepEqual(inline('[x](https://a.example/?b&amp;c)'), [
      { type: 'link', target: web('https://a.example/?b&c'), children: [text('x')] },
    ]);
    assert.deepEqual(inline('![shot](out/a.png) ![](https://a.example/i.png)'), [
      { type: 'link', target: file('out/a.png'), children: [text('shot')] },
      text(' '),
      { type: 'link', target: web('https://a.example/i.png'), children: [text('https://a.example/i.png')] },
    ]);
  });

  it('shows what is nested or long beyond reason as it was written, quickly', () => {
    for (const source of [
      '>'.repeat(20_000),
      `${'- '.repeat(5000)}x`,
      `${'*a **b '.repeat(3000)}`,
      `${'['.repeat(20_000)}`,
      'x'.repeat(200_000),
      `${'a *'.repeat(20_000)}`,
    ]) {
      const begun = performance.now();
      const nodes = readMarkdown(source);
      assert.ok(depthOf(nodes) < 60);
      assert.ok(performance.now() - begun < 3000, source.slice(0, 10));
    }
    assert.deepEqual(readMarkdown('>'.repeat(100)), [{ type: 'paragraph', children: [text('>'.repeat(100))] }]);
  });

  it('never throws and never makes a link of another kind, whatever the text', () => {
    const piece = fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '|',
      '|-|',
      '-',
      '1.',
      '#',
      '~~',
      '\\',
      '&',
      ';',
      'javascript:',
      'https://a.example',
      '"',
      '    ',
      '\t',
      '[x]: data:1',
      '<a href="x">',
      '<!--',
      '-->',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const nodes = readMarkdown(pieces.join(''));
        for (const target of JSON.stringify(nodes).matchAll(/"type":"web","url":"(.{0,8})/g))
          assert.match(target[1] ?? '', /^https?:\/\//);
      }),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
