import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { editorText, runCommand, setTheme } from '../host/workbench.ts';
import { root, useWorkbench } from './ground.ts';

describe('the ground of the VS Code tests', () => {
  const workbench = useWorkbench();

  it('runs commands and reads an editor', async () => {
    const { page } = workbench();
    await runCommand(page, 'File: New Untitled Text File');
    await page.keyboard.type('written  by hand\nsecond line');
    assert.equal(await editorText(page), 'written  by hand\nsecond line');
  });

  it('switches themes', async () => {
    const { page, server } = workbench();
    for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
      await setTheme(page, server, theme);
    }
  });
});

describe('the runner of the host suites', () => {
  it('counts an extension host that dies in the middle as a failure', async () => {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-ground-'));
    const countFile = path.join(scratch, 'count.json');
    const child = spawn(process.execPath, ['--import', 'tsx', path.join(root, 'test/runTest.ts')], {
      cwd: root,
      env: { ...process.env, GROUND_FAULT: 'exit', MOCHA_GREP: 'ends the host', TEST_COUNT_FILE: countFile },
      stdio: 'ignore',
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(fs.readFileSync(countFile, 'utf8')), { passed: 0, failed: 1, pending: 0 });
    fs.rmSync(scratch, { recursive: true });
  });
});
