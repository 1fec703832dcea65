import * as z from 'zod';

/**
 * The six events of `gemini --output-format stream-json` as version 0.61.0 prints them (sj-01, sj-02, sj-05, sj-08b).
 * Unknown fields are kept. `timestamp` is ISO 8601 and left out of the shapes: nothing is read from it.
 */

const errorObject = z.looseObject({ type: z.string(), message: z.string() });

const init = z.looseObject({ type: z.literal('init'), session_id: z.string(), model: z.string() });

/** `role` user: the whole prompt, echoed. `delta` true: to be appended to what came before. */
const message = z.looseObject({
  type: z.literal('message'),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  delta: z.boolean().optional(),
});

const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  tool_name: z.string(),
  tool_id: z.string(),
  parameters: z.record(z.string(), z.json()),
});

/** `output` is the text for people: empty for read_file, absent for write_file, a command's whole output (sj-11). */
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_id: z.string(),
  status: z.enum(['success', 'error']),
  output: z.string().optional(),
  error: errorObject.optional(),
});

const error = z.looseObject({
  type: z.literal('error'),
  severity: z.enum(['warning', 'error']),
  message: z.string(),
});

/** Tokens of the whole run. A failed run may print `{}` (sj-07). */
const stats = z.looseObject({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cached: z.number().optional(),
  models: z.record(z.string(), z.looseObject({})).optional(),
});

/** The end of the turn; the process may live on for seconds (sj-02b). `error` can be absent with status error (sj-06c). */
const result = z.looseObject({
  type: z.literal('result'),
  status: z.enum(['success', 'error']),
  error: errorObject.optional(),
  stats: stats.optional(),
});

/** One line of the stream, told apart by `type`. */
export const geminiEventSchema = z.discriminatedUnion('type', [init, message, toolUse, toolResult, error, result]);

export type GeminiEvent = z.output<typeof geminiEventSchema>;

const tokens = z.looseObject({
  prompt: z.number().optional(),
  candidates: z.number().optional(),
  cached: z.number().optional(),
});

/**
 * The one object of `gemini --output-format json` (sj-15-json): the answer of versions without `stream-json`. `response`
 * holds the text after the last tool only. An error is told on stderr in the same shape (sj-15b-json-400).
 */
export const geminiJsonSchema = z.looseObject({
  session_id: z.string().nullish(),
  response: z.string().nullish(),
  stats: z
    .looseObject({ models: z.record(z.string(), z.looseObject({ tokens: tokens.nullish() })).nullish() })
    .nullish()
    .catch(null),
  error: z.looseObject({ type: z.string().nullish(), message: z.string() }).nullish(),
});
