import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import { editorText, reloadWindow, setSideBarWidth, setTheme } from '../host/workbench.ts';
import { processesIn, screenshot, until, useWorkbench } from './ground.ts';
import {
  answerAll,
  firstQuestion,
  type LoopView,
  loopView,
  newRun,
  openLoopView,
  recreateLoopView,
  runFromPalette,
  textOf,
  undoRun,
} from './loopView.ts';

const CODE = 'src/slugify.mjs';

describe('a run with the demo agents in the workbench', () => {
  const workbench = useWorkbench({
    settings: { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, CODE), UNWRITTEN);
    },
  });
  const code = () => fs.readFileSync(path.join(workbench().folder, CODE), 'utf8');
  const agents = () => processesIn(workbench().folder);
  let view: LoopView;

  it('starts from the palette and asks before the first edit', async () => {
    const { page } = workbench();
    view = await runFromPalette(page, 'Make slugify work');
    await firstQuestion(view);
    assert.match(await textOf(view.questions), /slugify\.mjs/);
    assert.equal(code(), UNWRITTEN);
    assert.equal(agents().length, 2);
    await page.locator('.statusbar-item', { hasText: 'waiting for you' }).waitFor();
    await screenshot(page, 'demo-question');
  });

  it('shows the same timeline in a re-created view, with its question answerable (case C56)', async () => {
    const { page } = workbench();
    const before = await textOf(view.timeline);
    view = await recreateLoopView(page);
    await firstQuestion(view);
    assert.equal(await textOf(view.timeline), before);
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await until('the allowed edit on disk', () => code() !== UNWRITTEN);
  });

  it('goes on as its questions are answered, and ends approved with every score shown', async () => {
    const { page } = workbench();
    assert.ok((await answerAll(view, 'Allow')) >= 1);
    assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
    const rounds = await view.rounds.allTextContents();
    assert.deepEqual(
      rounds.map((text) => /\d+(\.\d+)?\/10/.exec(text)?.[0]),
      ['5/10', '7.5/10', '9.5/10'],
    );
    assert.deepEqual(agents(), []);
    await screenshot(page, 'demo-ended');
  });

  it('opens a file of the timeline in an editor', async () => {
    const { page } = workbench();
    await view.button(CODE).first().click();
    await page.locator('.tab.active', { hasText: 'slugify.mjs' }).waitFor();
    assert.match(await editorText(page), /normalize\('NFD'\)/);
    await screenshot(page, 'demo-editor');
  });

  for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
    it(`is drawn in the ${theme} theme, and in a narrow side bar`, async () => {
      const { page, server } = workbench();
      await setTheme(page, server, theme);
      await screenshot(page, `demo-${theme}`);
      await setSideBarWidth(page, 250);
      await until('nothing wider than the view', async () => {
        const overflow = await view.timeline.evaluate((main) => main.scrollWidth - main.clientWidth);
        return overflow <= 0;
      });
      await screenshot(page, `demo-${theme}-narrow`);
      await setSideBarWidth(page, 420);
    });
  }

  it('undoes the run after a look at what that does', async () => {
    const { page } = workbench();
    await view.ending.getByRole('button', { name: 'Undo…' }).click();
    await view.ending.getByText('Would change: 2 files').waitFor();
    await screenshot(page, 'demo-undo');
    await view.button('Cancel').click();
    assert.match(await undoRun(view), /Would change: 2 files.*src\/slugify\.mjs/);
    await view.ending.getByText('The run was undone').waitFor();
    assert.equal(code(), UNWRITTEN);
  });

  it('shows a run as interrupted after the window was reloaded, its agents gone (case C54)', async () => {
    const { page } = workbench();
    await newRun(view);
    await view.task.fill('Make slugify work once more');
    await view.task.press('Control+Enter');
    await firstQuestion(view);
    await reloadWindow(page);
    view = await openLoopView(page);
    await view.ending.waitFor();
    assert.match(await textOf(view.ending), /Interrupted/);
    assert.match(await textOf(view.timeline), /Make slugify work once more/);
    assert.equal(await view.questions.count(), 0);
    await until('no agent alive', () => agents().length === 0);
    await screenshot(page, 'demo-interrupted');
  });

  it('broke no content policy on the way (case C58)', () => {
    const { consoleMessages } = workbench();
    assert.deepEqual(
      consoleMessages.filter((text) => /Content Security Policy/.test(text)),
      [],
    );
  });

  it('stops a run by its button, with nothing left alive', async () => {
    const { page } = workbench();
    await newRun(view);
    view = await runFromPalette(page, 'Make slugify work, then stop');
    await firstQuestion(view);
    await loopView(page).button('Stop').click();
    await view.ending.waitFor();
    assert.match(await textOf(view.ending), /Stopped by you/);
    assert.deepEqual(agents(), []);
  });
});
