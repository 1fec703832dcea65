// The pictures of README, taken from a run of the demo agents, for `run.ts`.
import fs from 'node:fs';
import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { smallPng } from '../tools/smallPng.ts';
import { runCommand, setSideBarWidth, setTheme } from '../vscode/host/workbench.ts';
import { processesIn, root, until, useWorkbench } from '../vscode/ui/ground.ts';
import { openLoopView } from '../vscode/ui/loopView.ts';
import { fillProject } from './project.ts';

/** Files of `media` that README shows. */
const VIEW = 'loop-view.png';
const TERMINAL = 'terminal.png';

type Clip = NonNullable<PageScreenshotOptions['clip']>;

async function save(page: Page, name: string, clip: Clip | null = null): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled', ...(clip === null ? {} : { clip }) });
  fs.writeFileSync(path.join(root, 'media', name), smallPng(picture));
}

describe('the pictures of README', function () {
  this.timeout(300_000);
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.permissionMode': 'edits',
      'cgloop.checks': ['node --test'],
      'workbench.colorTheme': 'Dark Modern',
    },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare: fillProject,
  });

  it('show the Loop view beside all changes of its run', async () => {
    const { page, server } = workbench();
    await setTheme(page, server, 'dark');
    const view = await openLoopView(page);
    await view.task.fill('Make slugify ready for titles in any language, with tests');
    await view.button('Run').click();
    await view.button('Run It in This Run').click();
    await view.ending.waitFor({ timeout: 120_000 });
    await page.setViewportSize({ width: 1160, height: 860 });
    await setSideBarWidth(page, 440);
    await view.button('Open All Changes').click();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await view.timeline.evaluate((main) => {
      main.scrollTop = main.scrollHeight;
    });
    await page.locator('.statusbar-item', { hasText: /Analyzing|Fetching/ }).waitFor({ state: 'hidden' });
    await page.mouse.move(1279, 2);
    await save(page, VIEW);
  });

  it('show cgloop in a terminal', async () => {
    const { page, stateFolder, folder } = workbench();
    await runCommand(page, 'View: Close All Editors');
    await page.keyboard.press('Control+B');
    await page.setViewportSize({ width: 900, height: 640 });
    await runCommand(page, 'Terminal: Create New Terminal in Editor Area');
    const screen = page.locator('.terminal-wrapper.active .xterm-screen');
    await screen.waitFor();
    const before = fs.readdirSync(path.join(stateFolder, 'runs')).length;
    await page.keyboard.type("PS1='$ '; clear; cgloop demo");
    await page.keyboard.press('Enter');
    await until('the run in the terminal', () => fs.readdirSync(path.join(stateFolder, 'runs')).length > before);
    await until('its end', () => processesIn(folder).every((command) => !command.includes('demo')));
    await save(page, TERMINAL, await screen.boundingBox());
  });
});
