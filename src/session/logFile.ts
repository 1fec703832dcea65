import fs from 'node:fs';
import path from 'node:path';
import { isWireObject } from '../protocol/parseWire.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { claimFile, type Owner, releaseFile } from '../workspace/claim.ts';
import { ownIdentity } from '../workspace/processIdentity.ts';
import { BODY_LIMIT, storeBody, takeOut } from './bodies.ts';
import { headerLine, LOG_NAME, LOG_VERSION, LogError, type Product, parseHeader, WRITER_NAME } from './logFormat.ts';

/** The one writer of a run's log. */
export interface LogFile {
  /**
   * Writes the event before it returns, so that a killed process loses nothing that it appended. Never throws: what a
   * full disk refuses is kept and tried again with the next event, in order.
   */
  append(event: LoopEvent): void;
  /** Tries once more what is missing, and lets go of the file. Safe more than once. Never rejects. */
  close(): Promise<void>;
}

export interface LogFileOptions {
  /** The run's folder; its name is the run's id. */
  readonly directory: string;
  readonly product: Product;
  /** Called once a run, at the first write that fails: what, where and the way out. */
  readonly onProblem: (message: string) => void;
  /** Says what `onProblem` is called with. Absent: in English. */
  readonly t?: Translate;
}

/**
 * Creates the run's folder and log (modes 0700 and 0600), or goes on with the log that is there: a torn last line is
 * then cut off. Rejects with `LogError` when another process writes it or a newer version wrote it.
 */
export async function openLogFile({ directory, product, onProblem, t = english }: LogFileOptions): Promise<LogFile> {
  await fs.promises.mkdir(directory, { recursive: true, mode: 0o700 });
  const claim = path.join(directory, WRITER_NAME);
  const owner: Owner = { ...(await ownIdentity()), runId: path.basename(directory), folder: directory };
  const other = await claimFile(claim, owner);
  if (other !== null) throw new LogError(`${directory} is being written by process ${other.pid}.`);
  const file = path.join(directory, LOG_NAME);
  let fd: number | null;
  try {
    fd = openForAppend(file, product);
  } catch (error) {
    await releaseFile(claim, owner);
    throw error;
  }

  /** What the disk has not taken yet, from the first missing byte on. */
  const missing: Buffer[] = [];
  let told = false;
  const failed = (error: unknown): void => {
    if (told) return;
    told = true;
    const why = errorText(error);
    onProblem(
      t(
        'The log of this run cannot be written: {0}. The run goes on, and writing is tried again with each event; free space or access at {1}.',
        why,
        directory,
      ),
    );
  };
  const flush = (): void => {
    try {
      for (let next = missing[0]; fd !== null && next !== undefined; next = missing[0]) {
        const written = fs.writeSync(fd, next);
        if (written < next.length) missing[0] = next.subarray(written);
        else missing.shift();
      }
    } catch (error) {
      failed(error);
    }
  };
  const store = (text: string): string | null => {
    try {
      return storeBody(directory, text);
    } catch (error) {
      failed(error);
      return null;
    }
  };

  return {
    append(event) {
      missing.push(Buffer.from(lineOf(event, store)));
      flush();
    },
    async close() {
      if (fd === null) return;
      flush();
      const closing = fd;
      fd = null;
      try {
        fs.fsyncSync(closing);
        fs.closeSync(closing);
        await releaseFile(claim, owner);
      } catch (error) {
        failed(error);
      }
    },
  };
}

function lineOf(event: LoopEvent, store: (text: string) => string | null): string {
  const line = JSON.stringify(event);
  // A line that is short as a whole holds no long string.
  if (line.length <= BODY_LIMIT) return `${line}\n`;
  const { value, bodies } = takeOut(event, store);
  return bodies.length > 0 && isWireObject(value) ? `${JSON.stringify({ ...value, bodies })}\n` : `${line}\n`;
}

function openForAppend(file: string, product: Product): number {
  const fd = fs.openSync(file, 'a+', 0o600);
  try {
    const whole = endOfLastLine(fd);
    if (whole === 0) {
      fs.ftruncateSync(fd, 0);
      fs.writeSync(fd, headerLine(product));
      return fd;
    }
    const { version, product: writer } = parseHeader(file, firstLine(fd));
    if (version > LOG_VERSION) {
      throw new LogError(`${file} was written by a newer ${writer.name} (${writer.version}): it can only be read.`);
    }
    fs.ftruncateSync(fd, whole);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Bytes up to and with the last line feed. */
function endOfLastLine(fd: number): number {
  const part = Buffer.alloc(64 * 1024);
  for (let end = fs.fstatSync(fd).size; end > 0; ) {
    const start = Math.max(0, end - part.length);
    const read = fs.readSync(fd, part, 0, end - start, start);
    const found = part.subarray(0, read).lastIndexOf(10);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

/** A header is short; a first line without an end in 64 kB is none. */
function firstLine(fd: number): string {
  const part = Buffer.alloc(64 * 1024);
  const read = fs.readSync(fd, part, 0, part.length, 0);
  return part.subarray(0, Math.max(0, part.subarray(0, read).indexOf(10))).toString('utf8');
}
