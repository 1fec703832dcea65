import type { PermissionMode, Role, ToolKind } from '../shared/events.ts';

/** Where one ACP agent departs from the protocol, or says more than the protocol has a place for. */
export interface Quirks {
  /** The mode that a whole message chunk announces instead of saying something; null: it is a message. */
  readonly modeInText: (chunk: string) => string | null;
  /** A thought without what the agent itself put around it. */
  readonly thought: (chunk: string) => string;
  /** Whether the title of an `execute` call is its whole command line. */
  readonly commandIsTitle: boolean;
  /** What an option really reaches, for people; null: not known. */
  readonly scope: (optionId: string, kind: ToolKind) => string | null;
  /** The session mode to set, if it is offered. */
  readonly mode: (role: Role, mode: PermissionMode) => string;
}

const STANDARD: Quirks = {
  modeInText: () => null,
  thought: (chunk) => chunk,
  commandIsTitle: false,
  scope: () => null,
  mode: sessionMode,
};

/** Seen in 0.61.0; to be looked at again with each version that the tests are pinned to. */
const GEMINI_CLI: Quirks = {
  ...STANDARD,
  // acp-14-set-mode-model, acp-26d-edit-always, acp-28-plan-mode-tools: there is no current_mode_update.
  modeInText: (chunk) => /^\[MODE_UPDATE\] (default|autoEdit|yolo|plan)$/.exec(chunk)?.[1] ?? null,
  // acp-36-thought-shapes: a thought without a subject comes with an empty one.
  thought: (chunk) => chunk.replace(/^\*{4}\n?/, ''),
  // acp-03-shell-allow-once, acp-08-cancel-midtool.
  commandIsTitle: true,
  scope: geminiScope,
};

/** What is known of the agent that calls itself by this name in the answer of `initialize`. */
export function quirksOf(agentName: string | null): Quirks {
  return agentName === 'gemini-cli' ? GEMINI_CLI : STANDARD;
}

/**
 * Gemini CLI's names, which other agents use too. Never its `yolo`: with everything allowed, edits run by themselves and
 * our policy answers the rest.
 */
function sessionMode(role: Role, mode: PermissionMode): string {
  if (role === 'review') return 'plan';
  switch (mode) {
    case 'ask':
      return 'default';
    case 'edits':
    case 'all':
      return 'autoEdit';
    case 'read-only':
      return 'plan';
    default:
      return mode satisfies never;
  }
}

/** acp-26d-edit-always, acp-26c-permanent-unoffered, acp-19b-mcp-always, acp-52-shell-always-scope. */
function geminiScope(optionId: string, kind: ToolKind): string | null {
  switch (optionId) {
    case 'proceed_always':
      if (kind === 'edit') return 'every edit of this session, of any file';
      return kind === 'execute' ? 'this program with any arguments, in this session' : 'this tool, in this session';
    case 'proceed_always_tool':
      return 'this tool of the MCP server, in this session';
    case 'proceed_always_server':
      return 'every tool of the MCP server, in this session';
    case 'proceed_always_and_save':
      return 'for ever, in every project of this computer';
    default:
      return null;
  }
}
