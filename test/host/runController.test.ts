import assert from 'node:assert/strict';
import { hostStateOf, noFolderNotice, virtualFolderNotice } from '../../src/host/hostState.ts';
import type { Change } from '../../src/host/runControl.ts';
import { createRunController } from '../../src/host/runController.ts';
import { readSettings, runOptions } from '../../src/host/settings.ts';
import type { StartResult } from '../../src/loop/runHandle.ts';
import type { UndoOptions, UndoResult } from '../../src/loop/undoRun.ts';
import type { RunRecord } from '../../src/session/replay.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { HEADER, stamp, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { byHand, scriptedRun } from './scriptedRun.ts';
import { english } from './windowState.ts';

const { settings } = readSettings(() => ({ effective: undefined, user: undefined }));
const OPTIONS = runOptions({
  task: 'Make the sum test pass',
  folder: '/home/me/project',
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

const FACTS = {
  trusted: true,
  folders: [{ name: 'project', path: '/project' }],
  settings,
  settingProblems: [],
  doctor: null,
  hasSession: false,
  agents: [
    { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
    { id: 'demo-executor', name: 'Demo Executor', protocol: 'claude-stream-json', version: null },
    { id: 'demo-reviewer', name: 'Demo Reviewer', protocol: 'acp', version: null },
  ],
  installed: new Map([['claude', true]]),
  offers: {},
  consent: { told: true, asked: null },
  checks: {},
  changedSince: 0,
  words: {},
  language: 'en',
} as const;

function ground(parts: {
  readonly result?: StartResult | Error;
  readonly undo?: UndoResult;
  readonly disk?: { readonly events: readonly LoopEvent[]; readonly state: RunRecord['state'] };
  /** The folder that is a git repository. */
  readonly repository?: string;
}) {
  const start = byHand<void>();
  const frames: (() => void)[] = [];
  const changes: Change[] = [];
  const signals: AbortSignal[] = [];
  const undone: UndoOptions[] = [];
  const decided: unknown[] = [];
  const controller = createRunController({
    t: english,
    async startRun(_, cancel) {
      signals.push(cancel);
      await start.promise;
      if (parts.result instanceof Error) throw parts.result;
      return parts.result ?? { type: 'cancelled' };
    },
    undoRun: async (options) => {
      undone.push(options);
      return parts.undo ?? { type: 'problem', message: 'no' };
    },
    previewUndo: async () => ({ type: 'problem', message: 'no' }),
    async decideAfterwards(asked) {
      decided.push(asked);
      return { type: 'decided' };
    },
    async askAfterwards(asked) {
      decided.push(asked);
      return { type: 'decided' };
    },
    isInRepository: (folder) => folder === parts.repository,
    readRun: async (directory) => ({
      directory,
      header: { format: 'cgloop-run', version: 1, product: { name: 'cgloop', version: '0' } },
      events: parts.disk?.events ?? [],
      state: parts.disk?.state ?? 'ended',
      readOnly: false,
      problems: [],
    }),
    nextFrame(callback) {
      frames.push(callback);
      return () => frames.splice(frames.indexOf(callback), 1);
    },
  });
  controller.onDidChange((change) => changes.push(change));
  return { controller, start: start.resolve, frames, changes, signals, undone, decided };
}

describe('runController', () => {
  it('goes from starting to running to idle, and shows the run', async () => {
    const { run, log, end } = scriptedRun();
    const { controller, start, changes } = ground({ result: { type: 'started', run } });
    const started = controller.start(OPTIONS);
    assert.equal(controller.phase, 'starting');
    assert.equal(await controller.start(OPTIONS), false, 'one at a time');
    start();
    assert.equal(await started, true);
    assert.equal(controller.phase, 'running');
    for (const event of WAITING_RUN) log.append(event);
    assert.equal(controller.view().waiting.length, 1);
    end();
    await controller.settled();
    assert.equal(controller.phase, 'idle');
    assert.equal(controller.shown?.id, 'run');
    assert.deepEqual(changes, ['state', 'state', 'state']);
  });

  it('hands pauses, notes and the word between rounds to the run, and says when a wish is over', async () => {
    const { run, log, calls, end } = scriptedRun();
    const { controller, start, changes } = ground({ result: { type: 'started', run } });
    assert.deepEqual([controller.proceed(null), controller.note('x'), controller.pauseWanted], [false, false, false]);
    const started = controller.start(OPTIONS);
    start();
    await started;
    controller.pause(true);
    assert.equal(controller.note('Mind the tests'), true);
    for (const event of TWO_ROUND_RUN) log.append(event);
    const before = changes.length;
    log.append({ type: 'run.paused', reason: 'user', why: 'Round 1 is over.' });
    assert.equal(changes.length, before + 1, 'the state is told anew at once');
    assert.equal(controller.proceed(null), true);
    assert.deepEqual(calls, ['pause true', 'note Mind the tests', 'proceed']);
    assert.equal(controller.canReviewAgain, false, 'not while it runs');
    end();
    await controller.settled();
    assert.equal(controller.canReviewAgain, true, 'an approved run too');
  });

  it('tells of events once a frame, however many came', async () => {
    const { run, log, end } = scriptedRun();
    const { controller, start, frames, changes } = ground({ result: { type: 'started', run } });
    start();
    await controller.start(OPTIONS);
    changes.length = 0;
    for (const event of WAITING_RUN) log.append(event);
    assert.deepEqual([frames.length, changes], [1, []]);
    frames.shift()?.();
    assert.deepEqual(changes, ['events']);
    log.append({ type: 'round.ended' });
    assert.equal(frames.length, 1);
    end();
    await controller.settled();
    assert.equal(frames.length, 0, 'no frame is left over');
  });

  it('answers and stops the run that it started, and nothing else', async () => {
    const { run, calls, end } = scriptedRun();
    const { controller, start } = ground({ result: { type: 'started', run } });
    assert.equal(controller.answer('q1', { outcome: 'cancelled' }), false);
    controller.stop();
    start();
    await controller.start(OPTIONS);
    assert.equal(controller.answer('q1', { outcome: 'cancelled' }), true);
    controller.stop();
    assert.equal(controller.phase, 'stopping');
    controller.stop();
    assert.deepEqual(calls, ['answer q1', 'stop', 'stop']);
    end();
    await controller.settled();
    assert.equal(controller.answer('q1', { outcome: 'cancelled' }), false);
  });

  it('cancels a start, also one that comes up all the same', async () => {
    const { run, calls, end } = scriptedRun();
    const { controller, start, signals } = ground({ result: { type: 'started', run } });
    const started = controller.start(OPTIONS);
    controller.stop();
    assert.equal(signals[0]?.aborted, true);
    start();
    await started;
    assert.deepEqual([controller.phase, calls], ['stopping', ['stop']]);
    end();
    await controller.settled();
    const second = ground({ result: { type: 'cancelled' } });
    second.start();
    assert.equal(await second.controller.start(OPTIONS), false);
    assert.deepEqual([second.controller.phase, second.controller.problems], ['idle', []]);
  });

  it('ends the agents without an ending when the window goes, also of a run that is just coming up', async () => {
    for (const early of [false, true]) {
      const { run, calls, end } = scriptedRun();
      const { controller, start } = ground({ result: { type: 'started', run } });
      const started = controller.start(OPTIONS);
      if (!early) {
        start();
        await started;
      }
      const gone = controller.abandon();
      start();
      await started;
      assert.deepEqual(calls, ['abandon']);
      end();
      await gone;
      assert.equal(controller.phase, 'idle');
      assert.equal(await controller.start(OPTIONS), false);
    }
  });

  it('keeps a run in sight that goes on, while its agents come up and where they do not', async () => {
    const disk = { events: WAITING_RUN, state: 'interrupted' as const };
    const { controller, start } = ground({ disk, result: { type: 'cancelled' } });
    await controller.open('/state/runs/run');
    const run = controller.shown;
    assert.ok(run !== null);
    const started = controller.start({ ...OPTIONS, resume: run.id });
    assert.equal(controller.phase, 'starting');
    assert.equal(controller.shown, run);
    start();
    assert.equal(await started, false);
    assert.equal(controller.shown, run);
  });

  it('has a commit to offer where the run changed files of a git repository', async () => {
    for (const repository of [HEADER.folder, '/elsewhere']) {
      const { controller } = ground({ repository, disk: { events: TWO_ROUND_RUN, state: 'ended' } });
      assert.equal(controller.canCommit, false, 'no run is shown');
      await controller.open('/state/runs/run');
      assert.equal(controller.canCommit, repository === HEADER.folder);
      controller.openReplay('/a.jsonl', TWO_ROUND_RUN);
      assert.equal(controller.canCommit, false, 'a replay is only looked at');
    }
  });

  it('decides and asks about findings of a run that is over, in its log, and shows what came of it', async () => {
    const disk = { events: TWO_ROUND_RUN, state: 'ended' as const };
    const { controller, changes, decided } = ground({ disk });
    const decision = { status: 'dismissed', reason: 'meant so' } as const;
    assert.equal((await controller.decide('/state', 'F1', decision)).type, 'problem', 'no run is shown');
    await controller.open('/state/runs/run');
    const asked: LoopEvent[] = stamp([...TWO_ROUND_RUN, { type: 'user.note', text: 'Why?', finding: 'F1' }]);
    Object.assign(disk, { events: asked });
    assert.deepEqual(await controller.decide('/state', 'F1', decision), { type: 'decided' });
    assert.deepEqual(await controller.ask('/state', 'F1', 'Why?'), { type: 'decided' });
    const run = controller.shown?.id;
    assert.deepEqual(decided, [
      { run, stateFolder: '/state', id: 'F1', decision },
      { run, stateFolder: '/state', id: 'F1', question: 'Why?' },
    ]);
    assert.equal(controller.view().lastSeq, asked.length);
    assert.deepEqual(changes, ['state', 'state', 'state']);
    controller.openReplay('/a.jsonl', TWO_ROUND_RUN);
    assert.equal((await controller.ask('/state', 'F1', 'Why?')).type, 'problem', 'a replay is only looked at');
  });

  it('starts what another run has kept from starting once more, to wait for it', async () => {
    const asked: (boolean | undefined)[] = [];
    const held = { agent: null, what: 'Another run is working in /p.', fix: 'Wait.', held: true } as const;
    const controller = createRunController({
      t: english,
      startRun: async (options) => {
        asked.push(options.wait);
        return options.wait === true ? { type: 'cancelled' } : { type: 'problems', problems: [held] };
      },
      undoRun: () => assert.fail(),
      previewUndo: () => assert.fail(),
      decideAfterwards: () => assert.fail(),
      askAfterwards: () => assert.fail(),
      isInRepository: () => assert.fail(),
      readRun: () => assert.fail(),
      nextFrame: () => () => undefined,
    });
    assert.equal(await controller.startWhenFree(), false, 'nothing was kept from starting');
    await controller.start(OPTIONS);
    assert.deepEqual(hostStateOf(controller, FACTS, english).notices, [
      { level: 'error', what: held.what, fix: held.fix, actions: ['waitForFolder'] },
    ]);
    await controller.startWhenFree();
    assert.deepEqual(asked, [undefined, true]);
    assert.deepEqual(controller.problems, []);
  });

  it('keeps the problems of a start until the next one, faults of ours included', async () => {
    const problem = { agent: null, what: 'Gemini CLI was not found', fix: 'Install it' };
    for (const [result, what] of [
      [{ type: 'problems', problems: [problem] }, 'Gemini CLI was not found'],
      [new Error('disk full'), 'disk full'],
    ] as const) {
      const { controller, start } = ground({ result });
      start();
      assert.equal(await controller.start(OPTIONS), false);
      assert.equal(controller.phase, 'idle');
      assert.equal(controller.problems[0]?.what, what);
      controller.clear();
      assert.deepEqual(controller.problems, []);
    }
  });

  it('opens a run from disk as interrupted: its question is settled, nothing can be answered', async () => {
    const { controller } = ground({ disk: { events: WAITING_RUN, state: 'interrupted' } });
    await controller.open('/state/runs/run');
    assert.equal(controller.shown?.interrupted, true);
    assert.equal(controller.view().interrupted, true);
    assert.deepEqual(controller.view().waiting, []);
    assert.equal(controller.canUndo, true);
    controller.clear();
    assert.equal(controller.shown, null);
    assert.equal(controller.view().run, null);
  });

  it('undoes the run shown once: the log on disk tells of it, and the view goes on from there', async () => {
    const ref = { id: 'c', tree: 't', label: 'l' };
    const disk = { events: TWO_ROUND_RUN, state: 'ended' as RunRecord['state'] };
    const undo = {
      type: 'undone',
      runId: 'run',
      folder: '/home/me/project',
      files: [],
      kept: [],
      mixed: [],
      merged: [],
      conflicts: [],
      ignored: [],
      scope: { type: 'run' },
      beyond: { commands: [], commits: [] },
      findings: [],
      replaced: ref,
    } as const;
    const { controller, changes, undone } = ground({ undo, disk });
    await controller.open('/state/runs/run');
    assert.equal(controller.canUndo, true);
    disk.events = stamp([...TWO_ROUND_RUN, { type: 'run.undone', restored: ref, replaced: ref }]);
    assert.equal((await controller.undo('/state')).type, 'undone');
    assert.notEqual(controller.view().undoneAt, null);
    assert.equal(controller.canUndo, false);
    assert.deepEqual(changes, ['state', 'state']);
    assert.equal(controller.canRedo, true);
    const asked = { scope: { type: 'redo' }, conflicts: 'mark' } as const;
    disk.events = stamp([
      ...TWO_ROUND_RUN,
      { type: 'run.undone', restored: ref, replaced: ref },
      { type: 'run.undone', restored: ref, replaced: ref, scope: { type: 'redo' } },
    ]);
    await controller.undo('/state', asked);
    assert.deepEqual(undone.at(-1), { ...asked, run: controller.shown?.id, stateFolder: '/state' });
    assert.deepEqual([controller.canUndo, controller.canRedo], [true, false]);
  });

  it('shows a replay, which can neither be undone nor gone on with, and keeps it apart from runs by its id', async () => {
    const { controller, changes } = ground({});
    controller.openReplay('/logs/a.jsonl', TWO_ROUND_RUN);
    assert.deepEqual([controller.shown?.replay, controller.shown?.id, controller.canUndo], [true, 'replay-1', false]);
    assert.equal((await controller.undo('/state')).type, 'problem');
    assert.equal(hostStateOf(controller, FACTS, english).canContinue, false);
    controller.openReplay('/logs/a.jsonl', WAITING_RUN);
    assert.deepEqual([controller.shown?.id, controller.shown?.interrupted], ['replay-2', true]);
    assert.deepEqual(controller.view().waiting, [], 'nobody waits in a replay');
    await controller.refresh();
    assert.deepEqual(changes, ['state', 'state']);
  });

  it('shows what was added to the log of an ended run', async () => {
    const disk = { events: TWO_ROUND_RUN, state: 'ended' as RunRecord['state'] };
    const { controller } = ground({ disk });
    await controller.open('/state/runs/run');
    const handover = { type: 'handover.started', role: 'execute', wire: { sessionId: 's' } } as const;
    disk.events = stamp([...TWO_ROUND_RUN, handover]);
    await controller.refresh();
    assert.equal(controller.view().rounds.at(-1)?.items.at(-1)?.type, 'handover');
  });

  it('can go on with what did not reach an approval and was not undone', async () => {
    const ref = { id: 'c', tree: 't', label: 'l' };
    const disk = { events: WAITING_RUN, state: 'interrupted' as RunRecord['state'] };
    const { controller } = ground({ disk });
    assert.equal(controller.canResume, false, 'no run is shown');
    const canResume = async (events: readonly LoopEvent[]) => {
      disk.events = events;
      await controller.open('/state/runs/run');
      return [controller.canResume, hostStateOf(controller, FACTS, english).canResume];
    };
    assert.deepEqual(await canResume(WAITING_RUN), [true, true]);
    assert.deepEqual(await canResume(stamp([...WAITING_RUN, { type: 'run.ended', ending: { type: 'stopped' } }])), [
      true,
      true,
    ]);
    assert.deepEqual(await canResume(TWO_ROUND_RUN), [false, false], 'it was approved');
    assert.deepEqual(await canResume(stamp([...WAITING_RUN, { type: 'run.undone', restored: ref, replaced: ref }])), [
      false,
      false,
    ]);
    controller.openReplay('/logs/a.jsonl', WAITING_RUN);
    assert.equal(controller.canResume, false, 'a replay is only looked at');
  });

  it('says why nothing could be undone', async () => {
    const { controller } = ground({});
    assert.equal((await controller.undo('/state')).type, 'problem');
  });
});

describe('hostStateOf', () => {
  const facts = FACTS;

  it('tells the composer the folder, the agents with their roles, and the defaults', () => {
    const state = hostStateOf(ground({}).controller, facts, english);
    assert.deepEqual(
      state.agents.map(({ name, roles }) => [name, ...roles]),
      [
        ['Claude', 'execute', 'review'],
        ['Demo Executor', 'execute'],
        ['Demo Reviewer', 'review'],
      ],
    );
    assert.deepEqual(state.defaults, {
      rounds: 3,
      executor: 'claude',
      reviewer: 'gemini',
      models: {},
      permissionMode: 'ask',
      folder: null,
      checks: null,
      newWorktree: false,
    });
    assert.deepEqual([state.folder, state.notices], ['project', []]);
  });

  it('says what stands in the way, each with a way out', () => {
    const state = hostStateOf(
      ground({}).controller,
      { ...facts, trusted: false, folders: [], settingProblems: [{ setting: 'cgloop.rounds', why: 'too big' }] },
      english,
    );
    assert.equal(state.folder, null);
    assert.deepEqual(
      state.notices.map(({ actions }) => actions),
      [['manageTrust'], ['openFolder'], ['openSettings']],
    );
    assert.match(state.notices[2]?.what ?? '', /cgloop.rounds.*too big/);
  });

  it('says of a virtual folder what it is, and of none that there is none', () => {
    const [none, virtual] = [noFolderNotice(english), virtualFolderNotice('vscode-vfs', english)];
    assert.equal(none.what, 'No folder is open.');
    assert.match(`${virtual.what} ${virtual.fix}`, /virtual \(vscode-vfs\)\. .*open a folder there/);
    assert.deepEqual([none.actions, virtual.actions], [['openFolder'], ['openFolder']]);
  });

  it('C18: says how many folders are open, where it is not one', () => {
    const of = (...names: readonly string[]) => {
      const folders = names.map((name) => ({ name, path: `/${name}` }));
      return hostStateOf(ground({}).controller, { ...facts, folders }, english).folder;
    };
    assert.deepEqual([of(), of('a'), of('a', 'b')], [null, 'a', '2 folders']);
  });

  it('shows the problems of a start', async () => {
    const problem = { agent: null, what: 'Another run is working here.', fix: 'Wait.' };
    const { controller, start } = ground({ result: { type: 'problems', problems: [problem] } });
    start();
    await controller.start(OPTIONS);
    const [notice] = hostStateOf(controller, facts, english).notices;
    assert.deepEqual([notice?.level, notice?.what, notice?.fix], ['error', 'Another run is working here.', 'Wait.']);
  });
});
