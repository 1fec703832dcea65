import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { previewUndo, type UndoOptions, undoRun } from '../../src/loop/undoRun.ts';
import { readRun } from '../../src/session/replay.ts';
import { runDirectory } from '../../src/session/runs.ts';
import { reduce } from '../../src/shared/reduce.ts';
import type { Finding } from '../../src/shared/review.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { clear, files, type Ground, ground, repositoryState } from '../workspace/grounds.ts';
import { RUN_ID, writeRun } from './undoneRun.ts';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
/** The numbered lines with some of them replaced. */
const text = (changes: Readonly<Record<number, string>> = {}) =>
  LINES.map((line, index) => changes[index + 1] ?? line).join('\n');

const finding = (id: string, status: Finding['status']): Finding => ({
  id,
  severity: 'major',
  title: id,
  detail: 'd',
  openedInRound: 1,
  status,
});

describe('undoing a run', function () {
  this.timeout(60_000);
  afterEach(clear);

  const undo = async (own: Ground, asked: Partial<UndoOptions> = {}) => {
    const result = await undoRun({ run: RUN_ID, stateFolder: own.stateFolder, ...asked });
    assert.ok(result.type === 'undone', result.type === 'problem' ? result.message : '');
    return result;
  };
  const preview = async (own: Ground, asked: Partial<UndoOptions> = {}) => {
    const result = await previewUndo({ run: RUN_ID, stateFolder: own.stateFolder, ...asked });
    assert.ok(result.type === 'preview', result.type === 'problem' ? result.message : '');
    return result;
  };
  const problem = async (own: Ground, asked: Partial<UndoOptions>) => {
    const result = await undoRun({ run: RUN_ID, stateFolder: own.stateFolder, ...asked });
    assert.ok(result.type === 'problem');
    return result.message;
  };
  const viewOf = async (own: Ground) =>
    reduce(EMPTY_VIEW, (await readRun(runDirectory(own.stateFolder, RUN_ID))).events);
  const paths = (list: readonly { readonly path: string }[]) => list.map((one) => one.path).sort();

  /** Three rounds on lines far from each other, each with a file of its own. */
  const threeRounds = async (): Promise<Ground> => {
    const own = ground('repository');
    own.write('a.txt', text());
    own.write('b.bin', Buffer.from([0, 1, 2]));
    await writeRun(own, [
      {
        work: () => {
          own.write('a.txt', text({ 2: 'one' }));
          own.write('one.txt', '1\n');
        },
        findings: [{ type: 'finding.opened', finding: finding('F1', 'open') }],
      },
      {
        work: () => {
          own.write('a.txt', text({ 2: 'one', 15: 'two' }));
          own.write('two.txt', '2\n');
          own.write('b.bin', Buffer.from([0, 9, 2]), 0o755);
        },
        findings: [
          { type: 'finding.updated', id: 'F1', status: 'fixed', finding: finding('F1', 'fixed') },
          { type: 'finding.opened', finding: finding('F2', 'open') },
        ],
      },
      {
        work: () => {
          own.write('a.txt', text({ 2: 'one', 15: 'two', 28: 'three' }));
          own.remove('first.txt');
        },
        findings: [{ type: 'finding.updated', id: 'F2', status: 'fixed', finding: finding('F2', 'fixed') }],
      },
    ]);
    return own;
  };

  it('takes one round of three back and leaves the others, shown first; a redo brings it back byte for byte', async () => {
    const own = await threeRounds();
    const scope = { type: 'round', round: 2 } as const;
    const before = files(own.folder);
    const repository = repositoryState(own);
    const shown = await preview(own, { scope });
    assert.deepEqual(files(own.folder), before, 'a preview changes nothing');
    assert.equal((await viewOf(own)).undoings.length, 0);
    assert.deepEqual(paths(shown.files), ['a.txt', 'b.bin', 'two.txt']);
    assert.deepEqual([shown.merged, shown.conflicts], [['a.txt'], []]);

    const done = await undo(own, { scope });
    assert.deepEqual(done.files, shown.files);
    assert.equal(own.read('a.txt'), text({ 2: 'one', 28: 'three' }));
    assert.deepEqual([own.exists('two.txt'), own.exists('one.txt'), own.exists('first.txt')], [false, true, false]);
    assert.deepEqual(fs.readFileSync(path.join(own.folder, 'b.bin')), Buffer.from([0, 1, 2]));
    assert.equal(fs.statSync(path.join(own.folder, 'b.bin')).mode & 0o100, 0);
    assert.deepEqual(done.findings, ['F1'], 'what round 2 fixed is open again; what round 3 fixed is not');
    const undone = await viewOf(own);
    assert.deepEqual(
      undone.findings.map(({ id, status }) => [id, status]),
      [
        ['F1', 'open'],
        ['F2', 'fixed'],
      ],
    );
    assert.deepEqual([undone.undoings[0]?.rounds, undone.undoneAt], [[2], null]);

    const back = await undo(own, { scope: { type: 'redo' } });
    assert.deepEqual(files(own.folder), before);
    assert.deepEqual(back.findings, ['F1']);
    const redone = await viewOf(own);
    assert.deepEqual([redone.undoings, redone.findings.map(({ status }) => status)], [[], ['fixed', 'fixed']]);
    assert.match(await problem(own, { scope: { type: 'redo' } }), /Nothing of this run is undone/);
    assert.deepEqual(repositoryState(own), repository);
  });

  it('goes back to before round 2 and to after it, one redo for each undoing', async () => {
    const own = await threeRounds();
    const end = files(own.folder);
    await undo(own, { scope: { type: 'after', round: 2 } });
    assert.equal(own.read('a.txt'), text({ 2: 'one', 15: 'two' }));
    assert.equal(own.read('first.txt'), 'first\n');
    const afterTwo = files(own.folder);
    const done = await undo(own, { scope: { type: 'before', round: 2 } });
    assert.deepEqual([own.read('a.txt'), own.exists('two.txt')], [text({ 2: 'one' }), false]);
    assert.deepEqual(done.findings, ['F1'], 'F2 is open again since the first undoing');
    await undo(own);
    assert.equal(own.read('a.txt'), text());
    assert.notEqual((await viewOf(own)).undoneAt, null);
    await undo(own, { scope: { type: 'redo' } });
    assert.equal((await viewOf(own)).undoneAt, null);
    await undo(own, { scope: { type: 'redo' } });
    assert.deepEqual(files(own.folder), afterTwo);
    await undo(own, { scope: { type: 'redo' } });
    assert.deepEqual(files(own.folder), end);
  });

  it('C83: shows conflicts, and by default leaves those files; marks or what was before only when asked for', async () => {
    const own = await threeRounds();
    own.write('a.txt', text({ 2: 'one', 15: 'mine', 28: 'three' }));
    own.write('b.bin', Buffer.from([0, 7, 7]));
    own.write('two.txt', 'mine too\n');
    const mine = files(own.folder);
    const scope = { type: 'round', round: 2 } as const;
    const shown = await preview(own, { scope });
    const whys = [
      ['a.txt', 'lines'],
      ['b.bin', 'binary'],
      ['two.txt', 'deleted'],
    ];
    const whyOf = ({ conflicts }: Awaited<ReturnType<typeof undo>> | Awaited<ReturnType<typeof preview>>) =>
      conflicts.map(({ path: file, why }) => [file, why]).sort();
    assert.deepEqual([whyOf(shown), shown.files], [whys, []]);
    assert.deepEqual(whyOf(await undo(own, { scope })), whys);
    assert.deepEqual(files(own.folder), mine);
    assert.deepEqual((await viewOf(own)).undoings, [], 'nothing was done, so nothing is told');

    await undo(own, { scope, conflicts: 'mark' });
    assert.match(own.read('a.txt'), /<<<<<<< as it is now\nmine\n=======\nline 15\n>>>>>>> as it was before\n/);
    assert.equal(own.read('two.txt'), 'mine too\n', 'what has no lines is left');
    await undo(own, { scope: { type: 'redo' } });
    assert.deepEqual(files(own.folder), mine);

    await undo(own, { scope, conflicts: 'take' });
    assert.equal(own.read('a.txt'), text({ 2: 'one' }));
    assert.equal(own.exists('two.txt'), false);
    await undo(own, { scope: { type: 'redo' } });
    assert.deepEqual(files(own.folder), mine);
  });

  it('puts single files back, which makes no round undone, and refuses a path outside', async () => {
    const own = await threeRounds();
    const done = await undo(own, { files: ['one.txt', path.join(own.folder, 'first.txt')] });
    assert.deepEqual(paths(done.files), ['first.txt', 'one.txt']);
    assert.equal(own.read('a.txt'), text({ 2: 'one', 15: 'two', 28: 'three' }));
    const view = await viewOf(own);
    assert.deepEqual(
      [view.undoneAt, view.undoings[0]?.rounds, view.undoings[0]?.only],
      [null, [], ['one.txt', 'first.txt']],
    );
    assert.deepEqual(done.findings, []);
    assert.match(await problem(own, { files: ['../elsewhere'] }), /"\.\.\/elsewhere" is no file in/);
    const before = files(own.folder);
    assert.match(await problem(own, { files: ['a.txt', 'tpyo.txt'] }), /holds "tpyo\.txt"\. Nothing was changed/);
    assert.deepEqual(files(own.folder), before);
    await undo(own);
    assert.deepEqual([own.read('a.txt'), own.exists('two.txt')], [text(), false]);
  });

  it('keeps what came after the run, and puts a file that both changed together', async () => {
    const own = await threeRounds();
    own.write('a.txt', text({ 2: 'one', 8: 'mine', 15: 'two', 28: 'three' }));
    own.write('later.txt', 'mine\n');
    own.write('one.txt', '1\nand mine\n');
    const done = await undo(own);
    assert.equal(own.read('a.txt'), text({ 8: 'mine' }));
    assert.equal(own.read('later.txt'), 'mine\n');
    assert.equal(own.read('one.txt'), '1\nand mine\n');
    assert.deepEqual([done.merged, done.conflicts], [['a.txt'], [{ path: 'one.txt', why: 'deleted' }]]);
    await undo(own, { scope: { type: 'redo' } });
    assert.equal(own.read('a.txt'), text({ 2: 'one', 8: 'mine', 15: 'two', 28: 'three' }));
  });

  it('keeps what came after a run that was killed in its review, or that only reviewed', async () => {
    for (const works of [true, false]) {
      const own = ground('repository');
      own.write('a.txt', text());
      const work = () => works && own.write('a.txt', text({ 2: 'one' }));
      await writeRun(own, [{ work }], works ? null : undefined, {}, 'review');
      own.write('a.txt', text({ ...(works ? { 2: 'one' } : {}), 20: 'mine' }));
      own.write('later.txt', 'mine\n');
      await undo(own);
      assert.deepEqual([own.read('a.txt'), own.read('later.txt')], [text({ 20: 'mine' }), 'mine\n']);
    }
  });

  it('keeps what the person did between the rounds, in files of the agent too', async () => {
    const own = ground('repository');
    own.write('a.txt', text());
    own.write('both.txt', text());
    await writeRun(own, [
      {
        work: (note) => {
          for (const file of ['a.txt', 'both.txt']) {
            note({
              type: 'toolCall.started',
              turn: 1,
              role: 'execute',
              wire: {},
              derived: { toolCallId: file, kind: 'edit', state: 'success', locations: [{ path: file }] },
            });
          }
          own.write('a.txt', text({ 2: 'one' }));
          own.write('both.txt', text({ 2: 'one', 9: 'mine, in the same turn' }));
          note({ type: 'user.edited', path: 'both.txt' });
        },
        afterwards: (note) => {
          own.write('a.txt', text({ 2: 'one', 9: 'mine' }));
          own.write('notes.md', 'mine\n');
          for (const file of ['a.txt', 'notes.md']) note({ type: 'user.edited', path: file });
        },
      },
      { work: () => own.write('a.txt', text({ 2: 'one', 9: 'mine', 20: 'two' })) },
    ]);
    const done = await undo(own);
    assert.equal(own.read('a.txt'), text({ 9: 'mine' }));
    assert.equal(own.read('notes.md'), 'mine\n');
    assert.equal(own.read('both.txt'), text(), 'whose lines are whose nobody can tell');
    assert.deepEqual([done.kept, done.merged, done.mixed], [['notes.md'], ['a.txt'], ['both.txt']]);
  });

  it('takes back all of a run that was killed in the middle of its work', async () => {
    const own = ground('repository');
    own.write('a.txt', text());
    const before = files(own.folder);
    await writeRun(
      own,
      [
        { work: () => own.write('a.txt', text({ 2: 'one' })) },
        {
          work: () => {
            own.write('a.txt', text({ 2: 'one', 3: 'two' }));
            own.write('half.txt', 'half');
          },
        },
      ],
      null,
    );
    assert.match(await problem(own, { scope: { type: 'after', round: 2 } }), /never came to its end/);
    assert.match(await problem(own, { scope: { type: 'round', round: 3 } }), /has no round 3/);
    await undo(own, { scope: { type: 'round', round: 2 } });
    assert.deepEqual([own.read('a.txt'), own.exists('half.txt')], [text({ 2: 'one' }), false]);
    await undo(own);
    assert.deepEqual(files(own.folder), before);
  });

  it('says what it cannot reach: commands that ran and commits of the agent', async () => {
    const own = ground('repository');
    await writeRun(own, [
      {
        work: (note) => {
          note({
            type: 'toolCall.started',
            turn: 1,
            role: 'execute',
            wire: {},
            derived: { toolCallId: 'c', kind: 'execute', state: 'success', rawInput: { command: 'npm publish' } },
          });
          const commits = [{ id: 'abc', subject: 'By the agent' }];
          note({ type: 'head.moved', by: 'agent', from: 'x', to: 'abc', commits });
        },
      },
      { work: () => own.write('b.txt', 'b') },
    ]);
    const first = await preview(own, { scope: { type: 'round', round: 1 } });
    assert.deepEqual(first.beyond, { commands: ['npm publish'], commits: [{ id: 'abc', subject: 'By the agent' }] });
    const second = await preview(own, { scope: { type: 'round', round: 2 } });
    assert.deepEqual(second.beyond, { commands: [], commits: [] });
  });

  it('says which repositories inside the folder it does not look at', async () => {
    const own = ground('repository');
    own.write('a.txt', text());
    own.write('inner/x.txt', 'x');
    execFileSync('git', ['init', '--quiet', path.join(own.folder, 'inner')]);
    await writeRun(own, [{ work: () => own.write('a.txt', text({ 2: 'one' })) }]);
    const { beyond } = await preview(own);
    assert.deepEqual(beyond.nested, ['inner/']);
    assert.deepEqual((await undo(own)).beyond, beyond);
  });

  it('changes nothing when a line of the log is lost, which may have told of a state; a kind it does not know is none', async () => {
    for (const [line, isLost] of [
      ['garbage {{{', true],
      ['{"seq":2,"at":1,"round":0,"type":"from.tomorrow"}', false],
    ] as const) {
      const own = ground('repository');
      await writeRun(own, [{ work: () => own.write('a.txt', 'a') }]);
      const log = path.join(runDirectory(own.stateFolder, RUN_ID), 'log.jsonl');
      const lines = fs.readFileSync(log, 'utf8').split('\n');
      const at = lines.findIndex((one) => one.includes('"round.ended"'));
      const seq = /"seq":(\d+)/.exec(lines[at] ?? '')?.[1] ?? '';
      lines[at] = line.replace('"seq":2', `"seq":${seq}`);
      fs.writeFileSync(log, lines.join('\n'));
      if (isLost) assert.match(await problem(own, {}), /^Line \d+ of the log cannot be read.*refs\/cgloop\//);
      else await undo(own);
      assert.equal(own.exists('a.txt'), isLost);
    }
  });

  it('puts everything back into an empty folder in the place of one that was deleted', async () => {
    const own = ground('none');
    own.write('a.txt', text());
    own.write('deep/b.txt', 'b');
    const before = files(own.folder);
    await writeRun(own, [{ work: () => own.write('a.txt', text({ 2: 'one' })) }]);
    fs.rmSync(own.folder, { recursive: true });
    fs.mkdirSync(own.folder);
    await undo(own);
    assert.deepEqual(files(own.folder), before);
  });

  it('works in a folder without git', async () => {
    const own = ground('none');
    own.write('a.txt', text());
    const before = files(own.folder);
    await writeRun(own, [
      { work: () => own.write('a.txt', text({ 2: 'one' })) },
      { work: () => own.write('a.txt', text({ 2: 'one', 20: 'two' })) },
    ]);
    await undo(own, { scope: { type: 'round', round: 1 } });
    assert.equal(own.read('a.txt'), text({ 20: 'two' }));
    await undo(own);
    assert.deepEqual(files(own.folder), before);
  });
});
