import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { createWebviewFeed } from '../../src/host/webviewFeed.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { writeReport } from '../../src/loop/reportRun.ts';
import { startRun } from '../../src/loop/startRun.ts';
import { IDLE } from '../host/windowState.ts';

const KEY = 'planted-key-0123456789';
const PEER = path.resolve(import.meta.dirname, '../fakes/tellKey.mjs');

/** Every file below the folder that holds the text. */
function holding(folder: string, text: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name), 'latin1').includes(text));
}

describe('a key of the person', function () {
  this.timeout(30_000);
  let scratch = '';
  beforeEach(() => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-secrets-')));
    fs.mkdirSync(path.join(scratch, 'project'));
  });
  afterEach(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

  it('reaches its agent’s process alone, and neither log, trace, report nor the page, even when the agent tells it', async () => {
    const stateFolder = path.join(scratch, 'state');
    const peer = { protocol: 'claude-stream-json', command: PEER, env: {}, mcpServers: {} } as const;
    const options: RunOptions = {
      ...DEFAULTS,
      task: 'Tell',
      folder: path.join(scratch, 'project'),
      executor: 'holder',
      reviewer: 'other',
      executorModel: null,
      reviewerModel: null,
      rounds: 1,
      permissionMode: 'edits',
      trusted: false,
      interactive: false,
      stateFolder,
      executablePaths: {},
      agents: { holder: peer, other: peer },
      secrets: { holder: { PLANTED_KEY: KEY } },
      trace: true,
    };
    const services = { files: createNodeFs(), unsaved: null };
    const started = await startRun(options, new AbortController().signal, services);
    assert.equal(started.type, 'started', JSON.stringify(started));
    if (started.type !== 'started') return;
    const { run } = started;
    await run.done;

    const said = (role: string) =>
      run.log.events.flatMap((event) =>
        (event.type === 'message.chunk' || event.type === 'message.replaced') && event.role === role
          ? [event.derived.text]
          : [],
      );
    assert.match(said('execute').join(), /^My key is \[redacted\]\. x+ \[redacted\]/, 'it had the key');
    assert.match(said('review').join(), /^My key is nothing\./, 'the other had not');

    const posted: unknown[] = [];
    const feed = createWebviewFeed(
      { run: () => ({ id: run.id, events: run.log.events }), state: () => IDLE },
      (message) => posted.push(message),
    );
    feed.ready(null, 0);
    assert.ok(posted.length > 1);
    assert.ok(!JSON.stringify(posted).includes(KEY), 'the page');

    const { secrets = {} } = options;
    await writeReport({ directory: run.directory, stateFolder, doctor: null, versions: {}, secrets });
    const names = fs.readdirSync(stateFolder, { recursive: true, encoding: 'utf8' });
    for (const name of ['log.jsonl', 'trace.jsonl', 'report.md'])
      assert.ok(
        names.some((one) => one.endsWith(name)),
        name,
      );
    assert.deepEqual(holding(stateFolder, KEY), []);
    assert.deepEqual(holding(options.folder, KEY), []);
  });
});
