import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { after, afterEach, before, describe, it } from 'mocha';
import { say, story } from '../fakes/models/story.ts';
import { markedProcesses } from './harness/processAudit.ts';
import { needRealClis } from './harness/realCli.ts';
import { startProgram } from './harness/terminal.ts';
import { verdict } from './loopStories.ts';
import { GEMINI_MODEL, makeWorld, type World } from './loopWorld.ts';

describe('e2e: agents that are started ahead', function () {
  this.timeout(120_000);
  let scratch = '';
  let program = '';
  let world: World | null = null;

  before(async function () {
    await needRealClis(this);
    scratch = await mkdtemp(path.join(os.tmpdir(), 'cgloop-warm-'));
    program = path.join(scratch, 'warm.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'warmRun.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
  });
  after(() => rm(scratch, { recursive: true, force: true }));
  afterEach(async () => {
    await world?.dispose();
    world = null;
  });

  async function enter() {
    const made = await makeWorld({
      files: { 'README.md': 'A project\n' },
      git: true,
      claude: () => story('one word').next(say('Done.')),
      gemini: () => story('content').next(say(verdict({ score: 9 }))),
    });
    world = made;
    const { project, clis } = made;
    const args = [program, project.folder, GEMINI_MODEL];
    const face = startProgram(process.execPath, args, { cwd: project.folder, env: clis.env, keepOpen: true });
    await face.saw('warming');
    while ((await clis.sessions()).length < 2) await wait(50);
    return { ...made, face };
  }

  it('are the ones that the run works with: two processes, no request before the task, nothing left', async () => {
    const { clis, anthropic, gemini, face, assertPlayedAndGone } = await enter();
    assert.deepEqual([anthropic.exchanges, gemini.exchanges], [[], []], 'nothing is sent to a model ahead');
    face.type('run\n');
    const told = await face.done;
    assert.match(told.stdout, /\{"type":"approved","score":9\}/, told.stderr);
    assert.equal((await clis.sessions()).length, 2);
    await assertPlayedAndGone();
  });

  it('are ended when the idle time is over', async () => {
    const { clis, face } = await enter();
    face.type('idle\n');
    const agents = async () =>
      (await markedProcesses(clis.mark)).filter(({ command }) => /--input-format|--acp/.test(command));
    while ((await agents()).length > 0) await wait(50);
    face.endInput();
    process.kill(face.pid, 'SIGTERM');
    await face.done;
    await clis.assertNothingAlive();
  });
});
