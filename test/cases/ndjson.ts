import * as z from 'zod';
import type { Json } from '../../src/shared/wire.ts';
import { createObjectParser } from '../../src/transport/ndjson.ts';
import { playEvents } from './ndjsonEvents.ts';
import { playRpc } from './ndjsonRpc.ts';

const EXPECTED = z.record(z.string(), z.json());

/** A case of a stream: what the other side writes, and what comes of it on our side. */
const NDJSON_CASE = z.looseObject({
  layer: z.enum(['framing', 'rpc', 'events']),
  input: z.looseObject({
    protocol: z.enum(['acp', 'claude-stream-json', 'gemini-stream-json']),
    /** Whether the output ends after the last chunk. */
    eof: z.boolean(),
    chunks_b64: z.array(z.base64()).optional(),
    /** For readers; the bytes are those of `chunks_b64`. */
    chunks_preview: z.array(z.string()).optional(),
    /** A text update of `unit`, `repeat` times, and a message behind it. */
    generator: z
      .strictObject({
        kind: z.literal('update_text'),
        unit: z.string(),
        repeat: z.number(),
        then: z.json(),
        chunkSize: z.number(),
      })
      .optional(),
    exit: z
      .looseObject({ code: z.number().nullish(), signal: z.string().nullish(), stderr: z.string().optional() })
      .optional(),
    state: z
      .looseObject({
        pending: z.array(z.looseObject({ id: z.number(), method: z.string() })),
        session: z.string(),
        caps: z.record(z.string(), z.boolean()),
      })
      .optional(),
    userActions: z
      .array(
        z.union([
          z.strictObject({ onPermission: z.union([z.number(), z.string()]), click: z.string() }),
          z.strictObject({ cancel: z.literal(true) }),
        ]),
      )
      .optional(),
  }),
  expected: EXPECTED,
  /** Other outcomes that are right as well. */
  tolerated: z.array(EXPECTED).default([]),
});
export type NdjsonInput = z.infer<typeof NDJSON_CASE>['input'];

/** What came of a case, under the names that expectations use. */
export type Outcome = Readonly<Record<string, Json | undefined>>;

/** Plays the case's bytes to the product's code; gives one line for each thing that differs, none for a pass. */
export async function runNdjsonCase(testCase: unknown): Promise<string[]> {
  const { layer, input, expected, tolerated } = NDJSON_CASE.parse(testCase);
  const chunks = input.generator === undefined ? bytesOf(input) : generated(input.generator);
  const outcome =
    layer === 'framing'
      ? playFraming(chunks, input.eof)
      : layer === 'rpc'
        ? await playRpc(input, chunks)
        : await playEvents(input, chunks);
  const differences = differencesTo(expected, outcome);
  return tolerated.some((other) => differencesTo(other, outcome).length === 0) ? [] : differences;
}

function bytesOf(input: NdjsonInput): Buffer[] {
  if (input.chunks_b64 === undefined) throw new Error('neither chunks_b64 nor generator');
  return input.chunks_b64.map((chunk) => Buffer.from(chunk, 'base64'));
}

function generated({ unit, repeat, then, chunkSize }: NonNullable<NdjsonInput['generator']>): Buffer[] {
  const content = { type: 'text', text: unit.repeat(repeat) };
  const update = { sessionUpdate: 'agent_message_chunk', content };
  const first = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update } };
  const bytes = Buffer.from(`${JSON.stringify(first)}\n${JSON.stringify(then)}\n`);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) chunks.push(bytes.subarray(at, at + chunkSize));
  return chunks;
}

function playFraming(chunks: readonly Buffer[], eof: boolean): Outcome {
  const messages: Json[] = [];
  const diagnostics: string[] = [];
  const started = performance.now();
  const parser = createObjectParser({
    onObject: (object) => messages.push(object),
    onDiagnostic: ({ code }) => diagnostics.push(caseWord(code)),
  });
  for (const chunk of chunks) parser.push(chunk);
  if (eof) parser.end();
  const [first] = messages;
  return {
    messages,
    messages_count: messages.length,
    first_text_length: textOf(first).length,
    second: messages[1],
    diagnostics,
    max_seconds: (performance.now() - started) / 1000,
  };
}

const UPDATE = z.looseObject({
  params: z.looseObject({ update: z.looseObject({ content: z.looseObject({ text: z.string() }) }) }),
});

function textOf(message: Json | undefined): string {
  const update = UPDATE.safeParse(message);
  return update.success ? update.data.params.update.content.text : '';
}

/** Our word for a remark in the words of the cases. */
export function caseWord(code: string): string {
  switch (code) {
    case 'unknownVariant':
      return 'unknown_update';
    case 'invalid':
      return 'invalid_params';
    case 'exit':
      return 'agent_exited';
    default:
      return code.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

function differencesTo(expected: Readonly<Record<string, Json>>, outcome: Outcome): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const got = outcome[name] ?? null;
    const fits = CHECKS[name] ?? matches;
    if (!(name in outcome) && !name.startsWith('user_message_')) return [`${name}: nothing is known of this`];
    return fits(wanted, name.startsWith('user_message_') ? (outcome.user_message ?? null) : got)
      ? []
      : [`${name}: expected ${brief(wanted)}, got ${brief(name.startsWith('user_message_') ? (outcome.user_message ?? null) : got)}`];
  });
}

const isAtMost = (wanted: Json, got: Json): boolean =>
  typeof wanted === 'number' && typeof got === 'number' && got <= wanted;
const words = (wanted: Json): readonly string[] => z.array(z.string()).parse(wanted);

/** Expectations that are not met by the same value. */
const CHECKS: Readonly<Record<string, (wanted: Json, got: Json) => boolean>> = {
  max_seconds: isAtMost,
  max_seconds_after_result: isAtMost,
  messages: (wanted, got) => JSON.stringify(sorted(wanted)) === JSON.stringify(sorted(got)),
  user_message_contains: (wanted, got) => words(wanted).every((word) => String(got).includes(word)),
  user_message_not_contains: (wanted, got) => !words(wanted).some((word) => String(got).includes(word)),
};

/** Equal, but for fields of objects that the expectation does not name. */
function matches(wanted: Json, got: Json): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(got) && got.length === wanted.length && wanted.every((one, at) => matches(one, got[at] ?? null));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof got !== 'object' || got === null || Array.isArray(got)) return false;
    const fields = new Map(Object.entries(got));
    return Object.entries(wanted).every(([name, one]) => fields.has(name) && matches(one, fields.get(name) ?? null));
  }
  return wanted === got;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]): [string, Json] => [name, sorted(one)]);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
