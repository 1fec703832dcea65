import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { GitError, git, gitEnv } from './git.ts';
import { IGNORED } from './ignoredFiles.ts';
import { isAlive } from './processIdentity.ts';

/** Whose checkpoints go: those of some runs, or of all but some. */
export type DroppedRuns = { readonly ids: readonly string[] } | { readonly allBut: readonly string[] };

/**
 * Takes the checkpoints of runs away, in the repository that a folder lies in and in its private one below `stateFolder`.
 * The folder need not be there any more. In the user's repository only refs go, and git's own housekeeping collects what
 * they held; a private repository without any ref left is deleted. Rejects with `GitError`; safe to be called again.
 */
export async function dropCheckpoints(options: {
  /** Absolute. */
  readonly folder: string;
  readonly stateFolder: string;
  readonly runs: DroppedRuns;
}): Promise<void> {
  const env = gitEnv(process.env);
  const of = (gitDir: string, args: readonly string[], input?: string): Promise<Buffer> =>
    git(['--git-dir', gitDir, '-c', 'core.hooksPath=/nonexistent', ...args], {
      cwd: gitDir,
      env,
      ...(input === undefined ? {} : { input: Buffer.from(input) }),
    });
  const drop = async (gitDir: string): Promise<number> => {
    const names = (await of(gitDir, ['for-each-ref', '--format=%(refname)', REFS])).toString('utf8').split('\n');
    const all = names.filter((name) => name !== '');
    const gone = all.filter((name) => isGone(name, options.runs));
    if (gone.length > 0) {
      await of(gitDir, ['update-ref', '--stdin'], gone.map((name) => `delete ${name}\n`).join(''));
    }
    return all.length - gone.length;
  };

  const user = await repositoryOf(options.folder, env);
  if (user !== null) await drop(user);
  for (const gitDir of await privateRepositories(options)) {
    const left = (await drop(gitDir)) + (await dropIgnored(gitDir, options.runs));
    if (await isInUse(gitDir)) continue;
    if (left === 0) await fs.rm(gitDir, { recursive: true, force: true, maxRetries: 3 });
    // Nobody else keeps anything in it, and git's housekeeping never comes there.
    else await of(gitDir, ['prune', '--expire=now']);
  }
}

/** The small ignored files that were kept beside the checkpoints; gives how many runs still have some. */
async function dropIgnored(gitDir: string, runs: DroppedRuns): Promise<number> {
  const folder = path.join(gitDir, IGNORED);
  const ids = await fs.readdir(folder).catch(() => []);
  const gone = ids.filter((id) => isGone(`${REFS}${id}/`, runs));
  for (const id of gone) await fs.rm(path.join(folder, id), { recursive: true, force: true, maxRetries: 3 });
  return ids.length - gone.length;
}

/**
 * Keeps a folder's private repository within `mostBytes`: the checkpoints of the oldest runs go first, those of `keep` never.
 * What lies in the user's repository is git's own housekeeping. Nobody may work with it meanwhile. Rejects with `GitError`.
 */
export async function trimCheckpoints(options: {
  /** Absolute. */
  readonly folder: string;
  readonly stateFolder: string;
  /** Id of a run. */
  readonly keep: string;
  readonly mostBytes: number;
}): Promise<void> {
  const env = gitEnv(process.env);
  for (const gitDir of await privateRepositories(options)) {
    const of = (args: readonly string[]) => git(['--git-dir', gitDir, ...args], { cwd: gitDir, env });
    const told = await of(['for-each-ref', '--sort=committerdate', '--format=%(refname)', REFS]);
    const ids = new Set(told.toString('utf8').split('\n').filter(Boolean).map(runOf));
    for (const id of ids) {
      // In kB; loose ones and packed ones.
      const sizes = [...(await of(['count-objects', '-v'])).toString('utf8').matchAll(/^size(?:-pack)?: (\d+)$/gm)];
      const bytes = sizes.reduce((sum, [, size]) => sum + Number(size) * 1024, 0);
      if (bytes <= options.mostBytes) break;
      if (id !== options.keep) await dropCheckpoints({ ...options, runs: { ids: [id] } });
    }
  }
}

const REFS = 'refs/cgloop/';

function runOf(ref: string): string {
  return ref.slice(REFS.length).split('/')[0] ?? '';
}

function isGone(ref: string, runs: DroppedRuns): boolean {
  const id = runOf(ref);
  return 'ids' in runs ? runs.ids.includes(id) : !runs.allBut.includes(id);
}

/** The git directory of the repository around the folder, or around what is left of the way to it. */
async function repositoryOf(folder: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  let cwd = folder;
  for (; !(await isFolder(cwd)); cwd = path.dirname(cwd)) if (cwd === path.dirname(cwd)) return null;
  try {
    const told = await git(['rev-parse', '--git-common-dir'], { cwd, env });
    return await fs.realpath(path.resolve(cwd, told.toString('utf8').replace(/\r?\n$/, '')));
  } catch (error) {
    if (error instanceof GitError && error.exit !== null) return null;
    throw error;
  }
}

/** Those that `openStore` may have made for the folder, in any object format. */
async function privateRepositories(options: { readonly folder: string; readonly stateFolder: string }) {
  const all = path.join(options.stateFolder, 'checkpoints');
  const names = await fs.readdir(all).catch(() => []);
  const key = createHash('sha256').update(options.folder).digest('hex').slice(0, 32);
  return names.filter((name) => name === key || name.startsWith(`${key}-`)).map((name) => path.join(all, name));
}

/** A process works with it: its name is on its scratch folder. */
async function isInUse(gitDir: string): Promise<boolean> {
  for (const name of await fs.readdir(gitDir)) {
    const [, pid] = /^scratch-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && (await isAlive({ pid: Number(pid), started: null }))) return true;
  }
  return false;
}

async function isFolder(file: string): Promise<boolean> {
  return fs.stat(file).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}
