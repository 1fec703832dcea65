import * as z from 'zod';
import { type ACP_VERSION, configOption } from './acp.ts';
import { requestType } from './jsonrpc.ts';

/** The methods of ACP version 1 that we call on agents: our parameters, and the answers as agents send them. */

/** Always `protocolVersion: 1`, an integer: Gemini CLI rejects a string (gemini-cli#22647). */
export interface InitializeParams {
  readonly protocolVersion: typeof ACP_VERSION;
  readonly clientCapabilities: {
    readonly fs: { readonly readTextFile: boolean; readonly writeTextFile: boolean };
    readonly terminal: boolean;
    /** We name the command of a `terminal` method for the person to run. */
    readonly auth: { readonly terminal: true };
    /** Forms only: a page to open is not offered. */
    readonly elicitation: { readonly form: Readonly<Record<string, never>> };
    readonly session: { readonly configOptions: { readonly boolean: Readonly<Record<string, never>> } };
  };
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
}

// What an agent says besides of itself and of a session is no reason not to work with it: a part of another shape than
// the one that is known counts as not said.

/** A capability that is an object when the agent has it. */
const offered = z.looseObject({}).nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

const agentCapabilities = z.looseObject({
  loadSession: flag,
  promptCapabilities: z.looseObject({ image: flag, audio: flag, embeddedContext: flag }).nullish().catch(null),
  mcpCapabilities: z.looseObject({ http: flag, sse: flag }).nullish().catch(null),
  sessionCapabilities: z.looseObject({ resume: offered, close: offered }).nullish().catch(null),
});
export type AgentCapabilities = z.output<typeof agentCapabilities>;

/** Of type `terminal`: the agent's own program, started with `args` and `env` in a terminal. Every other: `authenticate`. */
const authMethod = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  type: z.string().nullish(),
  args: z.array(z.string()).nullish().catch(null),
  env: z.record(z.string(), z.string()).nullish().catch(null),
});
export type AuthMethod = z.output<typeof authMethod>;

export const initialize = requestType<InitializeParams>()(
  'initialize',
  z.looseObject({
    protocolVersion: z.number(),
    agentInfo: z.looseObject({ name: z.string(), version: z.string().nullish() }).nullish().catch(null),
    agentCapabilities: agentCapabilities.nullish().catch(null),
    authMethods: z.array(authMethod).nullish().catch(null),
  }),
);
export type InitializeResult = z.output<(typeof initialize)['result']>;

/** Answers of which only the coming matters: an object, or null. */
const acknowledged = z.looseObject({}).nullish();

/** Never for a method of type `terminal`. Gemini CLI answers {} without checking anything (acp-18c). */
export const authenticate = requestType<{ readonly methodId: string }>()('authenticate', acknowledged);

const modes = z.looseObject({
  currentModeId: z.string(),
  availableModes: z.array(
    z.looseObject({ id: z.string(), name: z.string().nullish(), description: z.string().nullish() }),
  ),
});

/** Gone from the specification, still sent by Gemini CLI 0.61.0 (acp-01-basic). */
const models = z.looseObject({
  currentModelId: z.string(),
  availableModels: z.array(
    z.looseObject({ modelId: z.string(), name: z.string().nullish(), description: z.string().nullish() }),
  ),
});

const sessionState = {
  modes: modes.nullish().catch(null),
  models: models.nullish().catch(null),
  configOptions: z.array(configOption).nullish().catch(null),
};

/** One server for the agent to start or to reach; `env` and `headers` are lists, or Gemini CLI refuses them. */
export type McpServerParams =
  | {
      readonly name: string;
      /** Absolute. */
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value: string }[];
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
    };

/** `cwd` is absolute. */
export interface NewSessionParams {
  readonly cwd: string;
  readonly mcpServers: readonly McpServerParams[];
}

export const newSession = requestType<NewSessionParams>()(
  'session/new',
  z.looseObject({ sessionId: z.string(), ...sessionState }),
);
export type NewSessionResult = z.output<(typeof newSession)['result']>;

/** The answer of `session/load` may be null. */
const takenUp = z.looseObject(sessionState).nullish();

/** Only with `agentCapabilities.loadSession`. What was said is told again as updates, by Gemini CLI also after the answer (acp-13c-load-later-2n). */
export const loadSession = requestType<NewSessionParams & { readonly sessionId: string }>()('session/load', takenUp);
/** Only with `sessionCapabilities.resume`. Nothing is told again. */
export const resumeSession = requestType<NewSessionParams & { readonly sessionId: string }>()(
  'session/resume',
  takenUp,
);

/** Only with `sessionCapabilities.close`. */
export const closeSession = requestType<{ readonly sessionId: string }>()('session/close', acknowledged);

export const setMode = requestType<{ readonly sessionId: string; readonly modeId: string }>()(
  'session/set_mode',
  acknowledged,
);
export const setModel = requestType<{ readonly sessionId: string; readonly modelId: string }>()(
  'session/set_model',
  acknowledged,
);
/** The answer holds all options as they are now. */
export const setConfigOption = requestType<
  { readonly sessionId: string; readonly configId: string } & (
    | { readonly value: string }
    | { readonly type: 'boolean'; readonly value: boolean }
  )
>()(
  'session/set_config_option',
  z.looseObject({ configOptions: z.array(configOption).nullish().catch(null) }).nullish(),
);

/** A part of a prompt. Only `text` and `resource_link` are understood by every agent. */
export type PromptBlockParams =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly text: string; readonly mimeType?: string };
    }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

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
export const prompt = requestType<{ readonly sessionId: string; readonly prompt: readonly PromptBlockParams[] }>()(
  'session/prompt',
  z.looseObject({
    stopReason: z.string(),
    usage: promptUsage.nullish().catch(null),
    _meta: z
      .looseObject({
        quota: z
          .looseObject({
            token_count: tokenCount.nullish().catch(null),
            model_usage: z
              .array(z.looseObject({ model: z.string() }))
              .nullish()
              .catch(null),
          })
          .nullish(),
      })
      .nullish()
      .catch(null),
  }),
);
export type PromptResult = z.output<(typeof prompt)['result']>;
