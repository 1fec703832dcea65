import assert from 'node:assert/strict';
import type { RunController } from '../../src/host/runControl.ts';
import { createRunController } from '../../src/host/runController.ts';
import { createRunDeck } from '../../src/host/runDeck.ts';
import { readSettings, runOptions } from '../../src/host/settings.ts';
import type { StartResult } from '../../src/loop/runHandle.ts';
import { createEventLog, type EventLog } from '../../src/session/eventLog.ts';
import type { Ending } from '../../src/shared/ending.ts';
import { english } from '../../src/shared/translate.ts';
import { HEADER, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';

const { settings } = readSettings(() => ({ effective: undefined, user: undefined }));
const options = (folder: string) =>
  runOptions({
    task: 'Fix it',
    folder,
    chosen: {
      rounds: 3,
      executor: 'claude',
      reviewer: 'gemini',
      models: {},
      permissionMode: 'ask',
      folder: null,
      checks: null,
      newWorktree: false,
    },
    settings,
    stateFolder: '/state',
    secrets: {},
  });

/** A run that another window or a terminal has at work. */
const ELSEWHERE = '/state/runs/elsewhere';

interface Started {
  readonly id: string;
  readonly log: EventLog;
  readonly calls: string[];
  readonly end: () => void;
}

/** A deck whose runs are played by hand; each run that is started has the next id. */
function ground() {
  const started: Started[] = [];
  const made: RunController[] = [];
  let clock = 0;
  const deck = createRunDeck(() => {
    const run = createRunController({
      t: english,
      async startRun(): Promise<StartResult> {
        const id = `run${started.length + 1}`;
        const log = createEventLog({ now: () => ++clock });
        const calls: string[] = [];
        let end: (ending: Ending) => void = () => {};
        const done = new Promise<Ending>((resolve) => {
          end = resolve;
        });
        started.push({ id, log, calls, end: () => end({ type: 'stopped' }) });
        return {
          type: 'started',
          run: {
            id,
            directory: `/state/runs/${id}`,
            log,
            pastEvents: 0,
            done,
            answer(permissionId) {
              calls.push(`answer ${permissionId}`);
              return true;
            },
            decideFinding: () => false,
            noteUserEdit: (file) => void calls.push(`edited ${file}`),
            stop: () => void calls.push('stop'),
            abandon: () => void calls.push('abandon'),
            pauseWanted: false,
            pause: () => undefined,
            proceed: () => false,
            note: () => false,
          },
        };
      },
      undoRun: async () => ({ type: 'problem', message: 'no' }),
      previewUndo: async () => ({ type: 'problem', message: 'no' }),
      decideAfterwards: async () => ({ type: 'problem', message: 'no' }),
      askAfterwards: async () => ({ type: 'problem', message: 'no' }),
      isInRepository: () => false,
      readRun: async (directory) => ({
        directory,
        header: { format: 'cgloop-run', version: 1, product: { name: 'cgloop', version: '0' } },
        events: directory === ELSEWHERE ? WAITING_RUN : TWO_ROUND_RUN,
        state: directory === ELSEWHERE ? 'running' : 'ended',
        readOnly: false,
        problems: [],
      }),
      nextFrame: (callback) => {
        const frame = setImmediate(callback);
        return () => clearImmediate(frame);
      },
    });
    made.push(run);
    return run;
  });
  const changes: string[] = [];
  deck.onDidChange((change) => changes.push(change));
  const ask = (index: number) => {
    for (const event of WAITING_RUN) started[index]?.log.append(event);
  };
  return { deck, started, made, changes, ask };
}

/** Until what was logged is told. */
const frame = () => new Promise((resolve) => setImmediate(resolve));

describe('runDeck', () => {
  it('is the one run where there is one', async () => {
    const { deck, started, made, ask } = ground();
    assert.deepEqual([deck.phase, deck.shown, deck.live, deck.waiting()], ['idle', null, [], []]);
    assert.equal(await deck.start(options('/a')), true);
    ask(0);
    assert.equal(deck.shown?.id, 'run1');
    assert.deepEqual(
      deck.waiting().map(({ runId, item }) => [runId, item.permissionId]),
      [['run1', 'q1']],
    );
    assert.equal(deck.answer('q1', { outcome: 'cancelled' }), true);
    started[0]?.end();
    await deck.settled();
    assert.equal(await deck.start(options('/a')), true);
    assert.equal(made.length, 1, 'the place of an ended run is taken again');
  });

  it('keeps a run that is under way when another one is shown, one a folder', async () => {
    const { deck, started, ask, changes } = ground();
    await deck.start(options('/a'));
    ask(0);
    assert.equal(await deck.start(options('/a')), false, 'one run works in a folder');
    changes.length = 0;
    assert.equal(await deck.start(options('/b')), true);
    assert.equal(deck.shown?.id, 'run2');
    assert.ok(changes.includes('state'));
    ask(1);
    assert.deepEqual(
      deck.waiting().map(({ runId }) => runId),
      ['run2', 'run1'],
      'the questions of the run shown come first',
    );
    deck.showLive('run1');
    assert.equal(deck.shown?.id, 'run1');
    assert.deepEqual(
      deck.waiting().map(({ runId }) => runId),
      ['run1', 'run2'],
    );
    assert.equal(deck.answerOf('run2', 'q1', { outcome: 'cancelled' }), true);
    assert.equal(deck.answerOf('gone', 'q1', { outcome: 'cancelled' }), false);
    assert.deepEqual(
      started.map(({ calls }) => calls),
      [[], ['answer q1']],
    );
  });

  it('tells every run of a file that the person edits, and ends all of them with the window', async () => {
    const { deck, started } = ground();
    await deck.start(options('/a'));
    await deck.start(options('/b'));
    deck.noteUserEdit('/a/x');
    const gone = deck.abandon();
    for (const { end } of started) end();
    await gone;
    assert.deepEqual(
      started.map(({ calls }) => calls),
      [
        ['edited /a/x', 'abandon'],
        ['edited /a/x', 'abandon'],
      ],
    );
    assert.deepEqual(deck.live, []);
  });

  it('opens a run from disk beside one under way, and finds back to it', async () => {
    const { deck, started, made, ask } = ground();
    await deck.start(options('/a'));
    ask(0);
    await deck.showRun('/state/runs/old');
    assert.equal(deck.shown?.id, HEADER.id);
    assert.deepEqual([deck.phase, deck.live.length], ['idle', 1]);
    assert.equal(deck.answer('q1', { outcome: 'cancelled' }), false, 'what is shown is no run of this window');
    assert.equal(deck.waiting()[0]?.runId, 'run1');
    await deck.showRun('/state/runs/run1');
    assert.equal(deck.shown?.id, 'run1');
    deck.showNew();
    assert.equal(deck.shown, null);
    started[0]?.end();
    await made[0]?.settled();
    assert.deepEqual([deck.live, deck.waiting()], [[], []]);
  });

  it('keeps what was opened or begun anew beside a run under way, and tells of it', async () => {
    for (const show of ['open', 'new', 'replay'] as const) {
      const { deck, changes } = ground();
      await deck.start(options('/a'));
      if (show === 'open') await deck.showRun('/state/runs/old');
      else if (show === 'new') deck.showNew();
      else deck.openReplay('/a.jsonl', TWO_ROUND_RUN);
      changes.length = 0;
      assert.equal(await deck.start(options('/b')), true);
      assert.ok(changes.includes('state'), `${show}: the start is told`);
      assert.deepEqual([deck.shown?.id, deck.live.length], ['run2', 2], show);
      assert.equal(deck.answerOf('run2', 'q1', { outcome: 'cancelled' }), true, show);
    }
  });

  it('has no questions of a run that is at work elsewhere: they are answered there', async () => {
    const { deck } = ground();
    await deck.showRun(ELSEWHERE);
    assert.deepEqual([deck.shown?.elsewhere, deck.view().waiting.length, deck.waiting()], [true, 1, []]);
  });

  it('waits for the end of the run shown, not of others', async () => {
    const { deck, started } = ground();
    await deck.start(options('/a'));
    await deck.start(options('/b'));
    const settled = deck.settled();
    started[1]?.end();
    await settled;
    assert.deepEqual([deck.phase, deck.live.length], ['idle', 1]);
  });

  it('tells of changes of the run shown, and on demand of all', async () => {
    const { deck, changes, ask } = ground();
    const all: string[] = [];
    const stop = deck.onDidChangeAny((change, run) => all.push(`${run.shown?.id} ${change}`));
    await deck.start(options('/a'));
    await deck.start(options('/b'));
    changes.length = 0;
    all.length = 0;
    ask(0);
    await frame();
    assert.deepEqual([changes, all], [[], ['run1 events']]);
    stop();
    ask(1);
    await frame();
    assert.deepEqual([changes, all], [['events'], ['run1 events']]);
  });
});
