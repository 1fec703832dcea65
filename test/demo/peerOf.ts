import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Surroundings } from '../../src/demo/peer.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** A demo agent in memory, without waits, in a folder of its own. */
export interface Peer {
  readonly folder: string;
  /** Every line that the agent has written. */
  readonly lines: WireObject[];
  readonly exits: number[];
  send(object: object): void;
  /** The first line, old or new, that fits; each line is given once. */
  next(fits: (line: WireObject) => boolean): Promise<WireObject>;
  write(relative: string, text: string): void;
  read(relative: string): string | null;
  /** Ends the agent's input. */
  end(): void;
  remove(): void;
}

export function peerOf(
  run: (surroundings: Surroundings) => void,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Peer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-demo-test-'));
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: WireObject[] = [];
  const taken = new Set<WireObject>();
  const exits: number[] = [];
  let waiting: (() => void)[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const value: unknown = JSON.parse(part);
      if (!isWireObject(value)) throw new Error(`not an object: ${part}`);
      lines.push(value);
    }
    const wake = waiting;
    waiting = [];
    for (const one of wake) one();
  });
  run({
    input,
    output,
    folder,
    args,
    env: { CGLOOP_DEMO_SPEED: '0', ...env },
    exit: (code) => {
      exits.push(code);
    },
  });
  return {
    folder,
    lines,
    exits,
    send: (object) => void input.write(`${JSON.stringify(object)}\n`),
    async next(fits) {
      for (;;) {
        const line = lines.find((one) => !taken.has(one) && fits(one));
        if (line !== undefined) {
          taken.add(line);
          return line;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    write(relative, text) {
      fs.mkdirSync(path.dirname(path.join(folder, relative)), { recursive: true });
      fs.writeFileSync(path.join(folder, relative), text);
    },
    read(relative) {
      const file = path.join(folder, relative);
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
    },
    end: () => void input.end(),
    remove: () => fs.rmSync(folder, { recursive: true }),
  };
}

/** The value at a path of field names; undefined where there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isWireObject(inner) ? inner[name] : undefined), value);
}
