import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { call, say, story } from '../fakes/models/story.ts';
import { sarifShape } from '../session/sarifShape.ts';
import { FAILING_TEST } from './harness/project.ts';
import { DUMMY_KEYS } from './harness/realCli.ts';
import { edit, FIXED_WELL, NINE, SIX, verdict } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, prompts, useWorlds, type WorldOptions } from './loopWorld.ts';

const REVIEWER = ['--reviewer-model', GEMINI_MODEL];
const BY = '-c user.name=T -c user.email=t@example.invalid -c commit.gpgsign=false'.split(' ');
const ODD = 'export function add(a, b) {\n  return a - -b;\n}\n';

describe('e2e: reviews of changes, on the real CLIs', function () {
  this.timeout(60_000);
  const open = useWorlds({ files: FAILING_TEST, git: true });
  const git = (cwd: string, ...args: readonly string[]) => promisify(execFile)('git', [...BY, ...args], { cwd });
  /** A branch with one commit that is to be reviewed, `ODD`. */
  const enter = async (options: Partial<WorldOptions>) => {
    const world = await open(options);
    const { folder } = world.project;
    await git(folder, 'checkout', '--quiet', '-b', 'topic');
    await world.project.write({ 'add.js': ODD });
    await git(folder, 'commit', '--quiet', '--all', '--message', 'Negate twice');
    return world;
  };

  it('reviews a range with the reviewer alone: its findings on stdout, exit 3, and nothing is written', async () => {
    const { project, clis, gemini, cgloop, assertPlayedAndGone } = await enter({
      gemini: (at) =>
        story('a reader')
          .next(call('read_file', { file_path: at.file('add.js') }))
          .next(say(SIX)),
    });
    const told = await cgloop(['review', 'main', ...REVIEWER]).done;
    assert.equal(told.code, 3, told.stderr);
    assert.match(told.stdout, /^6\/10 {2}not approved[\s\S]*F1 +major +add\.js:2 [\s\S]*F2 +minor /);
    assert.match(told.stderr, /Reviewed: 1 file \+1 −1\n {2}M add\.js[\s\S]*Have the findings solved: .* fix main\n/);
    assert.deepEqual(
      (await clis.spawns()).filter(({ program }) => program === 'claude'),
      [],
    );
    const [prompt = ''] = prompts(gemini);
    assert.match(prompt, /^You are an expert reviewer\. Somebody changed the files below/);
    assert.match(prompt, /^-\s+return a - b;\n\+\s+return a - -b;$/m);
    assert.doesNotMatch(prompt, /executor/i);
    assert.equal((await git(project.folder, 'status', '--porcelain')).stdout, '');
    await assertPlayedAndGone();
  });

  it('gives SARIF and one object, with the exit codes of an approval and of no verdict', async () => {
    const { project, cgloop, assertPlayedAndGone } = await enter({
      gemini: () =>
        story('a second look each time')
          .next(say(SIX))
          .next(say(verdict({ score: 10 })))
          .next(say('Looks fine to me.'))
          .next(say('As I said.')),
    });
    const sarif = await cgloop(['review', 'main...HEAD', '--output', 'sarif', '--quiet', ...REVIEWER]).done;
    assert.equal(sarif.code, 3, sarif.stderr);
    const [run] = sarifShape.parse(JSON.parse(sarif.stdout)).runs;
    assert.deepEqual(
      run?.results.map(({ ruleId, locations: [place] }) => [ruleId, place?.physicalLocation]),
      [
        ['cgloop/major', { artifactLocation: { uri: 'add.js', uriBaseId: '%SRCROOT%' }, region: { startLine: 2 } }],
        ['cgloop/minor', { artifactLocation: { uri: 'add.js', uriBaseId: '%SRCROOT%' }, region: { startLine: 1 } }],
      ],
    );

    await project.write({ 'new.js': 'export const x = 1;\n' });
    const json = await cgloop(['review', '--output', 'json', ...REVIEWER]).done;
    assert.equal(json.code, 0, json.stderr);
    const told = JSON.parse(json.stdout);
    assert.deepEqual(
      [told.format, told.kind, told.executor, told.verdict.approved, told.verdict.score, told.findings],
      ['cgloop-export', 'review', null, true, 10, []],
    );
    assert.ok(told.reviewer.usage.inputTokens > 0);
    for (const key of Object.values(DUMMY_KEYS)) assert.ok(!(json.stdout + json.stderr + sarif.stdout).includes(key));

    const none = await cgloop(['review', ...REVIEWER]).done;
    assert.equal(none.code, 4, none.stderr);
    await assertPlayedAndGone();
  });

  it('fixes what the review found, and reviews all changes again', async () => {
    const { project, anthropic, gemini, clis, cgloop, assertPlayedAndGone } = await enter({
      claude: (at) =>
        story('the executor solves the findings')
          .next(call('Read', { file_path: at.file('add.js') }))
          .next(edit(at, ODD.trimEnd(), FIXED_WELL.trimEnd()))
          .next(say('Solved.')),
      gemini: () => story('content at last').next(say(SIX)).next(say(NINE)),
    });
    const told = await cgloop(['fix', 'main', '--permission', 'edits', ...REVIEWER]).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.stdout, 'Solved.\n');
    assert.match(told.stderr, /Approved with 9\/10 \(6 → 9\)\./);
    assert.equal(await project.read('add.js'), FIXED_WELL);
    const [execute = '', ...more] = prompts(anthropic);
    assert.deepEqual(more, []);
    assert.match(execute, /^Changes in the current folder were reviewed \(round 2 of at most 3\)/);
    assert.match(execute, /F1 \(major\) add\.js:2: The addition hides[\s\S]*F2 \(minor\)/);
    const [, again = ''] = prompts(gemini);
    assert.match(again, /^-\s+return a - b;\n\+\s+return a \+ b;$/m, 'all changes since main');
    assert.match(again, /^-\s+return a - -b;\n\+\s+return a \+ b;$/m, 'those of the round');
    assert.ok(again.includes('Solved.'));
    assert.deepEqual((await clis.sessions()).map(({ program }) => program).sort(), ['claude', 'gemini']);

    const [, id = ''] = / undo (\S+)$/m.exec(told.stderr) ?? [];
    const committed = await cgloop(['commit', id]).done;
    assert.equal(committed.code, 0, committed.stderr);
    assert.match(
      committed.stdout,
      /^Review and fix main\n\n[\s\S]*Found by the review and solved:\n- The addition hides/,
    );
    assert.equal((await git(project.folder, 'status', '--porcelain')).stdout, 'M  add.js\n');
    await assertPlayedAndGone();
  });

  it('asks on a terminal which findings are to be solved, before anything is', async () => {
    const { cgloop, anthropic, assertPlayedAndGone } = await enter({
      claude: () => story('the executor has nothing to add').next(say('Solved.')),
      gemini: () => story('content at last').next(say(SIX)).next(say(NINE)),
    });
    const told = cgloop(['fix', 'main', '--permission', 'edits', ...REVIEWER], { tty: true });
    await told.saw(/Paused: Round 1 is over: 6\/10, 2 open findings/);
    await told.saw(/choose the findings that go back \(all 2 open\)/);
    assert.deepEqual(prompts(anthropic), []);
    await pressUntil(told, 'n', /Stopped\./);
    assert.equal((await told.done).code, 130);
    const [, id = ''] = /--resume (\S+)/.exec(told.stdout()) ?? [];
    const again = cgloop(['--resume', id], { tty: true });
    await again.saw(/choose the findings that go back \(all 2 open\)/);
    await pressUntil(again, '\r', /── Round 2 /);
    assert.equal((await again.done).code, 0, again.stdout());
    await assertPlayedAndGone();
  });

  it('starts nothing where there is nothing to review, or no such range: exit 2', async () => {
    const { clis, cgloop, project } = await enter({});
    for (const [args, message] of [
      [[], /There are no changes since HEAD to review/],
      [['nonsense...HEAD'], /There is no revision "nonsense"/],
      [['main..main'], /There are no changes in main\.\.main/],
    ] as const) {
      const told = await cgloop(['review', ...args]).done;
      assert.deepEqual([told.code, told.stdout], [2, ''], told.stderr);
      assert.match(told.stderr, message);
    }
    const notOut = await cgloop(['fix', 'topic..main', '--permission', 'edits']).done;
    assert.equal(notOut.code, 2);
    assert.match(notOut.stderr, /main is not what is checked out/);
    await project.write({ 'add.js': FIXED_WELL });
    const asks = await cgloop(['fix']).done;
    assert.equal(asks.code, 2, 'nobody is there to be asked');
    assert.deepEqual(await clis.spawns(), []);
  });
});
