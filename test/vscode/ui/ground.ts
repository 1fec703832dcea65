import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makePackages } from '../../tools/package.ts';
import { type Server, type ServerOptions, serverCli, startServer } from '../host/server.ts';
import { launchBrowser, openWindow, type Window } from '../host/window.ts';

export const root = path.resolve(import.meta.dirname, '../../..');
/** Where pictures and logs go; not in git. */
export const artifacts = path.join(root, 'test-artifacts');

let browser: Promise<Browser> | null = null;

/** The one browser of a mocha run, closed after its last suite. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser();
  return browser;
}

after(async () => {
  await (await browser)?.close();
});

export interface WorkbenchOptions {
  /** Whether the folder is trusted. Default true; false opens it in restricted mode. */
  readonly trusted?: boolean;
  /** Machine settings, or what gives them once the scratch folder exists. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The whole environment; reaches the extension host, and the agents as far as the extension lets it. */
  readonly env?: NodeJS.ProcessEnv;
  /** Fills the project folder before VS Code opens it. */
  readonly prepare?: (folder: string) => void;
  /** Default: English. */
  readonly language?: string | undefined;
  /** Name of a `.code-workspace` file in the project folder, to be opened in place of the folder. */
  readonly workspaceFile?: string;
  /** Code that comes before the page's own script, in a copy of the extension. */
  readonly beforePage?: string;
}

/** One workbench with the extension installed, on a project folder of its own. */
export interface Workbench {
  readonly page: Page;
  readonly window: Window;
  readonly server: Server;
  /** The project folder that is open; links resolved. */
  readonly folder: string;
  /** Where the extension keeps its runs. */
  readonly stateFolder: string;
  /** What the page and its webviews wrote to the console so far, each with its source. */
  readonly consoleMessages: readonly string[];
}

/** With `CGLOOP_VSIX=1`: the folder into which this mocha run has installed a freshly packed VSIX. */
let installed: Promise<string> | null = null;

after(async () => {
  if (installed !== null) fs.rmSync(await installed, { recursive: true, force: true, maxRetries: 5 });
});

/** The extension as the tests are to have it: what `npm run build` made, as a link, or with `CGLOOP_VSIX=1` the packed one. */
async function howInstalled(): Promise<Pick<ServerOptions, 'install' | 'extensionsFolder'>> {
  if (process.env.CGLOOP_VSIX === '1') {
    installed ??= installVsix();
    return { extensionsFolder: await installed };
  }
  if (!fs.existsSync(path.join(root, 'dist/extension.cjs'))) throw new Error('Nothing is built: run `npm run build`.');
  return { install: [root] };
}

/** A copy of that in `folder`, in which `code` comes before the page's own script. */
async function withCodeBeforePage(code: string, folder: string): Promise<Pick<ServerOptions, 'install'>> {
  const { install: [from] = [], extensionsFolder = '' } = await howInstalled();
  const packed = () => fs.readdirSync(extensionsFolder).find((name) => name.startsWith('cgloop.')) ?? '';
  const source = from ?? path.join(extensionsFolder, packed());
  for (const name of fs.readdirSync(source))
    if (/^package[\w.-]*json$|^(?:bin|dist|l10n|media)$/.test(name))
      fs.cpSync(path.join(source, name), path.join(folder, name), { recursive: true });
  const script = path.join(folder, 'dist/webview.js');
  fs.writeFileSync(script, `${code}\n${fs.readFileSync(script, 'utf8')}`);
  return { install: [folder] };
}

async function installVsix(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-vsix-'));
  const { vsix } = await makePackages(folder);
  const { status, stdout, stderr } = serverCli(['--install-extension', vsix, '--extensions-dir', folder]);
  if (status !== 0 || !/successfully installed/.test(stdout))
    throw new Error(`VS Code took no VSIX: ${stdout}${stderr}`);
  return folder;
}

/** Opens a workbench. `close` ends window and server and removes all folders. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench & { close(): Promise<void> }> {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-ui-')));
  const folder = path.join(scratch, 'project');
  const stateFolder = path.join(scratch, 'state');
  fs.mkdirSync(folder);
  options.prepare?.(folder);
  const { beforePage } = options;
  const extension =
    beforePage === undefined ? howInstalled() : withCodeBeforePage(beforePage, path.join(scratch, 'extension'));
  const server = await startServer({
    ...(await extension),
    trustAll: options.trusted ?? true,
    settings: options.settings ?? {},
    env: { ...(options.env ?? process.env), CGLOOP_HOME: stateFolder },
  });
  try {
    const { workspaceFile, language } = options;
    const where = workspaceFile === undefined ? { folder } : { workspace: path.join(folder, workspaceFile) };
    const window = await openWindow(server, await sharedBrowser(), { ...where, language });
    const consoleMessages: string[] = [];
    window.page.on('console', (message) => {
      consoleMessages.push(`${message.location().url}: ${message.text()}`);
    });
    return {
      page: window.page,
      window,
      server,
      folder,
      stateFolder,
      consoleMessages,
      async close() {
        await window.context.close();
        await server.stop();
        fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Inside a `describe`: one workbench for all its tests, which tell one story. A test that fails leaves a picture and the
 * server's log in `test-artifacts`, and the rest of the story is skipped.
 */
export function useWorkbench(options: WorkbenchOptions | (() => Promise<WorkbenchOptions>) = {}): () => Workbench {
  let open: Awaited<ReturnType<typeof openWorkbench>> | null = null;
  let broken = false;
  before(async () => {
    open = await openWorkbench(typeof options === 'function' ? await options() : options);
  });
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || !open) return;
    broken = true;
    const name = `failed-${this.currentTest.fullTitle().replace(/\W+/g, '-').slice(0, 80)}`;
    fs.mkdirSync(artifacts, { recursive: true });
    fs.writeFileSync(path.join(artifacts, `${name}.log`), open.server.log());
    await screenshot(open.page, name);
  });
  after(async () => {
    await open?.close();
  });
  return () => {
    if (!open) throw new Error('The workbench is open only inside tests and after hooks');
    return open;
  };
}

/** Saves a picture of the window as `test-artifacts/<name>.png`; returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const file = path.join(artifacts, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  return file;
}

/** Command lines of the living processes, VS Code's own left out, whose working folder is `folder` or below. */
export function processesIn(folder: string): string[] {
  return [...pidsIn(folder).values()];
}

/** The same by their pids. */
export function pidsIn(folder: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const cwd = fs.readlinkSync(`/proc/${pid}/cwd`);
      if (cwd !== folder && !cwd.startsWith(`${folder}/`)) continue;
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (!command.includes('code-server/lib/vscode')) found.set(Number(pid), command);
    } catch {
      // The process ended while we looked, or is a zombie without a folder.
    }
  }
  return found;
}

/** The living extension hosts of a server: one for each open window, and for a moment those that are about to end. */
export function extensionHosts({ pid: server }: Server): number[] {
  const isOne = (pid: string): boolean => {
    try {
      // A child that is just being started has the command line of its parent for a moment.
      const parent = fs
        .readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1];
      return parent === `${server}` && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=extensionHost');
    } catch {
      return false; // It ended while we looked.
    }
  };
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOne(name))
    .map(Number);
}

/** Waits until `test` holds, looking every 100 ms; rejects after `ms` with `what`. */
export async function until(what: string, test: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await test())) {
    if (performance.now() > end) throw new Error(`After ${ms / 1000} s, still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
