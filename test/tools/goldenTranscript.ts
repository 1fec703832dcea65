import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** Where the transcripts and their golden files stand, one folder an agent. */
export const TRANSCRIPTS = path.resolve(import.meta.dirname, '../transcripts');

const wire = z.custom<WireObject>(isWireObject);
const meta = z.object({
  protocol: z.enum(['acp', 'claude-stream-json', 'gemini-stream-json']),
  /** The command line; one string where the recorder kept one. */
  args: z.union([z.string(), z.array(z.string())]),
});

/** `in`: what the client of then wrote. `text` instead of `line`: a line that is no JSON object; `newline` false: cut. */
const record = z.discriminatedUnion('dir', [
  meta.extend({ dir: z.literal('meta') }),
  z.object({ dir: z.literal('in'), line: wire.optional(), text: z.string().optional() }),
  z.object({
    dir: z.literal('out'),
    line: wire.optional(),
    text: z.string().optional(),
    newline: z.literal(false).optional(),
  }),
  z.object({ dir: z.literal('err'), text: z.string() }),
  /** The client of then closed the agent's stdin. */
  z.object({ dir: z.literal('eof') }),
  z.object({
    dir: z.literal('exit'),
    code: z.number().nullable(),
    signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']).nullable(),
  }),
]);

/** One record and its line number in the file, from 1: what a golden line refers to. */
export type Row = z.output<typeof record> & { readonly number: number };

export interface Transcript {
  /** Such as `claude/10-persistent-three-turns`. */
  readonly name: string;
  readonly protocol: z.output<typeof meta>['protocol'];
  readonly args: readonly string[];
  readonly rows: readonly Row[];
}

/** Reads one transcript; its format is told in `test/transcripts/README.md`. */
export function readTranscript(name: string): Transcript {
  const text = readFileSync(path.join(TRANSCRIPTS, `${name}.jsonl`), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index): Row => ({ ...record.parse(JSON.parse(line)), number: index + 1 }));
  const [first] = rows;
  if (first?.dir !== 'meta') throw new Error(`${name} does not begin with its meta row`);
  const args = typeof first.args === 'string' ? first.args.split(' ') : first.args;
  return { name, protocol: first.protocol, args, rows };
}

/** Every file under the transcripts with this ending, without it, such as `claude/10-persistent-three-turns`. */
export function transcriptFiles(ending: string): readonly string[] {
  return readdirSync(TRANSCRIPTS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}
