import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DEFAULTS } from '../../src/loop/options.ts';
import { startRun } from '../../src/loop/startRun.ts';
import { runIn } from '../../src/workspace/runLock.ts';

const AGENT = path.resolve(import.meta.dirname, '../fakes/writingAgent.mjs');

describe('a run that cannot start', () => {
  let scratch = '';
  beforeEach(() => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-start-')));
    fs.mkdirSync(path.join(scratch, 'project'));
  });
  afterEach(() => fs.rmSync(scratch, { recursive: true, force: true }));

  it('says why and gives the folder back, whatever was in the way', async () => {
    const [folder, stateFolder] = [path.join(scratch, 'project'), path.join(scratch, 'state')];
    const writer = { protocol: 'acp', command: AGENT, env: {}, mcpServers: {} } as const;
    const { TMPDIR } = process.env;
    // Where its reviewer's copy would lie.
    process.env.TMPDIR = path.join(scratch, 'gone');
    try {
      const started = await startRun(
        {
          ...DEFAULTS,
          task: 'Write it.',
          folder,
          executor: 'writer',
          reviewer: 'writer',
          executorModel: null,
          reviewerModel: null,
          permissionMode: 'edits',
          trusted: true,
          interactive: false,
          checks: [],
          stateFolder,
          executablePaths: {},
          agents: { writer },
        },
        new AbortController().signal,
        { files: null, unsaved: null },
      );
      assert.ok(started.type === 'problems', started.type);
      assert.match(started.problems[0]?.what ?? '', /ENOENT.*gone/);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    assert.equal(await runIn({ folder, stateFolder }), null);
  });
});
