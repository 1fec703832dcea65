import assert from 'node:assert/strict';
import { createUnsavedGuard, UNSAVED_OPTIONS, type UnsavedFiles } from '../../src/loop/unsavedFiles.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionAnswer } from '../../src/shared/permission.ts';

/** Editors with these unsaved files, and a person who gives these answers in turn. */
function ground(policy: UnsavedFiles['policy'], unsaved: string[], answers: readonly PermissionAnswer[] = []) {
  const events: LoopEventBody[] = [];
  const stop = new AbortController();
  const asked: string[][] = [];
  const stuck = new Set<string>();
  const guard = createUnsavedGuard({
    folder: '/p',
    append: (event) => events.push(event),
    stopped: stop.signal,
    unsaved: {
      policy,
      list: () => [...unsaved],
      async save(_folder, files) {
        const saved = files.filter((file) => !stuck.has(file));
        for (const file of saved) unsaved.splice(unsaved.indexOf(file), 1);
        return saved;
      },
      question: (files) => ({
        toolCallId: 'unsaved',
        title: files.join(),
        kind: 'ask',
        options: [],
        content: [],
        paths: [],
        takesMessage: false,
      }),
    },
    permissions: {
      async request(request, _wire, withdrawn) {
        asked.push(request.title.split(','));
        const answer = answers[asked.length - 1];
        if (answer !== undefined) return answer;
        await new Promise((resolve) => withdrawn.addEventListener('abort', resolve));
        return { outcome: 'cancelled' };
      },
    },
  });
  return { guard, events, stop, asked, unsaved, stuck };
}

const choose = (optionId: string): PermissionAnswer => ({ outcome: 'selected', optionId });

describe('unsaved files before the agents go on', () => {
  it('are nobody’s business when there are none', async () => {
    const { guard, events, asked } = ground('ask', []);
    assert.equal(await guard.settle(), false);
    assert.deepEqual([events, asked], [[], []]);
  });

  it('are asked for the first time there are any, and the answer holds for the run', async () => {
    const { guard, events, asked, unsaved } = ground('ask', ['a.txt', 'b.txt'], [choose(UNSAVED_OPTIONS.save)]);
    assert.equal(await guard.settle(), true);
    unsaved.push('c.txt');
    assert.equal(await guard.settle(), true);
    assert.deepEqual(asked, [['a.txt', 'b.txt']]);
    assert.deepEqual(events, [
      { type: 'unsaved.settled', saved: ['a.txt', 'b.txt'], left: [] },
      { type: 'unsaved.settled', saved: ['c.txt'], left: [] },
    ]);
  });

  it('are left when the person says so, or when the question is settled otherwise', async () => {
    for (const answer of [choose(UNSAVED_OPTIONS.leave), { outcome: 'cancelled' } as const]) {
      const { guard, events, unsaved } = ground('ask', ['a.txt'], [answer]);
      assert.equal(await guard.settle(), false);
      assert.deepEqual([unsaved, events], [['a.txt'], [{ type: 'unsaved.settled', saved: [], left: ['a.txt'] }]]);
    }
  });

  it('are saved or left by the setting without a question, and what could not be saved is told', async () => {
    const save = ground('save', ['a.txt', 'b.txt']);
    save.stuck.add('b.txt');
    assert.equal(await save.guard.settle(), true);
    assert.deepEqual(save.events, [{ type: 'unsaved.settled', saved: ['a.txt'], left: ['b.txt'] }]);
    const ignore = ground('ignore', ['a.txt']);
    assert.equal(await ignore.guard.settle(), false);
    assert.deepEqual([ignore.unsaved, save.asked, ignore.asked], [['a.txt'], [], []]);
  });

  it('wait for nobody when the run is stopped', async () => {
    const { guard, events, stop } = ground('ask', ['a.txt']);
    const settled = guard.settle();
    stop.abort();
    assert.equal(await settled, false);
    assert.equal(await guard.settle(), false);
    assert.deepEqual(events, []);
  });
});
