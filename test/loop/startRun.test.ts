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

  const start = (command: string, cancel: AbortSignal) => {
    const agent = { protocol: 'acp', command, env: {}, mcpServers: {} } as const;
    return startRun(
      {
        ...DEFAULTS,
        task: 'Write it.',
        folder: path.join(scratch, 'project'),
        executor: 'writer',
        reviewer: 'writer',
        executorModel: null,
        reviewerModel: null,
        permissionMode: 'edits',
        trusted: true,
        interactive: false,
        checks: [],
        stateFolder: path.join(scratch, 'state'),
        executablePaths: {},
        agents: { writer: agent },
      },
      cancel,
      { files: null, unsaved: null },
    );
  };
  const holder = () => runIn({ folder: path.join(scratch, 'project'), stateFolder: path.join(scratch, 'state') });

  it('says why and gives the folder back, whatever was in the way', async () => {
    const { TMPDIR } = process.env;
    // Where its reviewer's copy would lie.
    process.env.TMPDIR = path.join(scratch, 'gone');
    try {
      const started = await start(AGENT, new AbortController().signal);
      assert.ok(started.type === 'problems', started.type);
      assert.match(started.problems[0]?.what ?? '', /ENOENT.*gone/);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    assert.equal(await holder(), null);
  });

  it('starts no agent when it was cancelled while the folder was looked at', async function () {
    if (process.platform === 'win32') this.skip(); // The agent is a shell script.
    const agent = path.join(scratch, 'agent.sh');
    // One that comes up and never answers.
    fs.writeFileSync(agent, `#!/bin/sh\ntouch '${scratch}/started'\nexec cat\n`, { mode: 0o700 });
    const cancel = new AbortController();
    cancel.abort();
    assert.deepEqual(await start(agent, cancel.signal), { type: 'cancelled' });
    assert.equal(await holder(), null);
    assert.ok(!fs.existsSync(path.join(scratch, 'started')));
  });
});
