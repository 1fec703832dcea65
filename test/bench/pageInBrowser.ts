import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { bundles } from '../../esbuild.mjs';
import { pageHtml } from '../../src/host/page.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { HostState } from '../../src/shared/messages.ts';
import { IDLE } from '../host/windowState.ts';
import { root } from '../tools/production.ts';
import { launchBrowser } from '../vscode/host/window.ts';
import { longTurn } from './longTurn.ts';

const ORIGIN = 'http://page.localhost';
/** Events of which some are of each kind. */
const WARM = 130;
const VIEWPORT = { width: 420, height: 800 } as const;

/** The page as it is shipped; the two references; and the page with counters in it. */
const ENTRIES = {
  ours: 'webview/main.tsx',
  floor: 'test/webview/bench/floor.ts',
  naive: 'test/webview/bench/naive.ts',
  counted: null,
} as const;
export type PageName = keyof typeof ENTRIES;

/** What a page took of its main thread, in seconds of CPU. */
export interface Spent {
  readonly all: number;
  readonly script: number;
}

/** A page of the benches, open in the browser, that has heard nothing yet but that a run is under way. */
export interface OpenPage {
  readonly page: Page;
  /** Draws a short run and forgets it, so that all that is loaded on demand is there. */
  warm(): Promise<void>;
  /** What the page took while `work` went on. */
  measure(work: () => Promise<void>): Promise<Spent>;
  /** Puts the events beside the page, which does not hear of them yet. */
  give(events: readonly LoopEvent[]): Promise<void>;
  /** Lets the page hear what it was given: so many events a frame, in messages of `message` events, by default one a frame. */
  burst(frame: number, message?: number): Promise<void>;
  close(): Promise<void>;
}

/** Builds the pages as they are shipped, serves them to one browser, and removes everything again. */
export async function withPages<T>(use: (open: (name: PageName) => Promise<OpenPage>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cgloop-bench-'));
  const browser = await launchBrowser();
  try {
    for (const [name, entry] of Object.entries(ENTRIES)) await buildPage(entry, path.join(folder, name));
    return await use((name) => openPage(browser, path.join(folder, name)));
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildPage(entry: string | null, outdir: string): Promise<void> {
  const { entryPoints: _, ...rest } = bundles.webview ?? {};
  const counted = "import './test/webview/bench/counting.ts'; import './webview/main.tsx';";
  const from: BuildOptions =
    entry === null
      ? { stdin: { contents: counted, resolveDir: root, sourcefile: 'webview.ts' }, entryNames: 'webview' }
      : { entryPoints: { webview: entry } };
  await build({
    ...rest,
    ...from,
    absWorkingDir: root,
    outdir,
    minify: true,
    sourcemap: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}

/** Runs in the page before its script, under the page's own policy. */
const STAND_IN = `
window.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => undefined, setState: () => {} });
window.posted = [];
window.hear = (data) => dispatchEvent(new MessageEvent('message', { data }));
window.drawnFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
window.burst = async (frame, message) => {
  for (let at = 0; at < events.length; at += message) {
    hear({ type: 'batch', runId: 'run', fromSeq: events[at].seq, events: events.slice(at, at + message) });
    if ((at + message) % frame === 0 || at + message >= events.length) await drawnFrame();
  }
};
`;

async function openPage(browser: Browser, folder: string): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname !== '/') return route.fulfill({ path: path.join(folder, pathname) });
    const address = { script: `${ORIGIN}/webview.js`, style: `${ORIGIN}/webview.css` };
    await route.fulfill({
      contentType: 'text/html',
      body: pageHtml({ ...address, source: ORIGIN, nonce: 'bench', language: 'en' }),
    });
  });
  const page = await context.newPage();
  await page.addInitScript(STAND_IN);
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${ORIGIN}/`);
  await page.evaluate('document.fonts.ready');
  const state: HostState = { ...IDLE, phase: 'running' };
  await page.evaluate(`hear(${JSON.stringify({ type: 'state', state })}), hear({ type: 'reset', runId: 'run' })`);
  const give = (events: readonly LoopEvent[]): Promise<void> =>
    page.evaluate(`window.events = ${JSON.stringify(events)}, undefined`);
  const burst = (frame: number, message = frame): Promise<void> => page.evaluate(`burst(${frame}, ${message})`);
  return {
    page,
    give,
    burst,
    async warm() {
      await give(longTurn(WARM));
      await burst(WARM);
      await page.locator('.hl-keyword').first().waitFor();
      await page.locator('mark').first().waitFor();
      await page.evaluate(`hear({ type: 'reset', runId: 'run' }), drawnFrame()`);
    },
    async measure(work) {
      const before = await spentOf(client);
      await work();
      const after = await spentOf(client);
      return { all: after.all - before.all, script: after.script - before.script };
    },
    close: () => context.close(),
  };
}

async function spentOf(client: CDPSession): Promise<Spent> {
  const { metrics } = await client.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { all: of('TaskDuration'), script: of('ScriptDuration') };
}
