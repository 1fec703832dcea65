import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../../src/session/product.ts';
import type { LoopEvent } from '../../../src/shared/events.ts';
import { galleryRun } from '../../fakes/galleryRun.ts';
import { setSideBarWidth, setTheme } from '../host/workbench.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, openLoopView, textOf } from './loopView.ts';

const RUN = '20260131-142530-abc123';

/** A run of the folder as it lies on disk: the window opens it by itself. */
function writeRun(folder: string): void {
  const events = galleryRun(folder).map((event) =>
    event.type === 'run.started' ? { ...event, run: { ...event.run, id: RUN } } : event,
  );
  const directory = path.join(path.dirname(folder), 'state', 'runs', RUN);
  const lines = [{ format: 'cgloop-run', version: 1, product: PRODUCT }, ...events];
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  fs.writeFileSync(path.join(directory, 'log.jsonl'), text, { mode: 0o600 });
}

describe('a reviewed run in the workbench', () => {
  const workbench = useWorkbench({
    settings: { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' },
    prepare: writeRun,
  });
  const log = () =>
    fs
      .readFileSync(path.join(workbench().stateFolder, 'runs', RUN, 'log.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
  let view: LoopView;

  it('opens with its newest round, the others closed under their heads', async () => {
    const { page } = workbench();
    view = await openLoopView(page);
    await page.locator('.pane-header', { hasText: 'Runs' }).click();
    await page.locator('.monaco-list-row', { hasText: 'Make the importer' }).click();
    await view.ending.waitFor();
    await page.locator('.pane-header', { hasText: 'Runs' }).click();
    assert.deepEqual(
      await view.rounds.evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-expanded'))),
      ['false', 'false', 'true'],
    );
    assert.match(await textOf(view.rounds.nth(1)), /Claude → checks\s+passed → Gemini 7\.5\/10/);
  });

  it('shows the values of a round of the chart by keyboard and pointer, and all of them as a table', async () => {
    const { page } = workbench();
    const column = view.frame.locator('.chart-column').nth(1);
    await column.focus();
    await column.hover();
    const values = column.locator('.chart-values');
    await values.waitFor();
    assert.equal(await textOf(values), 'Round 2: 7.5/10 · Major 2 · Minor 1');
    assert.equal(await column.getAttribute('aria-label'), await textOf(values));
    assert.deepEqual(await view.frame.locator('.chart td, .chart tbody th').allTextContents(), [
      ...['1', '4.5/10', '1', '1', '1', '1'],
      ...['2', '7.5/10', '0', '2', '1', '0'],
      ...['3', '6.5/10', '1', '1', '0', '0'],
    ]);
    await screenshot(page, 'review-chart-values');
  });

  it('goes from card to card by the arrow keys, and from there into one by Enter', async () => {
    const { page } = workbench();
    await view.ending.focus();
    await page.keyboard.press('ArrowUp');
    await view.frame.locator('.chart:focus').waitFor();
    await page.keyboard.press('Home');
    await view.frame.locator('.round-head:focus', { hasText: 'Round 1' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await view.frame.locator('.round-head:focus[aria-expanded=true]', { hasText: 'Round 1' }).waitFor();
    await view.frame.locator('.tool').first().waitFor();
    await page.setViewportSize({ width: 1280, height: 1800 });
    await setSideBarWidth(page, 560);
    await screenshot(page, 'review-first-round');
    await setSideBarWidth(page, 300);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await view.ending.locator('button:focus', { hasText: 'Continue 2 More Rounds' }).waitFor();
  });

  it('dismisses a finding with its reason, which goes into the log and stays with it', async () => {
    const { page } = workbench();
    const finding = view.frame.locator('.finding', { hasText: 'Columns are found by position' });
    await finding.getByRole('button', { name: 'Dismiss…' }).click();
    const box = finding.getByRole('textbox', { name: 'Why F5 is dismissed' });
    await box.fill('The files have no header.');
    await screenshot(page, 'review-dismiss');
    await box.press('Enter');
    await finding.waitFor({ state: 'detached' });
    const settled = view.frame.locator('.review').last();
    await settled.getByRole('button', { name: 'Settled before: 3' }).click();
    await settled.getByRole('button', { name: /Columns are found by position.*dismissed by you/ }).click();
    await settled.getByText('You dismissed it: “The files have no header.” Gemini is told so').waitFor();
    const told: LoopEvent = JSON.parse(log().at(-1) ?? '');
    assert.ok(told.type === 'finding.updated' && told.finding?.status === 'dismissed');
    assert.equal(told.finding.reason, 'The files have no header.');
    await settled.getByRole('button', { name: 'Open it again' }).click();
    await finding.waitFor();
  });

  it('shows what fixed a finding as a diff, and the hunk of an earlier round in the card of that round', async () => {
    const { page } = workbench();
    await view.frame.getByRole('button', { name: /A file of several gigabytes.*fixed in round 3/ }).click();
    const trail = view.frame.locator('.settled-finding', { hasText: 'A file of several gigabytes' });
    assert.deepEqual(await trail.locator('.diff del .line-text').allTextContents(), [
      "  const text = await readFile(file, 'utf8');",
      "  for (const line of text.split('\\n')) rows.push(rowOf(line));",
    ]);
    assert.equal(await trail.locator('.diff ins').count(), 3);
    assert.equal(await textOf(trail.locator('.diff ins .line-number').first()), '39');
    await trail.getByText('Claude disputes it:').waitFor();
    await screenshot(page, 'review-fix-trail');
    await trail.getByRole('button', { name: 'src/importer.ts', exact: true }).click();
    await page.locator('.notification-list-item, .tab.active').first().waitFor();
  });

  for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
    it(`is drawn in the ${theme} theme, wide and in 250 pixels`, async () => {
      const { page, server } = workbench();
      await setTheme(page, server, theme);
      for (const [width, name] of [
        [250, '-narrow'],
        [620, ''],
      ] as const) {
        await setSideBarWidth(page, width);
        await page.setViewportSize({ width: 1280, height: 1600 });
        await until('nothing wider than the view', async () => {
          const overflow = await view.timeline.evaluate((main) => main.scrollWidth - main.clientWidth);
          return overflow <= 0;
        });
        for (const [part, selector] of [
          ['review', '.review >> nth=-1'],
          ['chart', '.chart'],
          ['ending', '.ending'],
          ['head', '.task'],
        ] as const) {
          await view.frame.locator(selector).scrollIntoViewIfNeeded();
          await screenshot(page, `review-${theme}-${part}${name}`);
        }
      }
    });
  }
});
