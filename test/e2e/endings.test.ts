import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { FAILING_TEST, type Project } from './harness/project.ts';
import { runCgloop, type Terminal } from './harness/terminal.ts';
import { edit, SAID, SIX, TASK, verdict } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, prompts, useWorlds } from './loopWorld.ts';

const EDITS = ['--reviewer-model', GEMINI_MODEL, '--permission', 'edits'];

/** Claude, who writes one of these into add.js after the other, a round each. */
const writes = (project: Project, ...sums: readonly string[]) =>
  sums.reduce(
    (told, sum, at) => told.next(edit(project, sums[at - 1] ?? 'a - b', sum)).next(say(`Round ${at + 1}: ${sum}.`)),
    story('the executor, round after round').next(call('Read', { file_path: project.file('add.js') })),
  );
const found = (...titles: readonly string[]) =>
  titles.map((title) => ({ severity: 'major', file: 'add.js', line: 2, title, detail: `About ${title}.` }));
const fixed = (...ids: readonly string[]) => ids.map((id) => ({ id, status: 'fixed' as const }));

describe('e2e: endings and the person between rounds', function () {
  this.timeout(90_000);
  const enter = useWorlds({ files: FAILING_TEST, git: true });

  it('ends as a plateau when each fix brings a new problem, long before its rounds are over', async () => {
    const { cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (project) => writes(project, 'a - -b', 'b - -a', 'b + a'),
      gemini: () =>
        story('always one more')
          .next(say(verdict({ score: 8, findings: found('Problem one') })))
          .next(say(verdict({ score: 8, findings: found('Problem two'), previous: fixed('F1') })))
          .next(say(verdict({ score: 8, findings: found('Problem three'), previous: fixed('F2') }))),
    });
    const told = await cgloop([...EDITS, '-n', '9', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(
      told.stderr,
      /Not approved, and no nearer to it: 8\/10 \(8 → 8 → 8\)\. The open findings did not become fewer over the last 2 rounds: 1 → 1 → 1\. The best was round 1\./,
    );
    assert.match(told.stderr, /--rounds N --ask-between-rounds/);
    assert.match(told.stderr, /--review-again --reviewer NAME/);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('ends as an oscillation when the folder is back where it was not approved', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) => writes(at, 'a + b', 'a - -b', 'a + b'),
      gemini: () =>
        story('never content')
          .next(say(verdict({ score: 5, findings: found('One', 'Two', 'Three') })))
          .next(say(verdict({ score: 6, previous: fixed('F1') })))
          .next(say(verdict({ score: 7, previous: fixed('F2') }))),
    });
    const told = await cgloop([...EDITS, '-n', '9', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stderr, /going round in circles: 7\/10 .*After round 3 the folder is as it was after round 1/);
    assert.match(await project.read('add.js'), /a \+ b/);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('ends over its budget with 5 where nobody is there, and never in the middle of a turn', async () => {
    const { project, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) => writes(at, 'a + b'),
    });
    const told = await cgloop([...EDITS, '--max-tokens', '1', TASK]).done;
    assert.equal(told.code, 5, told.stderr);
    assert.match(told.stderr, /Over budget: \d+ of 1 tokens were used/);
    assert.match(told.stderr, /Go on with more: .* --max-tokens N/);
    assert.match(await project.read('add.js'), /a \+ b/, 'the turn came to its end');
    assert.deepEqual(prompts(gemini), [], 'the review would have been over it');
    await assertPlayedAndGone();
    await undo(told);
  });

  it('asks before it goes over its budget, says what it cannot count, and goes on when the person wants it', async () => {
    const { cgloop, assertPlayedAndGone } = await enter({
      claude: (at) => writes(at, 'a + b', 'b + a'),
      gemini: () =>
        story('a reviewer')
          .next(say(SIX))
          .next(say(verdict({ score: 9, previous: fixed('F1', 'F2') }))),
    });
    const run = cgloop([...EDITS, '--max-cost', '0.000001', TASK], { tty: true });
    await run.saw(/\? The run has used \$[\d.]+ of the \$0\.00 that it may use\./);
    await pressUntil(run, '1', /you: Go on with this round/);
    await run.saw(/Gemini CLI does not tell its cost: the limit of money counts only what Claude Code tells\./);
    await run.saw(/\? The run has used/);
    await pressUntil(run, '1', /you: Go on with this round/);
    const told = await run.done;
    assert.equal(told.code, 0, told.stdout);
    await assertPlayedAndGone();
  });

  it('waits between rounds, and the person’s edited review, choice and instruction reach the executor', async () => {
    const { project, clis, anthropic, gemini, assertPlayedAndGone } = await enter({
      claude: (at) => writes(at, 'a - -b', 'a + b'),
      gemini: () =>
        story('a reviewer')
          .next(say(SIX))
          .next(say(verdict({ score: 9, previous: fixed('F1', 'F2') }))),
    });
    const editor = project.file('.git/editor.cjs');
    await writeFile(
      editor,
      `const fs = require('node:fs');\nconst file = process.argv.at(-1);\nfs.writeFileSync(${JSON.stringify(`${editor}.seen`)}, fs.readFileSync(file));\nfs.writeFileSync(file, 'Only the comment matters to me.\\n');\n`,
    );
    const env = { ...clis.env, VISUAL: `${process.execPath} ${editor}` };
    const run = runCgloop([...EDITS, '--ask-between-rounds', '-n', '2', TASK], { cwd: project.folder, env, tty: true });
    await run.saw(/Paused: Round 1 is over: 6\/10, 2 open findings\./);
    await run.saw('Waiting for you: Enter/i/e/f/n');
    await pressUntil(run, 'i', /Instruction \(Enter keeps it/);
    run.type('\u007f'.repeat(20));
    run.type('Keep add pure.\r');
    await run.saw('add an instruction: Keep add pure.');
    run.type('f');
    await run.saw(/Findings that go back .*: F1 F2/);
    run.type('\u007f'.repeat(5));
    run.type('F2\r');
    await run.saw(/choose the findings that go back \(F2\)/);
    run.type('e');
    await run.saw(/edit the review in your editor \(edited\)/);
    assert.equal(await readFile(`${editor}.seen`, 'utf8'), 'I have read the change.\n');
    run.type('\r');
    const told = await run.done;
    assert.equal(told.code, 0, told.stdout);
    const [, second = ''] = prompts(anthropic);
    assert.match(second, /Only the comment matters to me\./);
    assert.match(second, /F2 \(minor\)/);
    assert.match(second, /Keep add pure\./);
    assert.doesNotMatch(second, /F1|double negation|I have read the change/);
    assert.match(prompts(gemini)[1] ?? '', /F1[\s\S]*F2/, 'what was left out is still open');
    await assertPlayedAndGone();
  });

  it('is asked again, where it was, after it was killed in the pause', async () => {
    const { anthropic, cgloop, assertPlayedAndGone } = await enter({
      claude: (at) => writes(at, 'a - -b', 'a + b'),
      gemini: () =>
        story('a reviewer')
          .next(say(SIX))
          .next(say(verdict({ score: 9, previous: fixed('F1', 'F2') }))),
    });
    const run = cgloop([...EDITS, '--ask-between-rounds', TASK], { tty: true });
    await run.saw('Waiting for you: Enter/i/e/f/n');
    const [, id = ''] = /; run (\S+)/.exec(run.stdout()) ?? [];
    process.kill(await programOf(run), 'SIGKILL');
    await run.done;
    const again = cgloop(['--resume', id, ...EDITS], { tty: true });
    await again.saw(/Paused: Round 1 is over: 6\/10, 2 open findings\./);
    await pressUntil(again, 'i', /Instruction \(Enter keeps it/);
    again.type('\u007f'.repeat(20));
    again.type('After the kill.\r');
    await again.saw('add an instruction: After the kill.');
    again.type('\r');
    const told = await again.done;
    assert.equal(told.code, 0, told.stdout);
    assert.match(prompts(anthropic)[1] ?? '', /F1[\s\S]*F2[\s\S]*After the kill\./);
    await assertPlayedAndGone();
  });

  it('has the last round reviewed once more by another reviewer', async () => {
    const { cgloop, assertPlayedAndGone } = await enter({
      claude: (at) =>
        story('the executor, and then the other reviewer')
          .next(call('Read', { file_path: at.file('add.js') }))
          .next(edit(at, 'a - b', 'a - -b'))
          .next(say(SAID.round1))
          .next(call('StructuredOutput', JSON.parse(verdictJson(SIX)))),
      gemini: () => story('easily content').next(say(verdict({ score: 9 }))),
    });
    const first = await cgloop([...EDITS, TASK]).done;
    assert.equal(first.code, 0, first.stderr);
    const [, id = ''] = / undo (\S+)$/m.exec(first.stderr) ?? [];
    const again = await cgloop(['--resume', id, '--review-again', '--reviewer', 'claude', '--permission', 'edits'])
      .done;
    assert.equal(again.code, 3, again.stderr);
    assert.match(again.stderr, /Not approved when the rounds ran out: 6\/10/);
    assert.match(again.stderr, /F1 +major +add\.js:2/);
    await assertPlayedAndGone();
  });
});

/** The object of a verdict's text. */
function verdictJson(text: string): string {
  const [, json = '{}'] = /```json\n([\s\S]*?)\n```/.exec(text) ?? [];
  return json;
}

/** `cgloop` itself, which `script` runs in its terminal. */
async function programOf({ pid }: Terminal): Promise<number> {
  const [child = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  return Number(child);
}
