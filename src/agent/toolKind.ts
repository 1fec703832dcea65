import type { ToolKind } from '../shared/toolCall.ts';

/** One tool of Gemini CLI. A recorded session may name one that is gone. */
interface GeminiTool {
  readonly kind: ToolKind;
  /** The first of the versions that we know without it; absent: it is there in 0.61.0. */
  readonly until?: '0.61.0';
  /** It is not offered to the model of a session: the CLI runs it itself, or only its sub-agents have it. */
  readonly inner?: true;
}

/**
 * Tools of Gemini CLI up to 0.61.0. The kind is the one that the CLI itself announces over ACP (acp-10, acp-26,
 * acp-45-tools-per-mode); only names that it calls `other` are told apart further. Exact names: nothing is ever guessed from
 * a part of a name or from a title.
 */
const GEMINI: ReadonlyMap<string, GeminiTool> = new Map<string, GeminiTool>([
  // Commands.
  ['run_shell_command', { kind: 'execute' }],
  // Reading; it runs read_many_files itself for attached folders (acp-20-blocks).
  ['read_file', { kind: 'read' }],
  ['read_many_files', { kind: 'read', inner: true }],
  ['list_background_processes', { kind: 'read' }],
  ['read_background_output', { kind: 'read' }],
  ['read_mcp_resource', { kind: 'read' }],
  // Search and fetch.
  ['list_directory', { kind: 'search' }],
  ['glob', { kind: 'search' }],
  ['grep_search', { kind: 'search' }],
  // grep_search under its former name.
  ['search_file_content', { kind: 'search', until: '0.61.0' }],
  ['google_web_search', { kind: 'search' }],
  ['list_mcp_resources', { kind: 'search' }],
  ['web_fetch', { kind: 'fetch' }],
  // Writing.
  ['write_file', { kind: 'edit' }],
  ['replace', { kind: 'edit' }],
  // A question; never offered over ACP or headless (acp-09-ask-user).
  ['ask_user', { kind: 'ask', inner: true }],
  // Plans and bookkeeping.
  ['write_todos', { kind: 'plan' }],
  ['enter_plan_mode', { kind: 'plan' }],
  ['exit_plan_mode', { kind: 'plan' }],
  ['activate_skill', { kind: 'plan' }],
  ['complete_task', { kind: 'plan', inner: true }],
  ['save_memory', { kind: 'plan', until: '0.61.0' }],
  ['tracker_create_task', { kind: 'plan' }],
  ['tracker_update_task', { kind: 'plan' }],
  ['tracker_add_dependency', { kind: 'plan' }],
  ['tracker_get_task', { kind: 'plan' }],
  ['tracker_visualize', { kind: 'plan' }],
  ['tracker_list_tasks', { kind: 'plan' }],
  // Thinking, and sub-agents that do.
  ['update_topic', { kind: 'think' }],
  ['invoke_agent', { kind: 'think' }],
  ['get_internal_docs', { kind: 'think', inner: true }],
]);

/** The tools of Gemini CLI that version 0.61.0 can offer to its model. */
export const GEMINI_TOOLS_0_61: readonly string[] = [...GEMINI]
  .filter(([, { until, inner }]) => until === undefined && inner !== true)
  .map(([name]) => name);

/** Tool names of Claude Code 2.1.197 (48-which-tools-ask, 48-todo-env and the `init` line, which says `Task` for `Agent`). */
const CLAUDE: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ['Bash', 'execute'],
  ['Read', 'read'],
  ['Edit', 'edit'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Glob', 'search'],
  ['Grep', 'search'],
  ['WebFetch', 'fetch'],
  // It asks the web, as the adapter for ACP says too: a rule about the web reaches it, one about reading does not.
  ['WebSearch', 'fetch'],
  ['AskUserQuestion', 'ask'],
  ['EnterPlanMode', 'plan'],
  ['ExitPlanMode', 'plan'],
  ['TodoWrite', 'plan'],
  ['TaskCreate', 'plan'],
  ['TaskUpdate', 'plan'],
  ['TaskGet', 'plan'],
  ['TaskList', 'plan'],
  ['TaskOutput', 'read'],
  ['TaskStop', 'other'],
  ['Agent', 'think'],
  ['Task', 'think'],
  ['Workflow', 'think'],
  ['Skill', 'other'],
  ['EnterWorktree', 'other'],
  ['ExitWorktree', 'other'],
  ['CronCreate', 'other'],
  ['CronDelete', 'other'],
  ['CronList', 'other'],
  ['ScheduleWakeup', 'other'],
  ['SendMessage', 'other'],
  ['ReportFindings', 'other'],
  ['StructuredOutput', 'other'],
]);

/** The kind of a Gemini CLI tool by its exact name; `other` for an MCP tool (`mcp_<server>_<tool>`); null: not known. */
export function geminiToolKind(name: string): ToolKind | null {
  return GEMINI.get(name)?.kind ?? (name.startsWith('mcp_') ? 'other' : null);
}

/** The kind of a Claude Code tool by its exact name; `other` for an MCP tool (`mcp__<server>__<tool>`); null: not known. */
export function claudeToolKind(name: string): ToolKind | null {
  return CLAUDE.get(name) ?? (name.startsWith('mcp__') ? 'other' : null);
}
