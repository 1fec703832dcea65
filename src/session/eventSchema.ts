import * as z from 'zod';
import type { LoopEvent } from '../shared/events.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { agentEvents, agentRef, toolEndReason, toolState, usage } from './agentSchema.ts';
import { ending, terminalEnd, turnOutcome } from './endingSchema.ts';
import { checkpoint, fileChange, fileProblems, turnTruth } from './fileSchema.ts';
import { permissionEvents } from './permissionSchema.ts';
import { reviewEvents } from './reviewSchema.ts';
import { budget, checkRequest, roundEvents, worktreeRef } from './roundSchema.ts';
import { json, ofTurn, role, stamp, strings, wireObject } from './schemaParts.ts';

const taskAttachment = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('file'),
    path: z.string(),
    lines: z.exactOptional(z.object({ from: z.number(), to: z.number() })),
  }),
  z.object({ type: z.literal('image'), name: z.string(), mimeType: z.string(), bytes: z.number() }),
]);

/** `RunHeader` as files hold it. */
export const runHeader = z.object({
  id: z.string(),
  task: z.string(),
  folder: z.string(),
  rounds: z.number(),
  threshold: z.number(),
  turnLimitSeconds: z.number(),
  permissionMode: z.enum(['ask', 'edits', 'read-only', 'all']),
  trusted: z.boolean(),
  executor: agentRef,
  reviewer: agentRef,
  kind: z.exactOptional(z.enum(['task', 'review', 'fix'])),
  range: z.exactOptional(z.string()),
  worktree: z.exactOptional(worktreeRef),
  budget: z.exactOptional(budget),
  attached: z.exactOptional(z.array(taskAttachment)),
  checks: z.exactOptional(z.array(checkRequest)),
  checkTimeoutSeconds: z.exactOptional(z.number()),
  models: z.exactOptional(z.object({ execute: z.exactOptional(z.string()), review: z.exactOptional(z.string()) })),
  plateauRounds: z.exactOptional(z.number()),
  language: z.exactOptional(z.enum(['auto', 'en', 'zh-cn'])),
  askBetweenRounds: z.exactOptional(z.boolean()),
});

/** Every event of a log, as a line of `log.jsonl` holds it once its bodies are put back. */
export const eventSchema = z.discriminatedUnion('type', [
  z.object({ ...stamp, type: z.literal('run.started'), run: runHeader }),
  z.object({ ...stamp, type: z.literal('run.ended'), ending, tree: z.exactOptional(z.string()) }),
  z.object({ ...stamp, type: z.literal('run.continued'), run: runHeader }),
  z.object({ ...stamp, type: z.literal('agent.ready'), role, agent: agentRef }),
  z.object({ ...stamp, type: z.literal('round.started') }),
  z.object({ ...stamp, type: z.literal('round.ended') }),
  z.object({
    ...ofTurn,
    type: z.literal('turn.started'),
    prompt: z.string(),
    withheld: z.exactOptional(strings),
    shortened: z.exactOptional(strings),
    wire: z.object({ sessionId: z.nullable(z.string()), model: z.nullable(z.string()) }),
  }),
  z.object({
    ...ofTurn,
    type: z.literal('turn.ended'),
    wire: z.nullable(wireObject),
    derived: z.object({
      outcome: turnOutcome,
      usage: z.nullable(usage),
      models: strings,
      structured: z.exactOptional(json),
    }),
  }),
  ...agentEvents,
  ...permissionEvents,
  z.object({
    ...ofTurn,
    type: z.literal('request.moved'),
    requestId: z.string(),
    method: z.string(),
    subject: z.string(),
    state: toolState,
    reason: z.exactOptional(toolEndReason),
    why: z.exactOptional(z.string()),
  }),
  z.object({
    ...ofTurn,
    type: z.literal('terminal.started'),
    terminalId: z.string(),
    command: z.string(),
    cwd: z.string(),
  }),
  z.object({
    ...stamp,
    type: z.literal('terminal.output'),
    terminalId: z.string(),
    text: z.string(),
    skipped: z.int().nonnegative(),
  }),
  z.object({
    ...stamp,
    type: z.literal('terminal.ended'),
    terminalId: z.string(),
    end: terminalEnd,
  }),
  z.object({
    ...ofTurn,
    type: z.literal('file.served'),
    path: z.string(),
    operation: z.enum(['read', 'write']),
    bytes: z.number(),
    result: z.enum(['editor', 'disk', ...fileProblems]),
  }),
  z.object({ ...stamp, type: z.literal('unsaved.settled'), saved: strings, left: strings }),
  z.object({ ...stamp, type: z.literal('checkpoint.created'), checkpoint }),
  z.object({ ...stamp, type: z.literal('user.edited'), path: z.string() }),
  z.object({
    ...stamp,
    type: z.literal('round.changes'),
    files: z.array(fileChange),
    truth: z.exactOptional(turnTruth),
  }),
  ...reviewEvents,
  ...roundEvents,
  z.object({ ...stamp, type: z.literal('handover.started'), role, wire: z.object({ sessionId: z.string() }) }),
  z.object({ ...stamp, type: z.literal('handover.ended'), role }),
]);

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Without `readonly` and intersections, so that only fields, their types and their being optional are compared. */
type Plain<T> =
  Same<T, Json> extends true
    ? 'Json'
    : Same<T, WireObject> extends true
      ? 'WireObject'
      : T extends readonly (infer U)[]
        ? Plain<U>[]
        : T extends object
          ? { -readonly [K in keyof T]: Plain<T[K]> }
          : T;

type Expect<T extends true> = T;

/** A type error here: the schema and `LoopEvent` of `shared/events.ts` differ. */
export type SchemaIsTheType = Expect<Same<Plain<z.output<typeof eventSchema>>, Plain<LoopEvent>>>;
