import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { runCgloop } from './harness/terminal.ts';
import { verdict } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, useWorlds } from './loopWorld.ts';

const ROLES = ['--executor', 'claude', '--reviewer', 'gemini', '--reviewer-model', GEMINI_MODEL, '-n', '1', '--trust'];

describe('e2e: permissions of the real CLIs', function () {
  this.timeout(120_000);
  const enter = useWorlds({ files: { 'README.md': 'A project\n' }, git: true });

  it('Claude Code: the edits of the run are allowed with the first of them, rules answer its commands, the rest asks', async () => {
    const { project, clis, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('two files and three commands')
          .next(call('Write', { file_path: at.file('one.txt'), content: '1\n' }))
          .when({ afterTool: 'Write', toolFailed: false })
          .reply(call('Write', { file_path: at.file('two.txt'), content: '2\n' }))
          .when({ afterTool: 'Write', toolFailed: false })
          .reply(call('Bash', { command: 'node --version' }))
          .when({ afterTool: 'Bash', toolFailed: false })
          .reply(call('Bash', { command: 'touch three.txt' }))
          .when({ afterTool: 'Bash', toolFailed: true })
          .reply(call('Bash', { command: 'node --version > four.txt' }))
          .when({ afterTool: 'Bash', toolFailed: true })
          .reply(say('As far as it was allowed.')),
      gemini: () => story('the reviewer').next(say(verdict({ score: 9 }))),
    });
    const rule = (...args: readonly string[]) =>
      runCgloop(['rules', ...args], { cwd: project.folder, env: clis.env }).done;
    assert.match(
      (await rule('allow', 'node --version')).stdout,
      /Added: allow the command node --version, in this folder/,
    );
    assert.match((await rule('deny', '--prefix', 'touch', '--everywhere')).stdout, /Added: deny/);

    const run = cgloop([...ROLES, 'Do five things.'], { tty: true });
    await run.saw(/\? Claude Code asks: .*one\.txt/);
    await run.saw(/\[e\] Allow edits for this run/);
    await pressUntil(run, 'e', /you: Allow – .*one\.txt/);
    await run.saw(
      /policy: Deny – touch three\.txt \(A rule of the user refuses this: deny commands that begin with touch/,
    );
    await run.saw(/\? Claude Code asks: node --version > four\.txt/);
    await pressUntil(run, 'n', /you: Deny – node --version > four\.txt/);
    const told = await run.done;
    assert.equal(told.code, 0, told.stdout);
    assert.equal(told.stdout.match(/\? Claude Code asks/g)?.length, 2, 'two questions');
    assert.equal(await project.read('two.txt'), '2\n');
    await assert.rejects(project.read('three.txt'));
    await assert.rejects(project.read('four.txt'));
    await assertPlayedAndGone();
    await undo(told);
  });
});
