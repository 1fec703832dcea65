import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { UNWRITTEN } from '../../../src/demo/story.ts';
import { axe } from './axe.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, loopView, textOf } from './loopView.ts';

const CODE = 'src/slugify.mjs';
const DEMO = { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' } as const;

describe('a first run by the keyboard alone', () => {
  const workbench = useWorkbench({
    settings: { ...DEMO, 'cgloop.executablePaths': { claude: '/nowhere/claude' } },
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0' },
    prepare(folder) {
      fs.mkdirSync(path.join(folder, 'src'));
      fs.writeFileSync(path.join(folder, CODE), UNWRITTEN);
    },
  });
  const code = () => fs.readFileSync(path.join(workbench().folder, CODE), 'utf8');
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await workbench().page.keyboard.press(key);
  };
  let view: LoopView;

  /** Carries out a command of the palette, which may not know it at once. */
  async function command(title: string): Promise<void> {
    const { page } = workbench();
    const row = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    await until(`the command ${title}`, async () => {
      await press('Escape', 'F1');
      await page.locator('.quick-input-widget:visible input').first().waitFor();
      await page.keyboard.type(title);
      return row.first().isVisible();
    });
    await press('Enter');
  }

  /** What has the focus in the view: its role or tag, and its words. */
  const focused = () =>
    view.frame.locator(':focus').evaluateAll(([element]) => `${element?.tagName} ${element?.textContent?.trim()}`);

  /** Presses the key until what has the focus fits. */
  async function reach(key: string, words: RegExp): Promise<void> {
    const seen: string[] = [];
    for (let presses = 0; presses < 40; presses++) {
      const now = await focused();
      if (words.test(now)) return;
      seen.push(now);
      await press(key);
    }
    assert.fail(`${key} does not come to ${words}: ${seen.join(' | ')}`);
  }

  async function typeTask(task: string): Promise<void> {
    const { page } = workbench();
    // The palette was the same box a moment ago.
    await page.locator('.quick-input-widget:visible input[placeholder^="For example"]').waitFor();
    await page.keyboard.type(task);
    await press('Enter');
  }

  it('comes to the empty view, which has no serious fault', async () => {
    await command('Focus on Loop View');
    view = loopView(workbench().page);
    await view.task.waitFor();
    assert.deepEqual(await axe(view.frame), []);
  });

  it('starts from the palette, and asks before the first edit', async () => {
    await command('Run Claude–Gemini Loop');
    await typeTask('Make slugify work');
    await view.questions.first().waitFor({ timeout: 120_000 });
    assert.equal(code(), UNWRITTEN);
    assert.deepEqual(await axe(view.frame), []);
  });

  it('is answered by Tab and Enter', async () => {
    await reach('Tab', /^BUTTON Allow$/);
    await screenshot(workbench().page, 'keyboard-question');
    await press('Enter');
    await until('the allowed edit on disk', () => code() !== UNWRITTEN);
  });

  it('answers the other questions by their key wherever the focus is, to the ending card', async () => {
    for (;;) {
      await view.questions.first().or(view.ending).first().waitFor({ timeout: 120_000 });
      if (await view.ending.isVisible()) break;
      const question = await textOf(view.questions.first());
      await press('Control+Alt+Enter');
      await until('the answer', async () => {
        const open = await view.questions.allTextContents();
        return !open.includes(question);
      });
    }
    assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
  });

  it('goes through what was done, and to what can be done next', async () => {
    // The focus stayed in the timeline, at the card that it was in or the one beside it.
    await press('Home');
    assert.match(await focused(), /Round 1/);
    await press('ArrowRight', 'ArrowDown');
    assert.doesNotMatch(await focused(), /Round 1/);
    await reach('Tab', /^BUTTON Open All Changes/);
    assert.deepEqual(await axe(view.frame), []);
    await screenshot(workbench().page, 'keyboard-ended');
  });

  it('says what stands in the way, without a serious fault', async () => {
    const { page, server } = workbench();
    server.writeSettings({ 'cgloop.executor': 'claude' });
    await command('Run Claude–Gemini Loop');
    await typeTask('Make slugify work');
    // The first run that sends anything anywhere.
    await view.consent.waitFor();
    assert.deepEqual(await axe(view.frame), []);
    await until('the focus', async () => /^BUTTON Understood, Run/.test(await focused()));
    await press('Enter');
    await view.notices.or(view.frame.locator('.doctor')).first().waitFor();
    assert.match(await textOf(view.timeline), /claude/i);
    assert.deepEqual(await axe(view.frame), []);
    await screenshot(page, 'keyboard-error');
  });

  it('broke no content policy on the way (case C58)', () => {
    const broken = workbench().consoleMessages.filter((text) => /Content Security Policy/.test(text));
    assert.deepEqual(broken, []);
  });
});
