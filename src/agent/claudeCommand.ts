import type { AgentContext } from './agent.ts';
import { VERDICT_WORDS, verdictSchema } from './verdictSchema.ts';

/** Leaves out what starts turns by itself, moves the working folder or spawns background agents (CLAUDE-TOOLS.md). */
const EXECUTOR_TOOLS =
  'Bash,Read,Edit,Write,NotebookEdit,Glob,Grep,WebFetch,WebSearch,AskUserQuestion,ExitPlanMode,TaskCreate,TaskUpdate,TaskList,TaskGet';
const REVIEWER_TOOLS = 'Read,Glob,Grep';

/** A reviewer ends its turn with one call of a tool that takes nothing but this (65-json-schema). */
const VERDICT_SCHEMA = JSON.stringify(verdictSchema(VERDICT_WORDS));

/**
 * The command line of the one process of a run (b0-two-round-loop): stream-json both ways, questions over stdio. No text
 * of the user or a model is in it. A reviewer has only tools that read, and no servers of the user's. `resume`: the id of
 * the session to go on with; never together with an id for a new one (case C44).
 */
export function claudeArgs(
  context: Pick<AgentContext, 'launch' | 'role' | 'mode' | 'trusted' | 'model'>,
  resume: string | null = null,
): string[] {
  const { launch, role, trusted, model } = context;
  return [
    ...launch.args,
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    ...['--verbose', '--include-partial-messages', '--permission-prompt-tool', 'stdio'],
    ...['--permission-mode', modeOf(context)],
    ...['--tools', role === 'review' ? REVIEWER_TOOLS : EXECUTOR_TOOLS],
    ...(role === 'review' ? ['--json-schema', VERDICT_SCHEMA] : []),
    ...(model === null ? [] : ['--model', model]),
    ...(resume === null ? [] : ['--resume', resume]),
    // Hooks, CLAUDE.md and servers of the repository are live in `-p` otherwise (95-untrusted-project-settings).
    ...(trusted ? [] : ['--setting-sources', '']),
    ...(trusted && role === 'execute' ? [] : ['--strict-mcp-config']),
  ];
}

/** Never `bypassPermissions` or `auto`: what may run without a question is decided in our policy. */
function modeOf({ role, mode }: Pick<AgentContext, 'role' | 'mode'>): 'default' | 'acceptEdits' | 'plan' {
  if (role === 'review') return 'plan';
  switch (mode) {
    case 'ask':
      return 'default';
    case 'edits':
    case 'all':
      return 'acceptEdits';
    case 'read-only':
      return 'plan';
    default:
      return mode satisfies never;
  }
}

/** The variables that Claude Code is started with: it then says when a session is idle (96-state-events). */
export const CLAUDE_ENV = { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } as const;

/** The id of an earlier session as far as it may stand on a command line: only a UUID (75-session-id-not-uuid). */
export function resumableId(sessionId: string): string | null {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sessionId) ? sessionId : null;
}
