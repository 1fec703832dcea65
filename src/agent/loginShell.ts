import os from 'node:os';
import path from 'node:path';
import { childEnv } from '../transport/childEnv.ts';
import { runProgram } from '../transport/childProcess.ts';

/** What asking the login shell depends on. */
export interface LoginShellDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absolute; the shell's working folder, so that nothing of a repository is run. */
  readonly home: string;
  /** As the system's user record names it; null when it has none. */
  readonly userShell: string | null;
  readonly run: typeof runProgram;
  readonly timeoutMs: number;
}

const BEGIN = 'cgloop-path<';
const END = '>cgloop-path';

/**
 * `PATH` as the person's login shell sets it up (case C47: an editor started from a dock has a minimal one). Null: there
 * is no such shell, it took too long, or it did not say. Never rejects.
 */
export async function loginShellPath(deps: LoginShellDeps): Promise<string | null> {
  const { env, platform, home, userShell, run, timeoutMs } = deps;
  if (platform === 'win32') return null;
  const shell = [env.SHELL, userShell].find((one) => typeof one === 'string' && path.posix.isAbsolute(one));
  if (shell === undefined || shell === null) return null;
  const { stdout } = await run({
    command: shell,
    args: shellArgs(shell),
    cwd: home,
    // Some set-ups update themselves or open a terminal multiplexer in every interactive shell.
    env: childEnv(env, { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true', TERM: 'dumb' }),
    timeoutMs,
    maxBytes: 1024 * 1024,
  });
  return pathIn(stdout.toString('utf8'));
}

/**
 * The arguments that make a shell read its set-up, say `PATH` between marks, and end. The marks never stand whole in
 * them, so that a shell which echoes its command is not taken for one that ran it.
 */
export function shellArgs(shell: string): readonly string[] {
  const [head, tail] = [BEGIN.slice(0, 6), END.slice(0, 6)];
  const marked = (value: string): string =>
    `printf '%s%s%s%s%s' '${head}' '${BEGIN.slice(6)}' ${value} '${tail}' '${END.slice(6)}'`;
  switch (path.posix.basename(shell)) {
    case 'fish':
      // A list there, not a text.
      return ['-i', '-l', '-c', marked('(string join : -- $PATH)')];
    case 'csh':
    case 'tcsh':
      // `-l` must stand alone there; the set-up of every shell is read anyway.
      return ['-i', '-c', marked('"$PATH"')];
    case 'nu':
      return ['-i', '-l', '-c', `print -n ("${head}" + "${BEGIN.slice(6)}" + ($env.PATH | str join ":") + "${END}")`];
    case 'pwsh':
      return [
        '-Login',
        '-NoLogo',
        '-Command',
        `[Console]::Write('${head}' + '${BEGIN.slice(6)}' + $env:PATH + '${END}')`,
      ];
    default:
      return ['-i', '-l', '-c', marked('"$PATH"')];
  }
}

/** What stands between the last pair of marks, whatever a banner or a greeting said before; null without a pair. */
export function pathIn(output: string): string | null {
  const end = output.lastIndexOf(END);
  const begin = end < 0 ? -1 : output.lastIndexOf(BEGIN, end);
  if (begin < 0) return null;
  const value = output.slice(begin + BEGIN.length, end).trim();
  return value === '' ? null : value;
}

let asked: Promise<string | null> | null = null;

/** As this machine's login shell says it: asked once, for at most three seconds, and then known. */
export function machineLoginPath(): Promise<string | null> {
  asked ??= loginShellPath({
    env: process.env,
    platform: process.platform,
    home: os.homedir(),
    userShell: userShell(),
    run: runProgram,
    timeoutMs: 3_000,
  });
  return asked;
}

function userShell(): string | null {
  try {
    return os.userInfo().shell;
  } catch {
    // A user without a record, as in some containers.
    return null;
  }
}
