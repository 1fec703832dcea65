import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readRun } from '../../../src/session/replay.ts';
import { listRuns } from '../../../src/session/runs.ts';
import type { LoopEvent } from '../../../src/shared/events.ts';
import { openSideBar, runCommand } from '../host/workbench.ts';
import { root, screenshot, useWorkbench } from './ground.ts';
import { type LoopView, loopView, openLoopView, textOf } from './loopView.ts';

const CHANGED = 'one\n2\n3\n';
const FIXED = 'one\ntwo\n3\n';

describe('a review of the person’s own changes in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'rounds',
      'cgloop.reviewer': 'rounds',
      'cgloop.permissionMode': 'all',
      'cgloop.rounds': 2,
      'cgloop.checks': [],
      'cgloop.agents': {
        rounds: { name: 'Rounds', command: process.execPath, args: [path.join(root, 'test/fakes/roundsAgent.mjs')] },
      },
    },
    env: { ...process.env, ROUNDS_STORY: JSON.stringify([{ 'middle.txt': FIXED }]) },
    prepare(folder) {
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder });
      const commit = (message: string) =>
        git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--all', '--message', message);
      fs.writeFileSync(path.join(folder, 'middle.txt'), '1\n2\n3\n');
      git('init', '--quiet', '--initial-branch=main');
      git('add', '.');
      commit('Begin');
      git('switch', '--quiet', '--create', 'topic');
      fs.writeFileSync(path.join(folder, 'middle.txt'), CHANGED);
      commit('Change');
      fs.writeFileSync(path.join(folder, 'new.txt'), 'New.\n');
    },
  });
  const read = (name: string) => fs.readFileSync(path.join(workbench().folder, name), 'utf8');
  const rows = () => workbench().page.locator('.quick-input-list .monaco-list-row');
  const newestEvents = async (): Promise<readonly LoopEvent[]> => {
    const [run] = await listRuns(workbench().stateFolder);
    return run === undefined ? [] : (await readRun(run.directory)).events;
  };
  let view: LoopView;

  it('begins in the title of Source Control, is of what is not committed, and writes nothing', async () => {
    const { page } = workbench();
    await openSideBar(page, 'Source Control');
    const pane = page.locator('.part.sidebar .pane').filter({ has: page.locator('.scm-input') });
    // The actions of a title are shown while the pointer is on it.
    await pane.hover();
    await pane.locator('[aria-label="Review My Changes"]').first().click();
    await rows().filter({ hasText: 'Since this branch left main' }).waitFor();
    await screenshot(page, 'review-changes-pick');
    await rows().filter({ hasText: 'What is not committed' }).click();
    view = loopView(page);
    await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(await textOf(view.timeline), /Review the changes that are not committed/);
    assert.deepEqual([read('middle.txt'), read('new.txt')], [CHANGED, 'New.\n']);
    const events = await newestEvents();
    const reviewed = events.find((event) => event.type === 'changes.reviewed');
    assert.ok(reviewed?.type === 'changes.reviewed');
    assert.deepEqual(
      reviewed.files.map(({ path: file }) => file),
      ['new.txt'],
    );
    assert.ok(!events.some((event) => event.type === 'turn.started' && event.role === 'execute'));
    await screenshot(page, 'review-changes');
  });

  it('goes on with what the person ticked, for a branch and what is not committed', async () => {
    const { page } = workbench();
    await runCommand(page, 'Review and Fix My Changes');
    await rows().filter({ hasText: 'Since this branch left main' }).click();
    view = await openLoopView(page);
    const form = view.frame.getByRole('region', { name: 'Between two rounds' });
    await form.waitFor({ timeout: 120_000 });
    assert.equal(read('middle.txt'), CHANGED);
    await form.getByRole('checkbox').nth(1).uncheck();
    await screenshot(page, 'fix-changes-choice');
    await form.getByRole('button', { name: 'Go On' }).click();
    await view.ending.waitFor({ timeout: 120_000 });
    assert.equal(read('middle.txt'), FIXED);
    const events = await newestEvents();
    const resumed = events.find((event) => event.type === 'run.resumed');
    assert.deepEqual(resumed?.type === 'run.resumed' && resumed.feedback?.findings, ['F1']);
    const reviewed = events.find((event) => event.type === 'changes.reviewed');
    assert.deepEqual(reviewed?.type === 'changes.reviewed' && reviewed.files.map(({ path: file }) => file), [
      'middle.txt',
      'new.txt',
    ]);
  });
});
