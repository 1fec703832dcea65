import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { modal, notification, paletteOffers, runCommand, setTheme } from '../host/workbench.ts';
import { root, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, runFromPalette, textOf } from './loopView.ts';

type Files = Readonly<Record<string, string | null>>;

const lines = (...numbers: (number | string)[]) => numbers.map((line) => `${line}\n`).join('');
const COMMITTED: Files = {
  'middle.txt': lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  'gone.txt': 'Here.\r\n',
  'shared.txt': lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  'mine.txt': 'Mine.\n',
};
/** What the person had not committed when the run began. */
const MINE: Files = {
  'mine.txt': 'Mine, and more.\n',
  'shared.txt': lines('my own', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
};
/** What the executor writes in each round. Round 2 and round 3 change other lines of the same file. */
const ROUNDS: readonly Files[] = [
  { 'first.txt': 'First.\n', 'shared.txt': lines('my own', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 'twelve') },
  {
    'middle.txt': lines('one', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    'bytes.bin': '\u0000\u0001\r\n\n\r',
    'gone.txt': null,
  },
  { 'middle.txt': lines('one', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 'twelve'), 'last.txt': 'Last.' },
];

describe('the rounds of a run in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'rounds',
      'cgloop.reviewer': 'rounds',
      'cgloop.permissionMode': 'all',
      'cgloop.plateauRounds': 0,
      'cgloop.checks': [],
      'cgloop.agents': {
        rounds: { name: 'Rounds', command: process.execPath, args: [path.join(root, 'test/fakes/roundsAgent.mjs')] },
      },
    },
    env: { ...process.env, ROUNDS_STORY: JSON.stringify(ROUNDS) },
    prepare(folder) {
      write(folder, COMMITTED);
      git(folder, 'init', '--quiet', '--initial-branch=main');
      git(folder, 'add', '.');
      git(folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--message=Begin');
      write(folder, MINE);
    },
  });
  const folder = () => workbench().folder;
  const rows = () => workbench().page.locator('.quick-input-list .monaco-list-row');
  const pick = async (label: string | RegExp) => {
    await rows().filter({ hasText: label }).first().click();
  };
  const confirm = async (name: string) => {
    await modal(workbench().page).getByRole('button', { name, exact: true }).click();
    await modal(workbench().page).waitFor({ state: 'detached' });
  };
  const entries = () => workbench().page.locator('.editor-group-container.active .multiDiffEntry');
  /** Files are put back one after the other. */
  const comesTo = (what: string, tree: Readonly<Record<string, string>>) =>
    until(what, () => isDeepStrictEqual(filesIn(folder()), tree));
  let view: LoopView;

  it('go to the end of the run, which offers what can be done with them now', async () => {
    const { page } = workbench();
    assert.equal(await paletteOffers(page, 'Undo Round…'), false);
    assert.equal(await paletteOffers(page, 'Commit Run…'), false);
    view = await runFromPalette(page, 'Change the files');
    await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
    await view.ending.waitFor({ timeout: 120_000 });
    assert.equal(await view.rounds.count(), 3);
    assert.match(await textOf(view.rounds.last()), /7\/10/);
    assert.deepEqual(filesIn(folder()), treeAfter(3));
  });

  it('show their changes in the editor for changes of several files', async () => {
    const { page, server } = workbench();
    await runCommand(page, 'Open Changes of Round…');
    await pick('Round 2');
    await page.locator('.tab.active', { hasText: 'Changes in Round 2' }).waitFor();
    await until('three files', async () => (await entries().count()) === 3);
    const shown = (await entries().allTextContents()).join('\n');
    for (const name of ['middle.txt', 'gone.txt', 'bytes.bin']) assert.ok(shown.includes(name), name);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, server, theme);
      await screenshot(page, `round-changes-${theme}`);
    }
    await runCommand(page, 'Open Changes of Round…');
    await pick('Between two rounds…');
    await pick('after round 1');
    await pick('after round 3');
    await page.locator('.tab.active', { hasText: 'Changes from after round 1 to after round 3' }).waitFor();
    await until('four files', async () => (await entries().count()) === 4);
  });

  it('are undone one by one: round 2 of 3, byte for byte, with what came later kept', async () => {
    const { page } = workbench();
    await runCommand(page, 'Undo Round…');
    await screenshot(page, 'undo-round-pick');
    await pick('Undo Round 2');
    const question = await textOf(modal(page));
    for (const name of ['middle.txt', 'gone.txt', 'bytes.bin']) assert.ok(question.includes(name), name);
    assert.match(question, /put together with it:\s*middle\.txt/);
    assert.deepEqual(filesIn(folder()), treeAfter(3), 'nothing is done before the answer');
    await screenshot(page, 'undo-round-question');
    await confirm('Undo Round 2');
    const { 'bytes.bin': _, ...rest } = treeAfter(3);
    await comesTo('round 2 undone', {
      ...rest,
      'gone.txt': 'Here.\r\n',
      'middle.txt': lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 'twelve'),
    });
  });

  it('come back by the redo', async () => {
    const { page } = workbench();
    await runCommand(page, 'Redo the Last Undoing');
    await confirm('Redo');
    await comesTo('round 2 back', treeAfter(3));
    // The files are back before the log tells it.
    await until('nothing to redo', async () => !(await paletteOffers(page, 'Redo the Last Undoing')));
  });

  it('are gone back to before, with all later ones', async () => {
    const { page } = workbench();
    await runCommand(page, 'Go Back to Before Round…');
    await pick('Go Back to Before Round 2');
    await confirm('Go Back to Before Round 2');
    await comesTo('round 3 undone', treeAfter(1));
    await runCommand(page, 'Redo the Last Undoing');
    await confirm('Redo');
    await comesTo('round 3 back', treeAfter(3));
  });

  it('are made ready to be committed: their hunks staged and no others, the message written, nothing committed', async () => {
    const { page } = workbench();
    const head = git(folder(), 'rev-parse', 'HEAD');
    await runCommand(page, 'Commit Run…');
    await notification(page, 'Nothing is committed.').waitFor();
    assert.deepEqual(git(folder(), 'diff', '--cached', '--name-only').trim().split('\n'), [
      'bytes.bin',
      'first.txt',
      'gone.txt',
      'last.txt',
      'middle.txt',
      'shared.txt',
    ]);
    assert.equal(git(folder(), 'show', ':shared.txt'), lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 'twelve'));
    assert.equal(git(folder(), 'rev-parse', 'HEAD'), head);
    assert.deepEqual(filesIn(folder()), treeAfter(3));
    await page.locator('.scm-input', { hasText: 'Change the files' }).first().waitFor();
    await screenshot(page, 'commit-run');
  });
});

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) fs.rmSync(path.join(folder, name));
    else fs.writeFileSync(path.join(folder, name), content);
  }
}

/** The files of the folder as they are to be after a round. */
function treeAfter(round: number): Readonly<Record<string, string>> {
  const all = Object.assign({}, COMMITTED, MINE, ...ROUNDS.slice(0, round));
  return Object.fromEntries(
    Object.entries<string | null>(all).flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  );
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(folder).filter((name) => name !== '.git');
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}
