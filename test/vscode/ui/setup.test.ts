import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../../src/session/product.ts';
import { HEADER, stamp, TWO_ROUND_RUN } from '../../fakes/events.ts';
import { answerInput, runCommand } from '../host/workbench.ts';
import { processesIn, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, openLoopView, textOf } from './loopView.ts';

/** A run of the folder that ended, as it lies on disk. */
function writeRun(folder: string, stateFolder: string): void {
  const run = { ...HEADER, id: '20260131-142530-abc123', folder };
  const [, ...rest] = TWO_ROUND_RUN;
  const events = stamp([{ type: 'run.started', run }, ...rest]);
  const header = { format: 'cgloop-run', version: 1, product: PRODUCT };
  const directory = path.join(stateFolder, 'runs', run.id);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lines = [header, ...events].map((line) => `${JSON.stringify(line)}\n`);
  fs.writeFileSync(path.join(directory, 'log.jsonl'), lines.join(''), { mode: 0o600 });
}

describe('the setup and a replay in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'gemini',
      'cgloop.executablePaths': { gemini: '/nowhere/gemini' },
    },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare: (folder) => writeRun(folder, path.join(path.dirname(folder), 'state')),
  });
  let view: LoopView;
  const card = () => view.frame.getByRole('region', { name: 'Setup' });

  it('shows the doctor card by itself when an agent is missing, with the way out as a button', async () => {
    const { page } = workbench();
    view = await openLoopView(page);
    await card().waitFor();
    const text = await textOf(card());
    assert.match(text, /Something is in the way of a run/);
    assert.match(text, /Gemini CLI was not found.*\/nowhere\/gemini.*npm i -g @google\/gemini-cli/s);
    assert.ok(await view.button('Install in a Terminal').isVisible());
    await screenshot(page, 'doctor-missing');
  });

  it('types the command into a terminal for the person to start', async () => {
    const { page } = workbench();
    await view.button('Install in a Terminal').click();
    await page.locator('.terminal-tabs-entry, .single-terminal-tab', { hasText: 'Install: Gemini' }).first().waitFor();
    await runCommand(page, 'Terminal: Kill All Terminals');
  });

  it('takes the card back once nothing is missing, and checks everything when asked', async () => {
    const { page, server, folder } = workbench();
    server.writeSettings({ 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' });
    await card().waitFor({ state: 'detached' });
    await runCommand(page, 'Check Setup');
    await card().getByText('Nothing is in the way of a run.').waitFor({ timeout: 120_000 });
    const text = await textOf(card());
    assert.match(text, /Demo Executor.*It starts and answers.*Demo Reviewer.*It starts and answers.*git \d/s);
    await screenshot(page, 'doctor-ok');
    await until('the end of what the check started', () => processesIn(folder).length === 0);
    await view.button('Close').click();
    await card().waitFor({ state: 'detached' });
  });

  it('replays a run to look at, labelled, with nothing on it that acts', async () => {
    const { page } = workbench();
    await runCommand(page, 'Replay Run');
    await answerInput(page, HEADER.task.slice(0, 10));
    await view.notices.getByText('it is only shown').waitFor();
    assert.match(await textOf(view.ending), /Approved with/);
    for (const name of ['Undo…', 'Keep', 'New Run', 'Run', 'Continue in Terminal', 'Commit…', 'Export…']) {
      assert.equal(await view.button(name).count(), 0, name);
    }
    await screenshot(page, 'replay');
    await view.button('Close Replay').click();
    await view.task.waitFor();
  });
});
