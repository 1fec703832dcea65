import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { judge, verdict } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, useWorlds } from './loopWorld.ts';

const ONE_ROUND = ['-n', '1', '--trust'];
const CLAUDE_EXECUTES = ['--reviewer-model', GEMINI_MODEL, ...ONE_ROUND];
const GEMINI_EXECUTES = ['--executor', 'gemini', '--model', GEMINI_MODEL, '--reviewer', 'claude', ...ONE_ROUND];

describe('e2e: what the real CLIs are refused', function () {
  this.timeout(120_000);
  const enter = useWorlds({ files: { 'README.md': 'A project\n' }, git: true });

  it('a reviewing Gemini CLI writes and runs nothing, though everything is allowed to the executor', async () => {
    const { project, cgloop, assertPlayedAndGone } = await enter({
      claude: () => story('a word').next(say('Done.')),
      gemini: (at) =>
        story('a reviewer that would rather do it itself')
          .next(call('write_file', { file_path: at.file('reviewer.txt'), content: 'mine\n' }))
          .when({ afterTool: true, toolFailed: true })
          .reply(call('run_shell_command', { command: 'touch reviewer.txt', description: 'Make it' }))
          .when({ afterTool: true, toolFailed: true })
          .reply(say(verdict({ score: 9 }))),
    });
    const told = await cgloop([...CLAUDE_EXECUTES, '--permission', 'all', 'Say a word.']).done;
    assert.equal(told.code, 0, told.stderr);
    await assert.rejects(project.read('reviewer.txt'));
    await assertPlayedAndGone();
  });

  it('a reviewing Claude Code has no tool that writes or runs, and one that it calls all the same does nothing', async () => {
    const { project, anthropic, cgloop, assertPlayedAndGone } = await enter({
      gemini: () => story('a word').next(say('Done.')),
      claude: (at) =>
        story('a reviewer that would rather do it itself')
          .next(call('Write', { file_path: at.file('reviewer.txt'), content: 'mine\n' }))
          .when({ afterTool: true, toolFailed: true })
          .reply(call('Bash', { command: 'touch reviewer.txt', description: 'Make it' }))
          .when({ afterTool: true, toolFailed: true })
          .reply(...judge({ score: 9 })),
    });
    const told = await cgloop([...GEMINI_EXECUTES, '--permission', 'all', 'Say a word.']).done;
    assert.equal(told.code, 0, told.stderr);
    const offered = anthropic.exchanges.flatMap(({ request }) => request.tools);
    assert.ok(offered.includes('Read'), 'it does have tools');
    assert.deepEqual(
      offered.filter((tool) => /^(Write|Edit|NotebookEdit|Bash|WebFetch|WebSearch)$/.test(tool)),
      [],
    );
    await assert.rejects(project.read('reviewer.txt'));
    await assertPlayedAndGone();
  });

  it('Claude Code asks for both of two parallel calls, and each answer is for its own', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('two calls of one answer')
          .next(
            call('Write', { file_path: at.file('one.txt'), content: '1\n' }),
            call('Bash', { command: 'touch two.txt', description: 'Make two' }),
          )
          .when({ afterTool: true })
          .reply(say('One of the two.')),
      gemini: () => story('the reviewer').next(say(verdict({ score: 4 }))),
    });
    const run = cgloop([...CLAUDE_EXECUTES, 'Make two files.'], { tty: true });
    await run.saw(/\? Claude Code asks: .*one\.txt/);
    await pressUntil(run, 'y', /you: Allow – .*one\.txt/);
    await run.saw(/\? Claude Code asks: .*two\.txt/);
    await pressUntil(run, 'n', /you: Deny – .*two\.txt/);
    const told = await run.done;
    assert.equal(told.code, 3, told.stdout);
    assert.equal(await project.read('one.txt'), '1\n');
    await assert.rejects(project.read('two.txt'));
    await assertPlayedAndGone();
    await undo(told);
  });

  it('Gemini CLI writes nothing when Ctrl-C comes while its question is open', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      gemini: (at) =>
        story('asks, and is stopped').next(call('write_file', { file_path: at.file('late.txt'), content: 'late\n' })),
    });
    const run = cgloop([...GEMINI_EXECUTES, 'Write a file.'], { tty: true });
    await run.saw(/\? Gemini CLI asks: .*late\.txt/);
    run.interrupt();
    const told = await run.done;
    assert.equal(told.code, 130, told.stdout);
    await assert.rejects(project.read('late.txt'));
    await assertPlayedAndGone();
    await undo(told);
  });
});
