import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commitMessage } from '../../src/loop/commitMessage.ts';
import { prepareCommit, workOf } from '../../src/loop/commitRun.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { type Checkpoints, openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { HEADER, stamp, TWO_ROUND_RUN } from '../fakes/events.ts';
import { clear, commit, type Ground, ground } from '../workspace/grounds.ts';

const ID = '20260101-000000-aaaaaa';
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const text = (change: Record<number, string> = {}) =>
  `${LINES.map((line, index) => change[index + 1] ?? line).join('\n')}\n`;

describe('a commit of a run', () => {
  afterEach(clear);

  interface Played {
    readonly add: (body: LoopEventBody) => void;
    readonly checkpoints: Checkpoints;
    /** One round whose work is this. */
    round(work: () => void): Promise<void>;
  }

  /** A run of rounds in the folder, on disk. */
  const play = async (own: Ground, go: (run: Played) => Promise<void>, header: Partial<RunHeader> = {}) => {
    const log = createEventLog({ now: () => 1 });
    const directory = runDirectory(own.stateFolder, ID);
    const file = await openLogFile({ directory, product: { name: 'cgloop', version: '0' }, onProblem: assert.fail });
    const add = (body: LoopEventBody) => void file.append(log.append(body));
    const checkpoints = await openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId: ID });
    let number = 0;
    add({ type: 'run.started', run: { ...HEADER, id: ID, folder: own.folder, ...header } });
    await go({
      add,
      checkpoints,
      async round(work) {
        number++;
        add({ type: 'checkpoint.created', checkpoint: await checkpoints.snapshot(`before round ${number}`) });
        add({ type: 'round.started' });
        work();
        add({ type: 'checkpoint.created', checkpoint: await checkpoints.snapshot(`after round ${number}`) });
        add({ type: 'round.ended' });
      },
    });
    add({ type: 'run.ended', ending: { type: 'approved', score: 9 } });
    await checkpoints.close();
    await file.close();
  };
  const prepare = async (own: Ground) => {
    const made = await prepareCommit({ run: ID, stateFolder: own.stateFolder });
    assert.ok(made.type === 'prepared', JSON.stringify(made));
    return made;
  };
  const begin = (files: Record<string, string>) => {
    const own = ground('repository');
    for (const [name, content] of Object.entries(files)) own.write(name, content);
    own.git('add', '-A');
    commit(own, 'before');
    return own;
  };
  const staged = (own: Ground, file: string) => own.git('show', `:${file}`);

  it('stages exactly the run’s hunks: what the person changed before, between and after stays unstaged', async () => {
    const own = begin({ 'a.txt': text() });
    own.write('a.txt', text({ 2: 'MINE before' }));
    await play(own, async ({ round }) => {
      await round(() => own.write('a.txt', text({ 2: 'MINE before', 6: 'THEIRS one' })));
      own.write('a.txt', text({ 2: 'MINE before', 6: 'THEIRS one', 10: 'MINE between' }));
      await round(() =>
        own.write('a.txt', text({ 2: 'MINE before', 6: 'THEIRS one', 10: 'MINE between', 14: 'THEIRS two' })),
      );
    });
    const whole = { 2: 'MINE before', 6: 'THEIRS one', 10: 'MINE between', 14: 'THEIRS two', 18: 'MINE after' };
    own.write('a.txt', text(whole));
    const { files, left } = await prepare(own);
    assert.deepEqual([files, left], [[{ path: 'a.txt', status: 'modified', added: 2, removed: 2 }], []]);
    assert.equal(staged(own, 'a.txt'), text({ 6: 'THEIRS one', 14: 'THEIRS two' }));
    assert.equal(own.read('a.txt'), text(whole));
    const unstaged = own.git('diff', '--unified=0').match(/^\+[^+].*$/gm);
    assert.deepEqual(unstaged, ['+MINE before', '+MINE between', '+MINE after']);
    assert.equal(own.git('log', '--format=%s').trim(), 'before\nfirst', 'nothing is committed');
  });

  it('keeps what was staged, adds new files, takes deleted ones out, and keeps the bit for execution', async () => {
    const own = begin({ 'a.txt': text(), 'gone.txt': 'x\n', 'mine.txt': 'm\n', 'tool.sh': '#!/bin/sh\n' });
    own.write('a.txt', text({ 3: 'STAGED' }));
    own.write('mine.txt', 'mine, staged\n');
    own.git('add', '-A');
    await play(own, async ({ round }) => {
      await round(() => {
        own.write('a.txt', text({ 3: 'STAGED', 12: 'RUN' }));
        own.write('new/file.txt', 'new\n');
        own.remove('gone.txt');
        own.write('tool.sh', '#!/bin/sh\necho\n', 0o755);
      });
    });
    own.write('untracked.txt', 'mine\n');
    await prepare(own);
    assert.equal(
      own.git('status', '--porcelain'),
      ['M  a.txt', 'D  gone.txt', 'M  mine.txt', 'A  new/file.txt', 'M  tool.sh', '?? untracked.txt', ''].join('\n'),
    );
    assert.match(own.git('ls-files', '--stage', 'tool.sh'), /^100755/);
    assert.equal(staged(own, 'a.txt'), text({ 3: 'STAGED', 12: 'RUN' }));
    assert.deepEqual((await prepare(own)).files, [], 'a second time there is nothing to add');
  });

  it('leaves a file whose two changes touch, one that git did not know, and those of the person alone', async () => {
    const own = begin({ 'a.txt': text(), 'b.txt': text() });
    own.write('a.txt', text({ 5: 'MINE' }));
    own.write('notes.txt', 'one\n');
    await play(own, async ({ round, add }) => {
      await round(() => {
        own.write('a.txt', text({ 5: 'MINE AND THEIRS', 15: 'THEIRS' }));
        own.write('b.txt', text({ 5: 'THEIRS' }));
        own.write('notes.txt', 'one\ntwo\n');
        own.write('person.txt', 'p\n');
        add({ type: 'user.edited', path: 'person.txt' });
      });
    });
    const { files, left, persons } = await prepare(own);
    assert.deepEqual(
      files.map((file) => file.path),
      ['b.txt'],
    );
    assert.deepEqual([left, persons], [['a.txt', 'notes.txt'], ['person.txt']]);
    assert.equal(staged(own, 'a.txt'), text(), 'not half of it');
  });

  it('counts what was undone since, in the folder of a repository, with its line ends', async () => {
    const own = begin({ 'sub/a.txt': text(), 'sub/b.txt': text() });
    own.git('config', 'core.autocrlf', 'true');
    const inner: Ground = { ...own, folder: path.join(own.folder, 'sub') };
    const crlf = (content: string) => content.replaceAll('\n', '\r\n');
    own.write('sub/a.txt', crlf(text()));
    await play(inner, async ({ round, add, checkpoints }) => {
      await round(() => own.write('sub/a.txt', crlf(text({ 4: 'KEPT' }))));
      await round(() => own.write('sub/b.txt', text({ 4: 'UNDONE' })));
      const replaced = await checkpoints.snapshot('before undoing');
      own.write('sub/b.txt', text());
      const restored = await checkpoints.snapshot('after undoing');
      add({ type: 'run.undone', restored, replaced, scope: { type: 'round', round: 2 } });
    });
    const { files } = await prepare(inner);
    assert.deepEqual(files, [{ path: 'a.txt', status: 'modified', added: 1, removed: 1 }]);
    assert.equal(staged(own, 'sub/a.txt'), text({ 4: 'KEPT' }));
    assert.equal(own.git('diff', '--name-only'), '');
  });

  it('leaves the index alone while another git has it, and says so', async () => {
    const own = begin({ 'a.txt': text() });
    await play(own, async ({ round }) => round(() => own.write('a.txt', text({ 1: 'RUN' }))));
    const lock = path.join(own.folder, '.git', 'index.lock');
    fs.writeFileSync(lock, 'theirs');
    const refused = await prepareCommit({ run: ID, stateFolder: own.stateFolder });
    assert.match(
      refused.type === 'problem' ? refused.message : '',
      /^Another git is at work in .*index\.lock: remove that file/,
    );
    assert.equal(fs.readFileSync(lock, 'utf8'), 'theirs');
    fs.rmSync(lock);
    assert.equal(own.git('diff', '--cached', '--name-only'), '');
  });

  it('says where there is nothing to commit, or nowhere', async () => {
    const problem = async (own: Ground) => {
      const made = await prepareCommit({ run: ID, stateFolder: own.stateFolder });
      return made.type === 'problem' ? made.message : assert.fail('it was prepared');
    };
    const idle = begin({});
    await play(idle, async ({ round }) => round(() => {}));
    assert.match(await problem(idle), /changed no files/);
    const none = ground('none');
    await play(none, async ({ round }) => round(() => none.write('a.txt', 'a\n')));
    assert.match(await problem(none), /is in no git repository/);
    const undone = begin({ 'a.txt': text() });
    await play(undone, async ({ round, add, checkpoints }) => {
      const restored = await checkpoints.snapshot('start');
      await round(() => undone.write('a.txt', text({ 1: 'RUN' })));
      add({ type: 'run.undone', restored, replaced: await checkpoints.snapshot('replaced') });
    });
    assert.match(await problem(undone), /was undone/);
    const merging = begin({ 'a.txt': text() });
    await play(merging, async ({ round }) => round(() => merging.write('b.txt', 'b\n')));
    merging.git('checkout', '--quiet', '-b', 'side');
    merging.write('a.txt', text({ 1: 'side' }));
    merging.git('add', 'a.txt');
    commit(merging, 'side');
    merging.git('checkout', '--quiet', 'main');
    merging.write('a.txt', text({ 1: 'main' }));
    merging.git('add', 'a.txt');
    commit(merging, 'main');
    assert.throws(() => merging.git('-c', 'user.name=U', '-c', 'user.email=u@e', 'merge', '--quiet', 'side'));
    assert.match(await problem(merging), /A merge is not finished: a\.txt/);
  });

  it('is no work between the rounds, and none of a review', () => {
    const at = (tree: string, label: string): LoopEventBody => ({
      type: 'checkpoint.created',
      checkpoint: { id: tree, tree, label },
    });
    const events = stamp([
      at('t0', 'before round 1'),
      { type: 'round.started' },
      at('t1', 'after round 1'),
      at('t2', 'before round 2'),
      { type: 'round.started' },
      at('t3', 'after round 2'),
      { type: 'round.started' },
      at('t3', 'after round 3'),
    ]);
    assert.deepEqual(
      workOf(events).map(({ from, to }) => [from.tree, to.tree]),
      [
        ['t0', 't1'],
        ['t2', 't3'],
      ],
    );
  });
});

describe('the message of a commit', () => {
  const of = (task: string) => {
    const [first, ...rest] = TWO_ROUND_RUN;
    assert.ok(first?.type === 'run.started');
    return commitMessage(reduce(EMPTY_VIEW, [{ ...first, run: { ...first.run, task } }, ...rest]));
  };

  it('says what, how and what was solved, without a trailer', () => {
    assert.equal(
      of('Make the sum test pass.'),
      `Make the sum test pass

Claude Code worked on it in 2 rounds, Gemini CLI reviewed it. Approved
with 9/10 (6 → 9).

Found by the review and solved:
- Strings are joined, not added (src/sum.ts)
- The test has no name
`,
    );
  });

  it('keeps the subject within 72 characters and the body within its width', () => {
    const long = `${'Rewrite the parser so that it takes every kind of number there is '.repeat(3)}\n\nAnd keep   the tests.`;
    const [subject = '', blank, ...body] = of(long).split('\n');
    assert.ok([...subject].length <= 72 && subject.endsWith('…') && !/ …$/.test(subject), subject);
    assert.equal(blank, '');
    for (const line of body) assert.ok([...line].length <= 72, line);
    assert.ok(body.includes('And keep   the tests.'));
    assert.ok([...(of('字'.repeat(200)).split('\n')[0] ?? '')].length <= 72);
  });
});
