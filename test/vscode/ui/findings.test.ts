import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { TITLES, UNWRITTEN } from '../../../src/demo/story.ts';
import { readRun } from '../../../src/session/replay.ts';
import { listRuns } from '../../../src/session/runs.ts';
import { answerInput, paletteOffers, runCommand, setTheme } from '../host/workbench.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, newRun, runFromPalette } from './loopView.ts';

const CODE = 'src/slugify.mjs';

describe('the findings of a run in editors', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.permissionMode': 'all',
      'cgloop.rounds': 1,
    },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, CODE), UNWRITTEN);
    },
  });
  const glyphs = () =>
    workbench().page.locator(
      '.editor-group-container.active :is(.comment-thread, .comment-thread-unresolved).comment-range-glyph',
    );
  const thread = () => workbench().page.locator('.review-widget');
  const problems = () => workbench().page.locator('.markers-panel .monaco-list-row');
  const numbers = () => workbench().page.locator('.editor-group-container.active .line-numbers');
  const middles = (elements: Locator) =>
    elements.evaluateAll((all) =>
      all.map((one) => ({
        at: one.getBoundingClientRect().y + one.getBoundingClientRect().height / 2,
        text: one.textContent ?? '',
      })),
    );
  /** The numbers of the lines that the threads of the active editor stand at. */
  const glyphLines = async () => {
    const lines = await middles(numbers());
    const shown = await middles(glyphs());
    return shown.map(({ at }) => lines.find((line) => Math.abs(line.at - at) < 3)?.text.trim());
  };
  let view: LoopView;

  it('are gone to from the palette, each in its thread on its line', async () => {
    const { page, server } = workbench();
    assert.equal(await paletteOffers(page, 'Next Finding'), false);
    view = await runFromPalette(page, 'Make slugify work');
    await view.ending.waitFor({ timeout: 120_000 });
    await runCommand(page, 'Next Finding');
    await page.locator('.tab.active', { hasText: 'slugify.mjs' }).waitFor();
    await thread().getByText(TITLES.accents).waitFor();
    assert.match((await thread().textContent()) ?? '', /Major · F1 · open/);
    assert.match((await thread().textContent()) ?? '', /gives crème-brûlée!, which.*Fix: Decompose with normalize/s);
    assert.deepEqual(await glyphLines(), ['3']);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, server, theme);
      await screenshot(page, `finding-thread-${theme}`);
    }
    await page.keyboard.press('Control+F8');
    await page.locator('.tab.active', { hasText: 'slugify.test.mjs' }).waitFor();
    await thread().getByText(TITLES.fewTests).waitFor();
    await page.keyboard.press('Control+Shift+F8');
    await page.locator('.tab.active', { hasText: /^slugify\.mjs/ }).waitFor();
  });

  it('stand in Problems with their severities', async () => {
    const { page } = workbench();
    await runCommand(page, 'Problems: Focus on Problems View');
    await problems().filter({ hasText: TITLES.accents }).filter({ hasText: '[Ln 3, Col 3]' }).waitFor();
    await problems().filter({ hasText: TITLES.fewTests }).waitFor();
    await screenshot(page, 'finding-problems');
  });

  it('follow what is written before them, and what is taken back', async () => {
    const { page } = workbench();
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('let one;\nlet two;\n');
    await problems().filter({ hasText: TITLES.accents }).filter({ hasText: '[Ln 5, Col 3]' }).waitFor();
    await until('the thread two lines below', async () => (await glyphLines()).join() === '5');
    await page.keyboard.press('Control+Home');
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Delete']) await page.keyboard.press(key);
    await problems().filter({ hasText: TITLES.accents }).filter({ hasText: '[Ln 3, Col 3]' }).waitFor();
    await until('the thread back', async () => (await glyphLines()).join() === '3');
  });

  it('are dismissed in their thread, with the reason in the log', async () => {
    const { page, stateFolder } = workbench();
    await thread().getByRole('button', { name: 'Dismiss…' }).click();
    await answerInput(page, 'Titles are plain English.');
    // VS Code closes a thread that is resolved.
    await thread().waitFor({ state: 'hidden' });
    // It draws the glyph anew for the settled thread, and a click at that moment is lost.
    await until('the thread opened again', async () => {
      await glyphs().first().click();
      return thread()
        .getByText('dismissed by you')
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
    });
    await thread().getByText('Titles are plain English.').waitFor();
    await until('gone from Problems', async () => (await problems().filter({ hasText: TITLES.accents }).count()) === 0);
    const [run] = await listRuns(stateFolder);
    const { events } = await readRun(run?.directory ?? '');
    const told = events.at(-1);
    assert.ok(told?.type === 'finding.updated');
    assert.deepEqual([told.id, told.status, told.finding?.reason], ['F1', 'dismissed', 'Titles are plain English.']);
    await screenshot(page, 'finding-dismissed');
    await thread().getByRole('button', { name: 'Fix Next Round' }).click();
    await thread().getByText('Major · F1 · open').waitFor();
    await problems().filter({ hasText: TITLES.accents }).waitFor();
  });

  it('stand only where the setting wants them', async () => {
    const { server } = workbench();
    server.writeSettings({ 'cgloop.findingsInEditor': 'problems' });
    await until('no thread', async () => (await glyphs().count()) === 0);
    await problems().filter({ hasText: TITLES.accents }).waitFor();
    server.writeSettings({ 'cgloop.findingsInEditor': 'comments' });
    await until('no problem', async () => (await problems().filter({ hasText: TITLES.accents }).count()) === 0);
    await glyphs().first().waitFor();
  });

  it('go with the run when another one is shown', async () => {
    const { page } = workbench();
    await newRun(view);
    await until('no thread', async () => (await glyphs().count()) === 0);
    assert.equal(await paletteOffers(page, 'Next Finding'), false);
  });
});
