import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { call, type Step, type Story, say, story } from '../fakes/models/story.ts';
import type { Project } from './harness/project.ts';
import { gitDigest, treeDigest } from './harness/treeDigest.ts';
import { verdict } from './loopStories.ts';
import { GEMINI_MODEL, prompts, useWorlds } from './loopWorld.ts';

const LINES = Array.from({ length: 24 }, (_, at) => `Line ${at + 1} of the poem.`);
/** The poem with some lines replaced. */
const poem = (changed: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, at) => changed[at + 1] ?? line).join('\n')}\n`;
const WORDS: Readonly<Record<number, string>> = {
  3: 'Round one was here.',
  12: 'Round two was here.',
  21: 'Round three was here.',
};
const poemOf = (...lines: readonly number[]) =>
  poem(Object.fromEntries(lines.map((line) => [line, WORDS[line] ?? ''])));

describe('e2e: undoing rounds of the real CLIs', function () {
  this.timeout(90_000);
  const enter = useWorlds();

  /** Each round changes one line of the poem, and writes a file of its own. */
  const round = (at: Project, told: Story, number: number, line: number): Story => {
    const edit: Step = call('Edit', {
      file_path: at.file('poem.txt'),
      old_string: LINES[line - 1] ?? '',
      new_string: WORDS[line] ?? '',
    });
    return told
      .next(edit)
      .next(call('Write', { file_path: at.file(`round-${number}.txt`), content: `Round ${number}\r\n` }))
      .next(say(`Round ${number} is done.`));
  };
  const executor = (at: Project): Story => {
    const begin = story('three rounds').next(call('Read', { file_path: at.file('poem.txt') }));
    const three = round(at, round(at, round(at, begin, 1, 3), 2, 12), 3, 21);
    return three.next(say('I know what was undone, and leave it so.'));
  };
  const reviewer = (): Story => {
    const finding = { severity: 'major', file: 'poem.txt', line: 3, title: 'Too short', detail: 'More.' };
    return story('content with the third')
      .next(say(verdict({ score: 5, findings: [finding] })))
      .next(say(verdict({ score: 7, previous: [{ id: 'F1', status: 'fixed' }] })))
      .next(say(verdict({ score: 9.5 })))
      .next(say(verdict({ score: 9.5, previous: [{ id: 'F1', status: 'fixed' }] })));
  };

  it('takes round 2 of 3 back, brings it back, goes back to before round 2, byte for byte, and tells the executor', async () => {
    const { project, cgloop, anthropic, assertPlayedAndGone } = await enter({
      files: { 'poem.txt': poem() },
      git: true,
      claude: executor,
      gemini: reviewer,
    });
    const git = () => gitDigest(project.folder);
    const repository = await git();
    const options = ['--reviewer-model', GEMINI_MODEL, '--permission', 'edits'];
    const told = await cgloop([...options, 'Make the poem better, a line a round.']).done;
    assert.equal(told.code, 0, told.stderr);
    const [, id = ''] = / undo (\S+)$/m.exec(told.stderr) ?? [];
    const end = await treeDigest(project.folder);
    const read = (file: string) => readFile(project.file(file), 'utf8');
    assert.equal(await read('poem.txt'), poemOf(3, 12, 21));

    const shown = await cgloop(['undo', id, '--round', '2', '--preview']).done;
    assert.match(shown.stdout, /poem\.txt {2}\+1 −1\n[\s\S]*round-2\.txt/);
    assert.deepEqual(await treeDigest(project.folder), end);

    const done = await cgloop(['undo', id, '--round', '2']).done;
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /1 finding is open again: F1\./);
    assert.equal(await read('poem.txt'), poemOf(3, 21));
    await assert.rejects(read('round-2.txt'));
    assert.equal(await read('round-1.txt'), 'Round 1\r\n');
    assert.equal(await read('round-3.txt'), 'Round 3\r\n');

    assert.equal((await cgloop(['undo', id, '--redo']).done).code, 0);
    assert.deepEqual(await treeDigest(project.folder), end);

    assert.equal((await cgloop(['undo', id, '--before', '2']).done).code, 0);
    assert.equal(await read('poem.txt'), poemOf(3));
    for (const file of ['round-2.txt', 'round-3.txt']) await assert.rejects(read(file));
    assert.equal(await read('round-1.txt'), 'Round 1\r\n');
    const { status: _, ...now } = await git();
    const { status: __, ...was } = repository;
    assert.deepEqual(now, was, 'HEAD, index, refs and stash stay as they are');

    const resumed = await cgloop(['--resume', id, '-n', '4']).done;
    assert.equal(resumed.code, 0, resumed.stderr);
    const last = prompts(anthropic).at(-1) ?? '';
    assert.match(last, /undid work of yours[\s\S]*poem\.txt[\s\S]*round-3\.txt/);
    assert.match(last, /F1/, 'what an undone round had fixed goes back to the executor');
    await assertPlayedAndGone();

    assert.equal((await cgloop(['undo', id]).done).code, 0);
    assert.equal(await read('poem.txt'), poem());
    await assert.rejects(read('round-1.txt'));
    assert.deepEqual(await git(), repository);
  });
});
