// The pictures of README, taken from a run of the demo agents, for `run.ts`.
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { smallPng } from '../tools/smallPng.ts';
import { runCommand, setSideBarWidth, setTheme } from '../vscode/host/workbench.ts';
import { root, until, useWorkbench } from '../vscode/ui/ground.ts';
import { openLoopView } from '../vscode/ui/loopView.ts';
import { fillProject } from './project.ts';

/** Files of `media` that README shows. */
const VIEW = 'loop-view.png';
const TERMINAL = 'terminal.png';

async function save(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled' });
  fs.writeFileSync(path.join(root, 'media', name), smallPng(picture));
}

describe('the pictures of README', function () {
  this.timeout(300_000);
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.permissionMode': 'edits',
      'cgloop.checks': [],
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
    await view.ending.waitFor({ timeout: 120_000 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await setSideBarWidth(page, 430);
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
    const { page } = workbench();
    await runCommand(page, 'View: Close All Editors');
    await page.keyboard.press('Control+B');
    await runCommand(page, 'Terminal: Create New Terminal in Editor Area');
    await page.locator('.xterm-helper-textarea').last().waitFor({ state: 'attached' });
    await page.keyboard.type('clear && cgloop demo');
    await page.keyboard.press('Enter');
    await until('the end of the run in the terminal', async () => /Approved/.test(await terminalText(page)));
    await save(page, TERMINAL);
  });
});

/** What stands in the terminal, as screen readers are told it. */
async function terminalText(page: Page): Promise<string> {
  return (await page.locator('.xterm').last().textContent()) ?? '';
}
