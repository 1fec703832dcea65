import assert from 'node:assert/strict';
import type { HeadMoved } from '../../src/loop/headWatch.ts';
import { createHeadWatch } from '../../src/loop/headWatch.ts';
import { resumePointOf, resumeProblem } from '../../src/loop/resumePoint.ts';
import { undoneWork } from '../../src/loop/undoneWork.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { english } from '../../src/shared/translate.ts';
import { stamp, TWO_ROUND_RUN } from '../fakes/events.ts';
import { commitAs, fenced, gitIn, type Played, playWorld } from './reviewWorld.ts';

const moves = (events: readonly LoopEvent[]): readonly HeadMoved[] =>
  events.flatMap((event) => (event.type === 'head.moved' ? [event] : []));
const pauses = ({ events }: Played) => events.flatMap((event) => (event.type === 'run.paused' ? [event] : []));

describe('a HEAD that moves', function () {
  this.timeout(30_000);
  const files = { 'a.txt': 'a\n' };
  const no = fenced({ score: 5, approved: false });
  const yes = `${fenced({ score: 9.5, approved: true })}APPROVED`;

  it('by the agent is told with its commits, to the reviewer too, and nobody waits', async () => {
    const played = await playWorld({
      git: true,
      files,
      execute: [
        async ({ folder, write }) => {
          await write('a.txt', 'b\n');
          gitIn(folder, ['add', '-A'], commitAs('By the agent'));
          return 'Committed.';
        },
        () => 'Nothing more.',
      ],
      review: [() => no, () => yes],
    });
    const [move, ...more] = moves(played.events);
    assert.deepEqual([move?.by, move?.commits.map(({ subject }) => subject), more], ['agent', ['By the agent'], []]);
    assert.deepEqual(pauses(played), []);
    const [first = '', second = ''] = played.prompts.review;
    assert.match(first, /By the agent/);
    assert.match(first, /^-a\n\+b$/m, 'what was committed is part of the diff');
    assert.doesNotMatch(second, /By the agent/, 'once');
  });

  it('by the person between two rounds makes the run wait for them, with the reason', async () => {
    const played = await playWorld({
      git: true,
      files,
      execute: [() => 'One.', () => 'Two.'],
      review: [
        ({ folder }) => {
          gitIn(folder, commitAs('By the person'));
          return no;
        },
        () => yes,
      ],
    });
    assert.deepEqual(
      moves(played.events).map(({ by, commits }) => [by, commits[0]?.subject]),
      [['user', 'By the person']],
    );
    const [pause, ...more] = pauses(played);
    assert.deepEqual([pause?.reason, more], ['headMoved', []]);
    assert.match(pause?.why ?? '', /HEAD was moved .* newest commit is “By the person”/);
    assert.match(played.prompts.review[1] ?? '', /By the person/);
    assert.equal(played.ending.type, 'approved');
  });

  it('is nothing in a folder without git', async () => {
    const played = await playWorld({ files, execute: [() => 'One.'], review: [() => yes] });
    assert.deepEqual(moves(played.events), []);
  });

  it('is told when a run goes on, without waiting: whoever goes on knows what they did', async () => {
    const checkpoint = { id: 'c', tree: 't', label: 'l' };
    const told: LoopEventBody[] = [];
    const demanded: string[] = [];
    const watch = createHeadWatch({
      t: english,
      checkpoints: {
        head: async () => 'new',
        headOf: async () => 'old',
        commits: async () => [],
        settings: async () => new Map(),
      },
      append: (body) => told.push(body),
      pause: { demand: (reason) => demanded.push(reason) },
      past: stamp([{ type: 'checkpoint.created', checkpoint }]),
    });
    await watch.beforeWork(false);
    assert.deepEqual(told, [{ type: 'head.moved', by: 'user', from: 'old', to: 'new', commits: [] }]);
    await watch.beforeWork(false);
    assert.deepEqual([told.length, demanded], [1, []]);
  });
});

describe('what git heeds by itself', () => {
  it('is told when an execution changed it, once, and not what was there', async () => {
    const no = fenced({ score: 5, approved: false });
    const played = await playWorld({
      git: true,
      files: { 'a.txt': 'a\n' },
      options: { rounds: 2 },
      execute: [
        async ({ folder, write }) => {
          await write('.git/hooks/pre-commit', '#!/bin/sh\necho hooked\n');
          gitIn(folder, ['config', 'core.pager', 'cat']);
          return 'Done.';
        },
        () => 'Nothing more.',
      ],
      review: [() => no, () => no],
    });
    const told = played.events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived] : []));
    assert.equal(told.length, 1);
    assert.equal(told[0]?.level, 'warning');
    assert.match(told[0]?.text ?? '', /executor worked: \.git\/config, \.git\/hooks\/pre-commit\. /);
  });
});

describe('a run that goes on after an undoing', () => {
  const ref = { id: 'c', tree: 't', label: 'l' };
  const files = [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }] as const;
  const undone = (scope: Extract<LoopEventBody, { readonly type: 'run.undone' }>['scope'] & {}): LoopEventBody => ({
    type: 'run.undone',
    restored: ref,
    replaced: ref,
    scope,
    files,
  });
  const logWith = (...bodies: readonly LoopEventBody[]) => stamp([...TWO_ROUND_RUN, ...bodies]);

  it('tells the executor what was undone, until it has worked again', () => {
    const round = undone({ type: 'round', round: 2 });
    assert.deepEqual(undoneWork(logWith(round)), files);
    assert.deepEqual(undoneWork(logWith(round, undone({ type: 'redo' }))), []);
    const wire = { sessionId: null, model: null };
    const worked = { type: 'turn.started', turn: 9, role: 'execute', prompt: 'p', wire } as const;
    assert.deepEqual(undoneWork(logWith(round, { type: 'round.started' }, worked)), []);
  });

  it('goes on from the last review that still holds, in a new round, also after an approval', () => {
    const events = logWith(undone({ type: 'before', round: 2 }));
    const point = resumePointOf(events);
    assert.deepEqual([point?.round, point?.step], [3, 'execute']);
    const first = TWO_ROUND_RUN.find((event) => event.type === 'review.scored');
    assert.ok(first?.type === 'review.scored');
    assert.deepEqual(point?.last?.verdict, first.verdict);
    assert.equal(resumeProblem(events, { type: 'approved', score: 9 }, point, 3), null);
    const whole = logWith(undone({ type: 'run' }));
    assert.match(resumeProblem(whole, null, resumePointOf(whole), 3) ?? '', /it was undone.*--redo/);
    const redone = logWith(undone({ type: 'run' }), undone({ type: 'redo' }));
    assert.match(
      resumeProblem(redone, { type: 'approved', score: 9 }, resumePointOf(redone), 3) ?? '',
      /it was approved/,
    );
  });
});
