import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerInput, notification, runCommand, webview } from '../host/workbench.ts';
import { processesIn, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, loopView, TITLE, textOf } from './loopView.ts';

/** The user's own files in the folder that is open, which no demo may touch. */
const OWN = { 'package.json': '{}\n', 'src/slugify.mjs': 'mine\n' } as const;

function writeOwn(folder: string): void {
  fs.mkdirSync(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(OWN)) fs.writeFileSync(path.join(folder, name), text);
}

/** Where the only run works; null as long as there is none. */
function runFolder(stateFolder: string): string | null {
  const runs = path.join(stateFolder, 'runs');
  const [id = ''] = fs.existsSync(runs) ? fs.readdirSync(runs) : [];
  const log = path.join(runs, id, 'log.jsonl');
  const [, started = ''] = id !== '' && fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n') : [];
  return started === '' ? null : JSON.parse(started).run.folder;
}

describe('a first visit without any agent installed', () => {
  const workbench = useWorkbench({
    settings: { 'cgloop.executablePaths': { claude: '/nowhere/claude', gemini: '/nowhere/gemini' } },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare: writeOwn,
  });
  let view: LoopView;
  let clicks = 0;

  it('reaches a finished demo run in three clicks', async () => {
    const { page } = workbench();
    const click = async (locator: { click(): Promise<void> }) => {
      clicks += 1;
      await locator.click();
    };
    await click(page.locator('.activitybar [role=tab]', { has: page.locator(`a[aria-label^="${TITLE}"]`) }));
    view = loopView(page);
    await click(view.button('Try the Demo'));
    await click(view.questions.getByRole('button', { name: 'Allow edits for this run' }));
    await view.ending.waitFor();
    assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
    assert.equal(clicks, 3);
    await screenshot(page, 'first-visit-demo');
  });

  it('leaves the files of the open folder as they were, and no process', async () => {
    const { folder, stateFolder } = workbench();
    for (const [name, text] of Object.entries(OWN))
      assert.equal(fs.readFileSync(path.join(folder, name), 'utf8'), text);
    assert.deepEqual(fs.readdirSync(folder).toSorted(), ['package.json', 'src']);
    const sample = runFolder(stateFolder) ?? '';
    assert.ok(sample.startsWith(path.join(fs.realpathSync(os.tmpdir()), 'cgloop-demo-')), sample);
    await until('no agent alive', () => processesIn(sample).length === 0);
    fs.rmSync(sample, { recursive: true });
  });
});

describe('the walkthrough', () => {
  const workbench = useWorkbench({ env: { ...process.env, CGLOOP_DEMO_SPEED: '0' }, prepare: writeOwn });

  it('shows each step with its picture, and starts the demo', async () => {
    const { page, stateFolder } = workbench();
    // Beside a side bar there is no room for the pictures.
    await page.keyboard.press('Control+B');
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await answerInput(page, 'Get Started with Claude');
    const steps = page.locator('.gettingStarted .step-list-container .getting-started-step');
    await steps.first().waitFor();
    const titles = await steps.locator('h3').allTextContents();
    assert.deepEqual(titles, [
      'See a run first',
      'Install the agents',
      'Sign in to them',
      'Decide what may be done',
      'Read a review',
    ]);
    for (const [index, title] of titles.entries()) {
      await page.getByText(title, { exact: true }).click();
      await webview(page).locator('svg').first().waitFor();
      await screenshot(page, `walkthrough-${index}`);
    }
    await page.getByText('See a run first', { exact: true }).click();
    await page.getByRole('button', { name: 'Try the Demo' }).click();
    await until('the demo run', () => runFolder(stateFolder) !== null);
    fs.rmSync(runFolder(stateFolder) ?? '', { recursive: true });
  });
});

describe('the demo in an empty folder', () => {
  const workbench = useWorkbench({ env: { ...process.env, CGLOOP_DEMO_SPEED: '0' } });

  it('asks from the palette whether the sample project is to lie there', async () => {
    const { page, folder } = workbench();
    await runCommand(page, 'Try the Demo');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Where is the sample project of the demo to lie?').waitFor();
    await dialog.getByRole('button', { name: 'Use This Folder' }).click();
    const view = loopView(page);
    await view.questions.first().waitFor({ timeout: 120_000 });
    assert.deepEqual(fs.readdirSync(folder).toSorted(), ['README.md', 'package.json', 'src']);
    await view.button('Stop').click();
    await view.ending.waitFor();
    assert.equal(await notification(page, 'error').count(), 0);
  });
});
