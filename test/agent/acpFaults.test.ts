import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { createAcpAgent } from '../../src/agent/acpAgent.ts';
import { ACP_DEPS } from '../../src/agent/acpDeps.ts';
import type { TurnResult } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';

const program = path.resolve(import.meta.dirname, '../fakes/acpPeerProcess.mjs');
const times = { endMs: 50, termMs: 50, quietMs: 500, drainMs: 5_000 };

interface Played {
  readonly result: TurnResult;
  readonly codes: readonly string[];
}

/** One turn with a real process that goes wrong in the middle of it. */
async function play(fault: string, stop = new AbortController(), cancelMs = 50): Promise<Played> {
  const events: AgentEvent[] = [];
  const agent = createAcpAgent(
    {
      launch: {
        ref: { id: 'faulty', name: 'Faulty', protocol: 'acp', version: null },
        command: process.execPath,
        args: [program, fault],
        env: {},
      },
      role: 'execute',
      folder: os.tmpdir(),
      mode: 'ask',
      trusted: true,
      model: null,
      permissions: { request: async () => ({ outcome: 'cancelled' }) },
      emit: (event) => {
        events.push(event);
        // The peer is in the middle of its turn now: what is to be stopped can be stopped.
        if (event.type === 'message.chunk' && event.derived.text === STOP_ON.get(fault)) stop.abort('user');
      },
    },
    { ...ACP_DEPS, cancelMs, spawn: (options) => spawnChild(options, times) },
  );
  const result = await agent.prompt('go', stop.signal);
  await agent.dispose();
  return {
    result,
    codes: events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.code] : [])),
  };
}

/** The text at which the person stops the turn. */
const STOP_ON = new Map([
  ['hang', 'before the fault'],
  ['closedInput', 'deaf'],
]);

describe('createAcpAgent with a process that goes wrong in a turn', () => {
  it('exit 0 is a death, however friendly', async () => {
    const { result, codes } = await play('exit0');
    assert.ok(result.outcome.type === 'failed' && result.outcome.cause === 'agentExit');
    assert.match(result.outcome.message, /exit code 0/);
    assert.deepEqual([result.texts, codes], [['before the fault'], ['exit']]);
  });

  it('exit 1 comes with the words of stderr', async () => {
    const { result } = await play('exit1');
    assert.ok(result.outcome.type === 'failed' && result.outcome.cause === 'agentExit');
    assert.match(result.outcome.message, /exit code 1\na fault of the agent$/);
  });

  it('SIGKILL is told by its name', async () => {
    const { result } = await play('kill');
    assert.match(result.outcome.type === 'failed' ? result.outcome.message : '', /SIGKILL/);
  });

  it('half a line is reported, and the turn ends with the process', async () => {
    const { result, codes } = await play('halfLine');
    assert.ok(result.outcome.type === 'failed' && result.outcome.cause === 'agentExit');
    assert.deepEqual(codes, ['truncatedEof', 'exit']);
  });

  it('noise between messages ends nothing', async () => {
    const { result, codes } = await play('noise');
    assert.deepEqual(result.outcome, { type: 'completed' });
    assert.deepEqual(codes, ['noise', 'notObject', 'notObject', 'invalidResponse']);
  });

  it('a line of 5 MB is one chunk', async () => {
    const { result } = await play('bigLine');
    assert.equal(result.texts[0]?.length, 'before the fault'.length + 5 * 1024 * 1024);
  });

  it('wrong ids answer nothing, and the first right one counts', async () => {
    const { result, codes } = await play('wrongIds');
    assert.deepEqual(result.outcome, { type: 'completed' });
    assert.deepEqual(codes, ['unknownResponseId', 'unknownResponseId', 'agentError', 'unknownResponseId']);
  });

  it('a burst of 300 updates, the response and the exit in one go lose nothing (B5)', async () => {
    const { result } = await play('burst');
    assert.deepEqual(result.outcome, { type: 'completed' });
    assert.equal(result.texts[0]?.split(' ').length, 'before the fault'.split(' ').length + 300);
  });

  it('a peer that hangs on after a cancel is ended, SIGTERM ignored or not', async () => {
    const { result } = await play('hang');
    assert.deepEqual(result.outcome, { type: 'cancelled', by: 'user' });
  });

  it('a peer that no longer reads is ended as soon as it is written to', async () => {
    const { result } = await play('closedInput', new AbortController(), 60_000);
    assert.deepEqual(result.outcome, { type: 'cancelled', by: 'user' });
  });

  it('a program that does not exist fails the start', async () => {
    const missing = createAcpAgent({
      launch: {
        ref: { id: 'gone', name: 'Gone', protocol: 'acp', version: null },
        command: '/no/such/program',
        args: [],
        env: {},
      },
      role: 'execute',
      folder: os.tmpdir(),
      mode: 'ask',
      trusted: true,
      model: null,
      permissions: { request: async () => ({ outcome: 'cancelled' }) },
      emit: () => undefined,
    });
    await assert.rejects(missing.ready(), /Gone did not start \(\/no\/such\/program\): .*ENOENT/);
    await missing.dispose();
  });
});
