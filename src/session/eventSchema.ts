import * as z from 'zod';
import { isWireObject } from '../protocol/parseWire.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import {
  budget,
  budgetKind,
  checkpoint,
  checkRequest,
  fileChange,
  roundEvents,
  stamp,
  worktreeRef,
} from './roundSchema.ts';

/** JSON by construction: the schema only ever sees what `JSON.parse` gave. */
const json = z.custom<Json>((value) => value !== undefined);
const wireObject = z.custom<WireObject>(isWireObject);

const role = z.enum(['execute', 'review']);
const turn = z.int().nonnegative();
const strings = z.array(z.string());
const nullableNumber = z.nullable(z.number());

/** `AgentRef` as files hold it. */
export const agentRef = z.object({
  id: z.string(),
  name: z.string(),
  protocol: z.enum(['acp', 'claude-stream-json', 'gemini-stream-json']),
  version: z.nullable(z.string()),
});

const toolKind = z.enum([
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

const toolContents = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('diff'), path: z.string(), oldText: z.nullable(z.string()), newText: z.string() }),
    z.object({ type: z.literal('terminal'), terminalId: z.string() }),
  ]),
);

const toolState = z.enum(['validating', 'awaitingApproval', 'scheduled', 'executing', 'success', 'error', 'cancelled']);
const toolEndReason = z.enum(['denied', 'stopped', 'failed', 'noResult']);

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
const usage = z.object({
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
    'loop',
  ]),
  text: z.string(),
});

const fieldHead = {
  id: z.string(),
  label: z.string(),
  description: z.exactOptional(z.string()),
  required: z.boolean(),
};
const fieldOptions = z.array(
  z.object({ value: z.string(), label: z.string(), description: z.exactOptional(z.string()) }),
);

const agentCommand = z.object({ name: z.string(), description: z.string(), hint: z.exactOptional(z.string()) });

const optionHead = { id: z.string(), name: z.string(), category: z.exactOptional(z.string()) };
const agentOption = z.discriminatedUnion('type', [
  z.object({ ...optionHead, type: z.literal('choice'), value: z.string(), choices: fieldOptions }),
  z.object({ ...optionHead, type: z.literal('switch'), value: z.boolean() }),
]);

const questionForm = z.object({
  message: z.string(),
  fields: z.array(
    z.discriminatedUnion('type', [
      z.object({
        ...fieldHead,
        type: z.literal('choice'),
        options: fieldOptions,
        freeText: z.boolean(),
        initial: z.exactOptional(z.string()),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('choices'),
        options: fieldOptions,
        freeText: z.boolean(),
        minItems: z.exactOptional(z.number()),
        maxItems: z.exactOptional(z.number()),
        initial: z.exactOptional(strings),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('text'),
        minLength: z.exactOptional(z.number()),
        maxLength: z.exactOptional(z.number()),
        initial: z.exactOptional(z.string()),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('number'),
        integer: z.boolean(),
        minimum: z.exactOptional(z.number()),
        maximum: z.exactOptional(z.number()),
        initial: z.exactOptional(z.number()),
      }),
      z.object({ ...fieldHead, type: z.literal('boolean'), initial: z.exactOptional(z.boolean()) }),
    ]),
  ),
});

const permissionOffer = z.discriminatedUnion('type', [
  z.object({ offerId: z.string(), type: z.literal('runEdits') }),
  z.object({
    offerId: z.string(),
    type: z.literal('command'),
    scope: z.enum(['session', 'workspace', 'user']),
    command: z.string(),
  }),
]);

/** A plain union: at most four values a form, and none of them has a tag. */
const formValue = z.union([z.string(), z.number(), z.boolean(), strings]);

const permissionRequest = z.object({
  toolCallId: z.string(),
  title: z.string(),
  kind: toolKind,
  options: z.array(
    z.object({
      optionId: z.string(),
      name: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always', 'unknown']),
      scope: z.exactOptional(z.string()),
    }),
  ),
  content: toolContents,
  paths: strings,
  command: z.exactOptional(z.string()),
  unsaved: z.exactOptional(strings),
  asker: z.exactOptional(z.literal('loop')),
  takesMessage: z.boolean(),
  takesChange: z.exactOptional(z.boolean()),
  form: z.exactOptional(questionForm),
  offers: z.exactOptional(z.array(permissionOffer)),
});

const failureCause = z.enum([
  'signIn',
  'quota',
  'agentError',
  'agentExit',
  'noResult',
  'spawn',
  'startLimit',
  'timeLimit',
  'protocol',
]);

const turnOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('completed') }),
  z.object({ type: z.literal('incomplete'), cause: z.string(), message: z.string() }),
  z.object({ type: z.literal('cancelled'), by: z.enum(['user', 'agent']) }),
  z.object({ type: z.literal('failed'), cause: failureCause, message: z.string() }),
]);

const reviewFinding = {
  severity: z.enum(['blocker', 'major', 'minor', 'nit']),
  file: z.exactOptional(z.string()),
  line: z.exactOptional(z.number()),
  title: z.string(),
  detail: z.string(),
  suggestion: z.exactOptional(z.string()),
};
const findingStatus = z.enum(['open', 'regressed', 'fixed', 'withdrawn', 'dismissed']);
const finding = z.object({
  ...reviewFinding,
  id: z.string(),
  theirIds: z.exactOptional(z.array(z.string())),
  openedInRound: z.number(),
  status: findingStatus,
  late: z.exactOptional(z.boolean()),
  anchor: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
  disputed: z.exactOptional(z.string()),
  fixedBy: z.exactOptional(z.object({ round: z.number(), file: z.string(), hunk: z.string() })),
});

const verdict = z.object({
  status: z.enum(['approved', 'not_approved', 'unparsable']),
  approved: z.boolean(),
  score: nullableNumber,
  source: z.enum(['json', 'prose', 'none']),
  reason: z.enum([
    'ok',
    'no_approved_line',
    'json_not_approved',
    'score_below_threshold',
    'open_blocker',
    'no_score',
    'ambiguous_score',
    'score_out_of_range',
    'invalid_json_verdict',
    'empty',
  ]),
  warnings: strings,
  summary: z.string(),
  findings: z.array(z.object({ id: z.exactOptional(z.string()), ...reviewFinding })),
  previous: z.array(z.object({ id: z.string(), status: z.enum(['fixed', 'open', 'withdrawn']) })),
  suggestions: strings,
});

const turnTruth = z.object({
  unannounced: strings,
  unseen: strings,
  outside: strings,
  byUser: strings,
  byBoth: strings,
  ranCommands: z.boolean(),
});

const fileProblems = [
  'invalid',
  'missing',
  'outside',
  'notAllowed',
  'noFile',
  'noText',
  'tooLarge',
  'readOnly',
  'unsaved',
  'notebook',
  'failed',
] as const;

const ending = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approved'), score: z.number() }),
  z.object({
    type: z.literal('failed'),
    role: z.nullable(role),
    cause: z.enum([...failureCause.options, 'incomplete', 'loop']),
    message: z.string(),
  }),
  z.object({
    type: z.literal('notApproved'),
    cause: z.enum(['roundLimit', 'plateau', 'oscillation']),
    score: nullableNumber,
    bestRound: nullableNumber,
    message: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal('overBudget'),
    limit: budgetKind,
    used: z.number(),
    allowed: z.number(),
    score: nullableNumber,
    bestRound: nullableNumber,
  }),
  z.object({ type: z.literal('noVerdict'), message: z.string() }),
  z.object({ type: z.literal('stopped') }),
]);

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
});

const ofTurn = { ...stamp, turn, role };

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
  z.object({
    ...ofTurn,
    type: z.literal('permission.requested'),
    permissionId: z.string(),
    wire: wireObject,
    derived: permissionRequest,
  }),
  z.object({
    ...stamp,
    type: z.literal('permission.resolved'),
    permissionId: z.string(),
    by: z.enum(['user', 'policy', 'withdrawn', 'turnEnded', 'sessionCancel', 'agentExit', 'dispose']),
    answer: z.discriminatedUnion('outcome', [
      z.object({
        outcome: z.literal('selected'),
        optionId: z.string(),
        message: z.exactOptional(z.string()),
        form: z.exactOptional(z.record(z.string(), formValue)),
        offerId: z.exactOptional(z.string()),
        changedText: z.exactOptional(z.string()),
      }),
      z.object({ outcome: z.literal('cancelled') }),
    ]),
    why: z.exactOptional(z.string()),
  }),
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
    end: z.object({
      exitCode: nullableNumber,
      signal: z.nullable(z.string()),
      by: z.enum(['itself', 'agent', 'stop']),
      problem: z.exactOptional(z.string()),
    }),
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
  z.object({
    ...stamp,
    type: z.literal('review.scored'),
    turn,
    verdict,
    approved: z.boolean(),
    blockedBy: strings,
  }),
  z.object({ ...stamp, type: z.literal('finding.opened'), finding }),
  z.object({
    ...stamp,
    type: z.literal('finding.updated'),
    id: z.string(),
    status: findingStatus,
    finding: z.exactOptional(finding),
  }),
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
