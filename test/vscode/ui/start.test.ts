import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { processesIn, root, screenshot, sharedBrowser, until } from './ground.ts';
import { firstQuestion, runFromPalette, textOf } from './loopView.ts';

/** Starts `npm start` and gathers what it prints. */
function npmStart(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['test/tools/bootstrap.mjs', 'start', ...args], { cwd: root, env });
  const exit = once(child, 'exit');
  after(() => child.kill('SIGINT'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, exit, printed: () => printed };
}

describe('npm start', () => {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-npm-start-')));
  const own = { ...process.env, TMPDIR: scratch, CGLOOP_HOME: path.join(scratch, 'state'), CGLOOP_DEMO_SPEED: '0' };
  after(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

  it('serves a VS Code on a sample project with the demo agents ready, behind a token, until Ctrl+C', async () => {
    const { child, exit, printed } = npmStart(['--browser'], own);
    await until('the address', () => /http:\S+/.test(printed()), 120_000);
    const address = new URL(/http:\S+/.exec(printed())?.[0] ?? '');
    assert.equal(address.hostname, '127.0.0.1');
    assert.equal((await fetch(new URL('/', address))).status, 403);

    const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(address.href);
    await page.locator('.monaco-workbench').waitFor();
    const view = await runFromPalette(page, 'Make slugify work');
    // The sample project's own tests are found, and run once that is allowed.
    const question = await firstQuestion(view);
    await question.getByText('npm test').waitFor();
    await question.getByRole('button', { name: 'Run It in This Run' }).click();
    await view.questions.getByRole('button', { name: 'Allow edits for this run' }).click();
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
    await screenshot(page, 'npm-start');
    await context.close();

    child.kill('SIGINT');
    assert.deepEqual(await exit, [0, null], printed());
    assert.deepEqual(processesIn(scratch), []);
    assert.deepEqual(
      fs.readdirSync(scratch).filter((name) => /^(cgloop|vs)/.test(name)),
      [],
    );
  });

  it('opens the desktop VS Code where its `code` is on the PATH, with settings of its own', async () => {
    const bin = path.join(scratch, 'bin');
    const seen = path.join(scratch, 'seen.json');
    fs.mkdirSync(bin);
    // In place of `code`: tells what it was started with, and what lay there.
    const source = `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
const data = args.find((arg) => arg.startsWith('--user-data-dir=')).slice('--user-data-dir='.length);
const settings = JSON.parse(fs.readFileSync(data + '/User/settings.json', 'utf8'));
fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ args, settings, project: fs.readdirSync(args.at(-1)).sort() }));
`;
    fs.writeFileSync(path.join(bin, 'code'), source, { mode: 0o755 });
    const { exit, printed } = npmStart([], { ...own, PATH: `${bin}${path.delimiter}${process.env.PATH}` });
    assert.deepEqual(await exit, [0, null], printed());
    const { args, settings, project } = JSON.parse(fs.readFileSync(seen, 'utf8'));
    assert.ok(args.includes(`--extensionDevelopmentPath=${root}`));
    assert.ok(args.includes('--wait'));
    assert.equal(settings['cgloop.executor'], 'demo-executor');
    assert.equal(settings['cgloop.reviewer'], 'demo-reviewer');
    assert.deepEqual(project, ['README.md', 'package.json', 'src']);
    assert.deepEqual(
      fs.readdirSync(scratch).filter((name) => /^cgloop/.test(name)),
      [],
    );
  });
});
