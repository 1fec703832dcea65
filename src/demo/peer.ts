import type { Readable, Writable } from 'node:stream';

/** One JSON object as it came over the wire. */
export type JsonObject = { readonly [key: string]: unknown };

/** What a demo agent lives in; the program gives its own, tests give streams in memory. */
export interface Surroundings {
  readonly input: Readable;
  readonly output: Writable;
  /** Absolute working folder. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program. */
  readonly exit: (code: number) => void;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of a field, empty when it holds none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Calls back for every line that is a JSON object, in order, and once at the end of the input. Other lines are passed over. */
export function readObjects(input: Readable, onObject: (object: JsonObject) => void, onEnd: () => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = parse(line);
      if (isObject(value)) onObject(value);
    }
  });
  input.on('end', onEnd);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Writes one object as one line. */
export function createSend(output: Writable): (object: object) => void {
  return (object) => output.write(`${JSON.stringify(object)}\n`);
}
