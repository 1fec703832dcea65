import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { PRODUCT } from '../../src/session/product.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { PeerStep } from '../fakes/claudePeer.ts';
import { setSideBarWidth, setTheme, type THEMES } from '../vscode/host/workbench.ts';
import { axe } from '../vscode/ui/axe.ts';
import { root, until, type Workbench } from '../vscode/ui/ground.ts';
import { type LoopView, loopView, openLoopView } from '../vscode/ui/loopView.ts';

export type ThemeName = keyof typeof THEMES;

/** The window in which the scenes play, one after the other. */
export interface Stage extends Workbench {
  readonly view: LoopView;
  /** The words of the product in the language of the window. */
  t(english: string): string;
  /** Shows a run that lies on disk; its log takes the place of the one before. */
  open(events: readonly LoopEvent[]): Promise<void>;
  /** Lets Claude Code be a program that plays these steps. */
  play(steps: readonly PeerStep[]): void;
  /** Names the agents of the next run, with further settings, and waits until the empty composer has them. */
  choose(executor: string, reviewer: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** One state of the product. Scenes begin with an empty composer, or go on from another. */
export interface Scene {
  readonly name: string;
  /** Name of the scene, earlier in the list, that this one goes on from. */
  readonly after?: string;
  /** What the picture shows: the Loop view with all that is in it, or the window. */
  readonly of: 'view' | 'window';
  /** Widths of the side bar in pixels, 0 where it is closed; absent: the usual two. */
  readonly widths?: readonly number[];
  show(stage: Stage): Promise<void>;
  /** Gives the stage back with an empty composer. Absent: `toComposer`. */
  leave?(stage: Stage): Promise<void>;
}

export const WIDTHS: readonly number[] = [300, 520];

/** Height of the window; that of a view grows to what is in it. */
const HEIGHT = 900;
const MOST_HEIGHT = 6000;
const WIDTH = 1280;

/** `name` of a run that lies in the state folder of the window. */
const RUN = '20260131-142530-abc123';

export function stageOf(workbench: Workbench, t: Stage['t']): Stage {
  const { page, server, folder, stateFolder } = workbench;
  const view = loopView(page, t);
  return {
    ...workbench,
    view,
    t,
    async open(events) {
      writeRun(stateFolder, RUN, events);
      await openLoopView(page);
      await openRow(workbench, t('Runs'), taskOf(events));
      await view.frame.locator('.task', { hasText: taskOf(events) }).waitFor();
    },
    play(steps) {
      const peer = pathToFileURL(path.join(root, 'test/fakes/claudePeer.mjs')).href;
      const script = JSON.stringify(JSON.stringify(steps));
      const text = `#!${process.execPath}\nprocess.env.CLAUDE_PEER_SCRIPT = ${script};\nawait import('${peer}');\n`;
      fs.writeFileSync(claudeIn(folder), text, { mode: 0o755 });
    },
    async choose(executor, reviewer, more = {}) {
      await openLoopView(page);
      server.writeSettings({
        ...settingsFor(folder),
        'cgloop.executor': executor,
        'cgloop.reviewer': reviewer,
        ...more,
      });
      const values = () =>
        Promise.all(
          ['Executor', 'Reviewer'].map((name) => view.frame.getByRole('combobox', { name: t(name) }).inputValue()),
        );
      await until('the agents in the composer', async () => (await values()).join() === `${executor},${reviewer}`);
    },
  };
}

const claudeIn = (folder: string) => path.join(path.dirname(folder), 'claude.mjs');

/** Agents that are found, and start only with a run: each scene has its own. */
export function settingsFor(folder: string): Readonly<Record<string, unknown>> {
  return {
    'cgloop.executablePaths': { claude: claudeIn(folder), gemini: path.join(root, 'test/gallery/formAgent.mjs') },
    'cgloop.warmStart': false,
    'cgloop.checks': [],
    'cgloop.askBetweenRounds': false,
  };
}

/** Writes a log as the product does. */
export function writeRun(stateFolder: string, id: string, events: readonly LoopEvent[]): void {
  const directory = path.join(stateFolder, 'runs', id);
  const named = events.map((event) => (event.type === 'run.started' ? { ...event, run: { ...event.run, id } } : event));
  const lines = [{ format: 'cgloop-run', version: 1, product: PRODUCT }, ...named];
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  fs.writeFileSync(path.join(directory, 'log.jsonl'), text, { mode: 0o600 });
}

function taskOf(events: readonly LoopEvent[]): string {
  const started = events.find((event) => event.type === 'run.started');
  if (started === undefined) throw new Error('The log begins no run');
  return started.run.task.split('\n', 1).join('');
}

/** The pane of the runs, which is open only while a row is chosen: the Loop view has the room. */
async function openRow({ page }: Workbench, runs: string, task: string): Promise<void> {
  const head = runsHead(page.locator('.part.sidebar'), runs);
  if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
  await page.locator('.part.sidebar .monaco-list-row', { hasText: task }).click();
  await head.click();
}

/** `name`: that of the view of the runs. */
export function runsHead(sideBar: Locator, name = 'Runs'): Locator {
  return sideBar.locator('.pane-header', { hasText: name });
}

/** Ends what runs, closes what is shown, and waits for the empty composer. */
export async function toComposer({ page, view, stateFolder, t }: Stage): Promise<void> {
  await openLoopView(page);
  const stop = view.frame.locator('.footer').getByRole('button', { name: t('Stop') });
  await stop.or(view.ending).or(view.task).first().waitFor();
  if (await stop.isVisible()) {
    await stop.click();
    await view.ending.waitFor();
  }
  if (await view.ending.isVisible()) {
    const close = view.button('Keep').or(view.button('New Run'));
    if ((await close.count()) === 0) await view.button('More').click();
    await close.click();
    await view.ending.waitFor({ state: 'detached' });
  }
  await view.task.fill('');
  fs.rmSync(path.join(stateFolder, 'runs', RUN), { recursive: true, force: true });
}

/**
 * Looks at what is shown in one theme at several widths: nothing is wider than the view, and axe finds nothing serious; saves a
 * picture of each as `<folder>/<scene>-<theme>-<width>.png` unless `folder` is null.
 */
export async function look(
  stage: Stage,
  scene: Scene,
  theme: ThemeName,
  folder: string | null,
): Promise<readonly string[]> {
  const { page, server, view } = stage;
  const faults: string[] = [];
  await setTheme(page, server, theme);
  for (const width of scene.widths ?? WIDTHS) {
    await page.setViewportSize({ width: WIDTH, height: HEIGHT });
    if (width > 0) await setSideBarWidth(page, width);
    const isShown = await view.timeline.isVisible();
    if (isShown) {
      if (scene.of === 'view') await growToFit(stage);
      const wide = await widest(view);
      if (wide.length > 0) faults.push(`${theme} at ${width}: wider than the view: ${wide.join(', ')}`);
    }
    if (folder !== null) {
      await page.mouse.move(WIDTH - 1, 2); // away from everything that lights up
      const file = path.join(folder, `${scene.name}-${theme}-${width}.png`);
      const clip = scene.of === 'view' ? await page.locator('.part.sidebar').boundingBox() : null;
      await page.screenshot({ path: file, animations: 'disabled', ...(clip === null ? {} : { clip }) });
    }
  }
  if (await view.timeline.isVisible()) {
    faults.push(...(await axe(view.frame)).map((fault) => `${theme}: ${fault}`));
  }
  return faults;
}

/** Makes the window as high as all of the timeline wants; what is not drawn yet may want more once it is. */
async function growToFit({ page, view }: Stage): Promise<void> {
  let height = HEIGHT;
  await until('the view as high as what is in it', async () => {
    const hidden = await view.timeline.evaluate((main) => main.scrollHeight - main.clientHeight);
    if (hidden <= 0 || height === MOST_HEIGHT) return true;
    height = Math.min(MOST_HEIGHT, height + hidden);
    await page.setViewportSize({ width: WIDTH, height });
    return false;
  });
}

/** Elements that reach beyond the view, but for what scrolls by itself. */
async function widest(view: LoopView): Promise<string[]> {
  let found: string[] = [];
  const end = performance.now() + 3_000;
  do {
    found = await view.frame.locator('body').evaluate((body) => {
      const limit = body.ownerDocument.documentElement.clientWidth + 1;
      const names: string[] = [];
      const walk = [...body.children];
      for (let element = walk.pop(); element !== undefined; element = walk.pop()) {
        if (element.classList.contains('sr-only')) continue;
        const name = `${element.tagName.toLowerCase()}.${element.className}`;
        const { overflowX } = body.ownerDocument.defaultView?.getComputedStyle(element) ?? {};
        if (element.getBoundingClientRect().right > limit) names.push(name);
        else if (overflowX !== 'auto' && overflowX !== 'scroll') walk.push(...element.children);
      }
      return names;
    });
  } while (found.length > 0 && performance.now() < end);
  return found;
}
