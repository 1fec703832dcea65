import assert from 'node:assert/strict';
import { isEnd, TRANSITIONS } from '../../src/scheduler/toolState.ts';
import type { ToolState } from '../../src/shared/events.ts';

const states = Object.keys(TRANSITIONS) as ToolState[];

describe('tool states', () => {
  it('lead from every state to an end', () => {
    for (const from of states) {
      const seen = new Set<ToolState>([from]);
      for (const state of seen) for (const next of TRANSITIONS[state]) seen.add(next);
      assert.ok([...seen].some(isEnd), `${from} has no way out`);
    }
  });

  it('can be cancelled while they live', () => {
    for (const state of states) {
      const moves: readonly ToolState[] = TRANSITIONS[state];
      assert.equal(moves.includes('cancelled'), !isEnd(state), state);
    }
  });
});
