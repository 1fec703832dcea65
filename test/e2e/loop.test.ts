import assert from 'node:assert/strict';
import { readFile, watch } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { gate } from '../fakes/models/gate.ts';
import { call, hold, say, story } from '../fakes/models/story.ts';
import { FAILING_TEST } from './harness/project.ts';
import { DUMMY_KEYS } from './harness/realCli.ts';
import { startProgram } from './harness/terminal.ts';
import {
  edit,
  executorRound1,
  executorRounds,
  FIXED_ODDLY,
  FIXED_WELL,
  judge,
  NINE,
  SAID,
  SIX,
  TASK,
  verdict,
} from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, prompts, useWorlds } from './loopWorld.ts';

const REVIEWER = ['--reviewer-model', GEMINI_MODEL];
const EDITS = [...REVIEWER, '--permission', 'edits'];

describe('e2e: the loop on the real CLIs', function () {
  this.timeout(60_000);
  const enter = useWorlds({ files: FAILING_TEST, git: true });

  it('fixes a failing test: 6 with two findings, then 9 and APPROVED', async () => {
    const { project, clis, anthropic, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRounds,
      gemini: (at) =>
        story('a reviewer who reads before it judges')
          .next(call('read_file', { file_path: at.file('add.js') }))
          .next(say(SIX))
          .next(say(NINE)),
    });
    const told = await cgloop([...EDITS, TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.stdout, `${SAID.round2}\n`, 'stdout is the final result and nothing else');
    assert.match(told.stderr, /\n6\/10 .*\n[\s\S]*F1 +major +add\.js:2 [\s\S]*F2 +minor [\s\S]*\n9\/10 +APPROVED\n/);
    assert.match(told.stderr, /\nApproved with 9\/10 \(6 → 9\)\.\n/);
    assert.equal(await project.read('add.js'), FIXED_WELL);
    const test = startProgram(process.execPath, ['--test'], { cwd: project.folder, env: clis.env });
    assert.equal((await test.done).code, 0);

    const [execute1 = '', execute2 = '', ...noMore] = prompts(anthropic);
    assert.deepEqual(noMore, []);
    const [review1 = '', review2 = ''] = prompts(gemini);
    assert.equal(prompts(gemini).length, 2);
    for (const prompt of [execute1, execute2, review1, review2]) assert.ok(prompt.includes(TASK), prompt);
    assert.match(execute2, /F1 \(major\) add\.js:2: The addition hides[\s\S]*F2 \(minor\)/);
    assert.match(review1, /^-\s+return a - b;\n\+\s+return a - -b;$/m);
    assert.match(review2, /^-\s+return a - b;\n\+\s+return a \+ b;$/m, 'the diff of the run');
    assert.match(review2, /^-\s+return a - -b;\n\+\s+return a \+ b;$/m, 'the diff of the round');
    assert.ok(review1.includes(SAID.round1) && review2.includes(SAID.round2));

    await assertPlayedAndGone();
    const sessions = (await clis.sessions()).map(({ program }) => program).sort();
    assert.deepEqual(sessions, ['claude', 'gemini']);
    await undo(told);
    assert.equal((await clis.sessions()).length, 2, 'undoing starts no agent');
  });

  it('ends with 3 when the rounds run out', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRounds,
      gemini: () =>
        story('never content')
          .next(say(SIX))
          .next(say(verdict({ score: 7 }))),
    });
    const told = await cgloop([...EDITS, '-n', '2', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.equal(told.stdout, `${SAID.round2}\n`);
    assert.match(told.stderr, /Not approved when the rounds ran out: 7\/10 \(6 → 7\)/);
    assert.equal(await project.read('add.js'), FIXED_WELL);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('ends with 4 when the reviewer writes garbage twice, and prints the lines of the log', async () => {
    const { gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRound1,
      gemini: () => story('garbage').next(say('Looks fine to me.')).next(say('As I said: {"score": "high"}')),
    });
    const told = await cgloop([...EDITS, '--output', 'stream-json', TASK]).done;
    assert.equal(told.code, 4, told.stderr);
    const [, folder] = /^Everything that was said and done: (.+)$/m.exec(told.stderr) ?? [];
    assert.equal(told.stdout, await readFile(`${folder}/log.jsonl`, 'utf8'));
    const types = told.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line).type);
    assert.deepEqual([types[0], types.at(-1)], ['run.started', 'run.ended']);
    for (const key of Object.values(DUMMY_KEYS)) assert.ok(!(told.stdout + told.stderr).includes(key));
    assert.match(prompts(gemini)[1] ?? '', /^Your review could not be used\. The review states no score\./);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('refuses what needs a person when there is none, and tells the agent and the reviewer', async () => {
    const command = `node -e "fs.writeFileSync('ran.txt', '')"`;
    const { project, anthropic, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('wants more than it may')
          .next(call('Read', { file_path: at.file('add.js') }))
          .next(edit(at, 'a - b', 'a - -b'))
          .next(call('Bash', { command, description: 'Run a program' }))
          .when({ afterTool: true, toolFailed: true, toolText: 'nobody is there to be asked' })
          .reply(say('I may not run programs.')),
      gemini: () => story('the reviewer').next(say(verdict({ score: 4 }))),
    });
    const told = await cgloop([...EDITS, '-n', '1', TASK]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stderr, /policy: .*node -e/);
    await assert.rejects(project.read('ran.txt'));
    assert.equal(await project.read('add.js'), FIXED_ODDLY);
    assert.equal(anthropic.exchanges.length, 4);
    assert.match(prompts(gemini)[0] ?? '', /was refused\n\n<<<DATA .*\n.*node -e/);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('asks on a terminal: y lets the agent write, n does not', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('two files')
          .next(call('Write', { file_path: at.file('wanted.txt'), content: 'yes\n' }))
          .next(call('Write', { file_path: at.file('unwanted.txt'), content: 'no\n' }))
          .when({ afterTool: true, toolFailed: true })
          .reply(say('Only one of the two.')),
      gemini: () => story('the reviewer').next(say(verdict({ score: 4 }))),
    });
    const run = cgloop([...REVIEWER, '-n', '1', 'Write two files.'], { tty: true });
    await run.saw(/\? Claude Code asks: .*\bwanted\.txt/);
    await pressUntil(run, 'y', /you: Allow – Write wanted\.txt/);
    await run.saw(/\? Claude Code asks: .*unwanted\.txt/);
    await pressUntil(run, 'n', /you: Deny – Write unwanted\.txt/);
    const told = await run.done;
    assert.equal(told.code, 3, told.stdout);
    assert.equal(await project.read('wanted.txt'), 'yes\n');
    await assert.rejects(project.read('unwanted.txt'));
    await assertPlayedAndGone();
    await undo(told);
  });

  it('writes a text in an empty folder without git, and leaves the folder empty', async () => {
    const poem = 'A loop goes round,\nand then it ends.';
    const { gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      files: {},
      git: false,
      claude: () => story('a poet').next(say(poem)),
      gemini: () => story('a critic').next(say(verdict({ score: 9.5 }))),
    });
    const told = await cgloop([...EDITS, 'Write a short poem about loops.']).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.stdout, `${poem}\n`);
    assert.match(prompts(gemini)[0] ?? '', /The diff is empty[\s\S]*A loop goes round,\nand then it ends\./);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('stops on Ctrl-C while the executor waits for its model', async () => {
    const door = gate();
    const { project, gemini, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('a slow executor')
          .next(call('Read', { file_path: at.file('add.js') }))
          .next(edit(at, 'a - b', 'a - -b'))
          .next(hold(door)),
    });
    const run = cgloop([...EDITS, TASK]);
    await door.reached;
    assert.equal(await project.read('add.js'), FIXED_ODDLY);
    run.interrupt();
    const told = await run.done;
    assert.equal(told.code, 130, told.stderr);
    assert.equal(told.stdout, '', 'a stopped run has no result');
    assert.deepEqual(gemini.exchanges, []);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('stops on Ctrl-C while a command of the executor runs, and ends the command too', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: () =>
        story('a command without end').next(
          call('Bash', { command: 'echo > began.txt; exec tail -f /dev/null', description: 'Wait' }),
        ),
    });
    const began = fileIn(project.folder, 'began.txt');
    const run = cgloop([...REVIEWER, '--permission', 'all', TASK]);
    await began;
    run.interrupt();
    const told = await run.done;
    assert.equal(told.code, 130, told.stderr);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('stops on Ctrl-C, as a key of a terminal, while the reviewer works', async () => {
    const door = gate();
    const { cgloop, assertPlayedAndGone, undo } = await enter({
      claude: executorRound1,
      gemini: () => story('a slow reviewer').next(say('I have'), hold(door), say(' read it.')),
    });
    const run = cgloop([...EDITS, TASK], { tty: true });
    await door.reached;
    run.interrupt();
    const told = await run.done;
    assert.equal(told.code, 130, told.stdout);
    assert.match(told.stdout, /Stopping both agents/);
    await assertPlayedAndGone();
    await undo(told);
  });

  it('stops on Ctrl-C while the agents start, and leaves no run behind', async () => {
    const { clis, cgloop, assertPlayedAndGone } = await enter({});
    const run = cgloop([...EDITS, TASK], { tty: true });
    await run.saw('Starting Claude Code and Gemini CLI');
    run.interrupt();
    assert.equal((await run.done).code, 130);
    await assertPlayedAndGone();
    assert.match((await cgloop(['runs']).done).stdout, /^There are no runs yet/);
    assert.ok((await clis.sessions()).length <= 2);
  });

  it('ends with 1 when the executor is killed, and says so', async () => {
    const door = gate();
    const { clis, cgloop, assertPlayedAndGone, undo } = await enter({
      claude: (at) =>
        story('killed after it wrote')
          .next(call('Write', { file_path: at.file('half.txt'), content: 'half\n' }))
          .next(hold(door)),
    });
    const run = cgloop([...EDITS, TASK]);
    await door.reached;
    for (const { program, pid } of await clis.sessions()) if (program === 'claude') process.kill(pid, 'SIGKILL');
    const told = await run.done;
    assert.equal(told.code, 1, told.stderr);
    assert.match(told.stderr, /The executor failed: Claude Code.* SIGKILL/);
    await assertPlayedAndGone();
    await undo(told);
  });

  for (const { without, name, other } of [
    { without: 'claude', name: 'Claude Code', other: 'gemini' },
    { without: 'gemini', name: 'Gemini CLI', other: 'claude' },
  ] as const) {
    it(`says what to do when ${name} is missing, and starts nothing`, async () => {
      const { clis, cgloop, assertPlayedAndGone } = await enter({ without });
      const told = await cgloop([...EDITS, TASK]).done;
      assert.equal(told.code, 1);
      assert.equal(told.stdout, '');
      assert.match(
        told.stderr,
        new RegExp(`^${name} was not found: no program "${without}" \\(looked in ${clis.home}/bin, `),
      );
      assert.match(told.stderr, new RegExp(`Install it with "npm i -g @.*/${without}-`));
      assert.match(told.stderr, new RegExp(`self-review\\): --executor ${other} --reviewer ${other}`));
      assert.deepEqual(await clis.spawns(), []);
      await assertPlayedAndGone();
    });
  }

  it('lets Claude Code review itself', async () => {
    const { project, anthropic, clis, cgloop, assertPlayedAndGone } = await enter({
      without: 'gemini',
      claude: (at) =>
        executorRound1(at)
          .when({ prompt: 'You are an expert reviewer', afterTool: false, lacks: 'Edit' })
          .reply(call('Read', { file_path: at.file('add.js') }))
          .next(...judge({ score: 9 })),
    });
    const told = await cgloop(['--executor', 'claude', '--reviewer', 'claude', '--permission', 'edits', TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(await project.read('add.js'), FIXED_ODDLY);
    assert.equal(prompts(anthropic).length, 2);
    await assertPlayedAndGone();
    assert.deepEqual(
      (await clis.sessions()).map(({ program }) => program),
      ['claude', 'claude'],
    );
  });

  it('lets Gemini CLI review itself', async () => {
    const { project, clis, cgloop, assertPlayedAndGone } = await enter({
      without: 'claude',
      gemini: (at) => {
        const add = { file_path: at.file('add.js'), instruction: 'Add', old_string: 'a - b', new_string: 'a - -b' };
        return story('both roles')
          .next(say('I fix it.'), call('replace', add))
          .next(say(SAID.round1))
          .when({ prompt: 'You are an expert reviewer' })
          .reply(say(verdict({ score: 9 })));
      },
    });
    const both = ['--executor', 'gemini', '--reviewer', 'gemini', '--model', GEMINI_MODEL];
    const told = await cgloop([...both, ...EDITS, TASK]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, new RegExp(`${SAID.round1}\n$`));
    assert.equal(await project.read('add.js'), FIXED_ODDLY);
    await assertPlayedAndGone();
    assert.deepEqual(
      (await clis.sessions()).map(({ program }) => program),
      ['gemini', 'gemini'],
    );
  });
});

/** Settles when a file of this name turns up in the folder. */
async function fileIn(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return;
}
