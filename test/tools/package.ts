import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';

const root = path.resolve(import.meta.dirname, '../..');

/** What the extension consists of besides its bundles; `.vscodeignore` says which of their files go along. */
const EXTENSION_FILES = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES',
  '.vscodeignore',
  'bin',
  'l10n',
  'media',
];
/** All of `cgloop` alone. */
const CLI_FILES = ['LICENSE', 'THIRD-PARTY-NOTICES', 'dist/cgloop.cjs', 'dist/demo-agents.cjs'];

/** What was made, each the absolute path of a file. */
export interface Packages {
  readonly vsix: string;
  /** `cgloop` alone, for `npm i -g`. */
  readonly tarball: string;
}

/** Where README's links lead once it is published; absent, they stay as they are and hold inside of VS Code. */
export interface Links {
  readonly baseContentUrl?: string;
  readonly baseImagesUrl?: string;
}

/**
 * Builds for production and packs both packages into `out` (absolute). Works in a temporary folder: `dist` and the checkout
 * stay as they are. Throws with the words of the tool that failed.
 */
export async function makePackages(out: string, links: Links = {}): Promise<Packages> {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const stage = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-package-'));
  try {
    fs.mkdirSync(out, { recursive: true });
    run('esbuild', process.execPath, ['esbuild.mjs', '--production', `--outdir=${path.join(stage, 'dist')}`], root);
    const vsix = path.join(out, `${manifest.name}-${manifest.version}.vsix`);
    await packExtension(stage, manifest, vsix, links);
    return { vsix, tarball: packCli(stage, manifest, out) };
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

async function packExtension(stage: string, manifest: Manifest, vsix: string, links: Links): Promise<void> {
  for (const name of [...EXTENSION_FILES, ...languageFiles()]) copy(root, stage, name);
  // What only a checkout needs. The bundles hold the dependencies.
  const { scripts: _, dependencies: __, devDependencies: ___, bin: ____, private: _____, ...shipped } = manifest;
  writeManifest(stage, shipped);
  await createVSIX({
    cwd: stage,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: links.baseContentUrl !== undefined,
    ...links,
  });
}

function packCli(stage: string, { version, license, engines, bin }: Manifest, out: string): string {
  const folder = path.join(stage, 'cgloop');
  for (const name of CLI_FILES) copy(fs.existsSync(path.join(stage, name)) ? stage : root, folder, name);
  fs.writeFileSync(path.join(folder, 'README.md'), CLI_README);
  const description =
    'One coding agent executes a task, another reviews it, round after round, until the review approves.';
  writeManifest(folder, { name: 'cgloop', version, description, license, engines: { node: engines.node }, bin });
  // npm is a script on Windows, which only a shell can start; both paths are ours.
  run(
    'npm pack',
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', JSON.stringify(out)],
    folder,
    true,
  );
  return path.join(out, `cgloop-${version}.tgz`);
}

interface Manifest {
  readonly [key: string]: unknown;
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
}

const CLI_README = `# cgloop

One coding agent executes your task, another reviews the work, round after round, until the review approves.

    npm i -g ./cgloop-*.tgz
    cgloop --help
    cgloop demo        # see it without any agent installed
`;

function languageFiles(): readonly string[] {
  return fs.readdirSync(root).filter((name) => /^package\.nls\..*json$/.test(name));
}

function copy(from: string, to: string, name: string): void {
  fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true });
}

function writeManifest(folder: string, manifest: Readonly<Record<string, unknown>>): void {
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function run(what: string, command: string, args: readonly string[], cwd: string, shell = false): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', shell });
  if (status !== 0) throw new Error(`${what} failed: ${error?.message ?? ''}${stdout}${stderr}`);
}
