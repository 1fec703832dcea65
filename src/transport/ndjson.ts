import { StringDecoder } from 'node:string_decoder';
import { isWireObject } from '../protocol/parseWire.ts';
import type { WireObject } from '../shared/wire.ts';

/** What is wrong with a line; `text` is its beginning, bounded. None of them ends the stream. */
export interface LineDiagnostic {
  readonly code: 'noise' | 'notObject' | 'truncatedEof' | 'lineTooLong' | 'invalid';
  readonly text: string;
}

export interface LineHandlers {
  /** One line without its line end, never blank. `terminated` is false for a last line that had no LF. */
  readonly onLine: (text: string, terminated: boolean) => void;
  readonly onDiagnostic: (diagnostic: LineDiagnostic) => void;
}

export interface ObjectHandlers {
  /** One JSON object, as it stood on the line. */
  readonly onObject: (object: WireObject) => void;
  readonly onDiagnostic: (diagnostic: LineDiagnostic) => void;
}

/** Takes the bytes of one stream, cut anywhere. `end` is to be called once, after the last byte. */
export interface ByteSink {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Characters (UTF-16) of one line before it is given up: 64 Mi. Lines of 5 MB have been seen (sj-11-huge). */
export const LINE_LIMIT = 64 * 1024 * 1024;

/**
 * Levels of one value inside another. `JSON.parse` reads any number, but what walks over a value afterwards, such as
 * `JSON.stringify` and the schemas, runs out of stack at some thousand, and takes the program with it.
 */
const DEPTH_LIMIT = 500;

const SAMPLE = 200;

/** Lines of one kind that a stream is complained of: some programs print their log there, for hours. */
const TOLD_LIMIT = 20;

/**
 * Splits bytes into lines at LF only (U+2028 and U+0085 are ordinary characters), dropping one CR before it, white
 * space around it, a BOM, terminal sequences and NUL padding. Each byte is looked at a bounded number of times, however
 * it is chunked. A line over `limit` characters is dropped with a diagnostic, and reading goes on after its LF.
 */
export function createLineSplitter(handlers: LineHandlers, limit: number = LINE_LIMIT): ByteSink {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let size = 0;
  let skipping = false;

  const add = (piece: string): void => {
    size += piece.length;
    if (skipping) return;
    parts.push(piece);
    if (size <= limit) return;
    const start = (parts[0] ?? piece).slice(0, SAMPLE);
    handlers.onDiagnostic({ code: 'lineTooLong', text: `${start}… (over ${limit} characters)` });
    skipping = true;
    parts = [];
  };

  const finish = (terminated: boolean): void => {
    const first = parts[0];
    const line = parts.length === 1 && first !== undefined ? first : parts.join('');
    parts = [];
    size = 0;
    if (skipping) {
      skipping = false;
      return;
    }
    const text = withoutPadding(line);
    if (text !== '') handlers.onLine(text, terminated);
  };

  const take = (text: string): void => {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      if (at > from) add(text.slice(from, at));
      finish(true);
      from = at + 1;
    }
    if (from < text.length) add(from === 0 ? text : text.slice(from));
  };

  return {
    push: (chunk) => take(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
    end() {
      take(decoder.end());
      if (size > 0) finish(false);
    },
  };
}

/**
 * Reads one JSON object a line: what all three wires are made of. One `JSON.parse` a line. One that is too deep is
 * dropped. Of lines that are none, the first of each kind are told.
 */
export function createObjectParser(handlers: ObjectHandlers, limit: number = LINE_LIMIT): ByteSink {
  const told = new Map<LineDiagnostic['code'], number>();
  const onDiagnostic = ({ code, text }: LineDiagnostic): void => {
    const count = (told.get(code) ?? 0) + 1;
    told.set(code, count);
    if (count > TOLD_LIMIT) return;
    handlers.onDiagnostic({ code, text: count < TOLD_LIMIT ? text : `${text} (more lines like this are not told)` });
  };
  const onLine = (text: string, terminated: boolean): void => {
    const value = parseJson(text);
    if (value === undefined) {
      onDiagnostic({ code: terminated ? 'noise' : 'truncatedEof', text: sample(text) });
    } else if (text.length > 2 * DEPTH_LIMIT && isTooDeep(value)) {
      onDiagnostic({ code: 'invalid', text: `${sample(text)} (over ${DEPTH_LIMIT} levels deep)` });
    } else if (isWireObject(value)) {
      handlers.onObject(value);
    } else {
      onDiagnostic({ code: 'notObject', text: sample(text) });
    }
  };
  return createLineSplitter({ onLine, onDiagnostic }, limit);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= DEPTH_LIMIT; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function sample(text: string): string {
  return text.length > SAMPLE ? `${text.slice(0, SAMPLE)}… (${text.length} characters)` : text;
}

/** CSI; OSC, DCS, SOS, PM and APC with their end; character sets; single-character escapes. */
const TERMINAL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are made of control characters
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]|[0-9=>A-OQ-WYZ\\`a-z])/g;

/** A raw ESC or NUL is illegal inside JSON, so this cannot damage a message. */
function withoutPadding(line: string): string {
  if (line.startsWith('{') && line.endsWith('}') && !line.includes('\x1b')) return line;
  const plain = line.includes('\x1b') ? line.replace(TERMINAL_SEQUENCE, '') : line;
  // By hand: an expression for white space at the end takes quadratic time on long runs in the middle.
  let from = 0;
  let to = plain.length;
  while (from < to && isPadding(plain.charCodeAt(from))) from++;
  while (to > from && isPadding(plain.charCodeAt(to - 1))) to--;
  return plain.slice(from, to);
}

/** NUL, BOM, and what JSON calls white space. */
function isPadding(code: number): boolean {
  return code === 0 || code === 0xfeff || code === 0x20 || code === 0x09 || code === 0x0d;
}
