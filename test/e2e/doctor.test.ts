import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { startAnthropic } from '../fakes/models/anthropic.ts';
import { startGemini } from '../fakes/models/gemini.ts';
import type { ModelServer } from '../fakes/models/modelServer.ts';
import { story } from '../fakes/models/story.ts';
import { makeProject, type Project } from './harness/project.ts';
import { DUMMY_KEYS, needRealClis, type RealCli, type RealCliOptions, realCli } from './harness/realCli.ts';
import { runCgloop } from './harness/terminal.ts';

const report = z.object({
  ok: z.boolean(),
  sections: z.array(
    z.object({
      agent: z.string().nullable(),
      lines: z.array(z.looseObject({ topic: z.string(), level: z.string(), what: z.string(), fix: z.string() })),
    }),
  ),
});

/** `cgloop doctor` on the real CLIs. No model is asked: the story of both servers is empty. */
describe('e2e: cgloop doctor', function () {
  this.timeout(120_000);
  let anthropic: ModelServer;
  let gemini: ModelServer;
  let clis: RealCli | undefined;
  let project: Project;

  before(function () {
    return needRealClis(this);
  });
  beforeEach(async () => {
    anthropic = await startAnthropic(story('no turn'));
    gemini = await startGemini(story('no turn'));
    project = await makeProject({ 'README.md': 'A project\n' }, { git: true });
  });
  afterEach(async () => {
    await clis?.dispose();
    clis = undefined;
    await project?.dispose();
    for (const server of [anthropic, gemini]) await server?.close();
  });

  const install = async (more: Partial<RealCliOptions> = {}): Promise<RealCli> => {
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url, ...more });
    return clis;
  };
  const doctor = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const { code, stdout, stderr } = await runCgloop(['doctor', '--json', ...args], { cwd: project.folder, env }).done;
    assert.equal(stderr, '');
    const { ok, sections } = report.parse(JSON.parse(stdout));
    assert.equal(code, ok ? 0 : 1);
    for (const server of [anthropic, gemini]) assert.deepEqual(server.exchanges, [], 'the doctor makes no turn');
    assert.ok(!stdout.includes(DUMMY_KEYS.anthropic) && !stdout.includes(DUMMY_KEYS.gemini));
    const line = (agent: string | null, topic: string) => {
      const found = sections.find((one) => one.agent === agent)?.lines.find((one) => one.topic === topic);
      return found ?? assert.fail(`${agent} ${topic} in ${stdout}`);
    };
    return { ok, sections, line };
  };

  it('finds both in order; whether a key is accepted is not knowable without a turn (a 401 would show there)', async () => {
    const { env, assertNothingAlive } = await install();
    const { ok, sections, line } = await doctor(env, '--trust');
    const levels = sections.flatMap(({ agent, lines }) =>
      lines.map(({ topic, level }) => `${agent ?? 'folder'} ${topic} ${level}`),
    );
    assert.deepEqual(levels, [
      ...['program', 'version', 'start', 'signIn'].map((topic) => `claude ${topic} ok`),
      // What Gemini CLI's wire does not carry is told; of Claude Code there is nothing to tell.
      ...['program', 'version', 'start', 'signIn', 'shown'].map((topic) => `gemini ${topic} ok`),
      'folder trust ok',
      'folder git ok',
    ]);
    assert.equal(ok, true);
    assert.match(line('claude', 'version').what, /2\.1\.197.*tested/);
    assert.match(line('gemini', 'version').what, /0\.61\.0.*tested/);
    assert.match(line('claude', 'signIn').what, /ANTHROPIC_API_KEY.*shows in the first turn/);
    assert.match(line('gemini', 'signIn').what, /GEMINI_API_KEY.*shows in the first turn/);
    await assertNothingAlive();
  });

  it('names a missing Claude Code and where it was looked for, and Gemini CLI without a key (cases C06, C47)', async () => {
    const { env, home, assertNothingAlive } = await install({ without: 'claude' });
    const { GEMINI_API_KEY: _, ...keyless } = env;
    const { ok, line } = await doctor(keyless);
    assert.equal(ok, false);
    const program = line('claude', 'program');
    assert.equal(program.level, 'problem');
    assert.ok(program.what.includes(path.join(home, 'bin')), program.what);
    assert.match(program.fix, /npm i -g @anthropic-ai\/claude-code.*cgloop\.executablePaths/);
    const signIn = line('gemini', 'signIn');
    assert.equal(signIn.level, 'problem');
    assert.match(signIn.what, /API key is missing/);
    assert.match(signIn.fix, /API key/);
    assert.deepEqual([line('gemini', 'start').level, line('gemini', 'version').level], ['ok', 'ok']);
    assert.equal(line(null, 'trust').level, 'warning');
    await assertNothingAlive();
  });

  it('starts no Gemini CLI that would open a browser, and names the personal Google login', async () => {
    const { env, home, sessions, assertNothingAlive } = await install();
    const settings = { security: { auth: { selectedType: 'oauth-personal' } } };
    await writeFile(path.join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const { line } = await doctor(env);
    const signIn = line('gemini', 'signIn');
    assert.equal(signIn.level, 'problem');
    assert.match(signIn.what, /GEMINI_API_KEY is not used/);
    assert.match(signIn.fix, /Vertex AI.*another reviewer/);
    assert.deepEqual(
      (await sessions()).map(({ program }) => program),
      ['claude'],
    );
    await assertNothingAlive();
  });
});
