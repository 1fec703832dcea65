import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

export interface TerminalOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A real terminal (util-linux `script`): both outputs then arrive as one, in `stdout`. */
  readonly tty?: boolean;
  /** What is written to stdin, which is then closed. Without it stdin is empty, or open on a terminal. */
  readonly input?: string;
  /** Leaves stdin open for `type` without a terminal. */
  readonly keepOpen?: boolean;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One program as a person runs it in a terminal. Texts come without colours. */
export interface Terminal {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /**
   * Settles when the pattern turns up in what comes after the last pattern seen; rejects with the whole output when the
   * program ends without it.
   */
  saw(pattern: string | RegExp): Promise<void>;
  type(keys: string): void;
  endInput(): void;
  /** Ctrl-C: a key on a terminal, SIGINT to the program otherwise. */
  interrupt(): void;
  readonly done: Promise<Finished>;
}

const BUNDLE = fileURLToPath(new URL('../../../dist/cgloop.cjs', import.meta.url));

/** Runs the built `cgloop` (`npm run build` first). */
export function runCgloop(args: readonly string[], options: TerminalOptions): Terminal {
  return startProgram(process.execPath, [BUNDLE, ...args], options);
}

export function startProgram(command: string, args: readonly string[], options: TerminalOptions): Terminal {
  const onTerminal = options.tty === true;
  const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = onTerminal
    ? spawn(
        'script',
        ['--quiet', '--flush', '--return', '--command', `exec ${line}`, '/dev/null'],
        spawnOptions(options),
      )
    : spawn(command, args, spawnOptions(options));
  const open = onTerminal || options.keepOpen === true;
  if (!open || options.input !== undefined) child.stdin.end(options.input ?? '');
  return watch(child, onTerminal);
}

function spawnOptions(options: TerminalOptions) {
  return { cwd: options.cwd, env: { ...options.env }, stdio: 'pipe' } as const;
}

function watch(child: ChildProcessWithoutNullStreams, onTerminal: boolean): Terminal {
  const text = { stdout: '', stderr: '', all: '' };
  const waiting = new Set<(ended: boolean) => void>();
  let seen = 0;
  let closed = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece;
      text.all += piece;
      for (const look of waiting) look(false);
    });
  }
  child.stdin.on('error', () => {});
  const plain = (raw: string) => stripVTControlCharacters(raw).replaceAll('\r\n', '\n');
  const done = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      closed = true;
      for (const look of waiting) look(true);
      resolve({ code, signal, stdout: plain(text.stdout), stderr: plain(text.stderr) });
    });
  });
  done.catch(() => {});
  return {
    pid: child.pid ?? -1,
    stdout: () => plain(text.stdout),
    stderr: () => plain(text.stderr),
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (ended: boolean) => {
          const fresh = plain(text.all).slice(seen);
          const at = typeof pattern === 'string' ? fresh.indexOf(pattern) : fresh.search(pattern);
          if (at >= 0) {
            seen += at + 1;
            waiting.delete(look);
            resolve();
          } else if (ended) {
            waiting.delete(look);
            reject(new Error(`the program ended without ${pattern}:\n${plain(text.all)}`));
          }
        };
        waiting.add(look);
        look(closed);
      }),
    type(keys) {
      child.stdin.write(keys);
    },
    endInput() {
      child.stdin.end();
    },
    interrupt() {
      if (onTerminal) child.stdin.write('\x03');
      else child.kill('SIGINT');
    },
    done,
  };
}
