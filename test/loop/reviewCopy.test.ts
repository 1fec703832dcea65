import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { ledgerOf } from '../../src/loop/findings.ts';
import { DEFAULTS } from '../../src/loop/options.ts';
import { makeReviewCopy } from '../../src/loop/reviewCopy.ts';
import { startRun } from '../../src/loop/startRun.ts';

const AGENT = path.resolve(import.meta.dirname, '../fakes/writingAgent.mjs');

describe('a reviewer without a mode in which it only reads', function () {
  this.timeout(60_000);
  let scratch = '';
  beforeEach(() => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-copy-')));
    fs.mkdirSync(path.join(scratch, 'project'));
    fs.writeFileSync(path.join(scratch, 'project', 'README.md'), 'A project\n');
  });
  afterEach(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

  it('works on a copy of the checkpoint, new each round, and leaves the person’s folder as it is', async () => {
    const folder = path.join(scratch, 'project');
    const writer = { protocol: 'acp', command: AGENT, env: {}, mcpServers: {} } as const;
    const started = await startRun(
      {
        ...DEFAULTS,
        task: 'Write it.',
        folder,
        executor: 'writer',
        reviewer: 'other',
        executorModel: null,
        reviewerModel: null,
        permissionMode: 'edits',
        trusted: true,
        interactive: false,
        checks: [],
        stateFolder: path.join(scratch, 'state'),
        executablePaths: {},
        agents: { writer, other: writer },
      },
      new AbortController().signal,
      { files: createNodeFs(), unsaved: null },
    );
    assert.ok(started.type === 'started', JSON.stringify(started));
    const { run } = started;
    assert.deepEqual(await run.done, { type: 'approved', score: 9 });
    assert.deepEqual(fs.readdirSync(folder).toSorted(), ['README.md', 'work.txt']);
    assert.equal(fs.readFileSync(path.join(folder, 'work.txt'), 'utf8'), 'round 2\n');

    const reports = run.log.events.flatMap((event) =>
      event.type === 'review.scored' ? event.verdict.findings.map(({ detail }) => JSON.parse(detail)) : [],
    );
    assert.deepEqual(
      reports.map(({ files, before, isCopy }) => [files, before, isCopy]),
      [
        [['README.md', 'work.txt'], 'round 1\n', true],
        [['README.md', 'work.txt'], 'round 2\n', true],
      ],
    );
    for (const { folder: copy, cwd } of reports) {
      assert.equal(cwd, copy);
      assert.ok(path.relative(folder, copy).startsWith('..'), copy);
      assert.ok(!fs.existsSync(copy), 'it is gone with the run');
    }
    const [finding] = ledgerOf(run.log.events);
    assert.deepEqual([finding?.file, finding?.anchor], ['work.txt', 'round 2'], 'paths are those of the folder');
  });

  it('gets no copy inside the folder that it is of, wherever that lies', () => {
    const state = path.join(scratch, 'state');
    fs.mkdirSync(state);
    const copy = makeReviewCopy(fs.realpathSync(os.tmpdir()), state);
    assert.ok(copy.folder.startsWith(state));
    const other = makeReviewCopy(path.join(scratch, 'project'), state);
    assert.ok(other.folder.startsWith(fs.realpathSync(os.tmpdir())));
    fs.rmSync(other.folder, { recursive: true });
  });
});
