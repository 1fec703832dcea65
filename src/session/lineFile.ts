import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import { errorText, isMissing } from '../shared/errors.ts';

/** A small file of the person's own: a header, then one JSON value a line. Several programs may add to it at once. */
export interface LineFormat<S extends z.ZodType> {
  /** Of version 1. */
  readonly format: string;
  readonly schema: S;
}

/** The file is there and cannot be read; `problem` says where. */
export class LineFileError extends Error {
  readonly file: string;
  readonly problem: string;
  constructor(file: string, problem: string) {
    super(`${file} cannot be read: ${problem}`);
    this.name = 'LineFileError';
    this.file = file;
    this.problem = problem;
  }
}

/** The values of the file; none where there is no file. Rejects with `LineFileError`. */
export async function readLines<S extends z.ZodType>(
  file: string,
  { format, schema }: LineFormat<S>,
): Promise<readonly z.output<S>[]> {
  let text: string;
  try {
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return [];
    throw new LineFileError(file, errorText(error));
  }
  // What follows the last line feed was never finished, so nobody was told that it is stored.
  const [header = '', ...lines] = text.split('\n').slice(0, -1);
  if (text !== '') parse(z.object({ format: z.literal(format), version: z.literal(1) }), header, file, 1);
  return lines.map((line, index) => parse(schema, line, file, index + 2));
}

/** Adds one value, in a file that only its owner reads. */
export async function addLine(file: string, { format }: LineFormat<z.ZodType>, value: object): Promise<void> {
  await begin(file, format);
  const bytes = await fs.readFile(file);
  const whole = bytes.lastIndexOf(10) + 1;
  // A line that was torn would take this one with it, and the file could not be read any more. One that grows is being written.
  const isTorn = whole < bytes.length && (await fs.stat(file)).size === bytes.length;
  if (isTorn) await fs.truncate(file, whole);
  await fs.appendFile(file, whole === 0 ? headerOf(format) + lineOf(value) : lineOf(value));
}

let drafts = 0;

/** Makes the file with its header where there is none: nobody ever sees it without. */
async function begin(file: string, format: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  if ((await fs.stat(file).catch(() => null)) !== null) return;
  const draft = `${file}.${process.pid}-${++drafts}.draft`;
  try {
    await fs.writeFile(draft, headerOf(format), { mode: 0o600 });
    await fs.link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await fs.rm(draft, { force: true });
  }
}

/** Replaces the values as a whole. */
export async function writeLines(
  file: string,
  { format }: LineFormat<z.ZodType>,
  values: readonly object[],
): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  await fs.writeFile(draft, headerOf(format) + values.map(lineOf).join(''), { mode: 0o600 });
  await fs.rename(draft, file);
}

function headerOf(format: string): string {
  return lineOf({ format, version: 1 });
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function parse<S extends z.ZodType>(schema: S, line: string, file: string, number: number): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineFileError(file, `line ${number} is no JSON.`);
  }
  const parsed = parseWire(schema, null, value);
  if (parsed.type === 'known') return parsed.value;
  throw new LineFileError(file, `line ${number}: ${parsed.type === 'invalid' ? parsed.problem : parsed.variant}`);
}
