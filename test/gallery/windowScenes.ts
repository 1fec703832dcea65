import fs from 'node:fs';
import path from 'node:path';
import { galleryRun } from '../fakes/galleryRun.ts';
import { answerInput, runCommand, webview } from '../vscode/host/workbench.ts';
import { openLoopView } from '../vscode/ui/loopView.ts';
import { ENDINGS, endedRun, interruptedRun, undoneRun } from './logs.ts';
import { runsHead, type Scene, toComposer, writeRun } from './stage.ts';

/** What of the product lies outside of the Loop view. */
export const WINDOW_SCENES: readonly Scene[] = [
  {
    name: 'findings-in-the-editor',
    of: 'window',
    widths: [300, 520],
    async show(stage) {
      const { page, folder } = stage;
      await stage.open(galleryRun(folder));
      await runCommand(page, 'Next Finding');
      await page.locator('.review-widget').first().waitFor();
    },
    async leave(stage) {
      await runCommand(stage.page, 'View: Close All Editors');
      await runCommand(stage.page, 'View: Hide Panel');
      await toComposer(stage);
    },
  },
  {
    name: 'runs',
    of: 'window',
    async show({ page, folder, stateFolder }) {
      const logs = [
        ...Object.entries(ENDINGS).map(([name, ending]) => endedRun(folder, name, ending)),
        interruptedRun(folder),
        undoneRun(folder),
        galleryRun(folder),
      ];
      for (const [index, log] of logs.entries()) writeRun(stateFolder, runId(index), log);
      await openLoopView(page);
      await runsHead(page.locator('.part.sidebar')).click();
      await page.locator('.part.sidebar .monaco-list-row').nth(4).waitFor();
    },
    async leave({ page, stateFolder }) {
      await runsHead(page.locator('.part.sidebar')).click();
      for (const name of fs.readdirSync(path.join(stateFolder, 'runs'))) {
        if (name.startsWith(PAST)) fs.rmSync(path.join(stateFolder, 'runs', name), { recursive: true });
      }
    },
  },
  {
    name: 'walkthrough',
    of: 'window',
    widths: [0],
    async show({ page }) {
      // Beside a side bar there is no room for its pictures.
      await page.keyboard.press('Control+B');
      await runCommand(page, 'Welcome: Open Walkthrough...');
      await answerInput(page, 'Get Started with Claude');
      await page.getByText('Read a review', { exact: true }).click();
      await webview(page).locator('svg').first().waitFor();
    },
    async leave(stage) {
      await runCommand(stage.page, 'View: Close All Editors');
      await stage.page.keyboard.press('Control+B');
    },
  },
];

/** Where the names of the runs of the list begin. */
const PAST = '20260130-0900';

const runId = (index: number) => `${PAST}${String(index).padStart(2, '0')}-abc123`;
