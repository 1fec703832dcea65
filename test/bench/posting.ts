import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { nextFrame } from '../../src/host/lazyRuns.ts';
import { createRunController } from '../../src/host/runController.ts';
import { readSettings, runOptions } from '../../src/host/settings.ts';
import { createWebviewFeed } from '../../src/host/webviewFeed.ts';
import type { HostToView } from '../../src/shared/messages.ts';
import { english } from '../../src/shared/translate.ts';
import { scriptedRun } from '../host/scriptedRun.ts';
import { IDLE } from '../host/windowState.ts';
import { longTurn } from './longTurn.ts';

const EVENTS_A_MS = 2;
const MS = 2_000;

/** How many messages a second the window posts to its page while a run tells 2,000 events a second. None is lost on the way. */
export async function postedPerSecond(): Promise<number> {
  const { run, log, end } = scriptedRun();
  const unused = () => Promise.reject(new Error('Not part of the measurement'));
  const controller = createRunController({
    t: english,
    startRun: async () => ({ type: 'started', run }),
    undoRun: unused,
    previewUndo: unused,
    decideAfterwards: unused,
    askAfterwards: unused,
    isInRepository: () => false,
    readRun: unused,
    nextFrame,
  });
  const posted: HostToView[] = [];
  const feed = createWebviewFeed({ run: () => controller.shown, state: () => IDLE }, (message) => posted.push(message));
  controller.onDidChange((change) => (change === 'events' ? feed.flush() : feed.stateChanged()));
  feed.ready(null, 0);
  await controller.start(OPTIONS);
  posted.length = 0;

  const bodies = longTurn(EVENTS_A_MS * MS).map(({ seq: _seq, at: _at, round: _round, ...body }) => body);
  const start = performance.now();
  let told = 0;
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      // As many as are due by the clock, so that a busy machine hears no fewer.
      const due = Math.min(bodies.length, Math.floor((performance.now() - start) * EVENTS_A_MS));
      for (const body of bodies.slice(told, due)) log.append(body);
      told = due;
      if (told < bodies.length) return;
      clearInterval(timer);
      nextFrame(done);
    }, 1);
  });
  const seconds = (performance.now() - start) / 1000;
  const heard = posted.reduce((sum, message) => sum + (message.type === 'batch' ? message.events.length : 0), 0);
  assert.equal(heard, bodies.length, 'events lost on the way to the page');
  end();
  await controller.settled();
  return posted.length / seconds;
}

const { settings } = readSettings(() => ({ effective: undefined, user: undefined }));
const OPTIONS = runOptions({
  task: 'A task',
  folder: '/home/me/project',
  chosen: IDLE.defaults,
  settings,
  stateFolder: '/state',
  secrets: {},
});
