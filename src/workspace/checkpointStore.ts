import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { GitError, git, gitEnv, NO_HOOKS } from './git.ts';
import { type GitSettings, gitSettings } from './gitSettings.ts';
import { createHeadReader } from './headReader.ts';
import { isInside } from './isInside.ts';
import { isAlive } from './processIdentity.ts';

/** Where one folder's checkpoints are kept, and git set up so that it keeps bytes and touches nothing of the user's. */
export interface CheckpointStore {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** The user's work tree when the folder lies in one that does not ignore it, else the folder. */
  readonly workTree: string;
  /** From the work tree to the folder with `/`: empty or with a `/` at the end. */
  readonly prefix: string;
  /** A private folder for the index and drafts, removed by `close`. */
  readonly scratch: string;
  /** The private index. */
  readonly index: string;
  /** Whether objects and refs lie in the user's repository. */
  readonly isShared: boolean;
  /** The user's repository, where objects and refs lie in it, is not there any more. */
  isGone(): Promise<boolean>;
  /** Commit that HEAD of the user's repository is at; null: there is none. */
  head(): Promise<string | null>;
  /** Of the user's repository; empty where there is none. */
  settings(): Promise<GitSettings>;
  /** The index of the user's own repository; null: there is none, or nobody can say. */
  readonly userIndex: string | null;
  /** Git on the private repository with its own index, in the folder: paths are relative to it. */
  own(args: readonly string[], options?: OwnOptions): Promise<Buffer>;
  /** Git on the repository that holds the refs: the user's where there is one. */
  refs(args: readonly string[], input?: Uint8Array): Promise<Buffer>;
  /** Git on the user's repository, as the user would run it, but for monitors and hooks. Null: there is none. */
  readonly user: ((args: readonly string[], options?: UserOptions) => Promise<Buffer>) | null;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface OwnOptions {
  readonly input?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly maxBytes?: number;
  readonly cutMark?: string;
}

export type UserOptions = Pick<OwnOptions, 'input' | 'env'>;

/**
 * Highest precedence of all attributes: no line ending, keyword, filter (LFS) or encoding is converted, so that a
 * checkpoint holds the bytes of the disk; and no file is hidden from a diff by `-diff`. The four with `!` take values,
 * and git refuses `-working-tree-encoding`.
 */
const ATTRIBUTES = '* -text -ident !crlf !eol !filter !working-tree-encoding !diff\n';

/** The user's settings that describe the disk, and who may read the objects. All others are shut out. */
const KEPT_SETTINGS = /^core\.(filemode|symlinks|ignorecase|precomposeunicode|sharedrepository)$/;

interface UserRepository {
  readonly workTree: string;
  readonly commonDir: string;
  /** Of this work tree alone: HEAD lies in it. */
  readonly gitDir: string;
  readonly objectFormat: string;
  readonly index: string;
}

/**
 * Opens the store of `folder`, which must exist. Objects and refs go into the user's repository, so that they are
 * shared and `git gc` keeps them; a folder without one, inside one that ignores it, or in one that git cannot open or
 * we cannot write, has a private bare repository under `stateFolder`. Rejects with `GitError`.
 */
export async function openStore(options: { folder: string; stateFolder: string }): Promise<CheckpointStore> {
  const folder = await fs.realpath(options.folder);
  const base = gitEnv(process.env);
  const ofUser = (args: readonly string[], cwd = folder, { env: extra, ...rest }: UserOptions = {}): Promise<Buffer> =>
    // Neither a monitor nor a hook of the repository is started, even before anybody trusted it.
    git(['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${NO_HOOKS}`, ...args], {
      cwd,
      env: { ...base, ...extra },
      ...rest,
    });

  const repository = await userRepository(folder, ofUser);
  const settings = await userSettings(folder, ofUser);
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const format = repository?.objectFormat ?? 'sha1';
  const stateFolder = await realFolder(options.stateFolder);
  const gitDir = path.join(stateFolder, 'checkpoints', format === 'sha1' ? key : `${key}-${format}`);
  await initialise(gitDir, format, base);

  const workTree = repository?.workTree ?? folder;
  const prefix = relativePosix(workTree, folder);
  const scratch = await fs.mkdtemp(path.join(gitDir, `${SCRATCH}${process.pid}-`));
  const empty = path.join(gitDir, 'empty');
  await settle(path.join(gitDir, 'info', 'attributes'), ATTRIBUTES, scratch);
  await settle(path.join(gitDir, 'info', 'exclude'), await excludes(repository, workTree, stateFolder), scratch);
  await settle(empty, '', scratch);
  const index = path.join(scratch, 'index');
  // What the last run hashed need not be hashed again. A link keeps the time of the file, by which git knows what it cannot
  // trust; git itself only ever replaces an index.
  const kept = path.join(gitDir, 'kept-index');
  await fs.link(kept, index).catch(() => undefined);

  const sealed = [
    ...['core.autocrlf=false', 'core.safecrlf=false', 'core.fsmonitor=false', 'core.untrackedCache=false'],
    ...['core.splitIndex=false', 'core.sparseCheckout=false', 'core.quotePath=false', 'core.logAllRefUpdates=false'],
    ...[`core.hooksPath=${NO_HOOKS}`, `core.attributesFile=${empty}`, 'gc.auto=0', 'maintenance.auto=false'],
    ...(process.platform === 'win32' ? ['core.longPaths=true'] : ['core.protectNTFS=false']),
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const env = {
    ...base,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: empty,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'cgloop',
    GIT_AUTHOR_EMAIL: 'cgloop@localhost',
    GIT_COMMITTER_NAME: 'cgloop',
    GIT_COMMITTER_EMAIL: 'cgloop@localhost',
  };
  const shared = repository !== null && (await isWritable(path.join(repository.commonDir, 'objects')));
  const ownEnv = {
    ...env,
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: index,
    ...(shared
      ? {
          GIT_OBJECT_DIRECTORY: path.join(repository.commonDir, 'objects'),
          // Checkpoints of before the folder became a repository.
          GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(path.join(gitDir, 'objects')),
        }
      : {}),
  };
  const refsEnv = { ...env, GIT_DIR: shared ? repository.commonDir : gitDir };

  return {
    folder,
    workTree,
    prefix,
    scratch,
    index,
    userIndex: repository?.index ?? null,
    isShared: shared,
    isGone: async () => shared && !existsSync(path.join(repository.commonDir, 'objects')),
    head: repository === null ? async () => null : createHeadReader(repository, (args) => ofUser(args)),
    settings: async () => (repository === null ? new Map() : gitSettings(repository)),
    own: (args, { env: extra, cwd, ...rest } = {}) =>
      git([...sealed, ...args], { cwd: cwd ?? folder, env: { ...ownEnv, ...extra }, ...rest }),
    refs: (args, input) =>
      git([...sealed, ...args], { cwd: gitDir, env: refsEnv, ...(input === undefined ? {} : { input }) }),
    user: repository === null ? null : (args, more) => ofUser(args, folder, more),
    async close() {
      await fs.rename(index, kept).catch(() => undefined);
      // What cannot be removed, such as a file that a scanner holds open, goes with the next start.
      await fs.rm(scratch, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    },
  };
}

const SCRATCH = 'scratch-';

type UserGit = (args: readonly string[], cwd?: string) => Promise<Buffer>;

async function userRepository(folder: string, ofUser: UserGit): Promise<UserRepository | null> {
  const ask = async (...question: readonly string[]): Promise<string> =>
    (await ofUser(['rev-parse', ...question])).toString('utf8').replace(/\r?\n$/, '');
  try {
    const workTree = await fs.realpath(await ask('--show-toplevel'));
    // A repository whose `core.worktree` points elsewhere, or one that ignores the folder, says nothing about it.
    if (workTree !== folder) {
      if (!isInside(folder, workTree)) return null;
      if (await isIgnored(path.relative(workTree, folder), workTree, ofUser)) return null;
    }
    const commonDir = await fs.realpath(path.resolve(folder, await ask('--git-common-dir')));
    const [objectFormat, index, gitDir] = await Promise.all([
      ask('--show-object-format'),
      ask('--git-path', 'index'),
      ask('--absolute-git-dir'),
    ]);
    return { workTree, commonDir, gitDir, objectFormat, index: path.resolve(folder, index) };
  } catch (error) {
    if (error instanceof GitError && error.exit !== null) return null;
    throw error;
  }
}

async function isIgnored(prefix: string, workTree: string, ofUser: UserGit): Promise<boolean> {
  try {
    await ofUser(['check-ignore', '--quiet', '--no-index', '--', `./${prefix}`], workTree);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exit === 1) return false;
    throw error;
  }
}

/** `name=value` of what is kept of the user's configuration of this folder. */
async function userSettings(folder: string, ofUser: UserGit): Promise<string[]> {
  const ask = async (args: readonly string[], cwd = folder): Promise<string[]> => {
    try {
      return (await ofUser(['config', '-z', ...args], cwd))
        .toString('utf8')
        .split('\0')
        .filter((entry) => entry !== '');
    } catch (error) {
      // 1: no such setting.
      if (error instanceof GitError && error.exit === 1) return [];
      // A `.git` that leads nowhere, as in the folder of a removed work tree: what the person set for all folders counts.
      const { root } = path.parse(folder);
      if (error instanceof GitError && error.exit !== null && cwd !== root) return ask(args, root);
      throw error;
    }
  };
  const [disk, excludesFile] = await Promise.all([
    ask(['--get-regexp', '^core\\.']),
    ask(['--type=path', '--get', 'core.excludesFile']),
  ]);
  const kept = disk.flatMap((entry) => {
    const [name = '', value] = entry.split('\n');
    return KEPT_SETTINGS.test(name) ? [value === undefined ? name : `${name}=${value}`] : [];
  });
  return [...kept, ...excludesFile.map((file) => `core.excludesFile=${file}`)];
}

async function initialise(gitDir: string, format: string, env: Readonly<Record<string, string>>): Promise<void> {
  await fs.mkdir(path.join(gitDir, 'info'), { recursive: true, mode: 0o700 });
  for (const name of await fs.readdir(gitDir)) {
    const pid = name.startsWith(SCRATCH) ? Number.parseInt(name.slice(SCRATCH.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || (await isAlive({ pid, started: null }))) continue;
    await fs.rm(path.join(gitDir, name), { recursive: true, force: true });
  }
  const formatted = format === 'sha1' ? [] : [`--object-format=${format}`];
  await git(['init', '--quiet', '--bare', '--template=', ...formatted, gitDir], { cwd: gitDir, env });
}

/** A file that another process may be reading is replaced, and only where it says something else. */
async function settle(file: string, text: string, scratch: string): Promise<void> {
  if ((await fs.readFile(file, 'utf8').catch(() => null)) === text) return;
  const draft = path.join(scratch, path.basename(file));
  await fs.writeFile(draft, text);
  await fs.rename(draft, file);
}

/** The repository's own excludes, and our state folder when it lies in the work tree. */
async function excludes(repository: UserRepository | null, workTree: string, stateFolder: string): Promise<string> {
  const file = repository && path.join(repository.commonDir, 'info', 'exclude');
  const ofUser = file === null ? '' : await fs.readFile(file, 'utf8').catch(() => '');
  if (!isInside(stateFolder, workTree)) return ofUser;
  const pattern = path
    .relative(workTree, stateFolder)
    .replaceAll(path.sep, '/')
    .replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `${ofUser}\n/${pattern}/\n`;
}

async function realFolder(folder: string): Promise<string> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  return fs.realpath(folder);
}

async function isWritable(folder: string): Promise<boolean> {
  return fs.access(folder, fs.constants.W_OK).then(
    () => true,
    () => false,
  );
}

function relativePosix(from: string, to: string): string {
  const relative = path.relative(from, to).replaceAll(path.sep, '/');
  return relative === '' ? '' : `${relative}/`;
}

/** A path in a list of paths, as git reads it: in C quotes. */
function quoted(file: string): string {
  return `"${(path.sep === '\\' ? file.replaceAll('\\', '/') : file).replaceAll(/[\\"]/g, '\\$&')}"`;
}
