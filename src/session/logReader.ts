import path from 'node:path';
import * as z from 'zod';
import { isWireObject, parseWire } from '../protocol/parseWire.ts';
import type { Diagnostic } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import { bodyRefSchema, putBack, readBody } from './bodies.ts';
import { eventSchema } from './eventSchema.ts';
import { LOG_NAME, LOG_VERSION, type LogHeader, parseHeader } from './logFormat.ts';

/** Bytes of a log in, events out. Feed it in order, one call at a time. */
export interface LogReader {
  /**
   * The events of every line that is whole by now. Their numbers have no gap: a line that cannot be read is a
   * diagnostic in its place. Rejects with `LogError` when the first line is not a header.
   */
  push(chunk: Buffer): Promise<LoopEvent[]>;
  /** Null before the first line was read. */
  readonly header: LogHeader | null;
  /** What could not be read so far, a line each, for people. */
  readonly problems: readonly string[];
  /** Bytes after the last line feed: a line that was torn, or is just being written. */
  readonly pending: number;
}

/**
 * A reader of the log in a run's folder; it opens the folder's bodies, but not the log itself. `anywhere`: the first
 * event after the header may have any number, because the caller left out what stands between. `file` names the log in
 * messages.
 */
export function createLogReader(
  directory: string,
  begin: 'first' | 'anywhere' = 'first',
  file: string = path.join(directory, LOG_NAME),
): LogReader {
  const problems: string[] = [];
  let header: LogHeader | null = null;
  let rest: Buffer[] = [];
  let pending = 0;
  let line = 0;
  let last: LoopEvent | null = null;

  const keep = (event: LoopEvent): LoopEvent => {
    last = event;
    return event;
  };
  const placeholder = (text: string, level: 'warning' | 'error' = 'error'): LoopEvent =>
    keep({
      seq: (last?.seq ?? 0) + 1,
      at: last?.at ?? 0,
      round: last?.round ?? 0,
      type: 'diagnostic',
      turn: 0,
      role: 'execute',
      wire: null,
      derived: { source: 'loop', level, code: LOST, text },
    });

  const read = async (text: string): Promise<LoopEvent[]> => {
    line++;
    if (header === null) {
      header = parseHeader(file, text);
      if (header.version > LOG_VERSION) {
        const { name, version } = header.product;
        problems.push(`Written by a newer ${name} (${version}): what this version does not know is left out.`);
      }
      return [];
    }
    const parsed = await parseLine(directory, text);
    for (const problem of parsed.problems) problems.push(`Line ${line}: ${problem}`);
    const event = parsed.event;
    if (event === null) {
      const text = `Line ${line} of the log cannot be read: ${parsed.problems.join('; ')}`;
      return [placeholder(text, parsed.isNew ? 'warning' : 'error')];
    }
    const missing = last === null && begin === 'anywhere' ? 0 : event.seq - (last?.seq ?? 0) - 1;
    if (missing < 0) {
      problems.push(`Line ${line}: event ${event.seq} stands there a second time and is left out.`);
      return [];
    }
    if (missing > 0) problems.push(`Line ${line}: ${missing} events before it are missing.`);
    if (missing > MOST_MISSING) return [placeholder(`Line ${line} of the log is out of order.`)];
    const gap = Array.from({ length: missing }, () =>
      placeholder(`Event ${(last?.seq ?? 0) + 1} of the log is missing.`),
    );
    return [...gap, keep(event)];
  };

  return {
    async push(chunk) {
      const events: LoopEvent[] = [];
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const text = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
        rest = [];
        start = end + 1;
        events.push(...(await read(text)));
      }
      if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
      pending = rest.reduce((sum, part) => sum + part.length, 0);
      return events;
    },
    get header() {
      return header;
    },
    problems,
    get pending() {
      return pending;
    },
  };
}

/** The code of what stands for a line that cannot be read. */
const LOST = 'invalid' satisfies Diagnostic['code'];

/** What the log says of the first line of it that is lost, for people; null: it is whole, as far as it can be known. */
export function lostLine(events: readonly LoopEvent[]): string | null {
  for (const event of events) {
    if (event.type !== 'diagnostic') continue;
    const { source, code, level, text } = event.derived;
    if (source === 'loop' && code === LOST && level === 'error') return text;
  }
  return null;
}

/** More than this many events missing in one place is a broken line, not a gap to fill. */
const MOST_MISSING = 10_000;

const bodiesSchema = z.object({ bodies: z.exactOptional(z.array(bodyRefSchema)) });

interface ParsedLine {
  readonly event: LoopEvent | null;
  readonly problems: readonly string[];
  /** It is whole, and of a kind that only a newer version knows. */
  readonly isNew?: boolean;
}

async function parseLine(directory: string, text: string): Promise<ParsedLine> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { event: null, problems: ['not JSON'] };
  }
  if (!isWireObject(value)) return { event: null, problems: ['not an event'] };
  const problems: string[] = [];
  if (value.bodies !== undefined) {
    const refs = parseWire(bodiesSchema, null, value);
    if (refs.type !== 'known') return { event: null, problems: ['its bodies are not as they should be'] };
    for (const { at, sha256 } of refs.value.bodies ?? []) {
      const body = await readBody(directory, sha256);
      if (body === null) problems.push(`the text bodies/${sha256} is missing or damaged`);
      const shown = body ?? `[The text bodies/${sha256} is missing or damaged.]`;
      if (!putBack(value, at, shown)) problems.push(`no place for the text bodies/${sha256}`);
    }
  }
  const parsed = parseWire(eventSchema, 'type', value);
  switch (parsed.type) {
    case 'known':
      return { event: parsed.value, problems };
    case 'unknownVariant':
      return { event: null, problems: [...problems, `an event of the unknown type ${parsed.variant}`], isNew: true };
    case 'invalid':
      return { event: null, problems: [...problems, parsed.problem] };
  }
}
