import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { FileChange, TurnTruth } from '../../src/shared/fileEvents.ts';
import { reduce } from '../../src/shared/reduce.ts';
import type { ToolCallPatch } from '../../src/shared/toolCall.ts';
import { EMPTY_VIEW, type RoundView } from '../../src/shared/view.ts';
import { personsFiles, type TruthContext, turnTruth } from '../../src/workspace/turnTruth.ts';
import { HEADER, stamp } from '../fakes/events.ts';

const CONTEXT: TruthContext = {
  folder: '/home/me/project',
  // `/link` leads into the folder; `way` in it leads to `real.ts`.
  resolvePath: (file) =>
    file.replace(/^\/link(?=\/)/, '/home/me/project').replace('/home/me/project/way', '/home/me/project/real.ts'),
  caseInsensitive: false,
};
const AGREED: TurnTruth = { unannounced: [], unseen: [], outside: [], byUser: [], byBoth: [], ranCommands: false };

const rounds = (bodies: readonly LoopEventBody[]): readonly RoundView[] =>
  reduce(EMPTY_VIEW, stamp([{ type: 'run.started', run: HEADER }, { type: 'round.started' }, ...bodies])).rounds;
const items = (bodies: readonly LoopEventBody[]) => rounds(bodies).flatMap((round) => round.items);

let calls = 0;
const call = (patch: Partial<ToolCallPatch>, role: 'execute' | 'review' = 'execute'): LoopEventBody => ({
  type: 'toolCall.started',
  turn: 1,
  role,
  wire: {},
  derived: { toolCallId: `c${++calls}`, kind: 'edit', state: 'success', ...patch },
});
const edit = (path: string, patch: Partial<ToolCallPatch> = {}) => call({ locations: [{ path }], ...patch });
const edited = (path: string): LoopEventBody => ({ type: 'user.edited', path });
const changed = (...paths: string[]): FileChange[] =>
  paths.map((path) => ({ path, status: 'modified', added: 1, removed: 0 }));
const truth = (bodies: readonly LoopEventBody[], ...paths: string[]) =>
  turnTruth(items(bodies), changed(...paths), CONTEXT);

describe('turnTruth', () => {
  it('finds nothing to say where every changed file is announced by its location or its diff', () => {
    const diff = { type: 'diff', path: 'src/b.ts', oldText: null, newText: 'x' } as const;
    const told = [edit('/home/me/project/src/a.ts'), call({ content: [diff] }), edit('/home/me/project/src/a.ts')];
    assert.deepEqual(truth(told, 'src/a.ts', 'src/b.ts'), AGREED);
  });

  it('lists what changed without a word, and says whether a command ran', () => {
    assert.deepEqual(truth([], 'a.ts'), { ...AGREED, unannounced: ['a.ts'] });
    const command = call({ kind: 'execute', title: 'sed -i s/a/b/ a.ts' });
    assert.deepEqual(truth([command], 'a.ts'), { ...AGREED, unannounced: ['a.ts'], ranCommands: true });
  });

  it('takes no announcement from a call that failed, was refused, only reads, or is the reviewer’s', () => {
    const path = '/home/me/project/a.ts';
    const told = [
      edit(path, { state: 'error', reason: 'failed' }),
      edit(path, { state: 'cancelled', reason: 'denied' }),
      edit(path, { kind: 'read' }),
      call({ locations: [{ path }] }, 'review'),
    ];
    assert.deepEqual(truth(told, 'a.ts'), { ...AGREED, unannounced: ['a.ts'] });
  });

  it('goes by the last word of a call, and by each call of an id that is used again (acp-36)', () => {
    const path = '/home/me/project/a.ts';
    const open = call({ toolCallId: 'same', state: 'executing', locations: [{ path }] });
    const failed = call({ toolCallId: 'same', state: 'error', reason: 'failed' });
    assert.deepEqual(truth([open, failed], 'a.ts').unannounced, ['a.ts']);
    const again = call({ toolCallId: 'same', locations: [{ path }] });
    assert.deepEqual(truth([open, failed, again], 'a.ts'), AGREED);
  });

  it('lists what was announced and does not differ, and what lies outside the folder', () => {
    const told = [edit('/home/me/project/same.ts'), edit('/etc/hosts'), edit('/home/me/project-2/a.ts'), edit('..')];
    assert.deepEqual(truth(told), {
      ...AGREED,
      unseen: ['same.ts'],
      outside: ['/etc/hosts', '/home/me/project-2/a.ts', '/home/me'],
    });
  });

  it('knows a file under the other name of a linked folder, and through a link in it', () => {
    assert.deepEqual(truth([edit('/link/src/a.ts')], 'src/a.ts'), AGREED);
    assert.deepEqual(truth([edit('/home/me/project/way')], 'real.ts'), AGREED);
    assert.deepEqual(truth([call({ kind: 'delete', locations: [{ path: 'way' }] })], 'way'), AGREED);
  });

  it('lets a claim on a folder cover what lies in it, and no neighbour', () => {
    const told = [call({ kind: 'delete', locations: [{ path: '/home/me/project/old' }] })];
    assert.deepEqual(truth(told, 'old/a.ts', 'old/b/c.ts', 'older.ts'), { ...AGREED, unannounced: ['older.ts'] });
  });

  it('heeds case where the disk does', () => {
    const told = [edit('/home/me/project/A.ts'), edited('B.ts')];
    const files = changed('a.ts', 'b.ts');
    const any = turnTruth(items(told), files, { ...CONTEXT, caseInsensitive: true });
    assert.deepEqual(any, { ...AGREED, byUser: ['b.ts'] });
    assert.deepEqual(truth(told, 'a.ts', 'b.ts'), { ...AGREED, unannounced: ['a.ts', 'b.ts'], unseen: ['A.ts'] });
  });

  it('sets the person’s own files apart, and says where both were at work', () => {
    const told = [edit('/home/me/project/both.ts'), edited('mine.md'), edited('both.ts'), edited('saved-as-it-was.md')];
    assert.deepEqual(truth(told, 'both.ts', 'mine.md', 'other.ts'), {
      ...AGREED,
      unannounced: ['other.ts'],
      byUser: ['mine.md'],
      byBoth: ['both.ts'],
    });
  });

  it('counts what we wrote for the agent as announced, and a change to its proposal as the person’s too', () => {
    const served: LoopEventBody = {
      type: 'file.served',
      turn: 1,
      role: 'execute',
      path: '/home/me/project/served.ts',
      operation: 'write',
      bytes: 1,
      result: 'disk',
    };
    assert.deepEqual(truth([served, { ...served, operation: 'read', path: 'read.ts' }], 'served.ts', 'read.ts'), {
      ...AGREED,
      unannounced: ['read.ts'],
    });
    const path = '/home/me/project/a.ts';
    const question: LoopEventBody = {
      type: 'permission.requested',
      turn: 1,
      role: 'execute',
      permissionId: 'p1',
      wire: {},
      derived: {
        toolCallId: 'c',
        title: 'a.ts',
        kind: 'edit',
        options: [],
        content: [],
        paths: [path],
        takesMessage: true,
        takesChange: true,
      },
    };
    const answer = (changedText: string | undefined): LoopEventBody => ({
      type: 'permission.resolved',
      permissionId: 'p1',
      by: 'user',
      answer: { outcome: 'selected', optionId: 'allow', ...(changedText === undefined ? {} : { changedText }) },
    });
    assert.deepEqual(truth([question, answer('x'), edit(path)], 'a.ts'), { ...AGREED, byBoth: ['a.ts'] });
    assert.deepEqual(truth([question, answer(undefined), edit(path)], 'a.ts'), AGREED);
  });
});

describe('personsFiles', () => {
  it('keeps apart what the person did alone, over all rounds, from what the agent touched in any', () => {
    const told: LoopEventBody[] = [
      edited('mine.md'),
      edited('later.ts'),
      edited('taken.ts'),
      { type: 'round.changes', files: [], truth: { ...AGREED, unannounced: ['taken.ts'] } },
      edited('mine.md'),
      { type: 'unsaved.settled', saved: ['typed.ts'], left: ['left.ts'] },
      { type: 'round.started' },
      edit('/home/me/project/later.ts'),
      { type: 'round.changes', files: [] },
    ];
    assert.deepEqual(personsFiles(rounds(told), CONTEXT), {
      alone: ['mine.md', 'typed.ts'],
      withAgent: ['later.ts', 'taken.ts'],
    });
  });

  it('takes a folder that the person deleted or moved for theirs, with all in it', () => {
    assert.deepEqual(truth([edited('old')], 'old/a.ts', 'older.ts'), {
      ...AGREED,
      byUser: ['old/a.ts'],
      unannounced: ['older.ts'],
    });
    const both = [edited('old'), edit('/home/me/project/old/a.ts')];
    assert.deepEqual(personsFiles(rounds(both), CONTEXT), { alone: [], withAgent: ['old'] });
  });

  it('leaves out what was saved before the run began its work: that is in its first checkpoint', () => {
    const view = reduce(
      EMPTY_VIEW,
      stamp([
        { type: 'run.started', run: HEADER },
        { type: 'unsaved.settled', saved: ['before.ts'], left: [] },
        { type: 'user.edited', path: 'before.ts' },
        { type: 'round.started' },
      ]),
    );
    assert.deepEqual(personsFiles(view.rounds, CONTEXT), { alone: [], withAgent: [] });
  });
});
