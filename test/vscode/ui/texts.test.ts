import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../../src/session/product.ts';
import type { LoopEventBody } from '../../../src/shared/events.ts';
import { HEADER, stamp } from '../../fakes/events.ts';
import { editorText, setSideBarWidth, setTheme } from '../host/workbench.ts';
import { weakContrasts } from './contrast.mjs';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, openLoopView, textOf } from './loopView.ts';

const MESSAGE = `## What I found

The parser in [src/parse.ts](src/parse.ts:3) drops the **last token**; see \`readToken()\` and the
[grammar](https://grammar.example/spec). Three things follow:

1. Read one token more.
2. Keep the *position*:
   - for errors
   - for the next call
3. ~~Retry~~ Report.

- [x] Reproduce it
- [ ] Fix it

\`\`\`ts
// Reads the next token, or null at the end.
export class Reader<T extends Token> {
  private at = 0;
  next(source: string): T | null {
    const found = /^\\s*(\\w+)/.exec(source.slice(this.at));
    return found === null ? null : make(found[1] ?? "", { line: 42, last: true });
  }
}
\`\`\`

> It worked before the change of last week,
> says the log.

| Case | Before | After | What people see in the editor |
|------|-------:|------:|-------------------------------|
| empty | 0 | 0 | nothing |
| one token | 0 | 1 | the token, at its place |

\`\`\`bash
npm test -- --grep "reader" | tail -n 20   # only these
\`\`\`
`;

const BEFORE = Array.from({ length: 60 }, (_, index) => `export const value${index} = compute(${index}, 'none');`);
const AFTER = BEFORE.map((line, index) => (index % 9 === 4 ? line.replace("'none'", "'all', true") : line)).toSpliced(
  20,
  0,
  'export const added = 1;',
);

const OUTPUT = [
  '\u001b[1m> project@1.0.0 test\u001b[22m\r\n',
  'Building 10%\rBuilding 60%\rBuilding 100%\u001b[K\n',
  ...Array.from(
    { length: 20 },
    (_, index) => `  \u001b[32m✔\u001b[0m case ${index} \u001b[2m(${index} ms)\u001b[22m\n`,
  ),
  '  \u001b[31m✘ drops the last token\u001b[39m\n',
  '    \u001b[33mexpected\u001b[39m \u001b[36m"b"\u001b[39m, \u001b[38;5;208mgot\u001b[0m \u001b[4mnull\u001b[24m\n',
  '\u001b[7m 1 failed \u001b[27m, \u001b[42;30m 20 passed \u001b[0m\n',
].join('');

const inTurn = { turn: 1, role: 'execute', wire: {} } as const;

const RUN: readonly LoopEventBody[] = [
  { type: 'round.started' },
  { type: 'turn.started', turn: 1, role: 'execute', prompt: 'Do it', wire: { sessionId: 's1', model: 'opus' } },
  { type: 'message.chunk', ...inTurn, derived: { channel: 'message', messageId: 'm', text: MESSAGE } },
  {
    type: 'toolCall.started',
    ...inTurn,
    derived: {
      toolCallId: 'edit',
      title: 'Edit src/values.ts',
      kind: 'edit',
      state: 'success',
      content: [{ type: 'diff', path: 'src/values.ts', oldText: BEFORE.join('\n'), newText: AFTER.join('\n') }],
    },
  },
  { type: 'terminal.started', turn: 1, role: 'execute', terminalId: 'x', command: 'npm test', cwd: '/home/me' },
  { type: 'terminal.output', terminalId: 'x', text: OUTPUT, skipped: 0 },
  {
    type: 'terminal.ended',
    terminalId: 'x',
    end: { exitCode: 1, signal: null, by: 'itself' },
  },
  { type: 'message.chunk', ...inTurn, derived: { channel: 'message', messageId: 'n', text: 'Now I look at *why*.' } },
];

/** A run of the folder that was cut off, as it lies on disk: the window opens it by itself. */
function writeRun(folder: string): void {
  const run = { ...HEADER, id: '20260131-142530-abc123', folder };
  const lines = [
    { format: 'cgloop-run', version: 1, product: PRODUCT },
    ...stamp([{ type: 'run.started', run }, ...RUN]),
  ].map((line) => `${JSON.stringify(line)}\n`);
  const directory = path.join(path.dirname(folder), 'state', 'runs', run.id);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(directory, 'log.jsonl'), lines.join(''), { mode: 0o600 });
  fs.mkdirSync(path.join(folder, 'src'));
  fs.writeFileSync(path.join(folder, 'src/parse.ts'), 'one\ntwo\nthree\n');
}

describe('texts, diffs and output in the workbench', () => {
  const workbench = useWorkbench({ prepare: writeRun });
  let view: LoopView;

  it('are drawn by the parts that the page loads on demand', async () => {
    const { page } = workbench();
    view = await openLoopView(page);
    await view.frame.locator('.hl-keyword', { hasText: 'export' }).first().waitFor();
    await view.frame
      .locator('.diff ins mark', { hasText: "'all', true" })
      .or(view.frame.locator('.diff ins mark'))
      .first()
      .waitFor();
    await view.frame.locator('.output .ansi-red', { hasText: 'drops the last token' }).waitFor();
    await view.frame.locator('.task-item').first().waitFor();
    assert.match(await textOf(view.frame.locator('.output')), /20 passed/);
  });

  for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
    it(`are readable in the ${theme} theme, and fit a side bar of 300 pixels`, async () => {
      const { page, server } = workbench();
      await setTheme(page, server, theme);
      await setSideBarWidth(page, 300);
      await until('nothing wider than the view', async () => {
        const overflow = await view.timeline.evaluate((main) => main.scrollWidth - main.clientWidth);
        return overflow <= 0;
      });
      for (const [name, selector] of [
        ['text', '.text'],
        ['code', '.code-block'],
        ['diff', '.diff'],
        ['output', '.output'],
      ] as const) {
        await view.frame.locator(selector).first().scrollIntoViewIfNeeded();
        await screenshot(page, `texts-${theme}-${name}-narrow`);
      }
      await setSideBarWidth(page, 620);
      for (const [name, selector] of [
        ['text', '.text'],
        ['code', '.table'],
        ['diff', '.diff'],
        ['output', '.output'],
      ] as const) {
        await view.frame.locator(selector).first().scrollIntoViewIfNeeded();
        await screenshot(page, `texts-${theme}-${name}`);
      }
      const weak = await view.timeline.evaluate(weakContrasts);
      assert.deepEqual(weak, []);
    });
  }

  it('open files, and the whole of a change and of an output in editors', async () => {
    const { page } = workbench();
    await view.frame.locator('.text button.link', { hasText: 'src/parse.ts' }).click();
    await page.locator('.tab.active', { hasText: 'parse.ts' }).waitFor();
    await view.frame.locator('.diff-more').click();
    await page.locator('.tab.active', { hasText: 'src/values.ts (change of an agent)' }).waitFor();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await screenshot(page, 'texts-diff-editor');
  });

  it('insert code at the cursor of the editor that was used last', async () => {
    const { page } = workbench();
    await view.frame.locator('.text button.link', { hasText: 'src/parse.ts' }).click();
    await page.locator('.tab.active', { hasText: 'parse.ts' }).waitFor();
    await view.frame.locator('.code-block').last().getByRole('button', { name: 'Insert at Cursor' }).click();
    await until('the code in the editor', async () => (await editorText(page)).includes('npm test -- --grep'));
    await view.frame.locator('.code-block').last().getByRole('button', { name: 'Copy' }).click();
    await view.frame.locator('.code-block').last().getByRole('button', { name: 'Copied' }).waitFor();
    await page.locator('.monaco-editor.focused, .monaco-editor').first().click();
  });

  it('leave addresses to VS Code, which opens them outside of the page', async () => {
    const { page, window } = workbench();
    const opened = window.context.waitForEvent('page');
    await view.frame.getByRole('link', { name: 'grammar' }).click();
    await (await opened).close();
    assert.equal(await textOf(view.frame.locator('.text h4').first()), 'What I found');
    await page.bringToFront();
  });

  it('break no content policy (case C58)', () => {
    assert.deepEqual(
      workbench().consoleMessages.filter((text) => /Content Security Policy/.test(text)),
      [],
    );
  });
});
