import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { ToolState } from '../../src/shared/toolCall.ts';
import { isEnd, mayBecome, TRANSITIONS } from '../../src/shared/toolState.ts';
import { longRun, stamp, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { illegalMoves, isMove } from './toolMoves.ts';

const states: readonly ToolState[] = [
  'validating',
  'awaitingApproval',
  'scheduled',
  'executing',
  'success',
  'error',
  'cancelled',
];

describe('tool states', () => {
  it('are the seven of the table', () => {
    assert.deepEqual(states.toSorted(), Object.keys(TRANSITIONS).toSorted());
  });

  it('lead from every state to an end, and from `validating` to every state', () => {
    const walk = (start: ToolState) => {
      const seen = new Set<ToolState>([start]);
      for (const state of seen) for (const next of TRANSITIONS[state]) seen.add(next);
      return seen;
    };
    for (const from of states) assert.ok([...walk(from)].some(isEnd), `${from} has no way out`);
    assert.deepEqual([...walk('validating')].toSorted(), states.toSorted());
  });

  it('can be cancelled while they live', () => {
    for (const state of states) assert.equal(isMove(state, 'cancelled'), !isEnd(state), state);
  });

  it('may be left out by a wire, but never run backwards', () => {
    const allowed = states.flatMap((from) =>
      states.filter((to) => from !== to && mayBecome(from, to) && !isMove(from, to)).map((to) => `${from} ${to}`),
    );
    assert.deepEqual(allowed, [
      'validating executing',
      'validating success',
      'awaitingApproval executing',
      'awaitingApproval success',
      'scheduled awaitingApproval',
      'scheduled success',
      'scheduled error',
    ]);
    for (const from of states) for (const to of states) if (isMove(from, to)) assert.ok(mayBecome(from, to));
  });

  it('hold in every fixture', () => {
    for (const events of [TWO_ROUND_RUN, WAITING_RUN, longRun(2_000)]) assert.deepEqual(illegalMoves(events), []);
    const wrong = (state: ToolState): LoopEventBody => ({
      type: 'toolCall.updated',
      turn: 1,
      role: 'execute',
      wire: {},
      derived: { toolCallId: 'c', state, reason: 'failed' },
    });
    assert.deepEqual(illegalMoves(stamp([wrong('executing'), wrong('scheduled'), wrong('error'), wrong('success')])), [
      '2: c executing → scheduled',
      '4: c error → success',
    ]);
  });
});
