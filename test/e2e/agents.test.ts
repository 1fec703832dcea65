import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { installClaudeAcp } from '../tools/installClaudeAcp.ts';
import { FAILING_TEST } from './harness/project.ts';
import { edit, executorRounds, FIXED_WELL, judge, NINE, SAID, SIX, TASK } from './loopStories.ts';
import { GEMINI_MODEL, prompts, useWorlds } from './loopWorld.ts';

const BROKEN = 'a - b';
const FIX = 'a + b';

describe('e2e: the agents in either role', function () {
  this.timeout(120_000);
  const enter = useWorlds({ files: FAILING_TEST, git: true });

  it('Gemini CLI headless reviews: a process a round, one session over all of them (GEMINI.md 0.14, 0.15)', async () => {
    const { project, clis, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRounds,
      gemini: (at) =>
        story('reads, judges, and judges again')
          .next(call('read_file', { file_path: at.file('add.js') }))
          .next(say(SIX))
          .next(say(NINE)),
    });
    const roles = ['--reviewer', 'gemini-headless', '--reviewer-model', GEMINI_MODEL];
    const told = await cgloop([...roles, '--permission', 'edits', '--trust', TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stderr, /\nApproved with 9\/10 \(6 → 9\)\.\n/);
    assert.equal(await project.read('add.js'), FIXED_WELL);
    const last = gemini.exchanges.at(-1)?.request ?? assert.fail('nothing was asked');
    assert.ok(last.conversation.includes('The addition hides behind a double negation'), 'the session goes on');
    // Plan mode: what writes in the project is not offered but for the plan itself, and commands not at all.
    assert.ok(!last.tools.includes('run_shell_command'), last.tools.join());
    const turns = (await clis.spawns()).filter(({ args }) => args.includes('--approval-mode plan'));
    assert.equal(turns.length, 2);
    assert.match(turns[1]?.args ?? '', /--resume [0-9a-f-]{36}/);
    assert.ok(
      turns.every(({ args }) => !args.includes('Make the failing test')),
      'no prompt is an argument',
    );
    await assertPlayedAndGone();
    await undo(told);
  });

  it('C34: Gemini CLI headless says at once that the folder is not trusted, and both ways out', async () => {
    const { anthropic, cgloop, assertPlayedAndGone } = await enter({});
    const told = await cgloop(['--reviewer', 'gemini-headless', '--permission', 'edits', TASK]).done;
    assert.equal(told.code, 1, told.stderr);
    assert.match(told.stderr, /exit code 55, which means that it does not trust this folder.*cgloop --trust/s);
    assert.equal(anthropic.exchanges.length, 0, 'nobody has worked for nothing');
    await assertPlayedAndGone();
  });

  it('Gemini CLI headless executes with edits allowed, and Claude Code reviews', async () => {
    const { project, anthropic, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      gemini: (at) =>
        story('edits, and may not run')
          .next(call('replace', replacement(at.file('add.js'))))
          .next(call('run_shell_command', { command: 'node --test' }))
          .next(say(SAID.round2)),
      claude: () => story('is content').next(...judge({ score: 9 })),
    });
    const roles = ['--executor', 'gemini-headless', '--model', GEMINI_MODEL, '--reviewer', 'claude'];
    const told = await cgloop([...roles, '--permission', 'edits', '--trust', '-v', TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.stdout, `${SAID.round2}\n`);
    assert.match(await project.read('add.js'), /a \+ b/);
    assert.match(told.stderr, /Thoughts are not on this wire/);
    assert.match(told.stderr, /cannot run commands this way/);
    assert.ok(!gemini.exchanges[0]?.request.tools.includes('run_shell_command'));
    // The reviewer hears what was refused.
    assert.match(prompts(anthropic)[0] ?? '', /run_shell_command: /);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('swapped over ACP: Gemini CLI executes, Claude Code reviews', async () => {
    const { project, clis, anthropic, cgloop, assertPlayedAndGone, undo } = await enter({
      gemini: (at) =>
        story('fixes it')
          .next(say('I fix it.'), call('replace', replacement(at.file('add.js'))))
          .next(say(SAID.round2)),
      claude: () => story('is content').next(...judge({ score: 9 })),
    });
    const roles = ['--executor', 'gemini', '--model', GEMINI_MODEL, '--reviewer', 'claude'];
    const told = await cgloop([...roles, '--permission', 'edits', '--trust', TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(await project.read('add.js'), /a \+ b/);
    assert.match(prompts(anthropic)[0] ?? '', /^\+\s+return a \+ b;$/m);
    const sessions = (await clis.sessions()).map(({ program }) => program).sort();
    assert.deepEqual(sessions, ['claude', 'gemini']);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('a machine with only Gemini CLI reviews itself, once it is told so', async () => {
    const { project, clis, cgloop, assertPlayedAndGone } = await enter({
      without: 'claude',
      gemini: (at) =>
        story('one model in two sessions')
          .when({ prompt: 'Make the failing test pass', afterTool: false, lacks: 'exit_plan_mode' })
          .reply(call('replace', replacement(at.file('add.js'))))
          .when({ afterTool: 'replace' })
          .reply(say(SAID.round2))
          .when({ offers: 'exit_plan_mode' })
          .reply(say(NINE)),
    });
    const missing = await cgloop(['--permission', 'edits', TASK]).done;
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /let Gemini CLI take both roles.*--executor gemini --reviewer gemini/);
    const both = ['--executor', 'gemini', '--reviewer', 'gemini', '--model', GEMINI_MODEL];
    const told = await cgloop([...both, '--reviewer-model', GEMINI_MODEL, '--permission', 'edits', '--trust', TASK])
      .done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(await project.read('add.js'), /a \+ b/);
    assert.deepEqual(
      (await clis.sessions()).map(({ program }) => program),
      ['gemini', 'gemini'],
    );
    await assertPlayedAndGone();
  });

  it('Claude Code over its ACP adapter executes: a third agent, in a mode that asks (a1-acp-new-node20)', async function () {
    this.timeout(300_000); // The first time it is installed.
    const script = await installClaudeAcp();
    const { project, clis, anthropic, gemini, cgloop, undo } = await enter({
      claude: (at) =>
        story('fixes it; what the adapter asks besides is not of the story')
          .when({ prompt: 'Make the failing test pass', afterTool: false })
          .reply(call('Read', { file_path: at.file('add.js') }))
          .when({ afterTool: 'Read' })
          .reply(edit(at, BROKEN, FIX))
          .when({ afterTool: 'Edit' })
          .reply(say(SAID.round2)),
      gemini: () => story('is content').next(say(NINE)),
    });
    const program = path.join(clis.home, 'bin', 'claude-agent-acp');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
    const agents = { 'claude-acp': { env: { CLAUDE_CODE_EXECUTABLE: clis.claudePath } } };
    await mkdir(path.join(clis.home, 'cgloop'), { recursive: true });
    await writeFile(path.join(clis.home, 'cgloop', 'agents.json'), JSON.stringify(agents));
    const roles = ['--executor', 'claude-acp', '--reviewer-model', GEMINI_MODEL];
    const told = await cgloop([...roles, '--permission', 'edits', '--trust', '-v', TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.stdout, `${SAID.round2}\n`);
    assert.match(await project.read('add.js'), /a \+ b/);
    assert.match(told.stderr, /Claude Code \(over ACP\) 0\.101\.0 is ready/);
    // It starts in a mode that decides by itself; ours is set before the first prompt.
    assert.match(told.stderr, /Mode: acceptEdits/);
    // Titles and suggestions, which the adapter asks for besides, are beyond the story.
    assert.deepEqual([anthropic.unplayed(), gemini.unplayed()], [[], []]);
    await clis.assertNothingAlive();
    await undo(told);
  });
});

/** The edit that fixes the test, as Gemini's tool takes it. */
function replacement(file: string): Readonly<Record<string, unknown>> {
  return { file_path: file, instruction: 'Add instead of subtracting', old_string: BROKEN, new_string: FIX };
}
