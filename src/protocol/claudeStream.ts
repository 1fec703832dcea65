import * as z from 'zod';
import type { Json, WireObject } from '../shared/wire.ts';
import { isWireObject, type Parsed, parseWire } from './parseWire.ts';

/**
 * Claude Code's stream-json, both ways: one JSON object a line. Measured on 2.1.197; newer versions add types and
 * fields, so every object is loose and only fields that we read are named.
 */

const json = z.custom<Json>(() => true);
const object = z.custom<WireObject>(isWireObject);
/** Null: the main thread; otherwise the tool call of the sub-agent that speaks (46-subagent). */
const parent = z.string().nullish();

/** One content block of an assistant line: `text`, `thinking`, `tool_use`, or a kind that we do not know. */
const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: object.optional(),
});

/** One content block of a user line: `tool_result` or `text`. */
const userBlock = z.looseObject({
  type: z.string(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  /** A string, or text and image blocks (46-subagent). */
  content: json.optional(),
});

/** A raw event of the model's API (04-stream-json-partial); which fields stand in it depends on `type`. */
const apiEvent = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  message: z.looseObject({ id: z.string().optional() }).optional(),
  content_block: z.looseObject({ type: z.string() }).optional(),
  delta: z.looseObject({ text: z.string().optional(), thinking: z.string().optional() }).optional(),
});

const denial = z.looseObject({
  tool_name: z.string(),
  tool_use_id: z.string().optional(),
  tool_input: object.optional(),
});

const result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().nullish(),
  terminal_reason: z.string().nullish(),
  stop_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  /** 0: nothing was done, as for a session that is not there (75-resume-unknown). */
  num_turns: z.number().nullish(),
  /** Only the last text block (62-result-holds-last-text-only); missing after an interrupt. */
  result: z.string().nullish(),
  /** The input of the one StructuredOutput call that fitted the schema; missing when none did (65-json-schema-never). */
  structured_output: json.optional(),
  errors: z.array(z.string()).nullish().catch(null),
  session_id: z.string().optional(),
  usage: z
    .looseObject({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish()
    .catch(null),
  /** Of the whole process so far (10-persistent-three-turns). */
  total_cost_usd: z.number().nullish(),
  permission_denials: z.array(denial).nullish().catch(null),
  /** Who asked for the turn, where it is told: `task-notification` for nobody (43-bash-background), in newer versions `human`. */
  origin: z.looseObject({ kind: z.string().nullish() }).nullish().catch(null),
});

const line = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('assistant'),
    message: z.looseObject({ id: z.string(), model: z.string().optional(), content: z.array(block) }),
    parent_tool_use_id: parent,
    /** Not the model's words but the CLI's: `authentication_failed`, `rate_limit`, `max_output_tokens`, … */
    error: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({ content: z.union([z.string(), z.array(userBlock)]) }),
    parent_tool_use_id: parent,
    /** The structured form of the result; a string after a failure or a refusal (42-bash-failing). */
    tool_use_result: json.optional(),
  }),
  z.looseObject({ type: z.literal('stream_event'), event: apiEvent, parent_tool_use_id: parent }),
  result,
  z.looseObject({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.looseObject({ subtype: z.string() }),
  }),
  z.looseObject({ type: z.literal('control_cancel_request'), request_id: z.string() }),
  /** For those who signed in with an account (sdk.d.ts; not recorded): `allowed`, `allowed_warning` or `rejected`. */
  z.looseObject({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.looseObject({ status: z.string().nullish() }).nullish().catch(null),
  }),
  z.looseObject({
    type: z.literal('control_response'),
    response: z.looseObject({
      subtype: z.string(),
      request_id: z.string(),
      response: object.nullish(),
      error: z.string().nullish(),
    }),
  }),
]);

const system = z.discriminatedUnion('subtype', [
  z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('init'),
    session_id: z.string(),
    model: z.string().optional(),
    permissionMode: z.string().optional(),
    claude_code_version: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('status'),
    permissionMode: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal('system'), subtype: z.literal('session_state_changed'), state: z.string() }),
  z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullish(),
    error: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal('system'), subtype: z.literal('permission_denied'), tool_use_id: z.string() }),
  z.looseObject({
    type: z.literal('system'),
    subtype: z.enum(['model_fallback', 'model_refusal_no_fallback']),
    content: z.string().nullish(),
  }),
  /** Known, and nothing is made of them: the tool cards and messages tell the same. */
  z.looseObject({
    type: z.literal('system'),
    subtype: z.enum([
      'thinking_tokens',
      'task_started',
      'task_progress',
      'task_updated',
      'task_notification',
      'compact_boundary',
      'hook_started',
      'hook_response',
    ]),
  }),
]);

const toolAsk = z.looseObject({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input: object,
  tool_use_id: z.string(),
  permission_suggestions: z
    .array(z.looseObject({ type: z.string(), behavior: z.string().optional(), rules: json.optional() }))
    .nullish(),
  blocked_path: z.string().nullish(),
});

const rules = z.array(z.looseObject({ toolName: z.string(), ruleContent: z.string().nullish() }));

/** What the answer of `initialize` tells of commands and models (12-initialize). One that is told otherwise is not told. */
const offers = z.looseObject({
  commands: z
    .array(z.looseObject({ name: z.string(), description: z.string().nullish(), argumentHint: z.string().nullish() }))
    .nullish()
    .catch(null),
  models: z
    .array(z.looseObject({ value: z.string(), displayName: z.string().nullish(), description: z.string().nullish() }))
    .nullish()
    .catch(null),
});

export type ClaudeOffers = z.output<typeof offers>;

export type ClaudeLine = z.output<typeof line> | z.output<typeof system>;
export type ClaudeResult = z.output<typeof result>;
/** A question for the person: may this tool run with this input? */
export type ClaudeToolAsk = z.output<typeof toolAsk>;
export type ClaudeRule = z.output<typeof rules>[number];

/** Reads one line of the CLI; `unknownVariant` tells the `type`, or the `subtype` of a system line. */
export function readClaudeLine(raw: WireObject): Parsed<ClaudeLine> {
  return raw.type === 'system' ? parseWire(system, 'subtype', raw) : parseWire(line, 'type', raw);
}

/** Reads the answer of `initialize` for what can be chosen. */
export function readOffers(answer: WireObject): Parsed<ClaudeOffers> {
  return parseWire(offers, null, answer);
}

/** Reads the `request` of a `can_use_tool` control request (13-permission-allow). */
export function readToolAsk(request: unknown): Parsed<ClaudeToolAsk> {
  return parseWire(toolAsk, null, request);
}

/**
 * The rules that "always allow" would add: of all suggestions only `addRules` with behavior `allow`. The others would
 * switch the whole session to another mode or widen its folders (18-permission-always-allow).
 */
export function suggestedRules(ask: ClaudeToolAsk): readonly ClaudeRule[] {
  return (ask.permission_suggestions ?? []).flatMap((suggestion) => {
    if (suggestion.type !== 'addRules' || suggestion.behavior !== 'allow') return [];
    const read = parseWire(rules, null, suggestion.rules);
    return read.type === 'known' ? read.value : [];
  });
}

/** A turn's prompt. A `user` line without role or message ends the process (89-stdin-no-role), so it is built here only. */
export const userLine = (content: string | readonly UserBlock[]) =>
  ({ type: 'user', message: { role: 'user', content } }) as const;

/** One block of a prompt that is more than a text (94-image). `data` is base64. */
export type UserBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
    };

/** A request of ours; a bare `interrupt` without this envelope is ignored without a word (89-stdin-bare-interrupt). */
export const requestLine = (id: string, subtype: 'initialize' | 'interrupt') =>
  ({ type: 'control_request', request_id: id, request: { subtype } }) as const;

/** What a `can_use_tool` request is answered with. */
export type ToolAnswer =
  | {
      readonly behavior: 'allow';
      /** Compulsory: without it the tool fails as if refused (14-permission-allow-without-updatedInput). */
      readonly updatedInput: WireObject;
      readonly updatedPermissions?: readonly {
        readonly type: 'addRules';
        readonly rules: readonly ClaudeRule[];
        readonly behavior: 'allow';
        /** Never `localSettings`: that writes into the user's repository (18-session-rule). */
        readonly destination: 'session';
      }[];
    }
  /** The message is compulsory (16-permission-deny-without-message). */
  | { readonly behavior: 'deny'; readonly message: string };

export const answerLine = (requestId: string, answer: ToolAnswer) =>
  ({
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response: answer },
  }) as const;

export const refuseLine = (requestId: string, error: string) =>
  ({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } }) as const;
