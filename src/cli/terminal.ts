import type { Readable, Writable } from 'node:stream';

/** The terminal as the commands use it; `main` gives the process's own, tests give streams in memory. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How people call this program, such as `cgloop`. */
  readonly program: string;
  readonly now: () => number;
  /** Calls back on each SIGINT, SIGTERM and SIGHUP, with its name. Returns the way to stop. */
  readonly onSignal: (listener: (signal?: string) => void) => () => void;
  /** Ends the program at once, and with it every process of ours. */
  readonly exit: (code: number) => void;
}

/** Whether a person can be asked: keys come from one end and the question is seen at the other. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && terminal.stdin.setRawMode !== undefined;
}

/** The environment of a program that is given the terminal: the person's own, whole. */
export function environmentOf({ env }: Pick<Terminal, 'env'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
}

/** Width of a terminal; 80 for one that does not know its own and says 0. */
export function columnsOf({ columns }: { readonly columns?: number }): number {
  return columns === undefined || columns === 0 ? 80 : columns;
}

/**
 * Reads keys as they are pressed, unechoed, from now on: what is typed ahead is dropped rather than kept for a question
 * that has not been asked yet. Returns the way back to lines.
 */
export function readKeys({ stdin }: Terminal, onTyped: (typed: string) => void): () => void {
  const raw = (on: boolean) => stdin.setRawMode?.(on);
  const onData = (typed: string) => {
    if (typed === '\u001a') suspend(raw);
    else onTyped(typed);
  };
  raw(true);
  stdin.setEncoding('utf8');
  stdin.on('data', onData);
  // Reading may have been given up before: a stream that was paused stays so otherwise.
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    raw(false);
    stdin.pause();
  };
}

/** Ctrl-Z, which a terminal does not carry out while keys are read one by one. */
function suspend(raw: (on: boolean) => void): void {
  if (process.platform === 'win32') return;
  raw(false);
  process.once('SIGCONT', () => raw(true));
  process.kill(process.pid, 'SIGTSTP');
}

/**
 * A pipe that nobody reads any more, such as `| head`, is no reason to fail: what is written to it is dropped. So is what
 * cannot be written for another reason, such as a full disk, and `onLost` is told why, once: the run itself is not to end with it.
 */
export function watchOutputs(streams: readonly Writable[], onLost: (why: string) => void): void {
  let told = false;
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (told || error.code === 'EPIPE' || error.code === 'EIO') return;
      told = true;
      onLost(error.message);
    });
  }
}
