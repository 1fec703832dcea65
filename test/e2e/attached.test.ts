import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ModelServer } from '../fakes/models/modelServer.ts';
import { type Step, say, story } from '../fakes/models/story.ts';
import { needRealClis } from './harness/realCli.ts';
import { startProgram } from './harness/terminal.ts';
import { verdict } from './loopStories.ts';
import { GEMINI_MODEL, makeWorld, type World } from './loopWorld.ts';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILES = {
  'src/a.ts': 'line one\nline two\nline three\nline four\n',
  'notes.md': 'What the notes say.\n',
  '.claude/commands/greet.md': 'Greet $ARGUMENTS in the words of this project.\n',
};
const TASK = 'Say what you see in @src/a.ts:2-3 and @notes.md, not @gone.md.';

describe('e2e: what goes with a task', function () {
  this.timeout(120_000);
  let scratch = '';
  let program = '';
  let world: World | null = null;

  before(async function () {
    await needRealClis(this);
    scratch = await mkdtemp(path.join(os.tmpdir(), 'cgloop-attached-'));
    program = path.join(scratch, 'attached.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'attachedRun.ts')],
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

  const CLAUDE = { executor: 'claude', reviewer: 'gemini', executorModel: null, reviewerModel: GEMINI_MODEL };
  const GEMINI = { ...CLAUDE, executor: 'gemini', executorModel: GEMINI_MODEL };

  /** Two rounds where the executor's model is asked twice; the review of the first one is not content. */
  async function run(
    agents: Readonly<Record<keyof typeof CLAUDE, string | null>>,
    asked: { readonly task: string; readonly images?: object[] },
  ) {
    const works = [say('I see.'), say('I see more.')] as const;
    const reviews = [say(verdict({ score: 5 })), say(verdict({ score: 9 }))] as const;
    const isClaude = agents.executor === 'claude';
    const both = [works[0], reviews[0], works[1], reviews[1]];
    const told = (steps: readonly Step[]) => () => steps.reduce((before, step) => before.next(step), story('speaks'));
    const made = await makeWorld({
      files: FILES,
      git: true,
      claude: told(isClaude ? works : []),
      gemini: told(isClaude ? reviews : both),
    });
    world = made;
    const { project, clis } = made;
    const options = JSON.stringify({ ...agents, folder: project.folder, rounds: 2, ...asked });
    const face = await startProgram(process.execPath, [program, options], { cwd: project.folder, env: clis.env }).done;
    const lines = face.stdout.trim().split('\n');
    const { ending, warnings } = JSON.parse(lines.at(-1) ?? '{}');
    assert.deepEqual(ending, { type: 'approved', score: 9 }, face.stderr);
    assert.deepEqual(warnings, []);
    await made.assertPlayedAndGone();
    return { executor: isClaude ? made.anthropic : made.gemini, reviewer: made.gemini, project };
  }

  /** Without what is asked around the conversation: Gemini CLI counts the tokens of an image first. */
  const turns = (server: ModelServer) =>
    server.exchanges.map(({ request }) => request).filter(({ kind }) => kind === 'main');
  const bodies = (server: ModelServer) => turns(server).map(({ raw }) => raw);

  it('reaches the model of Claude Code with the first prompt alone, and its reviewer knows of it', async () => {
    const images = [{ name: 'shot.png', mimeType: 'image/png', data: PNG }];
    const { executor, reviewer, project } = await run(CLAUDE, { task: TASK, images });
    const [first = '', second = ''] = bodies(executor);
    assert.match(first, /"type":"image","source":\{"type":"base64","media_type":"image\/png"/);
    assert.ok(first.includes(`Attached from ${project.file('src/a.ts')}, lines 2-3:`));
    assert.match(first, /line two\\nline three/);
    assert.doesNotMatch(first, /line four/);
    assert.ok(first.includes(`Attached file, to be read from the disk: ${project.file('notes.md')}`));
    const times = (text: string) => text.split('"media_type":"image/png"').length - 1;
    assert.deepEqual([times(first), times(second)], [1, 1], 'the second prompt adds none to the conversation');
    const asked = turns(reviewer)[0]?.prompt ?? '';
    assert.match(asked, /src\/a\.ts:2-3\nnotes\.md\nshot\.png \(image\/png\)/);
  });

  it('reaches the model of Gemini CLI over ACP: a file is read by Gemini CLI, and lines of one come as they stand', async () => {
    const { executor, reviewer } = await run(GEMINI, { task: TASK });
    const [first = ''] = bodies(executor);
    assert.match(first, /src\/a\.ts#L2-3:\\n"\},\{"text":"line two\\nline three"/);
    assert.match(first, /What the notes say/);
    assert.match(turns(reviewer)[1]?.prompt ?? '', /src\/a\.ts:2-3\nnotes\.md/);
  });

  it('loses no image beside a file with Gemini CLI, which would drop it', async () => {
    const images = [{ name: 'shot.png', mimeType: 'image/png', data: PNG }];
    const { executor, project } = await run(GEMINI, { task: TASK, images });
    const [first = ''] = bodies(executor);
    assert.ok(first.includes(`"inlineData":{"data":"${PNG}"`), 'the image');
    assert.match(first, /line two\\nline three/);
    assert.ok(first.includes(`Attached file, to be read from the disk: ${project.file('notes.md')}`));
  });

  it('leaves a command of Claude Code’s own as it stands, so that Claude Code carries it out', async () => {
    const { executor } = await run(CLAUDE, { task: '/greet the reader' });
    const [first] = executor.exchanges.map(({ request }) => request.conversation);
    assert.match(first ?? '', /Greet the reader in the words of this project\./);
    assert.doesNotMatch(first ?? '', /# Task/);
  });
});
