import assert from 'node:assert/strict';
import { takeCheckpoint } from '../../src/loop/loopParts.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { english } from '../../src/shared/translate.ts';

describe('a checkpoint of a run', () => {
  it('tells once which repositories inside the folder it leaves out, and again when there is one more', async () => {
    const log = createEventLog({ now: () => 0 });
    const none: readonly string[] = [];
    const checkpoints = { nested: none, snapshot: async (label: string) => ({ id: label, tree: 't', label }) };
    const told = () => log.events.map((event) => (event.type === 'diagnostic' ? event.derived.text : event.type));
    await takeCheckpoint({ log, checkpoints, t: english }, 'one');
    assert.deepEqual(told(), ['checkpoint.created']);
    checkpoints.nested = ['sub/'];
    await takeCheckpoint({ log, checkpoints, t: english }, 'two');
    await takeCheckpoint({ log, checkpoints, t: english }, 'three');
    assert.equal(told().length, 4);
    assert.match(told()[1] ?? '', /undo does not reach it.*: sub\/$/);
    checkpoints.nested = Array.from({ length: 12 }, (_, index) => `sub${index}/`);
    await takeCheckpoint({ log, checkpoints, t: english }, 'four');
    assert.match(told()[4] ?? '', /sub9\/ and 2 more$/);
  });
});
