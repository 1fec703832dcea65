import fs from 'node:fs';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import type { AgentRef, Role } from '../shared/agentEvents.ts';
import type { RunHeader } from '../shared/events.ts';
import { agentRef } from './agentSchema.ts';
import { runHeader } from './eventSchema.ts';
import { LogError, type Product } from './logFormat.ts';
import type { Redactor } from './redact.ts';

export const TRACE_NAME = 'trace.jsonl';
const TRACE_VERSION = 1;

/** What happened on the wire of one role, before it is stamped. */
export type TraceEvent =
  | { readonly dir: 'start'; readonly agent: AgentRef; readonly command: string; readonly args: readonly string[] }
  /** `in`: from the agent, `out`: to it. One line of the wire without its end. */
  | { readonly dir: 'in' | 'out'; readonly line: string }
  | {
      readonly dir: 'exit';
      readonly code: number | null;
      readonly signal: string | null;
      readonly error: string | null;
      /** The newest of it. */
      readonly stderr: string;
    };

/** `ms`: since the start of the trace, by a clock that only goes forward. */
export type TraceLine = TraceEvent & { readonly ms: number; readonly role: Role };

/** Both wires of a run, redacted, on their way to a file. */
export interface Trace {
  add(role: Role, event: TraceEvent): void;
  /** What was kept until now goes to the file, and from now on each line at once. What a full disk refuses is lost. Never throws. */
  writeTo(file: string, product: Product, run: RunHeader): void;
  close(): void;
}

/** `now`: milliseconds of a monotonic clock. Holds its lines in memory until it knows its file. */
export function createTrace(now: () => number, redact: Redactor): Trace {
  const startedAt = now();
  let kept: string[] = [];
  let fd: number | null = null;
  let closed = false;
  const write = (line: string): void => {
    try {
      if (fd !== null) fs.writeSync(fd, line);
    } catch {
      // A trace is for looking back: a run does not end for it.
    }
  };
  return {
    add(role, event) {
      if (closed) return;
      const ms = Math.round(now() - startedAt);
      const clean = { ...event, ...redacted(event, redact) };
      const line = `${JSON.stringify({ ms, role, ...clean })}\n`;
      if (fd === null) kept.push(line);
      else write(line);
    },
    writeTo(file, product, run) {
      try {
        fd = fs.openSync(file, 'w', 0o600);
      } catch {
        closed = true;
      }
      const header = { format: 'cgloop-trace', version: TRACE_VERSION, product };
      write(`${JSON.stringify({ ...header, run: JSON.parse(redact(JSON.stringify(run))) })}\n`);
      write(kept.join(''));
      kept = [];
    },
    close() {
      closed = true;
      kept = [];
      if (fd !== null) fs.closeSync(fd);
      fd = null;
    },
  };
}

function redacted(event: TraceEvent, redact: Redactor): object {
  switch (event.dir) {
    case 'start':
      return { command: redact(event.command), args: event.args.map(redact) };
    case 'in':
    case 'out':
      return { line: redact(event.line) };
    case 'exit':
      return { error: event.error === null ? null : redact(event.error), stderr: redact(event.stderr) };
    default:
      return event satisfies never;
  }
}

const headerSchema = z.object({
  format: z.literal('cgloop-trace'),
  version: z.int().positive(),
  product: z.object({ name: z.string(), version: z.string() }),
  run: runHeader,
});

const stamp = { ms: z.number(), role: z.enum(['execute', 'review']) };
const lineSchema = z.discriminatedUnion('dir', [
  z.object({ ...stamp, dir: z.literal('start'), agent: agentRef, command: z.string(), args: z.array(z.string()) }),
  z.object({ ...stamp, dir: z.literal('in'), line: z.string() }),
  z.object({ ...stamp, dir: z.literal('out'), line: z.string() }),
  z.object({
    ...stamp,
    dir: z.literal('exit'),
    code: z.number().nullable(),
    signal: z.string().nullable(),
    error: z.string().nullable(),
    stderr: z.string(),
  }),
]);

/** A trace read back. `problems`: lines that could not be read, for people; a torn last line is none. */
export interface TraceRecord {
  readonly run: RunHeader;
  readonly lines: readonly TraceLine[];
  readonly problems: readonly string[];
}

/** Reads a trace from its text. Throws `LogError` when it is none; `file` is for the message. */
export function parseTrace(file: string, text: string): TraceRecord {
  const [first = '', ...rest] = text.split('\n');
  const header = parseWire(headerSchema, null, jsonOf(first));
  if (header.type !== 'known') throw new LogError(`${file} is not the trace of a run.`);
  const lines: TraceLine[] = [];
  const problems: string[] = [];
  for (const [index, line] of rest.entries()) {
    // What stands after the last line feed is nothing, or was torn.
    if (index === rest.length - 1) break;
    const parsed = parseWire(lineSchema, 'dir', jsonOf(line));
    if (parsed.type === 'known') lines.push(parsed.value);
    else problems.push(`Line ${index + 2}: ${parsed.type === 'invalid' ? parsed.problem : parsed.variant}`);
  }
  return { run: header.value.run, lines, problems };
}

/** Whether a file begins like a trace. */
export function isTrace(firstLine: string): boolean {
  return parseWire(headerSchema, null, jsonOf(firstLine)).type === 'known';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
