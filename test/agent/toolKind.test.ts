import assert from 'node:assert/strict';
import { claudeToolKind, GEMINI_TOOLS_0_61, geminiToolKind } from '../../src/agent/toolKind.ts';

describe('toolKind', () => {
  it('knows the tools that Gemini CLI 0.61.0 offers over ACP (acp-45-tools-per-mode)', () => {
    const offered =
      'update_topic list_directory read_file grep_search glob replace write_file web_fetch run_shell_command ' +
      'list_background_processes read_background_output google_web_search write_todos enter_plan_mode invoke_agent activate_skill';
    for (const name of offered.split(' ')) {
      assert.notEqual(geminiToolKind(name), null, name);
      assert.ok(GEMINI_TOOLS_0_61.includes(name), name);
    }
    assert.equal(geminiToolKind('run_shell_command'), 'execute');
    assert.equal(geminiToolKind('replace'), 'edit');
    assert.equal(geminiToolKind('list_directory'), 'search');
    assert.equal(geminiToolKind('web_fetch'), 'fetch');
    assert.equal(geminiToolKind('ask_user'), 'ask');
  });

  it('knows tools of earlier versions and of sub-agents, which 0.61.0 offers to nobody (acp-09-ask-user, acp-20-blocks)', () => {
    const earlier = { search_file_content: 'search', save_memory: 'plan' };
    const inner = { ask_user: 'ask', read_many_files: 'read', complete_task: 'plan', get_internal_docs: 'think' };
    for (const [name, kind] of Object.entries({ ...earlier, ...inner })) {
      assert.equal(geminiToolKind(name), kind);
      assert.ok(!GEMINI_TOOLS_0_61.includes(name), name);
    }
  });

  it('knows the 27 tools that Claude Code 2.1.197 offers with prompts on stdio, and Agent by its other name', () => {
    const offered =
      'Agent Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree NotebookEdit Read ReportFindings ' +
      'ScheduleWakeup SendMessage Skill TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate WebFetch WebSearch ' +
      'Workflow Write AskUserQuestion EnterPlanMode ExitPlanMode Glob Grep TodoWrite';
    for (const name of offered.split(' ')) assert.notEqual(claudeToolKind(name), null, name);
    assert.equal(claudeToolKind('Task'), claudeToolKind('Agent'));
    assert.equal(claudeToolKind('Write'), 'edit');
    assert.equal(claudeToolKind('AskUserQuestion'), 'ask');
    assert.equal(claudeToolKind('WebSearch'), claudeToolKind('WebFetch'), 'for rules about the web');
  });

  it('gives an MCP tool the generic kind by its prefix, after the exact names', () => {
    assert.equal(geminiToolKind('mcp_files_read_file'), 'other');
    assert.equal(claudeToolKind('mcp__files__Write'), 'other');
    assert.equal(claudeToolKind('mcp_files_Write'), null);
  });

  it('never guesses', () => {
    for (const name of ['', 'Read_file', 'read_file ', 'my_read_file', 'write', 'toString', '__proto__'])
      assert.equal(geminiToolKind(name), null, name);
    for (const name of ['', 'read', 'BashOutput', 'constructor']) assert.equal(claudeToolKind(name), null, name);
  });
});
