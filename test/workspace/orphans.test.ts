import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { childEnv } from '../../src/transport/childEnv.ts';
import { newMark } from '../../src/transport/childProcess.ts';
import { createProcessRecords, endOrphans, isCommandOf } from '../../src/workspace/orphans.ts';
import { identityOf, ownIdentity } from '../../src/workspace/processIdentity.ts';
import { gone, isAlive } from '../transport/childProcessAlive.ts';
import { clear, temporary } from './grounds.ts';

/** A pid that no process has: those of Linux end at 4,194,304. */
const NOBODY = { pid: 4_194_300, started: 'long ago' };

describe('orphans', function () {
  this.timeout(30_000);
  let program = '';
  const strangers: ChildProcess[] = [];
  before(async function () {
    if (process.platform === 'win32') this.skip();
    program = path.join(temporary(), 'owner.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'killedOwner.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });
  afterEach(() => {
    for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
  });
  after(clear);

  const recordsIn = (state: string) => fs.readdirSync(path.join(state, 'processes'));

  /** An owner with an agent and a command of the agent's, all alive. */
  async function owner(state: string) {
    const process_ = spawn(process.execPath, [program, state, temporary()], { stdio: ['ignore', 'pipe', 'inherit'] });
    strangers.push(process_);
    const [bytes]: Buffer[] = await once(process_.stdout, 'data');
    const { agent, command } = JSON.parse(String(bytes));
    return { owner: process_, agent: Number(agent), command: Number(command) };
  }

  it('are ended with all that they started, once their owner was killed, and told', async function () {
    if (process.platform !== 'linux') this.skip();
    const state = temporary();
    const { owner: killed, agent, command } = await owner(state);
    assert.deepEqual(await endOrphans(state), [], 'its owner is alive');
    assert.deepEqual([isAlive(agent), isAlive(command)], [true, true]);

    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.deepEqual([isAlive(agent), isAlive(command)], [true, true], 'they outlive their owner');
    assert.deepEqual(await endOrphans(state), [{ name: 'Claude Code', pid: agent }]);
    await Promise.all([gone(agent), gone(command)]);
    assert.deepEqual([recordsIn(state), await endOrphans(state)], [[], []]);
  });

  it('are also what outlived the agent itself', async function () {
    if (process.platform !== 'linux') this.skip();
    const state = temporary();
    const { owner: killed, agent, command } = await owner(state);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    process.kill(agent, 'SIGKILL');
    assert.deepEqual(await endOrphans(state), [{ name: 'Claude Code', pid: agent }]);
    await gone(command);
  });

  for (const [what, change] of [
    ['another start time', { started: 'another' }],
    ['no known start time', { started: null }],
    ['another mark', { mark: newMark() }],
  ] as const) {
    it(`are never taken for what has their pid: ${what}`, async function () {
      if (process.platform !== 'linux') this.skip();
      const state = temporary();
      const mark = newMark();
      const env = { ...childEnv(process.env), [mark]: '1' };
      // Marked like the record only where the mark is what differs, else the sweep would rightly find it.
      const stranger = spawn('/bin/sleep', ['60'], {
        env: 'mark' in change ? env : childEnv(process.env),
        stdio: 'ignore',
      });
      strangers.push(stranger);
      assert.ok(stranger.pid !== undefined);
      const record = {
        ...(await identityOf(stranger.pid)),
        name: 'Claude Code',
        mark,
        command: '/bin/sleep',
        args: ['60'],
        owner: NOBODY,
        ...change,
      };
      fs.mkdirSync(path.join(state, 'processes'));
      fs.writeFileSync(path.join(state, 'processes', 'record.json'), JSON.stringify(record));
      assert.deepEqual(await endOrphans(state), []);
      assert.equal(isAlive(stranger.pid), true);
      assert.deepEqual(recordsIn(state), [], 'a record of a dead owner is of no more use');
    });
  }

  it('leaves the records of living owners alone, and forgets what is no record', async () => {
    const state = temporary();
    const folder = path.join(state, 'processes');
    fs.mkdirSync(folder);
    const record = { ...NOBODY, name: 'x', mark: newMark(), command: '/x', args: [], owner: await ownIdentity() };
    fs.writeFileSync(path.join(folder, 'living.json'), JSON.stringify(record));
    fs.writeFileSync(path.join(folder, 'torn.json'), '{"pid":');
    // A mark is a name that is looked for in every environment: none but ours is.
    fs.writeFileSync(path.join(folder, 'foreign.json'), JSON.stringify({ ...record, mark: 'PATH', owner: NOBODY }));
    assert.deepEqual(await endOrphans(state), []);
    assert.deepEqual(recordsIn(state), ['living.json']);
    assert.deepEqual(await endOrphans(path.join(state, 'gone')), []);
  });

  it('have a record, readable by its user only, for as long as they live', async () => {
    const state = temporary();
    const records = createProcessRecords(state);
    const script = `process.stdin.on('end', () => process.exit(0)).resume(); console.log('up')`;
    const options = { command: process.execPath, args: ['-e', script], cwd: state, env: childEnv(process.env) };
    const child = records.spawn('Gemini CLI', options);
    await once(child.stdout, 'data');
    await records.settled();
    const [name = ''] = recordsIn(state);
    const file = path.join(state, 'processes', name);
    const { pid, owner: own, args } = JSON.parse(fs.readFileSync(file, 'utf8'));
    assert.deepEqual([pid, own, args], [child.pid, await ownIdentity(), ['-e', script]]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    await child.stop();
    await records.settled();
    assert.deepEqual(recordsIn(state), []);
  });

  it('are told by their command line where no environment can be read', () => {
    assert.ok(isCommandOf('/usr/bin/claude -p --verbose\n', '/usr/bin/claude', ['-p', '--verbose']));
    assert.ok(isCommandOf('node /opt/bin/gemini --acp', '/opt/bin/gemini', ['--acp']));
    assert.ok(isCommandOf('claude', '/usr/bin/claude', ['-p']), 'it names itself');
    assert.ok(!isCommandOf('claude --help', '/usr/bin/claude', ['-p']));
    assert.ok(!isCommandOf('vim /opt/bin/gemini --acp.txt', '/opt/bin/gemini', ['--acp']));
  });
});
