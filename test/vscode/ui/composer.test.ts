import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { needRealClis, type RealCli, realCli } from '../../e2e/harness/realCli.ts';
import { verdict } from '../../e2e/loopStories.ts';
import { startAnthropic } from '../../fakes/models/anthropic.ts';
import { startGemini } from '../../fakes/models/gemini.ts';
import type { ModelServer } from '../../fakes/models/modelServer.ts';
import { say, story } from '../../fakes/models/story.ts';
import { reloadWindow, runCommand, setSideBarWidth, setTheme } from '../host/workbench.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, loopView, newRun, openLoopView, textOf } from './loopView.ts';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const FILES = {
  'src/a.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\n',
  'src/deep/notes-of-the-project.md': 'Notes.\n',
  'README.md': 'A project.\n',
  '.gitignore': 'ignored/\n',
  'ignored/notes-that-nobody-reads.md': 'Ignored.\n',
  '.claude/commands/greet.md':
    '---\ndescription: Greets whoever is named\n---\nGreet $ARGUMENTS in the words of this project.\n',
};

describe('the composer with the real Claude Code and Gemini CLI in the workbench', () => {
  let anthropic: ModelServer;
  let gemini: ModelServer;
  let clis: RealCli;
  let view: LoopView;

  before(async function () {
    await needRealClis(this);
    const answers = ['one', 'two', 'three'];
    anthropic = await startAnthropic(
      answers.reduce((told, word) => told.next(say(`Answer ${word}.`)), story('answers')),
    );
    gemini = await startGemini(answers.reduce((told) => told.next(say(verdict({ score: 9 }))), story('content')));
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url });
  });
  const workbench = useWorkbench(async () => ({
    env: clis.env,
    settings: {
      'cgloop.executablePaths': { claude: clis.claudePath, gemini: clis.geminiPath },
      'cgloop.models': { gemini: 'gemini-2.5-flash' },
      'cgloop.permissionMode': 'read-only',
    },
    prepare(folder) {
      for (const [name, text] of Object.entries(FILES)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), text);
      }
      execFileSync('git', ['init', '-q'], { cwd: folder });
    },
  }));
  after(async () => {
    await clis?.dispose();
    for (const server of [anthropic, gemini]) await server?.close();
  });
  const draft = () => view.task.inputValue();
  const options = () => view.frame.getByRole('listbox').getByRole('option');
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => workbench().page.keyboard.press(key)), Promise.resolve());
  /** The body of the `nth` request to the executor's model. */
  const asked = (nth: number) =>
    anthropic.exchanges.filter(({ request }) => request.kind === 'main')[nth]?.request.raw ?? '';

  it('is reached from a selection and completes a file, by keyboard alone', async () => {
    const { page } = workbench();
    await press('Control+p');
    await page.locator('.quick-input-widget:visible input').first().fill('src/a.ts');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'a.ts' }).first().waitFor();
    await press('Enter');
    await page.locator('.tab.active', { hasText: 'a.ts' }).waitFor();
    await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.locator('.statusbar-item', { hasText: 'Ln 3, Col 1' }).waitFor();
    await press('Control+Alt+g');
    view = loopView(page);
    await until('the selection in the task', async () => (await draft()) === '@src/a.ts:1-2 ');
    await page.keyboard.type('explains @notes');
    await until('one file, and none that git ignores', async () => (await options().count()) === 1);
    await screenshot(page, 'composer-mention');
    await press('Enter');
    const completed = '@src/a.ts:1-2 explains @src/deep/notes-of-the-project.md ';
    await until('the file in the task', async () => (await draft()) === completed);
    await page.keyboard.type('@');
    await until('the selection as a choice', async () => /selected lines 1-2/.test(await textOf(options().first())));
    await press('Escape', 'Backspace');
  });

  it('says who receives what before the first run, and runs with what was mentioned', async () => {
    const { page } = workbench();
    await press('Control+Enter');
    await view.consent.waitFor();
    assert.match(await textOf(view.consent), /Claude sends .* to Anthropic.*Gemini sends .* to Google/);
    await screenshot(page, 'composer-consent');
    assert.equal(anthropic.exchanges.length, 0);
    await press('Enter');
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(await textOf(view.ending), /Approved with 9/);
    assert.match(asked(0), /lines 1-2:\\n\\nexport const one = 1;\\nexport const two = 2;"/);
    assert.match(asked(0), /to be read from the disk: [^"]*notes-of-the-project\.md/);
    const [reviewed] = gemini.exchanges;
    assert.match(reviewed?.request.prompt ?? '', /src\/a\.ts:1-2\nsrc\/deep\/notes-of-the-project\.md/);
  });

  it('recalls the task, and keeps a draft over a reload of the window', async () => {
    const { page } = workbench();
    await newRun(view);
    await view.task.focus();
    await page.keyboard.type('half a thought');
    await press('Home');
    await until('the task of before', async () => {
      await press('ArrowUp');
      return (await draft()).startsWith('@src/a.ts:1-2 explains');
    });
    await until('the draft', async () => {
      await press('ArrowDown');
      return (await draft()) === 'half a thought';
    });
    // An editor that is restored takes the focus in its own time.
    await runCommand(page, 'View: Close All Editors');
    await reloadWindow(page);
    view = await openLoopView(page);
    assert.equal(await draft(), 'half a thought');
  });

  it('completes a command of the real Claude Code, started ahead, which carries it out', async () => {
    const { page } = workbench();
    await view.task.focus();
    await press('Control+a', 'Delete');
    await page.keyboard.type('/gre');
    await options().first().waitFor({ timeout: 60_000 });
    assert.match(await textOf(options().first()), /\/greet.*Greets whoever is named/);
    await screenshot(page, 'composer-command');
    await press('Tab');
    await until('the command in the task', async () => (await draft()) === '/greet ');
    assert.equal(anthropic.exchanges.length, 1, 'nothing was sent to a model ahead');
    await page.keyboard.type('Ada');
    await press('Control+Enter');
    await until('the prompt at the model', () => asked(1) !== '', 120_000);
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(asked(1), /Greet Ada in the words of this project/);
  });

  it('takes an image that is pasted, shows it, and sends it to the model', async () => {
    const { page } = workbench();
    await newRun(view);
    await view.task.focus();
    await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${PNG}'), (character) => character.charCodeAt(0));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
    })()`);
    await view.task.focus();
    await press('Control+v');
    await view.frame.getByRole('list', { name: 'Images' }).locator('img').waitFor();
    await page.keyboard.type('What is in the picture?');
    await until(
      'the models that Claude tells',
      async () => (await view.frame.getByRole('combobox', { name: 'Model of Claude' }).count()) === 1,
    );
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await setTheme(page, workbench().server, theme);
      await screenshot(page, `composer-${theme}`);
    }
    await setSideBarWidth(page, 250);
    const wide = await view.frame.locator('form.composer').evaluate((form) => form.scrollWidth - form.clientWidth);
    assert.ok(wide <= 0, 'nothing is wider than the view');
    await screenshot(page, 'composer-narrow');
    await setSideBarWidth(page, 420);
    await view.task.focus();
    await press('Control+Enter');
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(asked(2), /"type":"image","source":\{"type":"base64","media_type":"image\/png"/);
    await newRun(view);
    assert.equal(await view.frame.locator('img').count(), 0, 'it went with its task');
  });

  it('broke no content policy on the way (case C58)', () => {
    const broken = workbench().consoleMessages.filter((text) => /Content Security Policy/.test(text));
    assert.deepEqual(broken, []);
  });
});
