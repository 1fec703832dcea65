import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { notification, runCommand } from '../host/workbench.ts';
import { processesIn, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, loopView, TITLE, textOf } from './loopView.ts';

/** The user's own files in the folder that is open, which no demo may touch. */
const OWN = { 'package.json': '{}\n', 'src/slugify.mjs': 'mine\n' } as const;

/** Where the only run works. */
function runFolder(stateFolder: string): string {
  const runs = path.join(stateFolder, 'runs');
  const [id = ''] = fs.readdirSync(runs);
  const text = fs.readFileSync(path.join(runs, id, 'log.jsonl'), 'utf8');
  return JSON.parse(text.split('\n')[1] ?? '').run.folder;
}

describe('a first visit without any agent installed', () => {
  const workbench = useWorkbench({
    settings: { 'cgloop.executablePaths': { claude: '/nowhere/claude', gemini: '/nowhere/gemini' } },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      for (const [name, text] of Object.entries(OWN)) fs.writeFileSync(path.join(folder, name), text);
    },
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
    const sample = runFolder(stateFolder);
    assert.ok(sample.startsWith(path.join(fs.realpathSync(os.tmpdir()), 'cgloop-demo-')), sample);
    await until('no agent alive', () => processesIn(sample).length === 0, 10_000);
    fs.rmSync(sample, { recursive: true });
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
