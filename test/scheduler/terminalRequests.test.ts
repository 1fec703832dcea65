import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { CreateTerminalParams } from '../../src/protocol/acp.ts';
import { createCommandGrants } from '../../src/scheduler/commandGrants.ts';
import { plainWords } from '../../src/scheduler/commandLine.ts';
import { createScheduler, type Permit } from '../../src/scheduler/scheduler.ts';
import { commandOf, lineOf, problemOf } from '../../src/scheduler/terminalCommand.ts';
import { createTerminalRequests, MOST_RUNNING } from '../../src/scheduler/terminalRequests.ts';
import type { Terminal, TerminalCommand } from '../../src/scheduler/terminalService.ts';
import type { TerminalEnd } from '../../src/shared/ending.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import { settle } from './schedulerWorld.ts';

/** A started command that the test ends. */
interface Started {
  readonly command: TerminalCommand;
  readonly say: (text: string) => void;
  readonly end: (end?: Partial<TerminalEnd>) => void;
}

const WIRE = { sessionId: 's1' };
const NO = new AbortController().signal;
const ALLOWED = { outcome: 'selected', optionId: 'allow' } as const;

/** Terminals on a service of the test's own; timers run when the test says so. */
function ground(decide: (request: PermissionRequest) => Permit | null = () => null) {
  const events: LoopEventBody[] = [];
  const started: Started[] = [];
  const questions: { readonly request: PermissionRequest; readonly answer: (answer: PermissionAnswer) => void }[] = [];
  const timers: { readonly ms: number; readonly callback: () => void }[] = [];
  const grants = createCommandGrants();
  const state = { turn: 1, roots: '/p', problem: null as string | null, count: 0 };
  const append = (body: LoopEventBody) => events.push(body);
  const scheduler = createScheduler({ append, turnOf: () => state.turn });
  const terminals = createTerminalRequests({
    role: 'execute',
    folder: '/p',
    locate: (file) => {
      const located = path.resolve(file);
      if (located !== '/p' && !located.startsWith('/p/'))
        throw new Error(`${file} lies outside the folders of the run.`);
      return located.replace('/p/link', state.roots);
    },
    service: {
      start(command, onOutput) {
        if (state.problem !== null) return Promise.reject(new Error(state.problem));
        let settleEnd: (end: TerminalEnd) => void = () => undefined;
        const ended = new Promise<TerminalEnd>((resolve) => {
          settleEnd = resolve;
        });
        let output = '';
        let over: TerminalEnd | null = null;
        const end = (more: Partial<TerminalEnd> = {}) => {
          over ??= { exitCode: 0, signal: null, by: 'itself', ...more };
          settleEnd(over);
        };
        const say = (text: string) => {
          output += text;
          onOutput(text);
        };
        started.push({ command, say, end });
        const terminal: Terminal = {
          output: () => ({ output, truncated: false, end: over }),
          ended,
          async kill(by) {
            end({ exitCode: null, signal: 'SIGTERM', by });
            await ended;
          },
        };
        return Promise.resolve(terminal);
      },
    },
    scheduler,
    permissions: {
      request: (request) =>
        new Promise((answer) => {
          questions.push({ request, answer });
        }),
    },
    grants,
    decide,
    turn: () => state.turn,
    nextId: () => `t${++state.count}`,
    after: (ms, callback) => {
      const timer = { ms, callback };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
    append,
  });
  const create = (command: string, args: readonly string[] = [], more: object = {}) =>
    terminals.create({ sessionId: 's1', command, args: [...args], ...more }, WIRE, NO);
  const allowed = (line: string, kind: 'allow_once' | 'allow_always' = 'allow_once') =>
    grants.allowed(
      state.turn,
      {
        toolCallId: 'c',
        title: line,
        kind: 'execute',
        options: [],
        content: [],
        paths: [],
        command: line,
        takesMessage: false,
      },
      { optionId: 'x', name: 'x', kind },
    );
  return { terminals, events, started, questions, timers, state, scheduler, create, allowed };
}

const all = (): Permit => ({ type: 'granted', byPerson: false });

describe('terminal requests', () => {
  it('start exactly what the agent has been allowed by its own question, once', async () => {
    const world = ground();
    world.allowed('npm test');
    assert.deepEqual(await world.create('npm', ['test']), { type: 'result', value: { terminalId: 't1' } });
    assert.deepEqual(world.started[0]?.command, {
      command: 'npm',
      args: ['test'],
      env: {},
      cwd: '/p',
      outputByteLimit: 1024 * 1024,
    });
    assert.equal(world.questions.length, 0);
    void world.create('npm', ['test']);
    await settle();
    assert.equal(world.questions.length, 1, 'the second start is another one');
  });

  it('ask for what differs in an argument, the folder, a variable or the turn', async () => {
    const world = ground();
    world.allowed('npm test');
    const lines = [
      world.create('npm', ['test', '--force']),
      world.create('npm', ['test'], { cwd: '/p/sub' }),
      world.create('npm', ['test'], { env: [{ name: 'NODE_OPTIONS', value: '-r x' }] }),
    ];
    await settle();
    assert.deepEqual(
      world.questions.map(({ request }) => request.command),
      ['npm test --force', 'cd /p/sub && npm test', "NODE_OPTIONS='-r x' npm test"],
    );
    assert.equal(lines.length, world.questions.length);
    world.state.turn = 2;
    void world.create('npm', ['test']);
    await settle();
    assert.equal(world.questions.at(-1)?.request.command, 'npm test');
  });

  it('take apart a line that means the same to everyone, and refuse one that needs a shell', async () => {
    const world = ground();
    world.allowed('npm test');
    assert.equal((await world.create('npm  test')).type, 'result');
    assert.deepEqual([world.started[0]?.command.command, world.started[0]?.command.args], ['npm', ['test']]);
    for (const line of ['npm test && rm x', 'npm test | tee log', 'FOO=1 npm test', 'cat *.txt', 'echo $HOME']) {
      const refused = await world.create(line);
      assert.match(JSON.stringify(refused), /invalid.*without a shell/, line);
    }
  });

  it('start what the person allows, and give the agent the words of a refusal', async () => {
    const world = ground();
    const first = world.create('make');
    const second = world.create('rm', ['-rf', 'a b']);
    await settle();
    assert.equal(world.questions[1]?.request.command, "rm -rf 'a b'");
    world.questions[1]?.answer({ outcome: 'selected', optionId: 'deny', message: 'Not that.' });
    world.questions[0]?.answer(ALLOWED);
    // As the broker does with every allowing answer.
    world.allowed('make');
    assert.deepEqual(await first, { type: 'result', value: { terminalId: 't1' } });
    assert.deepEqual(await second, { type: 'refused', kind: 'failed', message: 'Not that.' });
    assert.equal(world.started.length, 1);
  });

  it('stay inside the folders of the run, also when a link is turned while the question waits', async () => {
    const world = ground();
    const outside = await world.create('ls', [], { cwd: '/etc' });
    assert.match(JSON.stringify(outside), /outside/);
    const asked = world.create('ls', [], { cwd: '/p/link' });
    await settle();
    world.allowed('cd /p/link && ls');
    world.state.roots = '/p/else';
    world.questions[0]?.answer(ALLOWED);
    assert.match(JSON.stringify(await asked), /leads somewhere else by now/);
    assert.equal(world.started.length, 0);
  });

  it('are looked at again at the start: what was allowed once is started once', async () => {
    const world = ground();
    world.allowed('make');
    const [first, second] = await Promise.all([world.create('make'), world.create('make')]);
    assert.equal(first.type, 'result');
    assert.deepEqual(second, {
      type: 'refused',
      kind: 'failed',
      message: 'This command was allowed for another start than this one.',
    });
    assert.equal(world.started.length, 1);
  });

  it('are refused by policy without a question, and outside of a turn', async () => {
    const world = ground(() => ({ type: 'refused', why: 'A rule refuses it.' }));
    assert.match(JSON.stringify(await world.create('make')), /A rule refuses it/);
    world.state.turn = 0;
    assert.match(JSON.stringify(await world.create('make')), /No turn is under way/);
    assert.equal(world.questions.length, 0);
  });

  it('run at most a stated number at once, and keep a stated number', async () => {
    const world = ground(all);
    for (let one = 0; one < MOST_RUNNING; one++) assert.equal((await world.create('server')).type, 'result');
    assert.match(JSON.stringify(await world.create('server')), /8 commands are running already/);
    for (let one = 0; one < 57; one++) {
      world.started.at(-1)?.end();
      await settle();
      const made = await world.create('server');
      if (one < 56) assert.equal(made.type, 'result', `${one}`);
      else assert.match(JSON.stringify(made), /64 terminals are open/);
    }
    await world.terminals.release({ sessionId: 's1', terminalId: 't1' });
    world.started.at(-1)?.end();
    await settle();
    assert.equal((await world.create('server')).type, 'result');
  });

  it('answer output, wait, kill and release at once, whatever is queued', async () => {
    const world = ground(all);
    await world.create('server');
    void world.scheduler.submit(
      {
        role: 'execute',
        method: 'fs/write_text_file',
        subject: 'a',
        demand: { exclusive: true },
        permit: all,
        run: () => new Promise(() => undefined),
      },
      NO,
    );
    const id = { sessionId: 's1', terminalId: 't1' };
    world.started[0]?.say('listening\n');
    assert.deepEqual(world.terminals.output(id), {
      type: 'result',
      value: { output: 'listening\n', truncated: false, exitStatus: null },
    });
    const waits = world.terminals.waitForExit(id, NO);
    const back = new AbortController();
    const taken = world.terminals.waitForExit(id, back.signal);
    back.abort();
    assert.deepEqual(await taken, { type: 'refused', kind: 'stopped', message: 'The wait was taken back.' });
    assert.deepEqual(await world.terminals.kill(id), { type: 'result', value: {} });
    const exit = { exitCode: null, signal: 'SIGTERM' };
    assert.deepEqual(await waits, { type: 'result', value: exit });
    assert.deepEqual(world.terminals.output(id), {
      type: 'result',
      value: { output: 'listening\n', truncated: false, exitStatus: exit },
    });
    assert.deepEqual(await world.terminals.release(id), { type: 'result', value: {} });
    for (const answer of [
      world.terminals.output(id),
      await world.terminals.kill(id),
      await world.terminals.release(id),
    ])
      assert.deepEqual(answer.type === 'refused' && answer.kind, 'invalid');
  });

  it('are ended by release, by the stop of the turn, and by a stop while they come up', async () => {
    const world = ground(all);
    await world.create('one');
    await world.create('two');
    await world.terminals.release({ sessionId: 's1', terminalId: 't1' });
    await world.terminals.stopAll();
    assert.deepEqual(
      world.events.flatMap((event) => (event.type === 'terminal.ended' ? [`${event.terminalId} ${event.end.by}`] : [])),
      ['t1 agent', 't2 stop'],
    );
    const late = world.create('three');
    world.scheduler.cancel('execute');
    assert.deepEqual(await late, { type: 'refused', kind: 'stopped', message: 'This was stopped before it was done.' });
    await settle();
    const ends = world.events.filter((event) => event.type === 'terminal.ended');
    assert.deepEqual(ends.at(-1), {
      type: 'terminal.ended',
      terminalId: 't3',
      end: { exitCode: null, signal: 'SIGTERM', by: 'stop' },
    });
  });

  it('tell their output in few events, the newest of what is too much', async () => {
    const world = ground(all);
    await world.create('noisy');
    const said = () => world.events.filter((event) => event.type === 'terminal.output');
    const [noisy] = world.started;
    noisy?.say('a');
    noisy?.say('b');
    assert.equal(said().length, 0);
    assert.deepEqual(
      world.timers.map(({ ms }) => ms),
      [100],
    );
    world.timers[0]?.callback();
    assert.deepEqual(said(), [{ type: 'terminal.output', terminalId: 't1', text: 'ab', skipped: 0 }]);
    noisy?.say(`${'€'.repeat(20_000)}end`);
    world.timers.at(-1)?.callback();
    const event = said().at(-1);
    assert.ok(event?.type === 'terminal.output');
    assert.equal(event.text.length, 16_000);
    assert.equal(event.skipped, 3 * 4_003);
    for (let one = 0; one < 20; one++) {
      noisy?.say('x'.repeat(16_000));
      world.timers.at(-1)?.callback();
    }
    noisy?.say('last words');
    assert.equal(world.timers.at(-1)?.ms, 200, 'the more it says, the less often it is told');
    noisy?.end({ exitCode: 1 });
    await settle();
    const last = said().at(-1);
    assert.equal(last?.type === 'terminal.output' && last.text, 'last words');
    assert.equal(world.events.at(-1)?.type, 'terminal.ended');
  });

  it('fail with the words of the service when nothing comes up', async () => {
    const world = ground(all);
    world.state.problem = 'nope cannot be started: spawn nope ENOENT';
    assert.deepEqual(await world.create('nope'), { type: 'refused', kind: 'failed', message: world.state.problem });
    assert.ok(!world.events.some((event) => event.type === 'terminal.started'));
  });

  it('refuse parameters that name no command', async () => {
    const world = ground(all);
    const problems = [
      world.create(' '),
      world.create('ls', [], { cwd: 'sub' }),
      world.create('ls', ['a\0b']),
      world.create('ls', [], { env: [{ name: 'A=B', value: '' }] }),
      // As a line it would begin like a command that somebody may have allowed.
      world.create('rm', ['x'], { env: [{ name: 'npm test', value: '1' }] }),
    ];
    for (const answer of await Promise.all(problems)) assert.equal(answer.type === 'refused' && answer.kind, 'invalid');
    assert.equal(world.events.length, 0);
  });
});

describe('the line of a command', () => {
  const folder = '/p';
  const word = fc.string({ unit: 'grapheme', maxLength: 8 });
  const params = fc.record({
    sessionId: fc.constant('s1'),
    command: fc.oneof(word, fc.constantFrom('npm', 'npm test', 'cd', '/bin/ls', 'A=1', 'A=')),
    args: fc.oneof(
      fc.array(fc.oneof(word, fc.constantFrom('ls', '&&', 'A=1')), { maxLength: 3 }),
      fc.constant(undefined),
    ),
    cwd: fc.constantFrom(undefined, '/p', '/p/sub', '/p/a b'),
    env: fc.oneof(
      fc.constant(undefined),
      fc.array(
        fc.record({
          name: fc.oneof(word, fc.constantFrom('A', 'npm test', 'A=1 ls')),
          value: fc.oneof(word, fc.constantFrom('1', '')),
        }),
        {
          maxLength: 2,
        },
      ),
    ),
  });

  it('is plain only for a program in the folder of the run without variables, and then says exactly what runs', () => {
    fc.assert(
      fc.property(params, (asked) => {
        const given: CreateTerminalParams = asked;
        if (problemOf(given) !== null) return;
        const words = plainWords(lineOf(given, folder));
        const { command, args, env } = commandOf(given, folder);
        if (words === null) return;
        assert.deepEqual(words, [command, ...args]);
        assert.deepEqual(env, {});
        assert.ok(given.cwd === undefined || given.cwd === null || given.cwd === folder);
      }),
      { numRuns: process.env.DEEP === '1' ? 20_000 : 2_000 },
    );
  });

  it('is another one for whatever runs in another way', () => {
    const same = (a: CreateTerminalParams, b: CreateTerminalParams) => {
      const of = (one: CreateTerminalParams) => [commandOf(one, one.cwd ?? folder), one.cwd ?? folder];
      return isDeepStrictEqual(of(a), of(b));
    };
    fc.assert(
      fc.property(params, params, (a, b) => {
        if (problemOf(a) !== null || problemOf(b) !== null) return;
        if (lineOf(a, folder) === lineOf(b, folder)) assert.ok(same(a, b), lineOf(a, folder));
      }),
      { numRuns: process.env.DEEP === '1' ? 50_000 : 3_000 },
    );
  });
});
