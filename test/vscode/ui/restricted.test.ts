import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { answerInput, notification, runCommand } from '../host/workbench.ts';
import { processesIn, screenshot, useWorkbench } from './ground.ts';
import { firstQuestion, type LoopView, openLoopView, textOf } from './loopView.ts';

describe('a folder that is not trusted', () => {
  const workbench = useWorkbench({
    trusted: false,
    settings: { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' },
  });
  let view: LoopView;

  it('opens in restricted mode, and the view says why nothing is started', async () => {
    const { page } = workbench();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    view = await openLoopView(page);
    assert.match(await textOf(view.notices), /not trusted/);
    await view.task.fill('Do something');
    assert.ok(await view.button('Run').isDisabled());
    await screenshot(page, 'restricted');
  });

  it('starts nothing from the palette either (case C34)', async () => {
    const { page, folder, stateFolder } = workbench();
    await runCommand(page, 'Run Claude–Gemini Loop');
    await notification(page, 'not trusted').waitFor();
    assert.deepEqual(processesIn(folder), []);
    assert.equal(fs.existsSync(path.join(stateFolder, 'runs')), false);
  });

  it('can run once the folder is trusted', async () => {
    const { page } = workbench();
    await notification(page, 'not trusted').getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).first().click();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'hidden' });
    await view.notices.waitFor({ state: 'detached' });
    await runCommand(page, 'Run Claude–Gemini Loop');
    await answerInput(page, 'Make slugify work');
    await firstQuestion(view);
  });
});
