import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import type { LoopEvent } from '../../../src/shared/events.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, runFromPalette, textOf } from './loopView.ts';

describe('choosing what is fixed next in the workbench', () => {
  const workbench = useWorkbench({
    settings: {
      'cgloop.executor': 'demo-executor',
      'cgloop.reviewer': 'demo-reviewer',
      'cgloop.permissionMode': 'edits',
      'cgloop.rounds': 1,
      'cgloop.checks': [],
    },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, 'src/slugify.mjs'), UNWRITTEN);
    },
  });
  const log = (): LoopEvent[] => {
    const runs = path.join(workbench().stateFolder, 'runs');
    const [run = ''] = fs.readdirSync(runs);
    const lines = fs
      .readFileSync(path.join(runs, run, 'log.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    return lines.slice(1).map((line) => JSON.parse(line));
  };
  let view: LoopView;

  it('ends with findings of which each can be left out', async () => {
    const { page } = workbench();
    view = await runFromPalette(page, 'Make slugify work');
    await view.ending.waitFor({ timeout: 120_000 });
    assert.match(await textOf(view.ending), /Not approved: the last round is over/);
    const [first] = await view.frame.locator('.finding').all();
    assert.ok(first !== undefined);
    await first.getByRole('checkbox', { name: 'Fix next round' }).uncheck();
    await screenshot(page, 'choose');
  });

  it('goes on with the others alone, and moves nothing that the person reads meanwhile', async () => {
    const { page } = workbench();
    const head = view.rounds.first();
    await view.timeline.evaluate((main) => {
      main.scrollTop = 30;
    });
    // A click would scroll to the button first.
    await view.ending.getByRole('button', { name: 'Continue 2 More Rounds' }).dispatchEvent('click');
    await view.frame.locator('footer').waitFor();
    const before = await head.boundingBox();
    await view.rounds.nth(1).waitFor({ state: 'attached', timeout: 60_000 });
    await until('the end of the second round', async () => /\/10/.test(await textOf(view.rounds.nth(1))));
    assert.deepEqual(await head.boundingBox(), before);
    assert.equal(await head.getAttribute('aria-expanded'), 'true', 'it is being read');
    await view.timeline.evaluate((main) => {
      main.scrollTop = main.scrollHeight;
    });
    await view.frame.locator('.round-head[aria-expanded=false]', { hasText: 'Round 1' }).waitFor({ state: 'attached' });
    await view.ending.waitFor({ timeout: 120_000 });
    const away = await view.timeline.evaluate((main) => main.scrollHeight - main.scrollTop - main.clientHeight);
    assert.ok(away < 2, `${away} pixels from the end`);
    await screenshot(page, 'choose-ended');
  });

  it('tells the executor only of what was left in', () => {
    const events = log();
    const open = events.flatMap((event) =>
      event.type === 'finding.opened' && event.round === 1 ? [event.finding] : [],
    );
    const resumed = events.find((event) => event.type === 'run.resumed');
    assert.ok(resumed?.type === 'run.resumed');
    assert.deepEqual(resumed.feedback, { findings: open.slice(1).map(({ id }) => id), text: null, instruction: null });
    const second = events.find(
      (event) => event.type === 'turn.started' && event.round === 2 && event.role === 'execute',
    );
    assert.ok(second?.type === 'turn.started');
    assert.ok(!second.prompt.includes(`- ${open[0]?.id} (`), second.prompt);
    for (const { id } of open.slice(1)) assert.ok(second.prompt.includes(`- ${id} (`), second.prompt);
  });
});
