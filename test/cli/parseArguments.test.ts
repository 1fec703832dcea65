import assert from 'node:assert/strict';
import { type Invocation, parseArguments } from '../../src/cli/parseArguments.ts';

const parse = (...args: readonly string[]) => parseArguments(args, '1.2.3');

function runOf(invocation: Invocation) {
  assert.equal(invocation.type, 'run', JSON.stringify(invocation));
  return invocation.type === 'run' ? invocation : assert.fail();
}

function usageOf(...args: readonly string[]): string {
  const invocation = parse(...args);
  return invocation.type === 'usage'
    ? invocation.message
    : assert.fail(`${args.join(' ')} was taken: ${JSON.stringify(invocation)}`);
}

describe('parseArguments', () => {
  it('takes a task alone, with the defaults', () => {
    assert.deepEqual(runOf(parse('Fix it')), {
      type: 'run',
      task: 'Fix it',
      run: {
        dir: '.',
        rounds: 3,
        threshold: 9,
        turnLimitSeconds: 3600,
        executor: 'claude',
        reviewer: 'gemini',
        executorModel: null,
        reviewerModel: null,
        permissionMode: 'ask',
        trusted: false,
        trace: false,
        wait: false,
        newWorktree: false,
        large: false,
        budget: {},
        plateauRounds: 2,
        language: 'auto',
        askBetweenRounds: false,
        checkTimeoutSeconds: 600,
        verbose: false,
        quiet: false,
        output: 'text',
      },
    });
  });

  it('takes no slip of the keys for a task, and says both ways out', () => {
    const slips = {
      reveiw: 'review',
      reviw: 'review',
      reviews: 'review',
      Fix: 'fix',
      fixx: 'fix',
      dmeo: 'demo',
      hlep: 'help',
    };
    for (const [typed, meant] of Object.entries(slips)) {
      const told = usageOf(typed);
      assert.ok(told.includes(`cgloop ${meant} `) && told.includes(`cgloop -- "${typed}"`), told);
      assert.equal(runOf(parse('--', typed)).task, typed);
    }
    assert.match(usageOf('-n', '2', 'reveiw'), /cgloop review/);
    assert.match(usageOf('reveiw', '--output', 'sarif'), /sarif[\s\S]*Did you mean: cgloop review$/);
    assert.match(usageOf('rvn', '--output', 'sarif'), /stream-json\.$/);
    assert.doesNotMatch(usageOf('review', '--output', 'x'), /Did you mean/);
    for (const words of [[], ['aply', 'k3f9az']])
      assert.match(usageOf('worktree', ...words), /apply RUN, keep RUN or drop RUN/);
    for (const task of ['Refactor', 'deploy', 'import', 'test', 'redo', '修复', 'reveiw the code']) {
      assert.equal(runOf(parse(task)).task, task);
    }
    assert.equal(runOf(parse('reveiw', 'the', 'code')).task, 'reveiw the code');
  });

  it('takes what stands behind -- for the task, whatever it is called', () => {
    assert.equal(runOf(parse('--', 'review')).task, 'review');
    assert.equal(runOf(parse('-n', '2', '--', 'fix', 'it')).task, 'fix it');
    assert.equal(runOf(parse('--reviewer', 'claude', '--', '--help')).task, '--help');
    assert.equal(runOf(parse('--', '-')).task, null);
    assert.match(usageOf('--'), /There is no task/);
    // Behind a command it is the command's.
    const rule = parse('rules', 'allow', '--', 'git', 'diff');
    assert.deepEqual(rule.type === 'rules' && rule.asked.action === 'add' && rule.asked.rule.command?.line, 'git diff');
    const review = parse('review', '--', 'main');
    assert.equal(review.type === 'review' && review.asked.range, 'main');
  });

  it('goes on with a run, changing only what is named', () => {
    assert.deepEqual(parse('--resume', 'k3f9az'), {
      type: 'resume',
      asked: { run: 'k3f9az', given: { budget: {} } },
      display: { verbose: false, quiet: false, output: 'text' },
    });
    const line =
      '--resume k3f9az -n 3 --threshold 8 --timeout 60 --executor gemini --reviewer claude --model m1 --reviewer-model m2 --permission edits --trust --wait --trace -v';
    assert.deepEqual(parse(...line.split(' ')), {
      type: 'resume',
      asked: {
        run: 'k3f9az',
        given: {
          rounds: 3,
          threshold: 8,
          turnLimitSeconds: 60,
          executor: 'gemini',
          reviewer: 'claude',
          executorModel: 'm1',
          reviewerModel: 'm2',
          permissionMode: 'edits',
          trusted: true,
          trace: true,
          wait: true,
          budget: {},
        },
      },
      display: { verbose: true, quiet: false, output: 'text' },
    });
    assert.match(usageOf('--resume', 'k3f9az', 'another task'), /give none/);
    assert.match(usageOf('--resume', 'k3f9az', '-d', '.'), /leave --dir out/);
    assert.match(usageOf('--resume', 'k3f9az', '--worktree'), /leave --worktree out/);
  });

  it('takes every option', () => {
    const line =
      '-n 5 -d ../x -v --threshold 8.5 --timeout 60 --executor gemini --reviewer claude --model m1 --reviewer-model m2 --permission edits --trust --wait --worktree --large --trace --lang zh-cn --output stream-json task';
    const { run } = runOf(parse(...line.split(' ')));
    assert.deepEqual(run, {
      dir: '../x',
      rounds: 5,
      threshold: 8.5,
      turnLimitSeconds: 60,
      executor: 'gemini',
      reviewer: 'claude',
      executorModel: 'm1',
      reviewerModel: 'm2',
      permissionMode: 'edits',
      trusted: true,
      trace: true,
      wait: true,
      newWorktree: true,
      large: true,
      budget: {},
      plateauRounds: 2,
      language: 'zh-cn',
      askBetweenRounds: false,
      checkTimeoutSeconds: 600,
      verbose: true,
      quiet: false,
      output: 'stream-json',
    });
    assert.equal(runOf(parse('--quiet', 'x')).run.quiet, true);
  });

  it('takes checks, each as it was typed, or none', () => {
    const typed = (...commands: readonly string[]) => commands.map((command) => ({ command, source: 'typed' }));
    const line = [
      '--check',
      'npm test',
      '--check',
      `go test -run "größer|测试"`,
      '--check',
      'npm test',
      '--check-timeout',
      '30',
    ];
    const { run } = runOf(parse(...line, 'x'));
    assert.deepEqual([run.checks, run.checkTimeoutSeconds], [typed('npm test', `go test -run "größer|测试"`), 30]);
    assert.deepEqual(runOf(parse('--no-checks', 'x')).run.checks, []);
    assert.equal('checks' in runOf(parse('x')).run, false);
    const resumed = parse('--resume', 'k3', '--check', 'make test');
    assert.deepEqual(resumed.type === 'resume' && resumed.asked.given.checks, typed('make test'));
    assert.match(usageOf('--check', 'a\nb', 'x'), /one line/);
    assert.match(usageOf('--check', ' ', 'x'), /empty/);
    assert.match(usageOf('--check', 'a', '--no-checks', 'x'), /cannot go together/);
    for (const limit of ['0', 'x', '86401']) assert.match(usageOf('--check-timeout', limit, 'x'), /from 1 to 86400/);
  });

  it('takes a task of several words, one from stdin, and one that begins with a dash', () => {
    assert.equal(runOf(parse('mend', 'the', 'test')).task, 'mend the test');
    assert.match(usageOf('fix', 'the', 'test'), /Put a task in quotes: cgloop "fix the test"/);
    assert.equal(runOf(parse('-')).task, null);
    assert.equal(runOf(parse('--', '-v is broken')).task, '-v is broken');
    assert.equal(runOf(parse('a - b')).task, 'a - b');
  });

  it('takes the other commands', () => {
    assert.equal(parse('undo', '2026').type, 'undo');
    assert.deepEqual(parse('runs'), { type: 'runs', asked: { search: '', json: false } });
    const asked = { run: '2026', role: 'execute', print: false };
    assert.deepEqual(parse('continue', '2026'), { type: 'continue', asked });
    assert.deepEqual(parse('continue', '2026', '--reviewer', '--print'), {
      type: 'continue',
      asked: { ...asked, role: 'review', print: true },
    });
    assert.deepEqual(parse('replay', 'log.jsonl', '--speed', '2.5', '-v'), {
      type: 'replay',
      asked: { file: 'log.jsonl', speed: 2.5, verbose: true },
    });
    assert.deepEqual(parse('replay', 'x'), { type: 'replay', asked: { file: 'x', speed: null, verbose: false } });
    assert.match(usageOf('replay', 'x', '--speed', '0'), /above 0/);
    assert.deepEqual(parse('report', 'x'), { type: 'report', asked: { run: 'x', doctor: true } });
    assert.deepEqual(parse('report', 'x', '--no-doctor'), { type: 'report', asked: { run: 'x', doctor: false } });
    const doctor = { json: false, all: false, dir: '.', executor: 'claude', reviewer: 'gemini', trusted: false };
    assert.deepEqual(parse('doctor'), { type: 'doctor', doctor });
    assert.deepEqual(parse('doctor', '--json', '--all', '--trust', '--reviewer', 'claude'), {
      type: 'doctor',
      doctor: { ...doctor, json: true, all: true, trusted: true, reviewer: 'claude' },
    });
    const demo = {
      scenario: 'default',
      rounds: 3,
      permissionMode: 'edits',
      verbose: false,
      quiet: false,
      output: 'text',
    };
    assert.deepEqual(parse('demo'), { type: 'demo', demo });
    assert.deepEqual(parse('demo', '--scenario', 'stubborn', '-v', '-n', '2', '--permission', 'ask'), {
      type: 'demo',
      demo: { ...demo, scenario: 'stubborn', verbose: true, rounds: 2, permissionMode: 'ask' },
    });
  });

  it('tells version and help', () => {
    assert.deepEqual(parse('--version'), { type: 'told', text: '1.2.3\n' });
    const help = parse('--help');
    assert.match(help.type === 'told' ? help.text : '', /--permission <mode>[\s\S]*Exit codes/);
    assert.equal(parse('undo', '--help').type, 'told');
  });

  it('names what is wrong, where, and the way out', () => {
    assert.match(usageOf(), /There is no task\. Give one/);
    assert.match(usageOf('  '), /There is no task/);
    for (const rounds of ['0', '21', '1.5', '-1', 'x', '']) {
      assert.match(usageOf('-n', rounds, 'x'), /--rounds <number>.*Give a whole number from 1 to 20/s, rounds);
    }
    for (const threshold of ['0.9', '10.1', 'NaN', '1e1']) {
      assert.match(usageOf('--threshold', threshold, 'x'), /--threshold.*Give a number from 1 to 10/s, threshold);
    }
    for (const timeout of ['0', '3601']) assert.match(usageOf('--timeout', timeout, 'x'), /from 1 to 3600/);
    assert.match(usageOf('--permission', 'yolo', 'x'), /--permission.*Allowed choices are ask, edits, read-only, all/s);
    assert.match(usageOf('--executor', 'copilot', 'x'), /--executor.*Name one of: claude, gemini/s);
    assert.match(usageOf('--output', 'xml', 'x'), /Allowed choices are text, json, stream-json/);
    assert.match(usageOf('--model', '--danger', 'x'), /Give the name of a model/);
    assert.match(usageOf('--nonsense', 'x'), /unknown option '--nonsense'/);
    assert.match(usageOf('--quiet', '-v', 'x'), /cannot be used with/);
    assert.match(usageOf('undo'), /missing required argument 'run'/);
    assert.match(usageOf('demo', '--scenario', 'none'), /Allowed choices are default, stubborn/);
    assert.match(usageOf('doctor', 'extra'), /too many arguments/);
  });
});
