import assert from 'node:assert/strict';
import { h, render } from 'preact';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { linkTarget, readMarkdown } from '../../webview/markdown.ts';
import { colours, markdown, type OnDemand, onDemand, terminal, useOnDemand, words } from '../../webview/onDemand.ts';
import { HEADER, stamp } from '../fakes/events.ts';
import { openPage, type TestPage } from './dom.ts';

const chunk = (text: string): LoopEventBody => ({
  type: 'message.chunk',
  turn: 1,
  role: 'execute',
  wire: {},
  derived: { channel: 'message', messageId: 'm', text },
});

const BEGIN: readonly LoopEventBody[] = [
  { type: 'run.started', run: HEADER },
  { type: 'round.started' },
  { type: 'turn.started', turn: 1, role: 'execute', prompt: 'Do it', wire: { sessionId: 's1', model: 'opus' } },
];

const END: LoopEventBody = {
  type: 'turn.ended',
  turn: 1,
  role: 'execute',
  wire: {},
  derived: { outcome: { type: 'completed' }, usage: null, models: [] },
};

const TERMINAL: LoopEventBody = {
  type: 'terminal.started',
  turn: 1,
  role: 'execute',
  terminalId: 'x',
  command: 'npm test',
  cwd: '/home/me/project',
};

/** Lets the page have this code of a part, whatever it has loaded, while `act` runs. */
function withCode<T>(part: OnDemand<T>, code: T | null, act: () => void): void {
  const own = Object.getOwnPropertyDescriptor(part, 'code') ?? {};
  Object.defineProperty(part, 'code', { value: code, configurable: true });
  try {
    act();
  } finally {
    Object.defineProperty(part, 'code', own);
  }
}

const load = () => Promise.all([markdown, colours, words, terminal].map((part) => part.load()));

/** A page with one message, and what a person reads of it. */
function showMessage(text: string, ...more: LoopEventBody[]): TestPage {
  const page = openPage();
  page.show({ phase: 'running' }, stamp([...BEGIN, chunk(text), ...more]));
  return page;
}

const html = (page: TestPage) => page.find('.text').innerHTML;

describe('parts that are loaded on demand', () => {
  it('are loaded once, and stay away for good where loading fails', async () => {
    let calls = 0;
    const good = onDemand(async () => ++calls);
    await Promise.all([good.load(), good.load()]);
    assert.deepEqual([good.code, calls], [1, 1]);
    const bad = onDemand(() => Promise.reject(new Error('no such file')));
    await bad.load();
    assert.equal(bad.code, null);
  });

  it('leave text and code readable until they come, and for good where they do not', () => {
    withCode(markdown, null, () =>
      withCode(colours, null, () => {
        const page = showMessage('A *b*\n\n- c\n\n```ts\nlet d\n```\n', END);
        assert.equal(
          html(page).replace(/<div class="code-head">.*<\/div>(?=<pre)/s, ''),
          '<p class="plain">A *b*</p><p class="plain">- c</p><div class="code-block"><pre class="code" tabindex="0"><code>let d</code></pre></div>',
        );
      }),
    );
    withCode(terminal, null, () => {
      const output: LoopEventBody = {
        type: 'terminal.output',
        terminalId: 'x',
        text: '\u001b[31ma\r\nb\n',
        skipped: 0,
      };
      const page = openPage();
      page.show({ phase: 'running' }, stamp([...BEGIN, TERMINAL, output]));
      assert.equal(page.find('.output').innerHTML, 'a\nb');
    });
  });

  it('draw again by themselves what stands there when they come', async () => {
    openPage();
    const part = onDemand(async () => 'rich');
    const View = () => useOnDemand(part) ?? 'plain';
    const root = document.createElement('div');
    render(h(View, {}), root);
    assert.equal(root.textContent, 'plain');
    await part.load();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(root.textContent, 'rich');
  });
});

describe('the text of a message', () => {
  before(load);

  it('is drawn with lists, tasks, tables, headings and quotes', () => {
    const page = showMessage(
      '# One\n\n1. a\n2. b\n\n   c\n\n- [x] d\n- [ ] e\n  - f\n\n> g\n\n|h|i|\n|-|-:|\n|1|2|\n\n---\n',
      END,
    );
    assert.equal(page.find('ol').querySelectorAll(':scope > li').length, 2);
    assert.equal(page.all('.task-item').length, 2);
    assert.deepEqual(
      page.all('.task-item .sr-only').map(({ textContent }) => textContent),
      ['done', 'not started'],
    );
    assert.equal(page.find('h3').textContent, 'One');
    assert.equal(page.find('blockquote').textContent, 'g');
    assert.equal(page.find('.table').getAttribute('tabindex'), '0');
    assert.equal(page.find('td.right').textContent, '2');
    assert.equal(page.all('hr').length, 1);
  });

  it('goes on with the number of a list after code between its items', () => {
    const page = showMessage('1. a\n\n```\nx\n```\n\n2. b\n3. c\n', END);
    assert.deepEqual(
      page.all('ol').map((list) => [list.getAttribute('start'), list.textContent]),
      [
        ['1', 'a'],
        ['2', 'bc'],
      ],
    );
  });

  it('opens files by the host, leaves addresses to VS Code, and never draws markup or a picture', () => {
    const page = showMessage(
      '[a](src/a.ts:3) [b](https://b.example) [c](command:x) ![d](https://d.example/d.png) <img src=x onerror=y>',
      END,
    );
    page.find('.text button.link', 'a').click();
    assert.deepEqual(page.posted, [{ type: 'openFile', path: 'src/a.ts', line: 3 }]);
    assert.deepEqual(
      page.all('.text a').map((link) => link.getAttribute('href')),
      ['https://b.example', 'https://d.example/d.png'],
    );
    assert.equal(page.all('.text img').length, 0);
    assert.match(page.text(), /c d <img src=x onerror=y>/);
  });

  it('has code with its language, its colours, and buttons that copy and insert it', () => {
    const page = showMessage('```ts\nconst a = "b"; // c\n```\n\n```nosuch\nd\n```\n', END);
    const [block, other] = page.all('.code-block');
    assert.match(
      block?.innerHTML ?? '',
      /<span class="hl-keyword">const<\/span> a = <span class="hl-string">"b"<\/span>/,
    );
    assert.equal(block?.querySelector('code')?.textContent, 'const a = "b"; // c');
    assert.equal(block?.querySelector('.code-head')?.textContent, 'ts');
    assert.equal(other?.querySelector('code')?.innerHTML, 'd');
    const [copy] = page.all('button', 'Copy');
    copy?.click();
    page.all('button', 'Insert at Cursor')[0]?.click();
    assert.deepEqual(page.posted, [
      { type: 'copyText', text: 'const a = "b"; // c' },
      { type: 'insertText', text: 'const a = "b"; // c' },
    ]);
  });

  it('reads, while it comes in pieces, no more than 1.3 times what came (D4), and ends as it is drawn at once', () => {
    const paragraph = 'Words with **bold**, `code` and [a link](src/a.ts), long enough for many pieces. '.repeat(5);
    const text = Array.from(
      { length: 4 },
      (_, index) =>
        `## Part ${index}\n\n${paragraph}\n\n- one\n- two\n\n\`\`\`ts\nlet x = ${index}\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
    ).join('\n');
    let bytes = 0;
    const counting = {
      readMarkdown(source: string) {
        bytes += source.length;
        return readMarkdown(source);
      },
      linkTarget,
    };
    withCode(markdown, counting, () => {
      const page = openPage();
      page.show({ phase: 'running' }, stamp(BEGIN));
      const pieces = text.match(/[\s\S]{1,40}/g) ?? [];
      const events = stamp([...BEGIN, ...pieces.map(chunk), END]);
      for (const event of events.slice(BEGIN.length))
        page.hear({ type: 'batch', runId: 'run', fromSeq: event.seq, events: [event] });
      assert.ok(bytes > 0.5 * text.length && bytes <= 1.3 * text.length, `${bytes} of ${text.length}`);
      assert.equal(html(page), html(showMessage(text, END)));
    });
  });

  it('shows what is being written as it stands: words, an item in its list, code without colours', () => {
    assert.equal(html(showMessage('Done.\n\nNow **bo')), '<p>Done.</p><p class="plain">Now **bo</p>');
    assert.equal(html(showMessage('- one\n- **tw')), '<ul><li>one</li><li class="plain">**tw</li></ul>');
    const code = showMessage('```ts\nlet a');
    assert.equal(code.find('.code-block code').innerHTML, 'let a');
    assert.equal(html(showMessage('- **o')), '<ul><li class="plain">**o</li></ul>');
  });
});

describe('the diff of an edit', () => {
  before(load);

  const edit = (oldText: string | null, newText: string): LoopEventBody => ({
    type: 'toolCall.started',
    turn: 1,
    role: 'execute',
    wire: {},
    derived: {
      toolCallId: 'e',
      title: 'Edit a.ts',
      kind: 'edit',
      state: 'success',
      content: [{ type: 'diff', path: '/home/me/project/a.ts', oldText, newText }],
    },
  });
  const shown = (oldText: string | null, newText: string) => {
    const page = openPage();
    page.show({ phase: 'running' }, stamp([...BEGIN, edit(oldText, newText)]));
    return page;
  };
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

  it('has numbers, signs and the changed words, and leaves out what is equal', () => {
    const before = lines(40);
    const page = shown(before.join('\n'), before.with(19, 'line twenty').join('\n'));
    assert.deepEqual(
      page.all('.diff > *').map(({ textContent }) => textContent),
      [
        '⋯ 16 unchanged lines',
        ...[
          '17 line 17',
          '18 line 18',
          '19 line 19',
          '20−line 20',
          '20+line twenty',
          '21 line 21',
          '22 line 22',
          '23 line 23',
        ],
        '⋯ 17 unchanged lines',
      ],
    );
    assert.equal(page.find('del mark').textContent, '20');
    assert.equal(page.find('ins mark').textContent, 'twenty');
    assert.match(page.find('.counts').textContent ?? '', /\+1 −1/);
  });

  it('shows one or two equal lines instead of saying that they are left out', () => {
    const before = lines(14);
    const page = shown(before.join('\n'), before.with(5, 'six').join('\n'));
    assert.deepEqual(
      page.all('.diff > *').map(({ textContent }) => textContent),
      [
        ...['1 line 1', '2 line 2', '3 line 3', '4 line 4', '5 line 5', '6−line 6', '6+six'],
        ...['7 line 7', '8 line 8', '9 line 9', '⋯ 5 unchanged lines'],
      ],
    );
  });

  it('numbers a new file, and says so where nothing differs', () => {
    assert.deepEqual(
      shown(null, 'a\nb\n')
        .all('.diff ins')
        .map(({ textContent }) => textContent),
      ['1+a', '2+b'],
    );
    assert.match(shown('a', 'a').text(), /No line differs/);
  });

  it('shows the start of a long one, and all of it in a diff editor', () => {
    const page = shown(null, lines(100).join('\n'));
    assert.equal(page.all('.diff ins').length, 30);
    page.find('.diff button', '70 more lines').click();
    assert.deepEqual(page.posted, [{ type: 'openPart', id: 'round/1/t/1/execute/e', part: 0 }]);
  });
});

describe('the output of a command', () => {
  before(load);

  const shown = (text: string) => {
    const page = openPage();
    const output: LoopEventBody = { type: 'terminal.output', terminalId: 'x', text, skipped: 0 };
    page.show({ phase: 'running' }, stamp([...BEGIN, TERMINAL, output]));
    return page;
  };

  it('has the theme’s colours, and exact ones without inline attributes of the text’s own', () => {
    const page = shown('\u001b[1;31mred\u001b[0m \u001b[38;2;1;2;3mx\u001b[48;5;196my\u001b[m <b>z</b>');
    const output = page.find('.output');
    assert.equal(output.textContent, 'red xy <b>z</b>');
    assert.equal(output.querySelector('span')?.className, 'ansi-red ansi-bold');
    const [, x, y] = output.querySelectorAll<HTMLElement>('span');
    assert.equal(x?.style.color, 'rgb(1, 2, 3)');
    assert.equal(y?.style.backgroundColor, 'rgb(255, 0, 0)');
  });

  it('keeps the newest lines, shows more on demand, and all in an editor', () => {
    const page = shown(Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join(''));
    assert.match(page.find('.output').textContent ?? '', /^line 988\n.*line 999$/s);
    page.find('button', 'Show 388 earlier lines').click();
    assert.match(page.find('.output').textContent ?? '', /^line 600\n/);
    page.find('button', 'Open all 1,000 lines in an editor').click();
    assert.deepEqual(page.posted, [{ type: 'openTerminal', terminalId: 'x' }]);
    page.find('button', 'Show the last lines only').click();
    assert.match(page.find('.output').textContent ?? '', /^line 988\n/);
  });
});

after(() => {
  render(null, document.body);
});
