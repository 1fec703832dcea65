/**
 * Installs the two real command line tools that the end-to-end tests drive, once a machine, outside git.
 *
 * Claude Code is proprietary and about 245 MB large: it comes from the npm registry to this machine under its own
 * terms and is never part of this repository or of anything shipped. `CGLOOP_SKIP_REAL_CLIS=1` leaves all of it out.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);
const PINS = fileURLToPath(new URL('./clis', import.meta.url));
const CLAUDE_PACKAGE = '@anthropic-ai/claude-code';
const GEMINI_PACKAGE = '@google/gemini-cli';
const HOURS_UNTIL_ABANDONED = 2;

/** The installed programs, absolute paths. `gemini` is a script that Node runs. */
export interface InstalledClis {
  readonly folder: string;
  readonly claude: string;
  readonly gemini: string;
  readonly versions: { readonly claude: string; readonly gemini: string };
}

/** Whether the person chose to leave the real CLIs out. */
export function skipsRealClis(): boolean {
  return process.env.CGLOOP_SKIP_REAL_CLIS === '1';
}

/**
 * Gives the pinned CLIs, installing them first where they are missing (about 330 MB; needs the npm registry).
 * Safe for parallel callers: each installs into a folder of its own, the first to finish gives it the final name.
 * Rejects when npm fails or when a program does not tell the pinned version.
 */
export async function installClis(say: (line: string) => void = () => {}): Promise<InstalledClis> {
  const target = await targetFolder();
  if (!(await exists(target))) await installInto(target, say);
  return locate(target);
}

async function targetFolder(): Promise<string> {
  const chosen = process.env.CGLOOP_CLIS_DIR;
  return chosen ? path.resolve(chosen) : pinnedFolder(PINS, 'clis');
}

/** Where the packages of a lock file are installed: another lock, another folder. */
export async function pinnedFolder(pins: string, name: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(path.join(pins, 'package-lock.json')))
    .digest('hex');
  return path.join(homedir(), '.cache', 'cgloop-test', `${name}-${hash.slice(0, 16)}`);
}

async function installInto(target: string, say: (line: string) => void): Promise<void> {
  say(`Installing ${CLAUDE_PACKAGE} (proprietary, about 245 MB, under Anthropic's terms) and ${GEMINI_PACKAGE}`);
  say(`into ${target}; CGLOOP_SKIP_REAL_CLIS=1 leaves them and their tests out.`);
  await installPinned(PINS, target, '--include=optional', async (folder) => {
    const clis = await locate(folder);
    await expectVersion(clis.versions.claude, clis.claude, ['--version']);
    await expectVersion(clis.versions.gemini, process.execPath, [clis.gemini, '--version']);
    await writeFile(path.join(folder, 'INSTALLED'), `${clis.versions.claude} ${clis.versions.gemini}\n`);
  });
}

/** Installs what `pins` locks; `check` rejects an installation that is of no use, before it gets its final name. */
export async function installPinned(
  pins: string,
  target: string,
  optional: '--include=optional' | '--omit=optional',
  check: (folder: string) => Promise<void>,
): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  await removeAbandoned(target);
  const partial = `${target}.partial-${randomUUID()}`;
  try {
    await cp(pins, partial, { recursive: true });
    await npmCi(partial, optional);
    await check(partial);
    await rename(partial, target).catch(async (error) => {
      // Another caller was first: its folder is as good as ours.
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Install scripts are left out: many machines block them, and neither tool needs its own. Claude Code's script only
 * copies the program of the platform's optional package, which is run from where it lies instead.
 */
async function npmCi(folder: string, optional: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', optional, '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await run(command, [...first, ...args], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
}

/** What a run that was killed left behind, once it is too old to be still at work. */
async function removeAbandoned(target: string): Promise<void> {
  const parent = path.dirname(target);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${path.basename(target)}.partial-`)) continue;
    const folder = path.join(parent, name);
    const age = Date.now() - (await stat(folder)).mtimeMs;
    if (age > HOURS_UNTIL_ABANDONED * 3_600_000) await rm(folder, { recursive: true, force: true });
  }
}

const manifest = z.looseObject({
  version: z.string(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

async function readManifest(folder: string, name: string) {
  return manifest.parse(JSON.parse(await readFile(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')));
}

async function locate(folder: string): Promise<InstalledClis> {
  const claude = await readManifest(folder, CLAUDE_PACKAGE);
  const gemini = await readManifest(folder, GEMINI_PACKAGE);
  return {
    folder,
    claude: await claudeProgram(folder, Object.keys(claude.optionalDependencies ?? {})),
    gemini: path.join(folder, 'node_modules', GEMINI_PACKAGE, 'bundle', 'gemini.js'),
    versions: { claude: claude.version, gemini: gemini.version },
  };
}

async function claudeProgram(folder: string, platformPackages: readonly string[]): Promise<string> {
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  for (const name of platformPackages) {
    const program = path.join(folder, 'node_modules', name, file);
    if (await exists(program)) return program;
  }
  throw new Error(
    `${folder} holds no Claude Code program for ${process.platform}-${process.arch}: npm left out its optional package. ` +
      'Remove the folder and install again, or set CGLOOP_SKIP_REAL_CLIS=1.',
  );
}

async function expectVersion(version: string, command: string, args: readonly string[]): Promise<void> {
  const started = run(command, [...args]);
  started.child.stdin?.end();
  const { stdout } = await started;
  if (!stdout.includes(version)) throw new Error(`${command} says "${stdout.trim()}" instead of version ${version}`);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (skipsRealClis()) console.log('CGLOOP_SKIP_REAL_CLIS=1: the real CLIs are left out.');
  else console.log(`Real CLIs: ${(await installClis(console.log)).folder}`);
}
