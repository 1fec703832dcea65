import type { FrameLocator, Locator, Page } from 'playwright-core';
import { answerInput, openSideBar, runCommand, webview } from '../host/workbench.ts';

/** The title of the view container, and of the category of all commands. */
export const TITLE = 'Claude–Gemini Loop';

/** The parts of the Loop view that a person works with. */
export interface LoopView {
  readonly frame: FrameLocator;
  readonly timeline: Locator;
  /** Questions that can be answered. */
  readonly questions: Locator;
  /** The round headers, such as `Round 1 — Claude → Gemini 6/10 …`. */
  readonly rounds: Locator;
  /** The card that says how the run ended. */
  readonly ending: Locator;
  /** What stands in the way, such as a folder that is not trusted. */
  readonly notices: Locator;
  readonly task: Locator;
  /** The card that says who receives what, before the first run of an installation. */
  readonly consent: Locator;
  button(name: string): Locator;
}

/** The Loop view of the page, which must be the first webview on it. `t`: the words of the page in its language. */
export function loopView(page: Page, t: (english: string) => string = (english) => english): LoopView {
  const frame = webview(page);
  return {
    frame,
    timeline: frame.getByRole('main'),
    questions: frame.locator('fieldset.question:enabled'),
    rounds: frame.locator('.round-head'),
    ending: frame.getByRole('region', { name: t('Result') }),
    notices: frame.locator('.notice'),
    consent: frame.getByRole('region', { name: t('Who receives what') }),
    task: frame.getByRole('textbox', { name: t('Task') }),
    button: (name) => frame.getByRole('button', { name: t(name), exact: true }),
  };
}

/** Opens the Loop view from the activity bar. */
export async function openLoopView(page: Page): Promise<LoopView> {
  await openSideBar(page, TITLE);
  const view = loopView(page);
  await view.timeline.waitFor();
  return view;
}

/** Hides the Loop view, which VS Code then destroys, and opens it anew. */
export async function recreateLoopView(page: Page): Promise<LoopView> {
  await openSideBar(page, 'Explorer');
  await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
  return openLoopView(page);
}

/** Closes the ended run that is shown, for an empty composer. */
export async function newRun(view: LoopView): Promise<void> {
  await view.ending.getByRole('button', { name: /^(Keep|New Run)$/ }).click();
  await view.ending.waitFor({ state: 'detached' });
}

/** Undoes the run that is shown, after a look at what that does; gives the words of that look. */
export async function undoRun(view: LoopView): Promise<string> {
  await view.ending.getByRole('button', { name: 'Undo…' }).click();
  const undo = view.ending.getByRole('button', { name: 'Undo Run', exact: true, disabled: false });
  await undo.waitFor();
  const told = await textOf(view.ending.getByRole('group', { name: 'Undo' }));
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  return told;
}

/** Starts a run from the command palette, which shows the view. */
export async function runFromPalette(page: Page, task: string): Promise<LoopView> {
  await runCommand(page, 'Run Claude–Gemini Loop');
  await answerInput(page, task);
  return loopView(page);
}

/** Waits for a question of an agent; before it, lets a first run begin. Throws with the words of the notice or the ending that came instead. */
export async function firstQuestion(view: LoopView): Promise<Locator> {
  const question = view.questions.first();
  const instead = view.notices.or(view.ending).first();
  await question.or(instead).or(view.consent).first().waitFor({ timeout: 120_000 });
  if (await view.consent.isVisible()) {
    await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
    await view.consent.waitFor({ state: 'detached' });
  }
  await question.or(instead).first().waitFor({ timeout: 120_000 });
  if (await question.isVisible()) return question;
  throw new Error(`No question came, but: ${await textOf(instead)}`);
}

/** Answers every question with the option of this name until the run ends; returns how many there were. */
export async function answerAll(view: LoopView, option: string): Promise<number> {
  for (let answered = 0; ; answered += 1) {
    const question = view.questions.first();
    await question.or(view.ending).first().waitFor({ timeout: 120_000 });
    if (await view.ending.isVisible()) return answered;
    await question.getByRole('button', { name: option, exact: true }).click();
  }
}

/** The text of one element. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}
