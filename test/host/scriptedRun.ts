import assert from 'node:assert/strict';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { Ending } from '../../src/shared/ending.ts';

/** A promise that the test settles. */
export function byHand<T>() {
  let settle: (value: T) => void = () => assert.fail('settled too early');
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle(value) };
}

/** A run that the test drives: its log, and its end by hand. */
export function scriptedRun() {
  const log = createEventLog({ now: () => 0 });
  const done = byHand<Ending>();
  const calls: string[] = [];
  const run = {
    id: 'run',
    directory: '/state/runs/run',
    pastEvents: 0,
    log,
    done: done.promise,
    answer(permissionId: string) {
      calls.push(`answer ${permissionId}`);
      return true;
    },
    decideFinding: () => false,
    noteUserEdit(file: string) {
      calls.push(`edited ${file}`);
    },
    stop() {
      calls.push('stop');
    },
    pauseWanted: false,
    pause: (wanted: boolean) => void calls.push(`pause ${wanted}`),
    proceed: () => calls.push('proceed') > 0,
    note: (text: string) => calls.push(`note ${text}`) > 0,
    abandon() {
      calls.push('abandon');
    },
  };
  return { run, calls, log, end: () => done.resolve({ type: 'stopped' }) };
}
