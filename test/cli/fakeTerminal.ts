import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/cli/terminal.ts';

/** A terminal in memory: `typed` reaches the program as keys, `out` and `err` hold what it has written. */
export interface FakeTerminal {
  readonly terminal: Terminal;
  readonly exits: number[];
  out(): string;
  err(): string;
  type(keys: string): void;
  signal(): void;
  /** Whether keys are read one by one. */
  isRaw(): boolean;
  /** Listeners for signals that are still there. */
  signalListeners(): number;
}

export function fakeTerminal(isTTY: boolean, outIsTTY = isTTY): FakeTerminal {
  const stdin = new PassThrough();
  let raw = false;
  const setRawMode = (on: boolean) => {
    raw = on;
  };
  const written = { out: '', err: '' };
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString('utf8')));
  stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString('utf8')));
  const listeners = new Set<() => void>();
  const exits: number[] = [];
  let now = 0;
  return {
    terminal: {
      stdin: Object.assign(stdin, isTTY ? { isTTY, setRawMode } : { isTTY }),
      stdout: Object.assign(stdout, { isTTY: outIsTTY }),
      stderr: Object.assign(stderr, { isTTY, columns: 80 }),
      env: { NO_COLOR: '1' },
      program: 'cgloop',
      // A second a look: no question is too fresh to be answered.
      now: () => (now += 1000),
      onSignal(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      exit: (code) => void exits.push(code),
    },
    exits,
    out: () => written.out,
    err: () => written.err,
    type: (keys) => void stdin.write(keys),
    signal: () => {
      for (const listener of [...listeners]) listener();
    },
    isRaw: () => raw,
    signalListeners: () => listeners.size,
  };
}

/** Lets everything that is ready to run do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
