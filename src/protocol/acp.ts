import * as z from 'zod';

/**
 * The Agent Client Protocol, version 1, as agents send it by themselves (their answers: `acpRequests.ts`): loose objects,
 * so that what we do not know stays. Words of open lists (kinds, statuses, content types) are plain strings here: an
 * unknown one must not cost the whole message.
 */
export const ACP_VERSION = 1;

/** Methods that agents call on us, and those we only notify them with. */
export const ACP = {
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  createTerminal: 'terminal/create',
  terminalOutput: 'terminal/output',
  waitForTerminalExit: 'terminal/wait_for_exit',
  killTerminal: 'terminal/kill',
  releaseTerminal: 'terminal/release',
  cancel: 'session/cancel',
  cancelRequest: '$/cancel_request',
  createElicitation: 'elicitation/create',
} as const;

/** `text` for type `text`, `uri` and `name` for `resource_link`, `resource` for `resource`; the others hold data. */
const contentBlock = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  uri: z.string().nullish(),
  name: z.string().nullish(),
  resource: z.looseObject({ uri: z.string(), text: z.string().nullish() }).nullish(),
});
export type AcpContentBlock = z.output<typeof contentBlock>;

/** `content`, `diff` or `terminal`; for a diff a null or absent `oldText` means a new file. */
const toolContent = z.looseObject({
  type: z.string(),
  content: contentBlock.optional(),
  path: z.string().optional(),
  oldText: z.string().nullish(),
  newText: z.string().optional(),
  terminalId: z.string().optional(),
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

const configValue = z.looseObject({ value: z.string(), name: z.string(), description: z.string().nullish() });
const optionalValue = {
  value: z.string().optional(),
  name: z.string().optional(),
  description: z.string().nullish(),
};

/** Told apart by `type`; agents leave it out or add types, so what a reader cannot use has neither list nor value. */
export const configOption = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  category: z.string().nullish(),
  type: z.string().nullish(),
  currentValue: z.union([z.string(), z.boolean()]).optional().catch(undefined),
  /** Flat: `value` and `name`. In groups: `options`. */
  options: z
    .array(z.looseObject({ ...optionalValue, options: z.array(configValue).nullish() }))
    .nullish()
    .catch(null),
});
export type AcpConfigOption = z.output<typeof configOption>;

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
      availableCommands: z.array(
        z.looseObject({
          name: z.string(),
          description: z.string().nullish(),
          input: z.looseObject({ hint: z.string().nullish() }).nullish().catch(null),
        }),
      ),
    }),
    /** Only in the SDK 2.4.0's schema, and only for a client that asks for it; some agents do not wait to be asked. */
    z.looseObject({
      sessionUpdate: z.literal('notice'),
      severity: z.string().nullish(),
      title: z.string(),
      description: z.string().nullish(),
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
export type ReadTextFileParams = z.output<typeof readTextFileParams>;

/** `fs/write_text_file`. */
export const writeTextFileParams = z.looseObject({ sessionId: z.string(), path: z.string(), content: z.string() });
export type WriteTextFileParams = z.output<typeof writeTextFileParams>;

/** `terminal/create`. `cwd` is absolute, `outputByteLimit` counts bytes of UTF-8. */
export const createTerminalParams = z.looseObject({
  sessionId: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
  cwd: z.string().nullish(),
  outputByteLimit: z.number().nullish(),
});
export type CreateTerminalParams = z.output<typeof createTerminalParams>;

/** `terminal/output`, `terminal/wait_for_exit`, `terminal/kill` and `terminal/release`. */
export const terminalParams = z.looseObject({ sessionId: z.string(), terminalId: z.string() });
export type TerminalParams = z.output<typeof terminalParams>;

/** `$/cancel_request`: the peer takes back a request of its own. */
export const cancelRequestParams = z.looseObject({ requestId: z.union([z.string(), z.number()]) });
