/** The part of the schema that `shared/agentEvents.ts` and `shared/toolCall.ts` describe. */
import * as z from 'zod';
import { fieldOptions } from './questionSchema.ts';
import { json, nullableNumber, ofTurn, wireObject } from './schemaParts.ts';

/** `AgentRef` as files hold it. */
export const agentRef = z.object({
  id: z.string(),
  name: z.string(),
  protocol: z.enum(['acp', 'claude-stream-json', 'gemini-stream-json']),
  version: z.nullable(z.string()),
});

export const toolKind = z.enum([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'ask',
  'plan',
  'other',
]);

export const toolContents = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('diff'), path: z.string(), oldText: z.nullable(z.string()), newText: z.string() }),
    z.object({ type: z.literal('terminal'), terminalId: z.string() }),
  ]),
);

export const toolState = z.enum([
  'validating',
  'awaitingApproval',
  'scheduled',
  'executing',
  'success',
  'error',
  'cancelled',
]);
export const toolEndReason = z.enum(['denied', 'stopped', 'failed', 'noResult']);

const toolCallPatch = z.object({
  toolCallId: z.string(),
  toolName: z.exactOptional(z.string()),
  title: z.exactOptional(z.string()),
  kind: z.exactOptional(toolKind),
  state: z.exactOptional(toolState),
  reason: z.exactOptional(toolEndReason),
  content: z.exactOptional(toolContents),
  locations: z.exactOptional(z.array(z.object({ path: z.string(), line: z.exactOptional(z.number()) }))),
  rawInput: z.exactOptional(json),
  rawOutput: z.exactOptional(json),
  parentId: z.exactOptional(z.string()),
});

const channel = z.enum(['message', 'thought']);
const planEntry = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.exactOptional(z.enum(['high', 'medium', 'low'])),
});
export const usage = z.object({
  inputTokens: nullableNumber,
  outputTokens: nullableNumber,
  cachedTokens: nullableNumber,
  costUsd: nullableNumber,
  context: z.exactOptional(z.object({ used: z.number(), size: z.number() })),
});

const diagnostic = z.object({
  source: z.enum(['agent', 'transport', 'loop']),
  level: z.enum(['info', 'warning', 'error']),
  code: z.enum([
    'agentWarning',
    'agentError',
    'stderr',
    'noise',
    'notObject',
    'truncatedEof',
    'lineTooLong',
    'unknownVariant',
    'unknownSession',
    'invalid',
    'unknownResponseId',
    'invalidResponse',
    'unknownRequest',
    'retrying',
    'silence',
    'notShown',
    'exit',
    'orphan',
    'restarted',
    'budget',
    'nested',
    'loop',
  ]),
  text: z.string(),
});

const agentCommand = z.object({ name: z.string(), description: z.string(), hint: z.exactOptional(z.string()) });

const optionHead = { id: z.string(), name: z.string(), category: z.exactOptional(z.string()) };
const agentOption = z.discriminatedUnion('type', [
  z.object({ ...optionHead, type: z.literal('choice'), value: z.string(), choices: fieldOptions }),
  z.object({ ...optionHead, type: z.literal('switch'), value: z.boolean() }),
]);

/** `AgentEvent` with what every event of a turn has, one schema for each type. */
export const agentEvents = [
  z.object({
    ...ofTurn,
    type: z.literal('message.chunk'),
    wire: wireObject,
    derived: z.object({ channel, messageId: z.string(), text: z.string() }),
  }),
  z.object({
    ...ofTurn,
    type: z.literal('message.replaced'),
    wire: wireObject,
    derived: z.object({ channel, messageId: z.string(), text: z.string(), reason: z.enum(['final', 'withdrawn']) }),
  }),
  z.object({ ...ofTurn, type: z.literal('toolCall.started'), wire: wireObject, derived: toolCallPatch }),
  z.object({ ...ofTurn, type: z.literal('toolCall.updated'), wire: wireObject, derived: toolCallPatch }),
  z.object({
    ...ofTurn,
    type: z.literal('plan.updated'),
    wire: wireObject,
    derived: z.object({ entries: z.array(planEntry) }),
  }),
  z.object({ ...ofTurn, type: z.literal('usage.updated'), wire: wireObject, derived: usage }),
  z.object({
    ...ofTurn,
    type: z.literal('session.updated'),
    wire: wireObject,
    derived: z.object({ sessionId: z.string(), model: z.nullable(z.string()), version: z.exactOptional(z.string()) }),
  }),
  z.object({ ...ofTurn, type: z.literal('mode.updated'), wire: wireObject, derived: z.object({ mode: z.string() }) }),
  z.object({
    ...ofTurn,
    type: z.literal('commands.updated'),
    wire: wireObject,
    derived: z.object({ commands: z.array(agentCommand) }),
  }),
  z.object({
    ...ofTurn,
    type: z.literal('options.updated'),
    wire: wireObject,
    derived: z.object({ options: z.array(agentOption) }),
  }),
  z.object({ ...ofTurn, type: z.literal('diagnostic'), wire: z.nullable(wireObject), derived: diagnostic }),
] as const;
