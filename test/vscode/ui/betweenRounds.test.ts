import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import { reloadWindow } from '../host/workbench.ts';
import { processesIn, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, openLoopView, recreateLoopView, runFromPalette, textOf } from './loopView.ts';

const INSTRUCTION = 'Keep the function pure.';

describe('the person between two rounds, in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.permissionMode': 'edits',
      'cgloop.askBetweenRounds': true,
      'cgloop.checks': [],
    },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, 'src/slugify.mjs'), UNWRITTEN);
    },
  });
  let view: LoopView;
  const form = () => view.frame.getByRole('region', { name: 'Between two rounds' });
  const instruction = () => form().getByRole('textbox', { name: 'Instruction for the next round' });

  it('is waited for with the review, its open findings and the agents alive', async () => {
    const { page, folder } = workbench();
    view = await runFromPalette(page, 'Make slugify work');
    await form().or(view.consent).first().waitFor({ timeout: 120_000 });
    if (await view.consent.isVisible()) await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
    await form().waitFor({ timeout: 120_000 });
    assert.match(await textOf(form()), /Round 1 is over: 5\/10/);
    assert.ok((await form().getByRole('checkbox').count()) >= 2);
    assert.notEqual(await form().getByRole('textbox', { name: 'The review' }).inputValue(), '');
    assert.equal(processesIn(folder).length, 2);
    await page.locator('.statusbar-item', { hasText: 'Waiting for you between rounds' }).waitFor();
    await screenshot(page, 'between-rounds');
  });

  it('finds what was typed again in a re-created view, and after a reload in the run that goes on', async () => {
    const { page, folder } = workbench();
    await instruction().fill(INSTRUCTION);
    await form().getByRole('checkbox').first().uncheck();
    view = await recreateLoopView(page);
    await form().waitFor();
    assert.equal(await instruction().inputValue(), INSTRUCTION);
    await reloadWindow(page);
    view = await openLoopView(page);
    await view.ending.waitFor();
    assert.match(await textOf(view.ending), /Interrupted/);
    await until('no agent alive', () => processesIn(folder).length === 0);
    await view.ending.getByRole('button', { name: 'Go On' }).click();
    await form().waitFor({ timeout: 120_000 });
    assert.equal(await instruction().inputValue(), INSTRUCTION);
    assert.equal(await form().getByRole('checkbox').first().isChecked(), false);
  });

  it('sends what was said with the next round, by keyboard alone', async () => {
    const { page, stateFolder } = workbench();
    await instruction().press('Control+Enter');
    await view.frame.getByText('Round 2 is over').first().waitFor({ timeout: 120_000 });
    await form().waitFor();
    const runs = path.join(stateFolder, 'runs');
    const [id = ''] = fs.readdirSync(runs);
    const log = fs.readFileSync(path.join(runs, id, 'log.jsonl'), 'utf8');
    assert.match(log, /"type":"turn\.started".*"role":"execute".*Keep the function pure\./);
    await screenshot(page, 'between-rounds-2');
  });

  it('ends the run from there', async () => {
    await form().getByRole('button', { name: 'Stop' }).click();
    await view.ending.waitFor({ timeout: 60_000 });
    assert.match(await textOf(view.ending), /Stopped by you/);
    assert.equal(await form().count(), 0);
  });
});
