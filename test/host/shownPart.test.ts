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
        derived: {
          toolCallId: 'toolu_edit',
          content: [{ type: 'text', text: 'said' }],
          rawInput: { path: '/home/me/project/src/sum.ts' },
        },
      },
    ]).slice(WAITING_RUN.length),
  ]);

  it('finds what a row of a tool call or a question shows, by its round and key', () => {
    assert.deepEqual(shownPart(view, 'round/1/t/1/execute/toolu_edit', 0), { type: 'text', text: 'said' });
    assert.deepEqual(shownPart(view, 'round/1/p/q1', 0), EDIT_REQUEST.content[0]);
  });

  it('finds the whole of a message, and the arguments of a call as they came', () => {
    const message = view.rounds[0]?.items.find((item) => item.type === 'message');
    assert.ok(message?.type === 'message');
    assert.deepEqual(shownPart(view, `round/1/${message.key}`, 0), { type: 'text', text: message.text });
    const text = JSON.stringify({ path: '/home/me/project/src/sum.ts' }, null, 2);
    assert.deepEqual(shownPart(view, 'round/1/t/1/execute/toolu_edit/raw', 0), { type: 'text', text });
    assert.equal(shownPart(view, 'round/1/t/1/execute/toolu_edit/raw', 1), null);
  });

  it('finds nothing else', () => {
    for (const [id, part] of [
      ['round/1/t/1/execute/toolu_edit', 1],
      ['round/2/p/q1', 0],
      ['round/1/m/1/execute/message/msg_1', 1],
      ['round/1/t/1/execute/toolu_edit/raw', 2],
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
