import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from './browser.ts';
import type { Server } from './server.ts';

/** What a window opens. At most one of `folder` and `workspace`; neither gives an empty window. */
export interface Where {
  readonly folder?: string | undefined;
  /** A `.code-workspace` file. */
  readonly workspace?: string | undefined;
  /** Extension folders to load for development; needs a server with `driver`. */
  readonly develop?: readonly string[];
  /** Module with `run()` for the extension host. Without `develop` VS Code ignores it. */
  readonly tests?: string | undefined;
}

export interface WindowOptions extends Where {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Of VS Code and its extensions, such as `zh-cn`. VS Code's own words stay English: no language pack is installed. */
  readonly language?: string | undefined;
  /** What the workbench logs to its console, unformatted. */
  readonly onConsole?: (type: string, args: unknown[]) => void;
}

/** How the extension host ended its tests. Code 70: the page crashed; 71: it was closed. */
export interface TestExit {
  readonly code: number;
  /** VS Code's own log files. */
  readonly logs: readonly { readonly relativePath: string; readonly contents: string }[];
  readonly reason?: string;
}

export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly exit: Promise<TestExit>;
}

/** A headless Chromium that reaches this machine only, whatever a page asks for. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureBrowser(),
    timeout: 120_000,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

/** The address of a window on `server`, with its token. */
export function windowUrl(server: Pick<Server, 'port' | 'token'>, where: Where = {}): string {
  const uri = (file: string) => `vscode-remote://127.0.0.1:${server.port}${encodeURI(path.resolve(file))}`;
  const payload = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
    ...(where.develop ?? []).map((folder) => ['extensionDevelopmentPath', uri(folder)]),
    ...(where.tests ? [['extensionTestsPath', uri(where.tests)]] : []),
  ];
  const query = new URLSearchParams({ tkn: server.token });
  if (where.workspace) query.set('workspace', path.resolve(where.workspace));
  else if (where.folder) query.set('folder', path.resolve(where.folder));
  else query.set('ew', 'true');
  query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${server.port}/?${query}`;
}

/** Opens a window and waits for its workbench. `exit` settles when the tests ran or the page is gone. */
export async function openWindow(server: Server, browser: Browser, options: WindowOptions = {}): Promise<Window> {
  const { viewport = { width: 1280, height: 800 }, onConsole, language, ...where } = options;
  const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
  // VS Code's messages say in which language they are, by this very name.
  if (language !== undefined)
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)}`);
  context.setDefaultTimeout(60_000);
  context.setDefaultNavigationTimeout(120_000);
  const page = await context.newPage();
  const exit = new Promise<TestExit>((resolve) => {
    page.on('crash', () => resolve({ code: 70, logs: [], reason: 'the browser page crashed' }));
    page.on('close', () => resolve({ code: 71, logs: [], reason: 'the browser page was closed' }));
    // The workbench calls these two when the page has them; VS Code's own browser tests use the same pair.
    void page.exposeFunction('codeAutomationExit', (code: number, logs: TestExit['logs']) => resolve({ code, logs }));
    void page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => onConsole?.(type, args));
  });
  await page.goto(windowUrl(server, where));
  await page.locator('.monaco-workbench').waitFor();
  return { page, context, exit };
}
