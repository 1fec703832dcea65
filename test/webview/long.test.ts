import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { HEADER, stamp } from '../fakes/events.ts';
import { openPage } from './dom.ts';

const inTurn = { turn: 1, role: 'execute', wire: {} } as const;
const BEGIN: readonly LoopEventBody[] = [
  { type: 'run.started', run: HEADER },
  { type: 'round.started' },
  { type: 'turn.started', turn: 1, role: 'execute', prompt: 'p', wire: { sessionId: 's', model: null } },
];

function pageWith(...bodies: readonly LoopEventBody[]) {
  const page = openPage();
  page.show({ phase: 'running' }, stamp([...BEGIN, ...bodies]));
  return page;
}

const say = (channel: 'message' | 'thought', text: string): LoopEventBody => ({
  ...inTurn,
  type: 'message.chunk',
  derived: { channel, messageId: 'm', text },
});

const call = (more: object): LoopEventBody => ({
  ...inTurn,
  type: 'toolCall.started',
  derived: { toolCallId: 't', title: 'A call', kind: 'edit', state: 'success', ...more },
});

const files = (count: number) => Array.from({ length: count }, (_, index) => `src/file-${index}.ts`);

describe('what is very long', () => {
  it('is shown to 50,000 characters of a message, with all of it in an editor', () => {
    const page = pageWith(say('message', 'A line of words.\n'.repeat(60_000)));
    assert.ok(page.text().length < 60_000);
    page.find('button', 'Show all in an editor').click();
    assert.deepEqual(page.posted, [{ type: 'openPart', id: 'round/1/m/1/execute/message/m', part: 0 }]);
    assert.match(page.text(), /970,\d+ more characters\./);
  });

  it('is the same of a thought that is opened', () => {
    const page = pageWith(say('thought', `${'x'.repeat(200)}\n`.repeat(1_000)));
    page.find('.thought .disclosure-row').click();
    assert.ok(page.text().length < 60_000);
    page.find('button', 'Show all in an editor').click();
    assert.deepEqual(page.posted, [{ type: 'openPart', id: 'round/1/m/1/execute/thought/m', part: 0 }]);
  });

  it('is a line of a change, a title, and arguments as they came, which open in editors', () => {
    const long = 'y'.repeat(1_000_000);
    const content = [{ type: 'diff', path: '/home/me/project/a.js', oldText: null, newText: long }];
    const page = pageWith(call({ title: long, content, rawInput: { long } }));
    assert.ok(page.text().length < 5_000);
    page.find('.raw .disclosure-row').click();
    assert.ok(page.text().length < 30_000);
    page.find('button', 'Open all 1,000,').click();
    assert.deepEqual(page.posted, [{ type: 'openPart', id: 'round/1/t/1/execute/t/raw', part: 0 }]);
  });

  it('is the output of a program that complains without end', () => {
    const warn = (index: number): LoopEventBody => ({
      ...inTurn,
      type: 'diagnostic',
      wire: null,
      derived: { source: 'agent', level: 'warning', code: 'stderr', text: `warning ${index}` },
    });
    const page = pageWith(...Array.from({ length: 2_000 }, (_, index) => warn(index)));
    page.find('.diagnostic .disclosure-row').click();
    assert.match(page.text(), /warning 1999/);
    assert.ok(page.text().length < 2_000);
    page.find('button', 'Open all 2,000 lines in an editor').click();
    assert.deepEqual(page.posted, [{ type: 'openPart', id: 'round/1/d/4', part: 0 }]);
  });

  it('is a list of files, of which more come on demand', async () => {
    const changed = files(1_000).map((path) => ({ path, status: 'modified', added: 1, removed: 0 }) as const);
    const page = pageWith({ type: 'round.changes', files: changed });
    page.find('.changes .disclosure-row').click();
    assert.equal(page.all('.files li').length, 31);
    page.find('button', 'Show 200 more of 1,000').click();
    await new Promise((drawn) => setImmediate(drawn));
    assert.equal(page.all('.files li').length, 231);
  });

  it('is a plan, and names in a sentence', () => {
    const entries = files(1_000).map((content) => ({ content, status: 'pending' }) as const);
    const page = pageWith(
      { ...inTurn, type: 'plan.updated', derived: { entries } },
      { type: 'unsaved.settled', saved: files(1_000), left: [] },
    );
    assert.equal(page.all('.plan li').length, 31);
    assert.match(page.text(), /src\/file-19\.ts and 980 more/);
  });
});
