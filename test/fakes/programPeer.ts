import { PassThrough } from 'node:stream';
import type { Child, ChildExit, ChildOptions } from '../../src/transport/childProcess.ts';

/** One start of a program inside the test: it prints what the test lets it print. */
export interface ProgramPeer extends Child {
  readonly options: ChildOptions;
  /** What was written to it so far. */
  input(): string;
  /** Settles with the whole input, once it is ended. */
  readonly inputEnded: Promise<string>;
  /** Prints objects, one a line. */
  print(...objects: readonly object[]): void;
  printRaw(text: string): void;
  exit(exit?: Partial<ChildExit>, stderr?: string): void;
  readonly stops: number;
}

/** Starts programs that the test plays; `next` settles with each start in turn. */
export function createProgramPeers(onStop: 'exit' | 'nothing' = 'exit'): {
  readonly spawn: (options: ChildOptions) => ProgramPeer;
  readonly started: readonly ProgramPeer[];
  next(): Promise<ProgramPeer>;
} {
  const started: ProgramPeer[] = [];
  const waiting: ((peer: ProgramPeer) => void)[] = [];
  let taken = 0;
  return {
    started,
    spawn(options) {
      const peer = createPeer(options, onStop);
      started.push(peer);
      const waiter = waiting.shift();
      if (waiter !== undefined) {
        taken++;
        waiter(peer);
      }
      return peer;
    },
    next() {
      const peer = started[taken];
      if (peer === undefined) return new Promise((resolve) => waiting.push(resolve));
      taken++;
      return Promise.resolve(peer);
    },
  };
}

function createPeer(options: ChildOptions, onStop: 'exit' | 'nothing'): ProgramPeer {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let input = '';
  let stderr = '';
  let stops = 0;
  let markExited: (exit: ChildExit) => void = () => undefined;
  const gone = new Promise<ChildExit>((resolve) => {
    markExited = resolve;
  });
  const read = new Promise<void>((resolve) => stdout.once('end', () => resolve()));
  const exited = gone.then(async (exit) => {
    await read;
    return exit;
  });
  const inputEnded = new Promise<string>((resolve) => stdin.once('end', () => resolve(input)));
  stdin.on('data', (bytes: Buffer) => {
    input += bytes.toString('utf8');
  });
  const peer: ProgramPeer = {
    pid: null,
    options,
    stdin,
    stdout,
    stderrTail: () => stderr,
    exited,
    inputEnded,
    input: () => input,
    print: (...objects) => {
      for (const object of objects) stdout.write(`${JSON.stringify(object)}\n`);
    },
    printRaw: (text) => {
      stdout.write(text);
    },
    exit: (exit = {}, text = '') => {
      stderr += text;
      stdout.end();
      markExited({ code: 0, signal: null, error: null, ...exit });
    },
    get stops() {
      return stops;
    },
    stop: () => {
      stops++;
      if (onStop === 'exit' && stops === 1) peer.exit({ code: null, signal: 'SIGTERM' });
      return exited;
    },
    kill: () => peer.exit({ code: null, signal: 'SIGKILL' }),
  };
  return peer;
}
