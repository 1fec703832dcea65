import * as z from 'zod';
import { requestType } from './jsonrpc.ts';

/**
 * The Agent Client Protocol, version 1, as agents send it: loose objects, so that what we do not know stays. Words of
 * open lists (kinds, statuses, content types) are plain strings here: an unknown one must not cost the whole message.
 */
export const ACP_VERSION = 1;

/** Methods that agents call on us, and those we only notify them with. */
export const ACP = {
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  cancel: 'session/cancel',
  cancelRequest: '$/cancel_request',
} as const;

/** `text` for type `text`; other types hold what their name says and are not shown yet. */
const contentBlock = z.looseObject({ type: z.string(), text: z.string().optional() });

/** `content`, `diff` or `terminal`; for a diff a null or absent `oldText` means a new file. */
const toolContent = z.looseObject({
  type: z.string(),
  content: contentBlock.optional(),
  path: z.string().optional(),
  oldText: z.string().nullish(),
  newText: z.string().optional(),
  /** Gemini CLI tells `kind` of a diff: `add`, `modify` or `delete` (acp-02-write-default-fs-off). */
  _meta: z.looseObject({ kind: z.string().optional() }).nullish().catch(null),
});
export type AcpToolContent = z.output<typeof toolContent>;

const toolFields = {
  toolCallId: z.string(),
  title: z.string().nullish(),
  /** New in the SDK 2.4.0; Gemini CLI 0.61.0 does not send it. */
  name: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z.array(toolContent).nullish(),
  locations: z.array(z.looseObject({ path: z.string(), line: z.number().nullish() })).nullish(),
};
const toolCall = z.looseObject(toolFields);
/**
 * The tool call of a start, an update or a permission request: only `toolCallId` is always there. `rawInput` and
 * `rawOutput` may be anything and are read from the wire.
 */
export type AcpToolCall = z.output<typeof toolCall>;

const chunkFields = { content: contentBlock, messageId: z.string().nullish() };

const configOption = z.looseObject({
  id: z.string(),
  category: z.string().nullish(),
  currentValue: z.union([z.string(), z.boolean()]).optional(),
});

/** `session/update`. Its variants are told apart by `UPDATE_TAG`. */
export const sessionUpdateParams = z.looseObject({
  sessionId: z.string(),
  update: z.discriminatedUnion('sessionUpdate', [
    z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), ...chunkFields }),
    z.looseObject({ sessionUpdate: z.literal('agent_thought_chunk'), ...chunkFields }),
    z.looseObject({ sessionUpdate: z.literal('user_message_chunk'), ...chunkFields }),
    z.looseObject({ sessionUpdate: z.literal('tool_call'), ...toolFields }),
    z.looseObject({ sessionUpdate: z.literal('tool_call_update'), ...toolFields }),
    z.looseObject({
      sessionUpdate: z.literal('plan'),
      entries: z.array(
        z.looseObject({ content: z.string(), status: z.string().nullish(), priority: z.string().nullish() }),
      ),
    }),
    z.looseObject({
      sessionUpdate: z.literal('usage_update'),
      /** Tokens of the context window that are taken, and its size. */
      used: z.number(),
      size: z.number(),
      /** Of the whole session. */
      cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish(),
    }),
    /** The schema says `currentModeId`, the text of `session-modes.mdx` `modeId`. */
    z.looseObject({
      sessionUpdate: z.literal('current_mode_update'),
      currentModeId: z.string().optional(),
      modeId: z.string().optional(),
    }),
    z.looseObject({ sessionUpdate: z.literal('config_option_update'), configOptions: z.array(configOption) }),
    z.looseObject({ sessionUpdate: z.literal('session_info_update'), title: z.string().nullish() }),
    z.looseObject({
      sessionUpdate: z.literal('available_commands_update'),
      availableCommands: z.array(z.looseObject({ name: z.string() })),
    }),
  ]),
});
export const UPDATE_TAG = 'update.sessionUpdate';
export type SessionUpdateParams = z.output<typeof sessionUpdateParams>;
export type SessionUpdate = SessionUpdateParams['update'];

/** `session/request_permission`. */
export const requestPermissionParams = z.looseObject({
  sessionId: z.string(),
  toolCall,
  options: z.array(z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string() })),
});
export type RequestPermissionParams = z.output<typeof requestPermissionParams>;

/** `fs/read_text_file`; `line` counts from 1, null is absent. */
export const readTextFileParams = z.looseObject({
  sessionId: z.string(),
  path: z.string(),
  line: z.number().nullish(),
  limit: z.number().nullish(),
});

/** `fs/write_text_file`. */
export const writeTextFileParams = z.looseObject({ sessionId: z.string(), path: z.string(), content: z.string() });

/** `$/cancel_request`: the peer takes back a request of its own. */
export const cancelRequestParams = z.looseObject({ requestId: z.union([z.string(), z.number()]) });

/** Always `protocolVersion: 1`, an integer: Gemini CLI rejects a string (gemini-cli#22647). */
export interface InitializeParams {
  readonly protocolVersion: typeof ACP_VERSION;
  readonly clientCapabilities: {
    readonly fs: { readonly readTextFile: boolean; readonly writeTextFile: boolean };
    readonly terminal: boolean;
  };
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
}

export const initialize = requestType<InitializeParams>()(
  'initialize',
  z.looseObject({
    protocolVersion: z.number(),
    agentInfo: z.looseObject({ name: z.string(), version: z.string() }).nullish(),
    authMethods: z.array(z.looseObject({ id: z.string(), name: z.string() })).nullish(),
  }),
);
export type InitializeResult = z.output<(typeof initialize)['result']>;

const modes = z.looseObject({
  currentModeId: z.string(),
  availableModes: z.array(z.looseObject({ id: z.string() })),
});

/** Gone from the specification, still sent by Gemini CLI 0.61.0 (acp-01-basic). */
const models = z.looseObject({
  currentModelId: z.string(),
  availableModels: z.array(z.looseObject({ modelId: z.string() })),
});

export const newSession = requestType<{ readonly cwd: string; readonly mcpServers: readonly [] }>()(
  'session/new',
  z.looseObject({
    sessionId: z.string(),
    modes: modes.nullish(),
    models: models.nullish(),
    configOptions: z.array(configOption).nullish(),
  }),
);
export type NewSessionResult = z.output<(typeof newSession)['result']>;

/** Answers of which only the coming matters: an object, or null. */
const acknowledged = z.looseObject({}).nullish();

export const setMode = requestType<{ readonly sessionId: string; readonly modeId: string }>()(
  'session/set_mode',
  acknowledged,
);
export const setModel = requestType<{ readonly sessionId: string; readonly modelId: string }>()(
  'session/set_model',
  acknowledged,
);
export const setConfigOption = requestType<{
  readonly sessionId: string;
  readonly configId: string;
  readonly value: string;
}>()('session/set_config_option', acknowledged);

const tokenCount = z.looseObject({ input_tokens: z.number(), output_tokens: z.number() });

/** Tokens of the turn. Not stable in version 1, sent by `claude-agent-acp` (a1-acp-new-node20). */
const promptUsage = z.looseObject({
  inputTokens: z.number().nullish(),
  outputTokens: z.number().nullish(),
  cachedReadTokens: z.number().nullish(),
});

/**
 * `_meta.quota` is Gemini CLI's: tokens summed over all model requests of the prompt, absent when it was cancelled
 * (acp-01-basic, acp-08-cancel-midtool). It is not of the protocol, so another shape there counts as none.
 */
export const prompt = requestType<{
  readonly sessionId: string;
  readonly prompt: readonly { readonly type: 'text'; readonly text: string }[];
}>()(
  'session/prompt',
  z.looseObject({
    stopReason: z.string(),
    usage: promptUsage.nullish().catch(null),
    _meta: z
      .looseObject({
        quota: z
          .looseObject({
            token_count: tokenCount.nullish().catch(null),
            model_usage: z.array(z.looseObject({ model: z.string() })).nullish(),
          })
          .nullish(),
      })
      .nullish()
      .catch(null),
  }),
);
export type PromptResult = z.output<(typeof prompt)['result']>;
