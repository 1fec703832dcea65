import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { longTurn } from '../../bench/longTurn.ts';
import { type OpenPage, withPages } from '../../bench/pageInBrowser.ts';

const EVENTS = 13_000;
const MORE = 400;
const WHEEL = 700;

/** Top of what stands in the middle of the view, now and, with the same element, later. */
const MIDDLE = `(() => {
  const { left, top, width, height } = document.querySelector('.timeline').getBoundingClientRect();
  window.middle = document.elementFromPoint(left + width / 2, top + height / 2);
  return middle.getBoundingClientRect().top;
})()`;
const SAME = 'middle.isConnected ? middle.getBoundingClientRect().top : null';
const SETTLED = `(async () => { for (let frame = 0; frame < 6; frame++) await drawnFrame(); })()`;
const DISTANCE = `(() => {
  const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.timeline');
  return scrollHeight - scrollTop - clientHeight;
})()`;
const TOP = `document.querySelector('.timeline').scrollTop`;
const FOCUSED = `(() => {
  const { activeElement } = document;
  window.places ??= new WeakMap();
  if (!places.has(activeElement)) places.set(activeElement, (window.placed = (window.placed ?? 0) + 1));
  return places.get(activeElement) + ' ' + activeElement.className;
})()`;

describe('a run of 13,000 events, all in one round that is open', () => {
  const events = longTurn(EVENTS + MORE);
  let close: () => void = () => undefined;
  let open: OpenPage;
  let page: Page;
  let closed: Promise<void>;

  before(async function () {
    this.timeout(120_000);
    await new Promise<void>((ready, failed) => {
      closed = withPages(async (openPage) => {
        open = await openPage('ours');
        ({ page } = open);
        ready();
        await new Promise<void>((end) => {
          close = end;
        });
      });
      closed.catch(failed);
    });
  });
  after(async () => {
    close();
    await closed;
  });
  const settle = () => page.evaluate(SETTLED);
  const scrollTo = async (where: string) => {
    await page.evaluate(`document.querySelector('.timeline').scrollTo(0, ${where})`);
    await settle();
  };
  const someStop = () => page.locator('.round .stop:not(.unseen, .round-head)').first();

  it('stands at its end when it is restored in one message, with the rows near what is seen', async () => {
    await open.give(events.slice(0, EVENTS));
    await open.burst(EVENTS);
    await settle();
    assert.ok((await page.evaluate<number>(DISTANCE)) < 2);
    const rows = await page.locator('.round > div:not(:has(.unseen)) > *').count();
    assert.ok(rows > 10 && rows < 100, `${rows} rows in the document`);
  });

  it('goes up under the wheel by as much as the wheel turns, whatever is drawn above', async () => {
    await page.mouse.move(200, 300);
    for (let turn = 0; turn < 25; turn++) {
      const before = await page.evaluate<number>(MIDDLE);
      await page.mouse.wheel(0, -WHEEL);
      await settle();
      const after = await page.evaluate<number | null>(SAME);
      assert.ok(after !== null && Math.abs(after - before - WHEEL) <= 2, `turn ${turn}: ${before} → ${after}`);
    }
  });

  it('does not move under the eyes of the person when more comes', async () => {
    const before = await page.evaluate<number>(MIDDLE);
    await open.give(events.slice(EVENTS));
    await open.burst(20);
    await settle();
    assert.equal(await page.evaluate<number | null>(SAME), before);
  });

  it('is gone through by arrow keys, row by row and without a hole', async () => {
    await someStop().focus();
    const seen = new Set<string>();
    for (let presses = 0; presses < 120; presses++) {
      const place = await page.evaluate<string>(FOCUSED);
      assert.ok(!seen.has(place) && !place.includes('unseen'), `${presses}: ${place}`);
      seen.add(place);
      await page.keyboard.press('ArrowUp');
    }
    await page.keyboard.press('Home');
    assert.match(await page.evaluate<string>(FOCUSED), /round-head/);
  });

  it('shows its beginning at the top, and its end again at the bottom', async () => {
    await scrollTo('0');
    await page.locator('.turn', { hasText: 'Claude works' }).waitFor();
    await scrollTo('1e9');
    assert.ok((await page.evaluate<number>(DISTANCE)) < 2);
  });

  it('does not go back to where the focus was before a click outside of the timeline', async () => {
    await someStop().focus();
    await page.locator('.footer').click({ position: { x: 3, y: 3 } });
    assert.equal(await page.evaluate('document.activeElement === document.body'), true);
    await settle();
    await scrollTo('0');
    await settle();
    assert.equal(await page.evaluate<number>(TOP), 0);
  });
});
