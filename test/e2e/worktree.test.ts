import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { treeDigest } from './harness/treeDigest.ts';
import { verdict } from './loopStories.ts';
import { GEMINI_MODEL, prompts, useWorlds } from './loopWorld.ts';

describe('e2e: a run in a worktree on the real CLIs', function () {
  this.timeout(90_000);
  const enter = useWorlds();

  it('works and is reviewed there, leaves the folder alone, and is brought into it when asked', async () => {
    const { project, cgloop, anthropic, gemini, assertPlayedAndGone } = await enter({
      files: { 'poem.txt': 'One line.\n' },
      git: true,
      claude: () =>
        story('two rounds')
          .next(call('Bash', { command: "printf 'Two lines.\\n' >> poem.txt && pwd", description: 'Adds a line' }))
          .next(say('Added.'))
          .next(call('Bash', { command: 'cp poem.txt copy.txt', description: 'Copies it' }))
          .next(say('Copied.')),
      gemini: () =>
        story('content with the second')
          .next(say(verdict({ score: 6 })))
          .next(say(verdict({ score: 9.5 }))),
    });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', project.folder, ...args], { encoding: 'utf8' });
    const before = await treeDigest(project.folder);
    const told = await cgloop([
      ...['--worktree', '--permission', 'all', '--reviewer-model', GEMINI_MODEL],
      'Make the poem longer.',
    ]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.deepEqual(await treeDigest(project.folder), before);
    const [, id = ''] = / worktree apply (\S+) /.exec(told.stderr) ?? [];
    const [, where = ''] = new RegExp(`^(\\S+/worktrees/${id})\\s`, 'm').exec(git('worktree', 'list')) ?? [];
    assert.equal(await readFile(`${where}/copy.txt`, 'utf8'), 'One line.\nTwo lines.\n');
    const pwd = anthropic.exchanges.flatMap(({ request }) => request.toolResults).map(({ text }) => text);
    assert.ok(
      pwd.some((text) => text.includes(where)),
      `the command ran elsewhere: ${pwd.join('\n')}`,
    );
    assert.match(prompts(gemini)[1] ?? '', /copy\.txt/);

    const applied = await cgloop(['worktree', 'apply', id]).done;
    assert.equal(applied.code, 0, applied.stderr);
    assert.equal(await readFile(project.file('copy.txt'), 'utf8'), 'One line.\nTwo lines.\n');
    assert.equal(existsSync(where), false);
    await assertPlayedAndGone();
  });
});
