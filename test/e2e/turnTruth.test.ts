import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { judge, verdict } from './loopStories.ts';
import { GEMINI_MODEL, prompts, useWorlds } from './loopWorld.ts';

const FILES = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'gone.txt': 'three\n', '.gitignore': 'build/\n' };
const TENS = verdict({ score: 10 });

describe('e2e: the agent’s word against the folder', function () {
  this.timeout(60_000);
  const enter = useWorlds();

  it('tells what Claude Code changed without saying so, and what it says without a change', async () => {
    const { gemini, cgloop, assertPlayedAndGone } = await enter({
      files: FILES,
      git: true,
      claude: (at) =>
        story('announces less and more than it does')
          .next(call('Read', { file_path: at.file('a.txt') }))
          .next(call('Edit', { file_path: at.file('a.txt'), old_string: 'one', new_string: 'ONE' }))
          .next(call('Write', { file_path: at.file('new.txt'), content: 'new\n' }))
          .next(call('Write', { file_path: at.file('build/out.txt'), content: 'ignored\n' }))
          .next(call('Bash', { command: 'echo more >> b.txt && rm gone.txt', description: 'Append' }))
          .next(say('Done.')),
      gemini: () => story('approves').next(say(TENS)),
    });
    const told = await cgloop(['--permission', 'all', '--reviewer-model', GEMINI_MODEL, 'Do it']).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stderr, /^Not announced by the agent \(a command of the agent, or you\): b\.txt, gone\.txt$/m);
    assert.match(told.stderr, /^Announced, and nothing differs: build\/out\.txt$/m);
    assert.doesNotMatch(told.stderr, /outside the folder|Changed by you/);
    const [review = ''] = prompts(gemini);
    assert.match(review, /a command that it ran may have done it\):\n- b\.txt\n- gone\.txt\n/);
    assert.match(review, /a file that git ignores\):\n- build\/out\.txt\n/);
    await assertPlayedAndGone();
  });

  it('finds nothing to say of Gemini CLI, whose cards and served files name every change', async () => {
    const { anthropic, cgloop } = await enter({
      files: FILES,
      git: false,
      gemini: (at) =>
        story('says what it does')
          .next(call('write_file', { file_path: at.file('new.txt'), content: 'new\n' }))
          .next(
            call('replace', {
              file_path: at.file('a.txt'),
              old_string: 'one',
              new_string: 'ONE',
              instruction: 'Shout it',
            }),
          )
          .next(say('Done.')),
      claude: () => story('approves').next(...judge({ score: 10 })),
    });
    const roles = ['--executor', 'gemini', '--model', GEMINI_MODEL, '--reviewer', 'claude'];
    const told = await cgloop([...roles, '--permission', 'edits', '--trust', 'Do it']).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stderr, /^Changed: 2 files/m);
    assert.doesNotMatch(told.stderr, /Not announced|nothing differs|outside the folder/);
    assert.doesNotMatch(prompts(anthropic)[0] ?? '', /compared with the folder/);
  });
});
