import assert from 'node:assert/strict';
import { shownPart, terminalText } from '../../src/host/shownPart.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { EDIT_REQUEST, stamp, WAITING_RUN } from '../fakes/events.ts';

describe('shownPart', () => {
  const view = reduce(EMPTY_VIEW, [
    ...WAITING_RUN,
    ...stamp([
      ...WAITING_RUN,
      {
        type: 'toolCall.updated',
        turn: 1,
        role: 'execute',
        wire: {},
        derived: { toolCallId: 'toolu_edit', content: [{ type: 'text', text: 'said' }] },
      },
    ]).slice(WAITING_RUN.length),
  ]);

  it('finds what a row of a tool call or a question shows, by its round and key', () => {
    assert.deepEqual(shownPart(view, 'round/1/t/1/execute/toolu_edit', 0), { type: 'text', text: 'said' });
    assert.deepEqual(shownPart(view, 'round/1/p/q1', 0), EDIT_REQUEST.content[0]);
  });

  it('finds nothing else', () => {
    for (const [id, part] of [
      ['round/1/t/1/execute/toolu_edit', 1],
      ['round/2/p/q1', 0],
      ['round/1/m/1/execute/message/m1', 0],
      ['p/q1', 0],
      ['', 0],
    ] as const)
      assert.equal(shownPart(view, id, part), null, id);
  });
});

describe('terminalText', () => {
  it('is all that the one command wrote, also what the view has let go', () => {
    const output = (terminalId: string, text: string) =>
      ({ type: 'terminal.output', terminalId, text, skipped: 0 }) as const;
    const long = 'x'.repeat(50_000);
    assert.equal(terminalText(stamp([output('a', long), output('b', 'no'), output('a', 'end')]), 'a'), `${long}end`);
  });
});
