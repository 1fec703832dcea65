import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentLaunch } from '../../src/agent/agent.ts';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { type AssembledRun, assembleRun } from '../../src/loop/assembleRun.ts';
import { DEFAULTS } from '../../src/loop/options.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { PermissionMode } from '../../src/shared/permission.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { illegalMoves } from '../shared/toolMoves.ts';

const AGENT = fileURLToPath(new URL('../fakes/terminalAgent.mjs', import.meta.url));

/** The whole of a run but the loop, with an agent as a process of its own that runs its commands through us. */
describe('commands of an ACP agent', function () {
  this.timeout(30_000);
  let folder: string;
  let run: AssembledRun;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-commands-')));
  });
  afterEach(async () => {
    await run.dispose();
    assert.deepEqual(illegalMoves(run.log.events), []);
    fs.rmSync(folder, { recursive: true });
  });

  async function start(mode: PermissionMode): Promise<void> {
    const launch: AgentLaunch = {
      ref: { id: 'terminal', name: 'Terminal agent', protocol: 'acp', version: null },
      command: process.execPath,
      args: [AGENT],
      env: {},
    };
    const options = {
      ...DEFAULTS,
      task: 'x',
      folder,
      executorModel: null,
      reviewerModel: null,
      permissionMode: mode,
      trusted: true,
      interactive: true,
      stateFolder: folder,
      executablePaths: {},
    };
    run = assembleRun(
      'r1',
      options,
      { execute: launch, review: launch },
      {
        now: Date.now,
        clock: {
          now: () => performance.now(),
          after: (ms, callback) => {
            const timer = setTimeout(callback, ms);
            return () => clearTimeout(timer);
          },
        },
        secrets: [],
        trace: null,
        services: { files: createNodeFs(), unsaved: null },
        processes: { spawn: (_name, options, times) => spawnChild(options, times) },
        rules: { rules: [], add: () => Promise.resolve() },
      },
    );
    assert.deepEqual(await run.startAgents(), []);
  }

  /** What the agent said in the turn, as JSON. */
  async function play(what: string, role: Role = 'execute'): Promise<unknown> {
    const { result } = await run.turns.run(role, what);
    assert.equal(result.outcome.type, 'completed', JSON.stringify(result.outcome));
    return JSON.parse(result.texts.join(''));
  }
  const events = <T extends LoopEvent['type']>(type: T) =>
    run.log.events.filter((event): event is Extract<LoopEvent, { type: T }> => event.type === type);
  /** Settles with the first event of this type that is there or comes. */
  const event = (type: LoopEvent['type']) =>
    new Promise<void>((resolve) => {
      if (events(type).length > 0) resolve();
      else run.log.subscribe((one) => one.type === type && resolve());
    });
  const ends = () => events('terminal.ended').map(({ terminalId, end }) => `${terminalId} ${end.by}`);

  it('run in the card of their tool call, from the one question to the release', async () => {
    await start('ask');
    const playing = play('card');
    await event('permission.requested');
    assert.equal(run.broker.answer('p1', { outcome: 'selected', optionId: 'yes' }), true);
    assert.deepEqual(await playing, {
      exit: { exitCode: 0, signal: null },
      output: `${process.version}\n`,
      gone: {
        error: { code: -32602, message: 'There is no terminal terminal-1: it was never created, or released.' },
      },
    });
    assert.equal(events('permission.requested').length, 1, 'what was allowed is not asked twice');
    const items = reduce(EMPTY_VIEW, run.log.events).rounds.flatMap((round) => round.items);
    const card = items.find((item) => item.type === 'tool');
    assert.equal(card?.state, 'success');
    assert.equal(card.terminals?.[0]?.output, `${process.version}\n`);
    assert.deepEqual(card.terminals[0]?.end, { exitCode: 0, signal: null, by: 'itself' });
  });

  it('do not hold up a write while they run on, and end with the run', async () => {
    await start('all');
    assert.deepEqual(await play('server'), { terminalId: 'terminal-1', written: null });
    assert.equal(fs.readFileSync(path.join(folder, 'made.txt'), 'utf8'), 'made\n');
    assert.deepEqual(ends(), []);
    await play('server');
    await run.dispose();
    assert.deepEqual(ends().toSorted(), ['terminal-1 stop', 'terminal-2 stop']);
  });

  it('end with the stop of their turn', async () => {
    await start('all');
    const turn = run.turns.run('execute', 'wait');
    await event('terminal.output');
    run.stop.abort();
    const { result } = await turn;
    assert.deepEqual(result.outcome, { type: 'cancelled', by: 'user' });
    await event('terminal.ended');
    assert.deepEqual(ends(), ['terminal-1 stop']);
  });

  it('end with their agent', async () => {
    await start('all');
    const { result } = await run.turns.run('execute', 'death');
    assert.equal(result.outcome.type, 'failed');
    await event('terminal.ended');
    assert.deepEqual(ends(), ['terminal-1 stop']);
  });

  it('are refused with the reason where they must not run', async () => {
    await start('all');
    const errors = await play('refused');
    assert.ok(Array.isArray(errors));
    const told = errors.map(({ code, message }: { code: number; message: string }) => `${code} ${message}`);
    assert.match(told[0] ?? '', /^-32603 .*outside/);
    assert.match(told[1] ?? '', /^-32602 .*without a shell/);
    assert.match(told[2] ?? '', /^-32603 no-such-program-of-anyone cannot be started/);
    assert.match(told[3] ?? '', /^-32602 Invalid params: .*command/);
    assert.match(told[4] ?? '', /^-32602 There is no terminal none/);
    assert.deepEqual(events('terminal.started'), []);
  });

  it('are offered to the executor, and not to the reviewer', async () => {
    await start('all');
    const offered = async (role: Role) => {
      const capabilities = await play('nothing', role);
      assert.ok(typeof capabilities === 'object' && capabilities !== null && 'terminal' in capabilities);
      return capabilities.terminal;
    };
    assert.equal(await offered('execute'), true);
    assert.equal(await offered('review'), false);
    const { result } = await run.turns.run('review', 'server');
    assert.match(result.texts.join(''), /"written"/);
    assert.deepEqual(events('terminal.started'), []);
    assert.ok(!fs.existsSync(path.join(folder, 'made.txt')));
  });
});
