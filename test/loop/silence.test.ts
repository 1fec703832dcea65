import assert from 'node:assert/strict';
import { watchSilence } from '../../src/loop/silence.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { ToolState } from '../../src/shared/toolCall.ts';

function setup() {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const told: number[] = [];
  const watch = watchSilence(
    {
      now: () => now,
      after(ms, callback) {
        const timer = { at: now + ms, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    (seconds) => told.push(seconds),
  );
  /** Lets the time pass second by second, as timers see it. */
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      now += 1000;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    }
  };
  return { watch, told, pass, timers: () => timers.size };
}

const of = { turn: 1, role: 'execute', wire: {} } as const;
const chunk: LoopEventBody = {
  ...of,
  type: 'message.chunk',
  derived: { channel: 'message', messageId: '1', text: 'x' },
};
const tool = (state: ToolState): LoopEventBody => ({
  ...of,
  type: 'toolCall.updated',
  derived: { toolCallId: 't', state },
});

describe('watchSilence', () => {
  it('GEMINI.md 0.9: tells a silence after 30 s, and again each time that it has doubled', () => {
    const { told, pass } = setup();
    pass(29);
    assert.deepEqual(told, []);
    pass(1);
    assert.deepEqual(told, [30]);
    pass(230);
    assert.deepEqual(told, [30, 60, 120, 240]);
  });

  it('begins anew with everything that comes, with one timer however much comes', () => {
    const { watch, told, pass, timers } = setup();
    for (let i = 0; i < 100; i++) {
      pass(25);
      watch.heard(chunk);
      assert.equal(timers(), 1);
    }
    assert.deepEqual(told, []);
    pass(31);
    assert.equal(told.length, 1);
    watch.heard(chunk);
    pass(62);
    assert.equal(told.length, 3);
    assert.ok(told[1] !== undefined && told[1] < 40, String(told));
  });

  it('does not count a tool that runs, nor a person who thinks', () => {
    const { watch, told, pass } = setup();
    watch.heard(tool('executing'));
    pass(600);
    assert.deepEqual(told, []);
    watch.heard(tool('success'));
    pass(20);
    watch.pause();
    watch.pause();
    pass(600);
    watch.resume();
    watch.resume();
    pass(29);
    assert.deepEqual(told, []);
    pass(2);
    assert.equal(told.length, 1);
  });

  it('tells nothing after the turn, and leaves no timer', () => {
    const { watch, told, pass, timers } = setup();
    watch.end();
    watch.resume();
    pass(100);
    assert.deepEqual([told, timers()], [[], 0]);
  });
});
