import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { modal } from '../host/workbench.ts';
import { root, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, newRun, openLoopView, textOf } from './loopView.ts';

describe('a run in a worktree in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'rounds',
      'cgloop.reviewer': 'rounds',
      'cgloop.permissionMode': 'all',
      'cgloop.rounds': 1,
      'cgloop.checks': [],
      'cgloop.agents': {
        rounds: { name: 'Rounds', command: process.execPath, args: [path.join(root, 'test/fakes/roundsAgent.mjs')] },
      },
    },
    env: { ...process.env, ROUNDS_STORY: JSON.stringify([{ 'shared.txt': 'of the run\n', 'made.txt': 'Made.\n' }]) },
    prepare(folder) {
      fs.writeFileSync(path.join(folder, 'shared.txt'), 'committed\n');
      git(folder, 'init', '--quiet', '--initial-branch=main');
      git(folder, 'add', '.');
      git(folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--message=Begin');
    },
  });
  const ofFolder = (name: string) => {
    const file = path.join(workbench().folder, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  };
  const worktrees = () => git(workbench().folder, 'worktree', 'list').trim().split('\n').slice(1);
  const branches = () => git(workbench().folder, 'branch', '--list', 'cgloop/*').trim();
  const settle = async (name: string) => {
    const more = view.ending.getByRole('button', { name: 'More', expanded: false });
    if (await more.isVisible()) await more.click();
    await view.ending.getByRole('button', { name, exact: true }).click();
  };
  const settled = async (words: RegExp) => {
    await view.timeline.getByText(words).waitFor();
    assert.deepEqual(worktrees(), []);
  };
  /** Runs in a new worktree, to its end. */
  const run = async () => {
    await view.frame.getByRole('combobox', { name: 'Where' }).selectOption({ label: 'New worktree' });
    await view.task.fill('Change the files');
    await view.button('Run').click();
    await view.ending.or(view.consent).first().waitFor({ timeout: 120_000 });
    if (await view.consent.isVisible()) await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
    await view.ending.waitFor({ timeout: 120_000 });
    assert.equal(worktrees().length, 1);
  };
  let view: LoopView;

  it('leaves the folder alone, also while it is applied only in thought', async () => {
    const { page } = workbench();
    view = await openLoopView(page);
    await run();
    assert.deepEqual([ofFolder('shared.txt'), ofFolder('made.txt')], ['committed\n', null]);
    await screenshot(page, 'worktree-ending');
    await settle('Apply to Folder');
    assert.match(await textOf(modal(page)), /Changed: made\.txt, shared\.txt/);
    await page.keyboard.press('Escape');
    await modal(page).waitFor({ state: 'detached' });
    assert.deepEqual([ofFolder('shared.txt'), worktrees().length], ['committed\n', 1]);
  });

  it('is applied to the folder, put together with what the person changed meanwhile only as they choose', async () => {
    const { page, folder } = workbench();
    fs.writeFileSync(path.join(folder, 'shared.txt'), 'mine\n');
    await settle('Apply to Folder');
    assert.match(await textOf(modal(page)), /In conflict with your own changes: shared\.txt/);
    await modal(page).getByRole('button', { name: 'Apply, with Conflict Marks' }).click();
    await settled(/changes were applied to the folder/);
    assert.match(ofFolder('shared.txt') ?? '', /<<<<<<<.*mine\n=======\n.*>>>>>>>/s);
    assert.equal(ofFolder('made.txt'), 'Made.\n');
    assert.equal(branches(), '');
  });

  it('is kept as a branch, with its commit', async () => {
    await newRun(view);
    await run();
    await settle('Keep as Branch');
    await settled(/kept as a branch/);
    const branch = branches();
    assert.match(branch, /^cgloop\/\S+$/);
    assert.equal(git(workbench().folder, 'show', `${branch}:shared.txt`), 'of the run\n');
  });

  it('is dropped after a question, and what was in it is saved', async () => {
    const { page, folder } = workbench();
    await newRun(view);
    await run();
    const before = branches();
    await settle('Drop');
    await modal(page).getByRole('button', { name: 'Drop', exact: true }).click();
    await settled(/was dropped/);
    await until('its branch is gone too', () => branches() !== before);
    const kept = git(folder, 'for-each-ref', '--format=%(refname)', 'refs/cgloop').trim().split('\n');
    assert.ok(kept.some((ref) => git(folder, 'show', `${ref}:shared.txt`) === 'of the run\n'));
  });
});

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
}
