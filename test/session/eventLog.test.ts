import assert from 'node:assert/strict';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { chunk, RUN, STORY, stamped } from './events.ts';

describe('eventLog', () => {
  it('numbers without gaps, stamps the time, and raises the round with round.started', () => {
    let now = 100;
    const log = createEventLog({ now: () => now++ });
    log.append({ type: 'run.started', run: RUN });
    log.append({ type: 'round.started' });
    log.append(chunk('a'));
    log.append({ type: 'round.started' });
    log.append(chunk('b'));
    assert.deepEqual(
      log.events.map(({ seq, at, round }) => [seq, at, round]),
      [
        [1, 100, 0],
        [2, 101, 1],
        [3, 102, 1],
        [4, 103, 2],
        [5, 104, 2],
      ],
    );
  });

  it('goes on from a log that was read back', () => {
    const past = stamped(STORY);
    const log = createEventLog({ now: () => 5, past });
    const heard: LoopEvent[] = [];
    log.subscribe((event) => heard.push(event));
    const next = log.append({ type: 'round.started' });
    assert.deepEqual([next.seq, next.round], [past.length + 1, 2]);
    assert.deepEqual(heard, [next]);
    assert.equal(log.events.length, past.length + 1);
  });

  it('hands an event out before it returns, and only later ones to whom subscribes', () => {
    const log = createEventLog({ now: () => 0 });
    log.append(chunk('before'));
    const heard: number[] = [];
    const stop = log.subscribe((event) => heard.push(event.seq));
    log.append(chunk('a'));
    assert.deepEqual(heard, [2]);
    stop();
    log.append(chunk('b'));
    assert.deepEqual(heard, [2]);
  });

  it('lets everyone hear all events in order, also those that a listener appends', () => {
    const log = createEventLog({ now: () => 0 });
    const first: number[] = [];
    const second: number[] = [];
    const late: number[] = [];
    log.subscribe((event) => {
      first.push(event.seq);
      if (event.seq === 1) {
        log.append(chunk('of a listener'));
        log.subscribe((other) => late.push(other.seq));
        log.append(chunk('another'));
      }
    });
    log.subscribe((event) => second.push(event.seq));
    log.append(chunk('a'));
    assert.deepEqual([first, second, late], [[1, 2, 3], [1, 2, 3], [3]]);
  });

  it('tells of a listener that throws, and goes on with the others', () => {
    const errors: unknown[] = [];
    const log = createEventLog({ now: () => 0, onListenerError: (error) => errors.push(error) });
    const heard: number[] = [];
    log.subscribe(() => {
      throw new Error('mine');
    });
    log.subscribe((event) => heard.push(event.seq));
    log.append(chunk('a'));
    log.append(chunk('b'));
    assert.deepEqual(heard, [1, 2]);
    assert.equal(errors.length, 2);
  });
});
