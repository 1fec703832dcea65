import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createCheckConsent } from '../../src/loop/confirmChecks.ts';
import { createCheckRunner } from '../../src/loop/runChecks.ts';
import { readConfirmed } from '../../src/session/checkFile.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { FileChange } from '../../src/shared/fileEvents.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import { reduce } from '../../src/shared/reduce.ts';
import type { CheckRequest } from '../../src/shared/roundEvents.ts';
import { english } from '../../src/shared/translate.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { createTerminalService } from '../../src/workspace/terminals.ts';
import { gone } from '../transport/childProcessAlive.ts';
import { manifest } from '../workspace/checks/project.ts';

type Files = Readonly<Record<string, string>>;
const posix = process.platform === 'win32' ? it.skip : it;

describe('the checks of a run', () => {
  let folder: string;
  let stateFolder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-run-checks-'));
    stateFolder = path.join(folder, 'state');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** `trees`: the folder at each checkpoint; `answers`: option ids, in the order of the questions. */
  function ground(
    checks: readonly CheckRequest[],
    {
      trees = {},
      answers = null,
      ci = {},
    }: {
      trees?: Readonly<Record<string, Files>>;
      answers?: readonly (string | null)[] | null;
      ci?: { readonly CI?: string };
    } = {},
  ) {
    const { CI: _, ...others } = process.env;
    const env = { ...others, ...ci };
    const log = createEventLog({ now: () => 7 });
    const questions: PermissionRequest[] = [];
    const warnings: string[] = [];
    const reads: string[] = [];
    const timers: { readonly ms: number; readonly callback: () => void }[] = [];
    const stop = new AbortController();
    let count = 0;
    const runner = createCheckRunner({
      t: english,
      checks,
      folder,
      limitSeconds: 600,
      consent: createCheckConsent({
        folder: '/p',
        stateFolder,
        interactive: answers !== null,
        async ask(request) {
          questions.push(request);
          return answers?.[questions.length - 1] ?? null;
        },
        t: english,
        warn: (text) => warnings.push(text),
      }),
      terminals: createTerminalService({ spawn: spawnChild, env }),
      async textOf({ tree }, file) {
        reads.push(`${tree}:${file}`);
        return trees[tree]?.[file] ?? null;
      },
      append: (body) => void log.append(body),
      after(ms, callback) {
        const timer = { ms, callback };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
      nextId: () => `check-${++count}`,
      stopped: stop.signal,
      platform: process.platform,
      env,
    });
    const round = (from: string, to: string, files: readonly FileChange[] = []) =>
      runner.run({ before: { tree: from }, after: { tree: to }, files });
    const told = () => log.events.map(({ type }) => type).filter((type) => type !== 'check.output');
    return { log, runner, round, questions, warnings, reads, timers, stop, told };
  }
  const typed = (command: string): CheckRequest => ({ command, source: 'typed' });
  const found = (command: string): CheckRequest => ({ command, source: 'detected' });
  const changed = (...paths: readonly string[]): FileChange[] =>
    paths.map((path) => ({ path, status: 'modified', added: 1, removed: 1 }));
  const outputOf = (events: readonly LoopEvent[]) =>
    events.flatMap((event) => (event.type === 'check.output' ? [event.text] : [])).join('');

  posix('run one after another through the shell, and say how each ended', async () => {
    const commands = [
      `printf 'grün 测试 %s\\n' "$CI" | cat; cat`,
      'echo red >&2; exit 3',
      'kill -TERM $$',
      'no-such-program-of-anybody',
      `printf '10%%\\r20%%\\r\\033[31m30%%\\033[0m\\n'`,
    ];
    const { log, runner, round, told } = ground(commands.map(typed));
    await runner.begin({ tree: 'a' });
    assert.deepEqual(told(), [], 'what was typed is not asked about');
    const { ran, skipped, changes, blockedBy } = await round('a', 'a');
    assert.deepEqual(
      ran.map(({ command, end, tail }) => [command, end.passed, end.exitCode, end.signal, tail]),
      [
        [commands[0], true, 0, null, 'grün 测试 true\n'],
        [commands[1], false, 3, null, 'red\n'],
        [commands[2], false, null, 'SIGTERM', ''],
        [commands[3], false, 127, null, ran[3]?.tail],
        [commands[4], true, 0, null, '30%\n'],
      ],
    );
    assert.deepEqual([skipped, changes], [[], []]);
    assert.deepEqual(
      blockedBy.map((text) => /is red: (.*)\.$/.exec(text)?.[1]),
      ['exit code 3', 'ended by SIGTERM', 'exit code 127'],
    );
    assert.deepEqual(
      told(),
      commands.flatMap(() => ['check.started', 'check.ended']),
    );
    assert.match(outputOf(log.events), /grün 测试 true\nred\n/);
    const items = reduce(EMPTY_VIEW, log.events).rounds[0]?.checks ?? [];
    assert.deepEqual(
      items.map(({ checkId, end }) => [checkId, end?.passed]),
      [
        ['check-1', true],
        ['check-2', false],
        ['check-3', false],
        ['check-4', false],
        ['check-5', true],
      ],
    );
  });

  posix('see CI as the person has set it', async () => {
    const { ran } = await ground([typed('echo "<$CI>"')], { ci: { CI: '' } }).round('a', 'a');
    assert.equal(ran[0]?.tail, '<>\n');
  });

  posix('end with all that they started when they take too long', async () => {
    const { log, round, timers } = ground([typed('sleep 600 & echo $!; wait')]);
    const running = round('a', 'a');
    while (!/^\d+\n$/.test(outputOf(log.events))) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const { ms, callback } of [...timers]) if (ms < 1000) callback();
    }
    const limit = timers.find(({ ms }) => ms === 600_000);
    assert.ok(limit);
    limit.callback();
    const { ran, blockedBy } = await running;
    assert.equal(ran[0]?.end.by, 'limit');
    assert.equal(ran[0]?.end.passed, false);
    assert.match(blockedBy[0] ?? '', /took too long/);
    await gone(Number(outputOf(log.events)));
  }).timeout(20_000);

  posix('end with the run, which starts none of the others', async () => {
    const { log, round, stop } = ground([typed('echo on; exec sleep 600'), typed('echo never')]);
    const running = round('a', 'a');
    await new Promise((resolve) => setTimeout(resolve, 0));
    stop.abort();
    const { ran } = await running;
    assert.deepEqual(
      ran.map(({ end }) => end.by),
      ['stop'],
    );
    assert.equal(log.events.filter(({ type }) => type === 'check.started').length, 1);
  }).timeout(20_000);

  it('are red when they cannot be started', async () => {
    fs.rmSync(folder, { recursive: true });
    const { round, told } = ground([typed('echo x'), typed('echo a\necho b')]);
    const { ran, blockedBy } = await round('a', 'a');
    assert.deepEqual(
      ran.map(({ end }) => end.passed),
      [false, false],
    );
    assert.match(ran[0]?.end.problem ?? '', /folder does not exist/);
    assert.match(ran[1]?.end.problem ?? '', /one line/);
    assert.equal(blockedBy.length, 2);
    assert.deepEqual(told(), ['check.started', 'check.ended', 'check.started', 'check.ended']);
    fs.mkdirSync(folder);
  });

  const MOCHA = { 'package.json': manifest({ test: 'true' }) };
  const EXIT = { 'package.json': manifest({ test: 'exit 0' }) };

  it('of the project are asked about before anything is done, with what they run, and skipped where nobody lets them', async () => {
    const { runner, round, questions, told, log } = ground([found('npm test')], {
      trees: { a: MOCHA },
      answers: ['skip'],
    });
    await runner.begin({ tree: 'a' });
    assert.equal(questions[0]?.command, 'npm test');
    assert.equal(questions[0]?.asker, 'loop');
    assert.deepEqual(
      questions[0]?.options.map(({ kind }) => kind),
      ['allow_once', 'allow_always', 'reject_once'],
    );
    assert.deepEqual(questions[0]?.content, [{ type: 'text', text: 'package.json\n  "test": "true"' }]);
    for (const tree of ['a', 'b']) {
      const { ran, skipped, blockedBy } = await round('a', tree);
      assert.deepEqual([ran, blockedBy], [[], []]);
      assert.deepEqual(
        skipped.map(({ command }) => command),
        ['npm test'],
      );
    }
    assert.equal(questions.length, 1, 'the answer holds for the run, whatever changes');
    assert.equal(told().filter((type) => type === 'check.skipped').length, 2);
    assert.equal(log.events.find((event) => event.type === 'check.skipped')?.why, 'You skipped it in this run.');
  });

  it('are confirmed once for their exact text and what it runs, and then for later runs', async () => {
    const trees = { a: { 'ok.sh': 'true' }, b: { 'ok.sh': 'exit 0' } };
    const check = found('./ok.sh');
    const first = ground([check], { trees, answers: ['always'] });
    await first.runner.begin({ tree: 'a' });
    assert.deepEqual(
      (await readConfirmed(stateFolder, '/p')).map(({ command }) => command),
      ['./ok.sh'],
    );

    const second = ground([check], { trees, answers: [] });
    await second.runner.begin({ tree: 'a' });
    assert.deepEqual(second.questions, []);
    const unattended = ground([check], { trees });
    assert.equal((await unattended.round('a', 'a')).skipped.length, 0);

    const otherDefinition = ground([check], { trees, answers: [null] });
    await otherDefinition.runner.begin({ tree: 'b' });
    assert.equal(otherDefinition.questions.length, 1);
    const otherText = ground([found('./ok.sh -v')], { trees });
    assert.match((await otherText.round('a', 'a')).skipped[0]?.why ?? '', /Nobody has confirmed it.*--check/);
    const settings = ground([{ command: './other.sh', source: 'settings' }], { trees });
    assert.equal((await settings.round('a', 'a')).skipped.length, 1, 'what a workspace sets is confirmed by nobody');
  });

  it('are asked about again when a round changed what they run, and told', async () => {
    const trees = { a: MOCHA, b: EXIT };
    const { runner, round, questions, log, reads } = ground([typed('true || npm test'), typed('true')], {
      trees,
      answers: ['run', 'skip'],
    });
    await runner.begin({ tree: 'a' });
    assert.equal(questions.length, 0);
    reads.length = 0;
    await round('a', 'a2', changed('src/x.ts'));
    assert.deepEqual(reads, [], 'nothing that it is read from has changed');

    const { changes, blockedBy } = await round('a2', 'b', changed('package.json'));
    const change = {
      type: 'definition',
      command: 'true || npm test',
      file: 'package.json',
      before: '"test": "true"',
      after: '"test": "exit 0"',
    };
    assert.deepEqual(changes, [change]);
    assert.deepEqual(log.events.find((event) => event.type === 'checks.changed')?.changes, [change]);
    assert.equal(questions.length, 1);
    assert.match(questions[0]?.title ?? '', /changed/);
    assert.deepEqual(questions[0]?.content, [
      { type: 'text', text: 'package.json\n- "test": "true"\n+ "test": "exit 0"' },
    ]);
    assert.ok(
      blockedBy.every((text) => !/changed what/.test(text)),
      'the person let it run as it is',
    );

    await round('b', 'a', changed('package.json'));
    await round('a', 'b', changed('package.json'));
    assert.equal(questions.length, 1, 'both were let run');
  }).timeout(20_000);

  it('pass for nothing when what they run was changed and nobody is there to be asked', async () => {
    const { runner, round } = ground([typed('make test')], {
      trees: { a: { Makefile: 'test:\n\tgo test\n' }, b: { Makefile: 'test:\n\ttrue\n' } },
    });
    await runner.begin({ tree: 'a' });
    const { blockedBy } = await round('a', 'b', changed('Makefile'));
    assert.match(blockedBy.at(-1) ?? '', /changed what the check "make test" runs, in Makefile, and nobody was there/);
    assert.ok(
      (await round('b', 'c', changed('x'))).blockedBy.some((text) => /nobody was there/.test(text)),
      'it still is',
    );
    const back = await round('c', 'a', changed('Makefile'));
    assert.ok(!back.blockedBy.some((text) => /nobody was there/.test(text)));
  });

  posix('are asked about again when tests are gone, but not those that look at no test', async () => {
    const removed: FileChange[] = [{ path: 'test/a.test.js', status: 'deleted', added: 0, removed: 9 }];
    const checks = [typed('true # npm test'), typed('true # eslint .')];
    const asked = ground(checks, { answers: ['skip'] });
    await asked.runner.begin({ tree: 'a' });
    const { changes, ran, skipped } = await asked.round('a', 'b', removed);
    assert.deepEqual(changes, [{ type: 'testsRemoved', files: ['test/a.test.js'] }]);
    assert.deepEqual(
      asked.questions.map(({ command }) => command),
      ['true # npm test'],
    );
    assert.deepEqual(
      [ran, skipped].map((all) => all.map(({ command }) => command)),
      [['true # eslint .'], ['true # npm test']],
    );

    const unattended = ground(checks);
    await unattended.runner.begin({ tree: 'a' });
    const told = await unattended.round('a', 'b', removed);
    assert.deepEqual([told.ran.length, told.blockedBy, told.changes.length], [2, [], 1]);
  });

  it('are confirmed by no file that cannot be read', async () => {
    const { runner, warnings, round } = ground([found('true')], {});
    fs.mkdirSync(path.join(stateFolder, 'checks'), { recursive: true });
    await runner.begin({ tree: 'a' });
    const first = ground([found('true')], { answers: ['always'] });
    await first.runner.begin({ tree: 'a' });
    const [name = ''] = fs.readdirSync(path.join(stateFolder, 'checks'));
    fs.writeFileSync(path.join(stateFolder, 'checks', name), 'not ours\n');
    assert.equal((await round('a', 'a')).skipped.length, 1);
    assert.match(warnings[0] ?? '', /No check counts as confirmed/);
  });
});
