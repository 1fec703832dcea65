import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { Server } from './server.ts';

/** Runs a command by its palette title, such as `View: Show Explorer`. Throws when the palette does not offer it. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input').first();
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  const end = performance.now() + 60_000;
  for (;;) {
    await page.keyboard.press('F1');
    await input.waitFor();
    await input.fill(`>${title}`);
    if (await appears(row, 3_000)) break;
    if (performance.now() > end) throw new Error(`The palette offers no command “${title}”`);
    // The palette does not follow extensions that load while it is open: open it again.
    await page.keyboard.press('Escape');
  }
  await row.click();
}

/** Whether the palette offers a command with this title now. */
export async function paletteOffers(page: Page, title: string): Promise<boolean> {
  const input = page.locator('.quick-input-widget:visible input').first();
  await page.keyboard.press('F1');
  await input.waitFor();
  await input.fill(`>${title}`);
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  const offered = await appears(rows.filter({ hasText: title }).first(), 3_000);
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'hidden' });
  return offered;
}

/** Reloads the window as a person does, and waits for the new workbench. */
export async function reloadWindow(page: Page): Promise<void> {
  await page.evaluate("document.body.dataset.before = 'reload'");
  await runCommand(page, 'Developer: Reload Window');
  await page.locator('body:not([data-before]) .monaco-workbench').waitFor({ timeout: 120_000 });
}

/** Types into VS Code's open input box (or quick pick) and presses Enter. */
export async function answerInput(page: Page, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input').first();
  await input.waitFor();
  await input.fill(text);
  await page.keyboard.press('Enter');
}

/** Opens the view container called `name` unless it is open. */
export async function openSideBar(page: Page, name: string): Promise<void> {
  const open = page.locator('.activitybar [role=tab][aria-expanded=true]');
  const tab = page.locator('.activitybar [role=tab]', { has: page.locator(`a[aria-label^="${name}"]`) });
  // A restored window shows the bar before it knows what is in it, and a click on that would close it.
  if (await page.locator('.part.sidebar').isVisible()) await open.first().waitFor();
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Drags the side bar's edge until it is about `width` pixels wide. */
export async function setSideBarWidth(page: Page, width: number): Promise<void> {
  const bar = await page.locator('.part.sidebar').boundingBox();
  if (!bar) throw new Error('The side bar is hidden');
  const y = bar.y + bar.height / 2;
  await page.mouse.move(bar.x + bar.width, y);
  await page.mouse.down();
  await page.mouse.move(bar.x + width, y, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(bar.x + width * 2, 2); // away, or the edge stays lit
}

/** The document inside the `nth` visible webview: VS Code nests two frames. */
export function webview(page: Page, nth = 0): FrameLocator {
  return page.frameLocator('iframe.webview.ready').nth(nth).frameLocator('iframe#active-frame');
}

/** Open notifications that hold `text`. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notification-list-item', { hasText: text });
}

/** The modal dialog. */
export function modal(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** The text of the active editor, as far as it is on screen. */
export async function editorText(page: Page): Promise<string> {
  const lines = page.locator('.editor-group-container.active .view-lines .view-line');
  await lines.first().waitFor();
  const rows: { top: number; text: string }[] = await lines.evaluateAll((all) =>
    all.map((line) => ({ top: Number.parseInt(line.style.top, 10), text: line.textContent ?? '' })),
  );
  const text = rows.sort((a, b) => a.top - b.top).map((row) => row.text);
  return text.join('\n').replaceAll('\u00a0', ' '); // Monaco writes spaces as U+00A0
}

/** VS Code's four kinds of theme: its setting, and the class that the workbench carries. */
export const THEMES = {
  light: { setting: 'Light Modern', css: 'vs' },
  dark: { setting: 'Dark Modern', css: 'vs-dark' },
  'high-contrast': { setting: 'Default High Contrast', css: 'hc-black' },
  'high-contrast-light': { setting: 'Default High Contrast Light', css: 'hc-light' },
} as const;

/** Switches the theme and waits until the workbench wears it. */
export async function setTheme(page: Page, server: Server, name: keyof typeof THEMES): Promise<void> {
  server.writeSettings({ 'workbench.colorTheme': THEMES[name].setting });
  await page.locator(`.monaco-workbench.${THEMES[name].css}`).waitFor();
}

/** Whether `locator` becomes visible within `ms`. Other failures than time are thrown. */
async function appears(locator: Locator, ms: number): Promise<boolean> {
  try {
    await locator.waitFor({ timeout: ms });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
