import type { AgentEvent, AgentProtocol } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';

/**
 * Who first said what a derived field holds: the model, the agent program (its tools and their states), the envelope of
 * its own command line wire, the envelope of ACP, or we.
 */
export type Layer = 'modelRuntime' | 'agent' | 'cliWire' | 'acpWire' | 'ours';

/**
 * Where a field comes from: paths on the wire, separated by commas, with remarks in parentheses; for `ours` what it is
 * concluded from. `[]` is any item of a list. Null: never set.
 */
export type Origin = { readonly layer: Layer; readonly from: string } | null;

type Row = Readonly<Record<AgentProtocol, Origin>>;
type Rows<T> = { readonly [K in keyof T]-?: Row };
type DerivedOf<E extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: E }>['derived'];
type TurnEnd = Extract<LoopEventBody, { readonly type: 'turn.ended' }>['derived'];

/** One row a derived field: a field of `shared/events.ts` that lacks its row here is a type error. */
export type Provenance = { readonly [E in AgentEvent['type']]: Rows<DerivedOf<E>> } & {
  readonly 'permission.requested': Rows<PermissionRequest>;
  readonly 'turn.ended': Rows<TurnEnd>;
};

const model = (from: string) => ({ layer: 'modelRuntime', from }) as const;
const agent = (from: string) => ({ layer: 'agent', from }) as const;
const cli = (from: string) => ({ layer: 'cliWire', from }) as const;
const acp = (from: string) => ({ layer: 'acpWire', from }) as const;
const ours = (from: string) => ({ layer: 'ours', from }) as const;

const row = (acpOrigin: Origin, claude: Origin, gemini: Origin): Row => ({
  acp: acpOrigin,
  'claude-stream-json': claude,
  'gemini-stream-json': gemini,
});

const channel = row(
  acp('update.sessionUpdate'),
  agent('message.content[].type, event.delta.type'),
  ours('message.role assistant; thoughts are not on this wire'),
);
const messageId = row(
  ours('update.messageId, else chunks that follow each other'),
  ours('message.id, event.message.id and the index of the block'),
  ours('message lines with delta that follow each other'),
);

const toolCall: Rows<DerivedOf<'toolCall.started'>> = {
  toolCallId: row(
    agent('update.toolCallId, toolCall.toolCallId'),
    model('message.content[].id, message.content[].tool_use_id, request.tool_use_id'),
    agent('tool_id'),
  ),
  toolName: row(agent('update.name'), model('message.content[].name, request.tool_name'), model('tool_name')),
  title: row(agent('update.title'), ours('the tool name and its input'), null),
  kind: row(agent('update.kind'), ours('message.content[].name'), ours('tool_name')),
  state: row(
    agent('update.status (else a question, its answer, the end of the turn)'),
    ours('tool_use, can_use_tool, tool_result and the end of the turn'),
    agent('status (of tool_result; tool_use begins)'),
  ),
  reason: row(
    ours('update.status failed, our answer, our cancel, the end of the turn'),
    ours('is_error, our answer, our interrupt, the end of the turn'),
    ours('tool_result.status error'),
  ),
  content: row(
    agent('update.content'),
    agent('tool_use_result, message.content[].content'),
    agent('output, error.message'),
  ),
  locations: row(agent('update.locations'), model('message.content[].input'), null),
  rawInput: row(model('update.rawInput'), model('message.content[].input, request.input'), model('parameters')),
  rawOutput: row(agent('update.rawOutput'), null, null),
  parentId: row(null, agent('parent_tool_use_id'), null),
};

export const PROVENANCE: Provenance = {
  'message.chunk': {
    channel,
    messageId,
    text: row(
      model('update.content.text'),
      model('event.delta.text, event.delta.thinking, message.content[].text, message.content[].thinking'),
      model('content'),
    ),
  },
  'message.replaced': {
    channel: row(null, channel['claude-stream-json'], null),
    messageId: row(null, messageId['claude-stream-json'], null),
    text: row(null, model('message.content[].text, message.content[].thinking'), null),
    reason: row(null, ours('a complete line of the same message, or none'), null),
  },
  'toolCall.started': toolCall,
  'toolCall.updated': toolCall,
  'plan.updated': {
    entries: row(model('update.entries'), agent('tool_use_result.newTodos, tool_use_result.tasks'), null),
  },
  'usage.updated': {
    inputTokens: row(null, null, null),
    outputTokens: row(null, null, null),
    cachedTokens: row(null, null, null),
    costUsd: row(ours('update.cost.amount in USD, less what it was before the turn'), null, null),
    context: row(agent('update.used, update.size'), null, null),
  },
  'session.updated': {
    sessionId: row(null, agent('session_id'), agent('session_id')),
    model: row(null, agent('model'), agent('model')),
    version: row(null, agent('claude_code_version'), null),
  },
  'mode.updated': {
    mode: row(
      agent('update.currentModeId (one page of the specification says modeId), update.content.text (Gemini CLI)'),
      agent('permissionMode'),
      null,
    ),
  },
  'commands.updated': {
    commands: row(agent('update.availableCommands'), agent('response.response.commands (of initialize)'), null),
  },
  'options.updated': {
    options: row(
      agent('modes, models, configOptions, update.configOptions, update.currentModeId'),
      agent('response.response.models (of initialize)'),
      null,
    ),
  },
  diagnostic: {
    source: row(ours('who noticed'), ours('who noticed'), ours('who noticed')),
    level: row(ours('the code'), ours('the kind of line'), agent('severity')),
    code: row(ours('what happened'), ours('what happened'), ours('what happened')),
    text: row(ours('what happened; error.message'), agent('content, error, message.content[].text'), agent('message')),
  },
  'permission.requested': {
    toolCallId: row(agent('toolCall.toolCallId'), model('tool_use_id'), null),
    title: row(agent('toolCall.title'), ours('tool_name and input'), null),
    kind: row(agent('toolCall.kind'), ours('tool_name'), null),
    options: row(agent('options'), ours('permission_suggestions, input.questions'), null),
    content: row(agent('toolCall.content'), ours('input and the file as it is'), null),
    paths: row(agent('toolCall.locations[].path, toolCall.content[].path'), model('input, blocked_path'), null),
    command: row(model('toolCall.rawInput.command, toolCall.title (Gemini CLI)'), model('input.command'), null),
    unsaved: row(ours('the editors'), ours('the editors'), null),
    asker: row(ours('unsaved files'), ours('unsaved files'), null),
    takesMessage: row(ours('the protocol has no place for words'), ours('deny takes a message'), null),
    takesChange: row(null, ours('allow takes an updatedInput; the whole file is known'), null),
    form: row(null, model('input.questions, input.plan'), null),
    offers: row(ours('our policy'), ours('our policy'), null),
  },
  'turn.ended': {
    outcome: row(
      ours('stopReason, the error of the response, our cancel, the end of the process'),
      ours('subtype, is_error, terminal_reason, stop_reason, our interrupt, the end of the process'),
      ours('result.status, the exit code'),
    ),
    usage: row(
      cli('_meta.quota.token_count (Gemini CLI), usage, update.cost.amount'),
      cli('usage, total_cost_usd (less what it was before the turn)'),
      cli('stats'),
    ),
    structured: row(null, model('structured_output (held to our schema by Claude Code)'), null),
    models: row(cli('_meta.quota.model_usage[].model (Gemini CLI)'), model('message.model'), cli('stats.models')),
  },
};
