import assert from 'node:assert/strict';
import { lastSessionOf } from '../../src/session/lastSession.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { RUN, stamped } from './events.ts';

const started = (role: Role, turn: number, sessionId: string | null): LoopEventBody => ({
  type: 'turn.started',
  turn,
  role,
  prompt: 'p',
  wire: { sessionId, model: null },
});
const ended = (role: Role, turn: number, wire: { [key: string]: string } | null): LoopEventBody => ({
  type: 'turn.ended',
  turn,
  role,
  wire,
  derived: { outcome: { type: 'completed' }, usage: null, models: [] },
});
const last = (role: Role, ...bodies: readonly LoopEventBody[]) =>
  lastSessionOf(stamped([{ type: 'run.started', run: RUN }, ...bodies]), role);

describe('lastSessionOf', () => {
  it('is what the turn began with, or what its result says, whichever came last', () => {
    const first = [started('execute', 1, null), ended('execute', 1, { session_id: 'a' })];
    assert.deepEqual(last('execute', ...first), { agent: RUN.executor, sessionId: 'a', folder: RUN.folder });
    const cleared = [...first, started('execute', 3, 'a'), ended('execute', 3, { session_id: 'b' })];
    assert.equal(last('execute', ...cleared)?.sessionId, 'b');
    const killed = [...cleared, started('execute', 5, 'b'), ended('execute', 5, null)];
    assert.equal(last('execute', ...killed)?.sessionId, 'b');
  });

  it('tells what the session had cost in all, by the wire of either agent', () => {
    const wire = (total: number) => ({ session_id: 'a', total_cost_usd: total });
    const result = (turn: number, total: number): LoopEventBody => ({
      type: 'turn.ended',
      turn,
      role: 'execute',
      wire: wire(total),
      derived: { outcome: { type: 'completed' }, usage: null, models: [] },
    });
    const claude = [started('execute', 1, null), result(1, 0.5), started('execute', 2, 'a'), result(2, 0.75)];
    assert.equal(last('execute', ...claude)?.costUsd, 0.75);
    const update = (cost: { readonly amount: number; readonly currency: string }): LoopEventBody => ({
      type: 'usage.updated',
      turn: 3,
      role: 'review',
      wire: { sessionUpdate: 'usage_update', cost },
      derived: { inputTokens: null, outputTokens: null, cachedTokens: null, costUsd: null },
    });
    const acp = [
      started('review', 3, 'r'),
      update({ amount: 1, currency: 'USD' }),
      update({ amount: 9, currency: 'EUR' }),
    ];
    assert.equal(last('review', ...claude, ...acp)?.costUsd, 1);
  });

  it('tells the roles apart, with the agent as it told itself', () => {
    const agent = { ...RUN.reviewer, version: '0.61.0' };
    const log: LoopEventBody[] = [
      { type: 'agent.ready', role: 'review', agent },
      started('execute', 1, 'a'),
      started('review', 2, 'r'),
      ended('review', 2, { stopReason: 'end_turn' }),
    ];
    assert.deepEqual(last('review', ...log), { agent, sessionId: 'r', folder: RUN.folder });
    assert.equal(last('execute', ...log)?.sessionId, 'a');
  });

  it('is none before a session was told', () => {
    assert.equal(last('execute'), null);
    assert.equal(last('execute', started('execute', 1, null)), null);
    assert.equal(lastSessionOf([], 'execute'), null);
  });
});
