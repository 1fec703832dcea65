import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, parseArgs } from 'node:util';
import { type Server, serverCli, startServer } from './server.ts';
import { launchBrowser, openWindow, type TestExit, type Window } from './window.ts';

// Runs the tests of `--extensionTestsPath` in the npm-made VS Code and exits as desktop VS Code would.
// VSCODE_TEST_TIMEOUT: seconds (300). VSCODE_TEST_ARTIFACTS: folder for a picture and all logs of a failed run.

const { values: flags, positionals } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string', multiple: true },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'install-extension': { type: 'string', multiple: true },
    'list-extensions': { type: 'boolean' },
    version: { type: 'boolean' },
    verbose: { type: 'boolean' },
    'disable-workspace-trust': { type: 'boolean' },
  },
});

const localPath = (name: string) => (name.startsWith('file:') ? fileURLToPath(name) : name);
const text = (value: unknown) => (typeof value === 'string' ? localPath(value) : undefined);
const texts = (value: unknown) => (Array.isArray(value) ? value.flatMap((each) => text(each) ?? []) : []);
const dataFolder = text(flags['user-data-dir']);
const extensionsFolder = text(flags['extensions-dir']);

/** The command line that ends without a window; null when a window is asked for. */
function commandLine(): string[] | null {
  const args = texts(flags['install-extension']).map((file) => `--install-extension=${file}`);
  if (flags['list-extensions']) args.push('--list-extensions');
  if (flags.version) args.push('--version');
  if (args.length === 0) return null;
  if (dataFolder) args.push('--server-data-dir', dataFolder);
  if (extensionsFolder) args.push('--extensions-dir', extensionsFolder);
  return args;
}

/** Passes on what the tests append to `file`, in order and complete up to a crash; `stop` passes on the rest. */
function follow(file: string): { stop(): void } {
  fs.writeFileSync(file, '');
  const from = fs.openSync(file, 'r');
  const buffer = Buffer.alloc(65_536);
  const pass = () => {
    for (let n = fs.readSync(from, buffer); n > 0; n = fs.readSync(from, buffer)) fs.writeSync(1, buffer, 0, n);
  };
  const timer = setInterval(pass, 100);
  return {
    stop() {
      clearInterval(timer);
      pass();
      fs.closeSync(from);
    },
  };
}

function saveArtifacts(folder: string, result: TestExit, server: Server, workbenchLog: readonly string[]): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const { relativePath, contents } of result.logs) {
    fs.writeFileSync(path.join(folder, relativePath.replaceAll(/[^\w.-]+/g, '_')), contents);
  }
  fs.writeFileSync(path.join(folder, 'server.log'), server.log());
  fs.writeFileSync(path.join(folder, 'workbench.log'), workbenchLog.join('\n'));
}

async function runWindow(): Promise<number> {
  const seconds = Number(process.env.VSCODE_TEST_TIMEOUT ?? 300);
  const artifacts = process.env.VSCODE_TEST_ARTIFACTS;
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-out-'));
  const output = follow(path.join(scratch, 'output'));
  const workbenchLog: string[] = [];
  const verbose = flags.verbose === true;
  const server = await startServer({
    dataFolder,
    extensionsFolder,
    driver: true,
    trustAll: flags['disable-workspace-trust'] === true,
    env: { ...process.env, HOST_TEST_OUTPUT: path.join(scratch, 'output') },
    onLog: (line) => {
      if (verbose) process.stderr.write(`[server] ${line}\n`);
    },
  });
  const browser = await launchBrowser();
  const open = text(positionals[0]);
  let window: Window | null = null;
  let result: TestExit;
  try {
    window = await openWindow(server, browser, {
      ...(open?.endsWith('.code-workspace') ? { workspace: open } : { folder: open }),
      develop: texts(flags.extensionDevelopmentPath),
      tests: text(flags.extensionTestsPath),
      onConsole: (type, args) => {
        const line = `${type}: ${format(...args)}`;
        workbenchLog.push(line);
        if (verbose) process.stderr.write(`[workbench] ${line}\n`);
      },
    });
    const late = new Promise<TestExit>((resolve) => {
      const reason = `no result after ${seconds} s (VSCODE_TEST_TIMEOUT)`;
      setTimeout(() => resolve({ code: 124, logs: [], reason }), seconds * 1000).unref();
    });
    result = await Promise.race([window.exit, late]);
  } catch (error) {
    result = { code: 1, logs: [], reason: String(error) };
  }
  output.stop();
  if (result.reason) console.error(`VS Code: ${result.reason}`);
  if (result.code !== 0 && artifacts) {
    saveArtifacts(artifacts, result, server, workbenchLog);
    const picture = { path: path.join(artifacts, 'host.png'), timeout: 10_000 };
    await window?.page.screenshot(picture).catch((error) => console.error(`No picture of the window: ${error}`));
  }
  await browser.close();
  await server.stop();
  fs.rmSync(scratch, { recursive: true, force: true });
  return result.code;
}

const cli = commandLine();
if (cli) {
  const run = serverCli(cli);
  process.stdout.write(run.stdout);
  process.stderr.write(run.stderr);
  process.exit(run.status);
}
process.exit(await runWindow());
