import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as z from 'zod';
import { startAnthropic } from '../fakes/models/anthropic.ts';
import { startGemini } from '../fakes/models/gemini.ts';
import type { ModelServer } from '../fakes/models/modelServer.ts';
import { call, say, story } from '../fakes/models/story.ts';
import { markedProcesses } from './harness/processAudit.ts';
import { makeProject, type Project } from './harness/project.ts';
import { needRealClis, type RealCli, realCli } from './harness/realCli.ts';
import { startProgram, type Terminal } from './harness/terminal.ts';

const line = z.looseObject({
  type: z.string().optional(),
  subtype: z.string().optional(),
  result: z.unknown().optional(),
  id: z.number().optional(),
});

describe('e2e: the real CLIs against the model servers', () => {
  let anthropic: ModelServer;
  let gemini: ModelServer;
  let clis: RealCli;
  let project: Project;

  before(function () {
    return needRealClis(this);
  });
  beforeEach(async () => {
    anthropic = await startAnthropic(story('nothing yet'));
    gemini = await startGemini(story('nothing yet'));
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url });
    project = await makeProject({ 'README.md': 'A project\n' }, { git: false });
  });
  afterEach(async () => {
    for (const one of [clis, project]) await one?.dispose();
    for (const server of [anthropic, gemini]) await server?.close();
  });

  const start = (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startProgram(command, args, { cwd: project.folder, env: { ...clis.env, ...env }, keepOpen: true });
  const send = (to: Terminal, message: object) => to.type(`${JSON.stringify(message)}\n`);
  const lines = (of: Terminal) =>
    of
      .stdout()
      .trim()
      .split('\n')
      .map((text) => line.parse(JSON.parse(text)));

  it('Claude Code keeps one process over two turns, writes a file, and ends with its input', async () => {
    anthropic.tell(
      story('two turns')
        .when({ prompt: 'Write hello.txt', afterTool: false })
        .reply(say('I write it.'), call('Write', { file_path: project.file('hello.txt'), content: 'hi\n' }))
        .when({ afterTool: 'Write', toolFailed: false })
        .reply(say('Written.'))
        .when({ prompt: 'And now?' })
        .reply(say('Nothing more.')),
    );
    const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const claude = start(clis.claudePath, ['-p', ...format, '--permission-mode', 'acceptEdits']);
    send(claude, { type: 'user', message: { role: 'user', content: 'Write hello.txt' } });
    await claude.saw(/"result":"Written\."/);
    send(claude, { type: 'user', message: { role: 'user', content: 'And now?' } });
    await claude.saw(/"result":"Nothing more\."/);
    const alive = await markedProcesses(clis.mark);
    assert.ok(alive.some(({ pid, command }) => pid === claude.pid && command.includes('--input-format')));
    claude.endInput();
    assert.equal((await claude.done).code, 0);
    assert.equal(await project.read('hello.txt'), 'hi\n');
    assert.equal(lines(claude).filter((one) => one.type === 'result' && one.subtype === 'success').length, 2);
    assert.deepEqual([anthropic.beyondScript(), anthropic.unplayed()], [[], []]);
    assert.deepEqual(
      (await clis.sessions()).map(({ program, pid }) => [program, pid]),
      [['claude', claude.pid]],
    );
    await clis.assertNothingAlive();
  });

  it('Gemini CLI answers a prompt over ACP, and is gone after SIGTERM', async () => {
    gemini.tell(story('one prompt').when({ prompt: 'Say hello' }).reply(say('Hello from Gemini.')));
    const agent = start(clis.geminiPath, ['--acp', '-m', 'gemini-2.5-flash'], { GEMINI_CLI_NO_RELAUNCH: '1' });
    const request = (id: number, method: string, params: object) => send(agent, { jsonrpc: '2.0', id, method, params });
    request(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    await agent.saw('"version":"0.61.0"');
    request(1, 'session/new', { cwd: project.folder, mcpServers: [] });
    await agent.saw('"sessionId"');
    const made = z.looseObject({ sessionId: z.string() }).parse(lines(agent).find((one) => one.id === 1)?.result);
    const prompt = [{ type: 'text', text: 'Say hello' }];
    request(2, 'session/prompt', { sessionId: made.sessionId, prompt });
    await agent.saw('Hello from Gemini.');
    await agent.saw('"stopReason":"end_turn"');
    assert.deepEqual([gemini.beyondScript(), gemini.unplayed()], [[], []]);
    process.kill(agent.pid, 'SIGTERM');
    await agent.done;
    assert.equal((await clis.sessions()).length, 1);
    await clis.assertNothingAlive();
  });

  it('both tell their pinned version, and ask no server for it', async () => {
    const versions = await Promise.all(
      [clis.claudePath, clis.geminiPath].map((program) => start(program, ['--version']).done),
    );
    assert.deepEqual(
      versions.map((one) => one.stdout.trim()),
      ['2.1.197 (Claude Code)', '0.61.0'],
    );
    assert.deepEqual([anthropic.others, gemini.others, anthropic.exchanges, gemini.exchanges], [[], [], [], []]);
  });
});
