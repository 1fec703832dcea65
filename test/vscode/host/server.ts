import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureHost } from './install.ts';

/** Settings that keep a test window quiet; those of a test go on top. */
const QUIET: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'window.autoDetectColorScheme': false,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'typescript.disableAutomaticTypeAcquisition': true, // else it asks a registry
};

export interface ServerOptions {
  /** Server's own folder (settings, extensions, logs). Default: a temporary one, removed by `stop`. */
  readonly dataFolder?: string | undefined;
  readonly extensionsFolder?: string | undefined;
  /** Default true: workspace trust is off. False: every new folder opens in restricted mode. */
  readonly trustAll?: boolean;
  /** Default false. True lets development extensions and tests load, but then VS Code shows no notification toasts. */
  readonly driver?: boolean;
  /** Extension folders to install as links; seen only by a new extensions folder. */
  readonly install?: readonly string[];
  /** Machine settings; application-scoped ones have no effect. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The whole environment of the server and its extension hosts. Default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly onLog?: (line: string) => void;
  /** Default true: SIGINT, SIGTERM and SIGHUP end this process. False: who starts the server listens, and stops it. */
  readonly endOnSignal?: boolean;
}

export interface Server {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  readonly dataFolder: string;
  /** Changes machine settings on disk; VS Code follows at once. */
  writeSettings(settings: Readonly<Record<string, unknown>>): void;
  /** The newest 200 kB that the server printed. */
  log(): string;
  /** Ends the server, its extension hosts, and removes what is temporary. */
  stop(): Promise<void>;
}

/** Runs the server's own command line, such as `--install-extension FILE`. */
export function serverCli(args: readonly string[]): { status: number; stdout: string; stderr: string } {
  const host = ensureHost();
  const run = spawnSync(host.node, [host.main, '--accept-server-license-terms', ...args], { encoding: 'utf8' });
  return { status: run.status ?? 1, stdout: run.stdout, stderr: run.stderr };
}

function linkExtension(from: string, extensionsFolder: string): void {
  const manifest: { publisher: string; name: string; version: string } = JSON.parse(
    fs.readFileSync(path.join(from, 'package.json'), 'utf8'),
  );
  fs.mkdirSync(extensionsFolder, { recursive: true });
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  fs.symlinkSync(path.resolve(from), path.join(extensionsFolder, name));
}

/** Starts VS Code's server on a free loopback port, behind a random token. Rejects with its log when it does not come up. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const host = ensureHost();
  const temporary = options.dataFolder === undefined;
  const dataFolder = options.dataFolder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'));
  const settingsFile = path.join(dataFolder, 'data/Machine/settings.json');
  let settings: Readonly<Record<string, unknown>> = { ...QUIET, ...options.settings };
  const writeSettings = (changed: Readonly<Record<string, unknown>>) => {
    settings = { ...settings, ...changed };
    fs.mkdirSync(path.dirname(settingsFile), { recursive: true });
    fs.writeFileSync(settingsFile, JSON.stringify(settings, null, 2));
  };
  if (!fs.existsSync(settingsFile)) writeSettings({});

  const extensionsFolder = options.extensionsFolder ?? path.join(dataFolder, 'extensions');
  for (const from of options.install ?? []) linkExtension(from, extensionsFolder);

  const token = randomBytes(16).toString('hex');
  const args = [host.main, '--host', '127.0.0.1', '--port', '0', '--connection-token', token];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off');
  args.push('--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder);
  if (options.driver ?? false) args.push('--enable-smoke-test-driver');
  if (options.trustAll ?? true) args.push('--disable-workspace-trust');
  // VS Code leaves its sockets behind, and their paths must be short.
  const sockets = fs.mkdtempSync(path.join(os.tmpdir(), 'vsc-'));
  const child = spawn(host.node, args, {
    // As VS Code's own command line says it: the environment is that of a shell already. Asking a login shell for it takes
    // seconds a window, and one that is killed in the middle may leave a lock behind over which the next ones wait.
    env: { ...(options.env ?? process.env), XDG_RUNTIME_DIR: sockets, VSCODE_CLI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`Could not start VS Code’s server: ${host.node}`);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // The whole process group: an extension host in an endless loop does not notice that its server is gone.
  const killNow = () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of it is gone already.
    }
    for (const folder of temporary ? [sockets, dataFolder] : [sockets]) {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const signals = options.endOnSignal === false ? [] : (['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
  const onSignal = (name: NodeJS.Signals) => process.exit(128 + os.constants.signals[name]);
  process.once('exit', killNow);
  for (const name of signals) process.once(name, onSignal);

  let log = '';
  const port = await new Promise<number>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`VS Code’s server is not up after 120 s:\n${log}`)), 120_000);
    const read = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-200_000);
      for (const line of chunk.toString().split('\n')) if (line.trim()) options.onLog?.(line);
      const up = /Extension host agent listening on (\d+)/.exec(log);
      if (!up) return;
      clearTimeout(limit);
      resolve(Number(up[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`VS Code’s server ended (${code}):\n${log}`)));
  });

  return {
    port,
    token,
    pid,
    dataFolder,
    writeSettings,
    log: () => log,
    async stop() {
      process.removeListener('exit', killNow);
      for (const name of signals) process.removeListener(name, onSignal);
      child.kill('SIGTERM');
      const limit = setTimeout(() => process.kill(-pid, 'SIGKILL'), 10_000);
      await exited;
      clearTimeout(limit);
      killNow();
    },
  };
}
