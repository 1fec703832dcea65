import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import { listRuns } from '../../../src/session/runs.ts';
import {
  answerInput,
  modal,
  notification,
  openSideBar,
  paletteOffers,
  reloadWindow,
  runCommand,
  setTheme,
  webview,
} from '../host/workbench.ts';
import { processesIn, root, screenshot, until, useWorkbench } from './ground.ts';
import { answerAll, firstQuestion, type LoopView, newRun, openLoopView, runFromPalette, textOf } from './loopView.ts';

const CODE = 'src/slugify.mjs';

describe('the runs of a folder in the workbench', () => {
  const env = { ...process.env, CGLOOP_DEMO_SPEED: '0' };
  const workbench = useWorkbench({
    settings: { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' },
    env,
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, CODE), UNWRITTEN);
    },
  });
  const pane = () => workbench().page.locator('.pane', { hasText: 'Runs' });
  const rows = () => pane().locator('.monaco-list-row');
  const action = async (task: string, label: string) => {
    const row = rows().filter({ hasText: task }).first();
    await row.hover();
    await row.locator(`[aria-label^="${label}"]`).click();
  };
  const menu = async (task: string, label: string) => {
    await rows().filter({ hasText: task }).first().click({ button: 'right' });
    const item = workbench().page.locator('.context-view .action-item', { hasText: label });
    await item.hover();
    // A click so soon after the one that opened the menu is not taken.
    await workbench().page.locator('.context-view .action-item.focused', { hasText: label }).waitFor();
    await workbench().page.keyboard.press('Enter');
  };
  const confirm = async (button: string) => {
    await modal(workbench().page).getByRole('button', { name: button, exact: true }).click();
    await modal(workbench().page).waitFor({ state: 'detached' });
  };
  let view: LoopView;

  /** A run of the terminal in the same folder and state. */
  async function cgloop(task: string, ...args: readonly string[]): Promise<number | null> {
    const { folder, stateFolder } = workbench();
    const program = path.join(root, 'dist/cgloop.cjs');
    const agents = ['--executor', 'demo-executor', '--reviewer', 'demo-reviewer', '--permission', 'all', '--no-checks'];
    const child = spawn(process.execPath, [program, task, '-d', folder, ...agents, ...args], {
      env: { ...env, CGLOOP_HOME: stateFolder },
      stdio: 'ignore',
    });
    return new Promise((resolve) => child.once('exit', resolve));
  }

  it('show one that a terminal began, as soon as it is there', async () => {
    const { page } = workbench();
    view = await openLoopView(page);
    await page.getByRole('button', { name: 'Runs Section' }).click();
    await pane().getByText('Runs of your folders stand here').waitFor();
    await screenshot(page, 'runs-empty');
    assert.equal(await cgloop('Make slugify work in a terminal', '--rounds', '1'), 3);
    await rows().filter({ hasText: 'Make slugify work in a terminal' }).waitFor();
    await rows().filter({ hasText: '5 · 1 round · not approved' }).waitFor();
    await rows().filter({ hasText: 'in a terminal' }).click();
    await view.ending.waitFor();
    assert.match(await textOf(view.rounds), /Round 1.*5\/10/);
  });

  it('are searched in task and outcome', async () => {
    const { page } = workbench();
    await runCommand(page, 'Search Runs…');
    await answerInput(page, 'approved nothing like it');
    await pane().getByText('No run holds “approved nothing like it”.').waitFor();
    assert.equal(await rows().count(), 0);
    await runCommand(page, 'Search Runs…');
    await answerInput(page, 'terminal not approved');
    await rows().first().waitFor();
    await runCommand(page, 'Clear the Search of Runs');
    await until('nothing to clear', async () => !(await paletteOffers(page, 'Clear the Search of Runs')));
  });

  it('go on from their row', async () => {
    await action('in a terminal', 'Resume Run');
    await rows().filter({ hasText: '5→5 · 2 rounds · not approved' }).waitFor();
  });

  it('open wide in an editor beside the view, which shows the same, and again after a reload', async () => {
    const { page, server } = workbench();
    await menu('in a terminal', 'Open Run in Editor');
    const tab = page.locator('.tab.active', { hasText: 'Make slugify work in a terminal' });
    await tab.waitFor();
    const panel = () => webview(page, 1).getByRole('main');
    await panel().getByText('Round 2').first().waitFor();
    await view.timeline.getByText('Round 2').first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, server, theme);
      await screenshot(page, `run-editor-${theme}`);
    }
    await openSideBar(page, 'Explorer');
    await reloadWindow(page);
    await tab.waitFor();
    await webview(page).getByRole('region', { name: 'Result' }).waitFor();
    assert.match(await textOf(webview(page).getByRole('main')), /Round 2.*5\/10/s);
    await runCommand(page, 'View: Close All Editors');
  });

  it('go on after a reload in their middle, where they stood', async () => {
    const { page, folder } = workbench();
    fs.writeFileSync(path.join(folder, CODE), UNWRITTEN);
    fs.rmSync(path.join(folder, 'test'), { recursive: true });
    view = await openLoopView(page);
    await newRun(view);
    view = await runFromPalette(page, 'Make slugify work over a reload');
    await firstQuestion(view);
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await view.questions.filter({ hasText: 'slugify.test.mjs' }).waitFor();
    await reloadWindow(page);
    view = await openLoopView(page);
    await view.ending.getByText('Interrupted').waitFor();
    await until('no agent alive', () => processesIn(folder).length === 0);
    await view.button('Go On').click();
    await view.questions.first().waitFor();
    await answerAll(view, 'Allow');
    assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
    await rows()
      .filter({ hasText: /over a reload.*5→7\.5→9\.5 · 3 rounds/ })
      .waitFor();
    await screenshot(page, 'runs-list');
  });

  it('are exported as Markdown, without a path of the home folder', async () => {
    const { page, folder } = workbench();
    await menu('over a reload', 'Export Run…');
    const named = page.locator('.quick-input-widget:visible input').first();
    // The dialog fills in its own name only when it has looked at the folder.
    await until('the name that is offered', async () => /cgloop-[\w-]+\.md$/.test(await named.inputValue()));
    await answerInput(page, path.join(folder, 'run.md'));
    await until('the export on disk', () => fs.existsSync(path.join(folder, 'run.md')));
    const text = fs.readFileSync(path.join(folder, 'run.md'), 'utf8');
    assert.match(text, /^# Make slugify work over a reload/);
    assert.match(text, /9\.5\/10/);
  });

  it('are deleted from their row after a question, with all that is kept of them', async () => {
    const { stateFolder } = workbench();
    const before = await listRuns(stateFolder);
    await menu('in a terminal', 'Delete Run…');
    assert.match(await textOf(modal(workbench().page)), /Delete the run “Make slugify work in a terminal”\?/);
    await confirm('Delete');
    await rows().filter({ hasText: 'in a terminal' }).waitFor({ state: 'detached' });
    assert.equal((await listRuns(stateFolder)).length, before.length - 1);
    assert.equal(await rows().count(), 1);
  });

  it('all go with everything else that is kept', async () => {
    const { page, stateFolder } = workbench();
    await runCommand(page, 'Delete All Loop Data…');
    await screenshot(page, 'delete-all-data');
    await confirm('Delete All');
    await notification(page, 'All data of the loop is deleted. Runs: 1').waitFor();
    assert.deepEqual(await listRuns(stateFolder), []);
    await pane().getByText('Runs of your folders stand here').waitFor();
    await view.ending.waitFor({ state: 'detached' });
  });
});
