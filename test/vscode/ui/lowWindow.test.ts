import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HostState } from '../../../src/shared/messages.ts';
import { withPages } from '../../bench/pageInBrowser.ts';
import { IDLE } from '../../host/windowState.ts';
import { until } from './ground.ts';

const MODELS = ['one', 'two'].map((value) => ({ value, label: `Model ${value}` }));
const CHECKS = ['npm test', 'npm run lint', 'npm run typecheck', 'make check', 'cargo test', 'pytest -q'];
/** A composer with all that it can have, before the first run. */
const FULL: HostState = {
  ...IDLE,
  agents: ['claude', 'gemini'].map((id) => ({
    id,
    name: id,
    roles: ['execute', 'review'],
    company: 'A company',
    installed: true,
  })),
  offers: Object.fromEntries(['claude', 'gemini'].map((id) => [id, { images: true, commands: [], models: MODELS }])),
  checks: {
    '/project': CHECKS.map((command) => ({ command, source: 'detected', confirmed: false })),
  },
  consent: { told: false, asked: { executor: 'claude', reviewer: 'gemini' } },
};

/** A side bar of 250 pixels in a low window, and what 200 % leave of a window of 1280 × 800. */
const SIZES = [
  { width: 250, height: 400 },
  { width: 640, height: 400 },
];

describe('the page in a low window', () => {
  /** Whether all of it is in sight, but for parts of a pixel. */
  const isInSight = async (page: Page, selector: string): Promise<boolean> => {
    const box = await page.locator(selector).boundingBox();
    const { height = 0 } = page.viewportSize() ?? {};
    return box !== null && box.y >= -1 && box.y + box.height <= height + 1;
  };

  it('scrolls to every part by the wheel, and leaves some of the timeline', async function () {
    this.timeout(120_000);
    await withPages(async (open) => {
      const { page, close } = await open('ours');
      await page.evaluate("hear({ type: 'reset', runId: null })");
      await page.evaluate(`hear(${JSON.stringify({ type: 'state', state: FULL })})`);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.locator('.checks').evaluate((checks) => checks.setAttribute('open', ''));
        await page.mouse.move(4, size.height - 4);
        await page.mouse.wheel(0, -5_000);
        await until('the timeline', () => isInSight(page, '.timeline'));
        const timeline = await page.locator('.timeline').boundingBox();
        assert.ok((timeline?.height ?? 0) >= 48, `${timeline?.height} pixels of the timeline`);
        await page.mouse.wheel(0, 5_000);
        await until('the button that runs', () => isInSight(page, '.run'));
        assert.equal(
          await page.evaluate('document.body.scrollWidth - innerWidth'),
          0,
          'nothing is wider than the page',
        );
      }
      await close();
    });
  });
});
