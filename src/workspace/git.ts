import fs from 'node:fs';
import path from 'node:path';
import { WordedError } from '../shared/errors.ts';
import type { Words } from '../shared/translate.ts';
import { childEnv } from '../transport/childEnv.ts';
import { runProgram } from '../transport/childProcess.ts';

/** Git failed, or is not there. `message` says what was tried, where, and git's own words or the way out. */
export class GitError extends WordedError {
  /** Null: it did not run to its end. */
  readonly exit: number | null;
  constructor(exit: number | null, words: Words) {
    super(words);
    this.name = 'GitError';
    this.exit = exit;
  }
}

export interface GitOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin. */
  readonly input?: Uint8Array;
  /** Bytes of output; longer output fails, unless there is a mark to end its beginning with. */
  readonly maxBytes?: number;
  readonly cutMark?: string;
}

/** Hashing a large folder for the first time takes its time; nothing here waits for a network or a person. */
const TIME_LIMIT_MS = 30 * 60 * 1000;
const MOST_BYTES = 1024 * 1024 * 1024;

/** Runs git to its end and gives its output. Rejects with `GitError` on every exit but 0. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { exit, stdout, stderr, stoppedBy } = await runProgram({
    command: gitCommand(options.env),
    args,
    cwd: options.cwd,
    env: options.env,
    timeoutMs: TIME_LIMIT_MS,
    maxBytes: options.maxBytes ?? MOST_BYTES,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  if (stoppedBy === 'size' && options.cutMark !== undefined) {
    return Buffer.concat([stdout, Buffer.from(options.cutMark)]);
  }
  if (exit.code === 0 && stoppedBy === null) return stdout;
  if (exit.error !== null && 'code' in exit.error && exit.error.code === 'ENOENT' && fs.existsSync(options.cwd)) {
    throw new GitError(null, GIT_MISSING);
  }
  const why =
    (stoppedBy && STOPPED[stoppedBy]) ?? exit.error?.message ?? (stderr.trim() || `exit ${exit.code ?? exit.signal}`);
  const lock = HELD.exec(why)?.[1];
  if (lock !== undefined) {
    throw new GitError(exit.code, (t) =>
      t(
        'Another git is at work in {0}. Wait until it has ended; when none is running, a git that crashed has left {1}: remove that file.',
        options.cwd,
        lock,
      ),
    );
  }
  throw new GitError(exit.code, (t) => t('git {0} in {1} failed: {2}', verb(args), options.cwd, why));
}

/** Git's own words for a lock that is held (lockfile.c). */
const HELD = /Unable to create '(.+?\.lock)': File exists/;

const STOPPED = { timeLimit: 'it took too long', size: 'its output is too long', signal: 'it was stopped' } as const;

/** A hooks folder that cannot exist. */
export const NO_HOOKS = path.join(path.parse(process.execPath).root, 'nonexistent', 'cgloop-hooks');

/**
 * Git on the user's repository around `cwd`, as the user would run it, but that neither a monitor nor a hook of the
 * repository is started, even before anybody trusted it. Rejects as `git` does.
 */
export function userGit(cwd: string, args: readonly string[], options: Omit<GitOptions, 'cwd' | 'env'> = {}) {
  const quiet = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${NO_HOOKS}`];
  return git([...quiet, ...args], { cwd, env: gitEnv(process.env), ...options });
}

/** What to say when there is no git. */
export const GIT_MISSING: Words = (t) =>
  t(
    'git was not found on PATH. It keeps the checkpoints that let a run be undone: install it from https://git-scm.com/downloads, then start again.',
  );

/** The environment of every git here: nothing of a git around us, no question, no lock that can wait, English words. */
export function gitEnv(base: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env = Object.entries(childEnv(base)).filter(([name]) => !/^(GIT_|SSH_ASKPASS)/i.test(name));
  return { ...Object.fromEntries(env), LC_ALL: 'C', LANGUAGE: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
}

/** Records that end in a zero byte, as `-z` gives and takes them, one character a byte: a path need not be UTF-8. */
export function splitZ(output: Buffer): string[] {
  const parts = output.toString('latin1').split('\0');
  parts.pop();
  return parts;
}

/** What `splitZ` takes apart. */
export function joinZ(records: readonly string[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');
}

/** A path of `splitZ` for people. */
export function shown(raw: string): string {
  return Buffer.from(raw, 'latin1').toString('utf8');
}

/** The first word that is not an option, for messages. */
function verb(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c');
  return args[at] ?? '';
}

/** On Windows a bare name is looked for in the working folder first, and there an agent may have put anything. */
function gitCommand(env: Readonly<Record<string, string>>): string {
  if (process.platform !== 'win32') return 'git';
  const search = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const found = search
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'git.exe'))
    .find((file) => fs.existsSync(file));
  if (found === undefined) throw new GitError(null, GIT_MISSING);
  return found;
}
