import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';

/** The version that this program writes. Older ones are read; newer ones are read as far as they are understood. */
export const LOG_VERSION = 1;

export const LOG_NAME = 'log.jsonl';

/** Claim file of the process that appends to the log. */
export const WRITER_NAME = 'writer.json';

const headerSchema = z.object({
  format: z.literal('cgloop-run'),
  version: z.int().positive(),
  product: z.object({ name: z.string(), version: z.string() }),
});

/** First line of a log. */
export type LogHeader = z.output<typeof headerSchema>;

/** Which program wrote the log, such as `{ name: 'cgloop', version: '0.1.0' }`. */
export type Product = LogHeader['product'];

/** The log is not one of ours, or not there. `message` names the file and the way out. */
export class LogError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LogError';
  }
}

export function headerLine(product: Product): string {
  const header: LogHeader = { format: 'cgloop-run', version: LOG_VERSION, product };
  return `${JSON.stringify(header)}\n`;
}

/** Throws `LogError` when the line is not a header. */
export function parseHeader(file: string, line: string): LogHeader {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = null;
  }
  const parsed = parseWire(headerSchema, null, value);
  if (parsed.type === 'known') return parsed.value;
  throw new LogError(`${file} is not the log of a run: its first line is not a cgloop-run header.`);
}
