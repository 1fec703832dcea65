import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import { type PeerStep, STARTED, say } from '../../fakes/claudePeer.ts';
import { answerInput, notification, openSideBar, runCommand, setTheme } from '../host/workbench.ts';
import { processesIn, root, screenshot, until, useWorkbench } from './ground.ts';
import { firstQuestion, type LoopView, loopView, openLoopView, textOf, undoRun } from './loopView.ts';

const CODE = 'src/slugify.mjs';
const TEST = 'test/slugify.test.mjs';

/** An executor that asks for two commands and does nothing. */
const COMMANDS: readonly PeerStep[] = [
  ...STARTED,
  { await: 'user' },
  { send: say.init },
  ...['npm run first', 'npm run second'].flatMap((command, index): PeerStep[] => [
    { send: say.call(`t${index}`, 'Bash', { command }) },
    { send: say.ask(`r${index}`, `t${index}`, 'Bash', { command }) },
    { await: 'answer' },
  ]),
  { send: say.text('Nothing more.') },
  { send: say.result() },
  { await: 'end' },
];

describe('questions of two runs in the workbench', () => {
  const workbench = useWorkbench({
    workspaceFile: 'both.code-workspace',
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.executablePaths': { claude: path.join(root, 'test/fakes/claudePeer.mjs') },
    },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0', CLAUDE_PEER_SCRIPT: JSON.stringify(COMMANDS) },
    prepare(folder) {
      for (const name of ['one', 'two']) {
        fs.mkdirSync(path.join(folder, name, 'src'), { recursive: true });
        fs.writeFileSync(path.join(folder, name, CODE), UNWRITTEN);
      }
      const folders = [{ path: 'one' }, { path: 'two' }];
      fs.writeFileSync(path.join(folder, 'both.code-workspace'), JSON.stringify({ folders }));
      fs.writeFileSync(path.join(folder, 'two/notes.md'), 'Mine.\n');
    },
  });
  const at = (name: string) => path.join(workbench().folder, 'two', name);
  const read = (name: string) => (fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8') : null);
  const badge = () => workbench().page.locator('.activitybar .badge-content').filter({ hasText: /\d/ });
  const diffTab = () => workbench().page.locator('.tab', { hasText: 'proposed by' });
  const titleButton = (name: string) =>
    workbench().page.locator(`.editor-group-container .editor-actions [aria-label^="${name}"]`);
  const hide = async () => {
    const { page } = workbench();
    await openSideBar(page, 'Explorer');
    await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
  };
  const press = async (toast: Locator, button: string) => {
    await toast.getByRole('button', { name: button, exact: true }).click();
    await toast.waitFor({ state: 'detached' });
  };
  let view: LoopView;

  /** Starts a run in one of the two folders. */
  async function start(folder: string, task: string): Promise<LoopView> {
    const { page } = workbench();
    await runCommand(page, 'Run Claude–Gemini Loop');
    await answerInput(page, folder);
    await answerInput(page, task);
    return loopView(page);
  }

  it('opens the edit in a diff editor beside, without taking the focus', async () => {
    const { page, server } = workbench();
    await setTheme(page, server, 'light');
    view = await start('two', 'Make slugify work');
    await firstQuestion(view);
    await badge().filter({ hasText: '1' }).waitFor();
    await view.button('Open Diff to Read or Change It').click();
    await diffTab().waitFor();
    assert.match(await textOf(diffTab()), /slugify\.mjs \(proposed by Demo Executor\)/);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'IFRAME', 'the focus stays in the view');
    await titleButton('Approve Pending Request').waitFor();
    await titleButton('Deny Pending Request').waitFor();
    await screenshot(page, 'pending-diff-light');
    await setTheme(page, server, 'dark');
    await screenshot(page, 'pending-diff-dark');
    assert.equal(read(CODE), UNWRITTEN);
  });

  it('allows what the person made of it, by the button of the editor title, and closes the diff', async () => {
    const { page } = workbench();
    await page.locator('.editor.modified .view-lines').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// Mine.');
    await page.keyboard.press('Control+s');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await titleButton('Approve Pending Request').click();
    await until('the changed edit on disk', () => /toLowerCase[\s\S]*\/\/ Mine\.\s*$/.test(read(CODE) ?? ''));
    await diffTab().waitFor({ state: 'detached' });
  });

  it('tells of an edit while the view is hidden, and is denied from there', async () => {
    const { page, server } = workbench();
    await firstQuestion(view);
    assert.equal(await notification(page, /wants/).count(), 0, 'nothing while the view is visible');
    await hide();
    const toast = notification(page, /Demo Executor wants to edit test\/slugify\.test\.mjs/);
    await toast.waitFor();
    assert.equal(
      await toast.getByRole('button', { name: 'Allow', exact: true }).count(),
      0,
      'an edit is not seen here',
    );
    await setTheme(page, server, 'light');
    await screenshot(page, 'notification-light');
    await setTheme(page, server, 'dark');
    await screenshot(page, 'notification-dark');
    await press(toast, 'Deny');
    // The second round asks, and one notification is open again.
    await notification(page, /wants to edit src\/slugify\.mjs/).waitFor();
    assert.equal(read(TEST), null);
  });

  it('says that a late click comes late', async () => {
    const { page } = workbench();
    const toast = notification(page, /wants to edit src\/slugify\.mjs/);
    const before = read(CODE);
    await page.keyboard.press('Control+Alt+Enter');
    await until('the edit that the key allowed on disk', () => read(CODE) !== before);
    assert.equal(await notification(page, /wants/).count(), 1, 'at most one at a time');
    await press(toast, 'Show');
    await notification(page, 'This was already answered.').waitFor();
    view = await openLoopView(page);
  });

  it('is answered by keys and by the card while the view is visible', async () => {
    const { page } = workbench();
    await firstQuestion(view);
    assert.match(await textOf(view.questions), /slugify\.test\.mjs/);
    await page.keyboard.press('Control+Alt+Backspace');
    // The third round begins with the code again.
    await view.questions.filter({ hasText: 'src/slugify.mjs' }).waitFor();
    assert.equal(read(TEST), null);
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await view.questions.filter({ hasText: 'test/slugify.test.mjs' }).waitFor();
    assert.match(read(CODE) ?? '', /replace\(\/\^-\|-\$\/g/);
  });

  it('holds what the person saves meanwhile for theirs', async () => {
    const { page } = workbench();
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget:visible input').first().fill('notes.md');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'notes.md' }).click();
    await page.locator('.tab.active', { hasText: 'notes.md' }).waitFor();
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.type('More. ');
    await page.keyboard.press('Control+s');
    await view.timeline.getByText('You changed notes.md').waitFor();
  });

  it('keeps the question of a run that another one is shown in place of, and lets a short command be allowed unseen', async () => {
    const { page, server } = workbench();
    server.writeSettings({ 'cgloop.executor': 'claude', 'cgloop.rounds': 1 });
    view = await start('one', 'Run the scripts');
    await firstQuestion(view);
    await view.questions.filter({ hasText: 'npm run first' }).waitFor();
    await badge().filter({ hasText: '2' }).waitFor();
    await press(notification(page, /wants to edit test\/slugify\.test\.mjs/), 'Show');
    await view.questions.filter({ hasText: 'test/slugify.test.mjs' }).waitFor();
    const toast = notification(page, 'Claude wants to run: npm run first');
    await toast.waitFor();
    await screenshot(page, 'notification-command');
    await press(toast, 'Allow');
    await notification(page, 'Claude wants to run: npm run second').waitFor();
  });

  it('lists the questions of both runs, and takes answers there', async () => {
    const { page } = workbench();
    await runCommand(page, 'Show Waiting Requests');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.nth(1).waitFor();
    const listed = await rows.allTextContents();
    assert.equal(listed.length, 2);
    assert.match(listed[0] ?? '', /wants to edit test\/slugify\.test\.mjs.*two · Make slugify work/);
    assert.match(listed[1] ?? '', /Claude wants to run: npm run second.*one · Run the scripts/);
    await screenshot(page, 'inbox');
    await rows.nth(1).hover();
    await rows.nth(1).locator('[aria-label="Deny"]').click();
    await until('one row is left', async () => (await rows.count()) === 1);
    await page.keyboard.press('Escape');
    await press(notification(page, 'Claude wants to run: npm run second'), 'Allow');
    await notification(page, 'This was already answered.').first().waitFor();
  });

  it('shows the run of a row in the list of runs, each with how it stands', async () => {
    const { page } = workbench();
    await until('the second run over', () => processesIn(path.join(workbench().folder, 'one')).length === 0);
    await page.getByRole('button', { name: 'Runs Section' }).click();
    const rows = page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row');
    await rows.filter({ hasText: /Run the scripts.*not approved/ }).waitFor();
    await rows.filter({ hasText: /Make slugify work.*running/ }).waitFor();
    await screenshot(page, 'runs');
    await rows.filter({ hasText: 'Run the scripts' }).click();
    await view.ending.waitFor();
    await rows.filter({ hasText: 'Make slugify work' }).click();
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await view.ending.waitFor();
    assert.notEqual(read(TEST), null);
    await until('no badge', async () => (await badge().count()) === 0);
    assert.match(await textOf(view.rounds.last()), /3 files/);
    assert.match(await textOf(view.timeline), /1 yours/);
  });

  it('undoes what the agent did, and leaves what only the person changed', async () => {
    assert.match(await undoRun(view), /you alone changed it: notes\.md/);
    await view.ending.getByText('The run was undone').waitFor();
    assert.deepEqual([read(CODE), read(TEST)], [UNWRITTEN, null]);
    assert.match(read('notes.md') ?? '', /More\./);
  });
});
