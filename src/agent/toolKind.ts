import type { ToolKind } from '../shared/events.ts';

/**
 * Tool names of Gemini CLI 0.61.0 plus those of earlier versions that a recorded session may hold. The kind is the one
 * that the CLI itself announces over ACP (acp-10, acp-26, acp-45-tools-per-mode); only names that it calls `other`
 * are told apart further. Exact names: nothing is ever guessed from a part of a name or from a title.
 */
const GEMINI: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ['run_shell_command', 'execute'],
  ['read_file', 'read'],
  // No longer offered to the model; the CLI runs it itself for attached folders (acp-20-blocks).
  ['read_many_files', 'read'],
  ['list_directory', 'search'],
  ['glob', 'search'],
  ['grep_search', 'search'],
  // The name of grep_search before it was renamed.
  ['search_file_content', 'search'],
  ['google_web_search', 'search'],
  ['web_fetch', 'fetch'],
  ['write_file', 'edit'],
  ['replace', 'edit'],
  ['ask_user', 'ask'],
  ['write_todos', 'plan'],
  ['enter_plan_mode', 'plan'],
  ['exit_plan_mode', 'plan'],
  ['complete_task', 'plan'],
  ['activate_skill', 'plan'],
  // Removed before 0.61.0.
  ['save_memory', 'plan'],
  ['update_topic', 'think'],
  ['invoke_agent', 'think'],
  ['get_internal_docs', 'think'],
  ['list_background_processes', 'read'],
  ['read_background_output', 'read'],
  ['read_mcp_resource', 'read'],
  ['list_mcp_resources', 'search'],
  ['tracker_create_task', 'plan'],
  ['tracker_update_task', 'plan'],
  ['tracker_add_dependency', 'plan'],
  ['tracker_get_task', 'plan'],
  ['tracker_visualize', 'plan'],
  ['tracker_list_tasks', 'plan'],
]);

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
  ['WebSearch', 'search'],
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
  return GEMINI.get(name) ?? (name.startsWith('mcp_') ? 'other' : null);
}

/** The kind of a Claude Code tool by its exact name; `other` for an MCP tool (`mcp__<server>__<tool>`); null: not known. */
export function claudeToolKind(name: string): ToolKind | null {
  return CLAUDE.get(name) ?? (name.startsWith('mcp__') ? 'other' : null);
}
