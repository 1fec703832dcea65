import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { gone } from '../transport/childProcessAlive.ts';
import type { Project } from './harness/project.ts';
import { edit, executorRound1, executorRounds, SAID, TASK, verdict } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, prompts, useWorlds } from './loopWorld.ts';

const EDITS = ['--reviewer-model', GEMINI_MODEL, '--permission', 'edits'];
const CHECK = 'node check.mjs';

/** The check wants a sum without a double negation. */
const FILES = {
  'package.json': `${JSON.stringify({ name: 'sum', private: true, scripts: { test: CHECK } }, null, 2)}\n`,
  'add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'add.test.js':
    "import assert from 'node:assert/strict';\nimport { add } from './add.js';\nassert.equal(add(1, 2), 3);\n",
  'check.mjs':
    "import { readFileSync } from 'node:fs';\nconst odd = readFileSync('add.js', 'utf8').includes('- -');\nconsole.log(odd ? '1 failing: größer' : '1 passing');\nprocess.exit(odd ? 1 : 0);\n",
};
const TEN = verdict({ score: 10 });

describe('e2e: checks on the real CLIs', function () {
  this.timeout(60_000);
  const enter = useWorlds({ files: FILES, git: true });
  /** Makes the check pass by what it runs, not by the work. */
  const cheat = (project: Project) =>
    story('an executor that weakens the check')
      .next(call('Read', { file_path: project.file('package.json') }))
      .next(call('Edit', { file_path: project.file('package.json'), old_string: CHECK, new_string: 'exit 0' }))
      .next(say('The test passes now.'));

  it('a red check blocks a review that approves, and goes back to the executor; green, it approves', async () => {
    const { anthropic, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRounds,
      gemini: () => story('always content').next(say(TEN)).next(say(TEN)),
    });
    const told = await cgloop([...EDITS, '--check', CHECK, TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stderr, /✗ check \$ node check\.mjs {2}exit 1\n {2}1 failing: größer\n/);
    assert.match(told.stderr, /The check "node check\.mjs" is red: exit code 1\./);
    assert.match(told.stderr, /✓ check \$ node check\.mjs {2}exit 0\n/);
    const [review1 = '', review2 = ''] = prompts(gemini);
    assert.match(review1, /\$ node check\.mjs\nfailed \(exit code 1\)\n1 failing: größer/);
    assert.match(review2, /\$ node check\.mjs\npassed \(exit code 0\)\n1 passing/);
    assert.match(prompts(anthropic)[1] ?? '', /did not pass[\s\S]*\$ node check\.mjs\nfailed[\s\S]*1 failing: größer/);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('a red check ends the last round unapproved', async () => {
    const { cgloop, assertPlayedAndGone } = await enter({
      claude: executorRound1,
      gemini: () => story('content').next(say(TEN)),
    });
    const told = await cgloop([...EDITS, '-n', '1', '--check', CHECK, '--check', 'node --version', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stderr, /✗ check \$ node check\.mjs[\s\S]*✓ check \$ node --version/);
    await assertPlayedAndGone();
  });

  it('a check that was made to pass by what it runs is asked about again, and told to the reviewer', async () => {
    const { gemini, cgloop, assertPlayedAndGone } = await enter({
      claude: cheat,
      gemini: () => story('taken in').next(say(TEN)),
    });
    const run = cgloop([...EDITS, '-n', '1', '--check', 'npm test', TASK], { tty: true });
    await run.saw(/The round changed what "npm test" runs, in package\.json/);
    await run.saw(
      /What this check runs was changed[\s\S]*\$ npm test[\s\S]*- "test": "node check\.mjs"\n +\+ "test": "exit 0"/,
    );
    await pressUntil(run, 'n', /not run: \$ npm test/);
    const told = await run.done;
    assert.equal(told.code, 0, told.stdout);
    const [review = ''] = prompts(gemini);
    assert.match(review, /What "npm test" runs is written in package\.json and was changed/);
    assert.match(review, /"test": "node check\.mjs"[\s\S]*"test": "exit 0"/);
    assert.match(review, /\$ npm test\nwas not run: You skipped it/);
    await assertPlayedAndGone();
  });

  it('proves nothing where nobody is there to be asked', async () => {
    const { cgloop, assertPlayedAndGone } = await enter({
      claude: cheat,
      gemini: () => story('taken in').next(say(TEN)),
    });
    const told = await cgloop([...EDITS, '-n', '1', '--check', 'npm test', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stderr, /✓ check \$ npm test/);
    assert.match(
      told.stderr,
      /changed what the check "npm test" runs, in package\.json, and nobody was there to confirm/,
    );
    await assertPlayedAndGone();
  });

  it('a test that is removed is told, and asked about', async () => {
    const { gemini, cgloop, assertPlayedAndGone } = await enter({
      claude: (project) =>
        story('an executor that removes a test')
          .next(call('Bash', { command: `rm ${project.file('add.test.js')}`, description: 'Remove the test' }))
          .next(say('There is no failing test any more.')),
      gemini: () => story('the reviewer').next(say(verdict({ score: 2 }))),
    });
    const run = cgloop([...EDITS, '-n', '1', '--check', 'node --test', TASK], { tty: true });
    await run.saw(/removed 1 test file: add\.test\.js[\s\S]*Tests were removed[\s\S]*- add\.test\.js/);
    await pressUntil(run, 'y', /check \$ node --test/);
    assert.equal((await run.done).code, 3);
    assert.match(prompts(gemini)[0] ?? '', /Tests were removed in this round:\n- add\.test\.js/);
    await assertPlayedAndGone();
  });

  it('of the folder run only where it is trusted, and where the person lets them, from then on unasked', async () => {
    const { cgloop, assertPlayedAndGone } = await enter({
      claude: (project) =>
        story('three runs')
          .next(say('Nothing to do.'))
          .next(say('Nothing.'))
          .next(say(`No: ${project.folder}`)),
      gemini: () => story('three reviews').next(say(TEN)).next(say(TEN)).next(say(TEN)),
    });
    const run = cgloop([...EDITS, '--trust', TASK], { tty: true });
    await run.saw(/Run this check of the project[\s\S]*\$ npm test[\s\S]*"test": "node check\.mjs"/);
    await pressUntil(run, 'a', /press a again/);
    await pressUntil(run, 'a', /✓ check \$ npm test/);
    assert.equal((await run.done).code, 0);
    const again = await cgloop([...EDITS, '--trust', TASK]).done;
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /✓ check \$ npm test/);
    const untrusted = await cgloop([...EDITS, TASK]).done;
    assert.doesNotMatch(untrusted.stderr, /npm test/);
    await assertPlayedAndGone();
  });

  it('a run that was killed in its checks goes on with them, and what was left of them is ended', async () => {
    const { project, gemini, cgloop, assertPlayedAndGone } = await enter({
      claude: executorRound1,
      gemini: () => story('content').next(say(TEN)),
    });
    const check = 'test -e go || { sleep 600 & echo $! > pid; echo waiting; wait; }';
    const killed = cgloop([...EDITS, '-n', '1', '-v', '--check', check, TASK]);
    await killed.saw(/^ {2}waiting$/m);
    process.kill(killed.pid, 'SIGKILL');
    const [, id = ''] = /run (\S+)/.exec((await killed.done).stderr) ?? [];
    await project.write({ go: '' });
    const told = await cgloop(['--reviewer-model', GEMINI_MODEL, '--resume', id]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stderr, /a command \(process \d+\) was still at work/);
    assert.match(told.stderr, /✓ check \$ test -e go/);
    assert.equal(prompts(gemini).length, 1);
    await gone(Number(await readFile(project.file('pid'), 'utf8')));
    await assertPlayedAndGone();
  });

  it('that takes too long ends with all that it started', async () => {
    const { project, cgloop, assertPlayedAndGone } = await enter({
      claude: (at) =>
        story('an edit')
          .next(call('Read', { file_path: at.file('add.js') }))
          .next(edit(at, 'a - b', 'a + b'))
          .next(say(SAID.round1)),
      gemini: () => story('content').next(say(TEN)),
    });
    const check = 'sleep 600 & echo $! > pid; echo started; wait';
    const told = await cgloop([...EDITS, '-n', '1', '--check', check, '--check-timeout', '2', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stderr, /✗ check \$ sleep 600.*stopped: it took too long\n {2}started\n/);
    assert.match(told.stderr, /The checks changed 1 file: pid/);
    await gone(Number(await readFile(project.file('pid'), 'utf8')));
    await assertPlayedAndGone();
  });
});
