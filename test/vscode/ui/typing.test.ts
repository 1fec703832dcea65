import assert from 'node:assert/strict';
import { withPages } from '../../bench/pageInBrowser.ts';
import { IDLE } from '../../host/windowState.ts';

/** Letters and then a key, all before the browser draws a frame. */
const WRITES_AND_RUNS = `(() => {
  const box = document.querySelector('textarea');
  box.value = 'Fix the bug';
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }));
  return posted.filter(({ type }) => type === 'run').map(({ task }) => task);
})()`;

describe('a key that comes within the frame of what was typed before it', () => {
  it('is for the whole of what was typed', async function () {
    this.timeout(120_000);
    await withPages(async (openPage) => {
      const { page, close } = await openPage('ours');
      const state = { type: 'state', state: IDLE };
      await page.evaluate(`hear(${JSON.stringify(state)}), drawnFrame()`);
      assert.deepEqual(await page.evaluate(WRITES_AND_RUNS), ['Fix the bug']);
      await close();
    });
  });
});
