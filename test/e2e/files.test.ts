import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as z from 'zod';
import { call, say, story } from '../fakes/models/story.ts';
import { startProgram } from './harness/terminal.ts';
import { judge } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, useWorlds } from './loopWorld.ts';

const ROLES = ['--executor', 'gemini', '--model', GEMINI_MODEL, '--reviewer', 'claude', '-n', '1', '--trust'];
const CRLF = 'one\r\ntwo\r\nthree\r\n';
const BOM = '\uFEFFclass A {}\n';

const event = z.looseObject({ type: z.string() });
const served = z.object({
  type: z.literal('file.served'),
  path: z.string(),
  operation: z.string(),
  bytes: z.number(),
  result: z.string(),
});

describe('e2e: Gemini CLI’s files through our service', function () {
  this.timeout(120_000);
  const enter = useWorlds({ files: { 'crlf.txt': CRLF, 'bom.cs': BOM }, git: true });

  it('C62: creates with write_file and with replace, edits and replaces, and each file keeps its form (P24, P28, P29, P45, P48)', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      gemini: (at) =>
        story('creates, edits and replaces')
          .next(call('write_file', { file_path: at.file('made.txt'), content: 'made\n' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(replace(at.file('new/replaced.txt'), '', 'made by replace\n'))
          .when({ afterTool: 'replace', toolFailed: false })
          .reply(replace(at.file('crlf.txt'), 'two', 'TWO'))
          .when({ afterTool: 'replace', toolFailed: false })
          .reply(call('write_file', { file_path: at.file('bom.cs'), content: 'class B {}\n' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(call('write_file', { file_path: at.file('crlf.txt'), content: 'x\ny\n' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(say('All five are done.')),
      claude: () => story('the reviewer').next(...judge({ score: 9 })),
    });
    const told = await cgloop([...ROLES, '--permission', 'edits', '--output', 'stream-json', 'Write five files.']).done;
    assert.equal(told.code, 0, told.stderr);
    assert.equal(await project.read('made.txt'), 'made\n');
    assert.equal(await project.read('new/replaced.txt'), 'made by replace\n');
    assert.equal(await project.read('crlf.txt'), 'x\r\ny\r\n');
    assert.equal(await project.read('bom.cs'), '\uFEFFclass B {}\n');

    const events = told.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => event.parse(JSON.parse(line)));
    const files = events.flatMap((one) => (one.type === 'file.served' ? [served.parse(one)] : []));
    const writes = files.filter(({ operation }) => operation === 'write');
    assert.deepEqual(
      writes.map((one) => [path.relative(project.folder, one.path), one.result]),
      ['made.txt', 'new/replaced.txt', 'crlf.txt', 'bom.cs', 'crlf.txt'].map((name) => [name, 'disk']),
    );
    assert.ok(files.some(({ operation, result }) => operation === 'read' && result === 'missing'));
    await assertPlayedAndGone();
    await undo(told);
  });

  it('asks on a terminal: what is allowed is written through us, what is denied is not', async () => {
    const { project, cgloop, assertPlayedAndGone, undo } = await enter({
      gemini: (at) =>
        story('wants two files')
          .next(call('write_file', { file_path: at.file('wanted.txt'), content: 'yes\n' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(call('write_file', { file_path: at.file('unwanted.txt'), content: 'no\n' }))
          .when({ afterTool: true })
          .reply(say('Only one of the two.')),
      claude: () => story('the reviewer').next(...judge({ score: 4 })),
    });
    const run = cgloop([...ROLES, 'Write two files.'], { tty: true });
    await run.saw(/\? Gemini CLI asks: .*\bwanted\.txt/);
    await pressUntil(run, 'y', /you: Allow – .*\bwanted\.txt/);
    await run.saw(/\? Gemini CLI asks: .*unwanted\.txt/);
    await pressUntil(run, 'n', /you: (Reject|Deny)[^\n]* – .*unwanted\.txt/);
    const told = await run.done;
    assert.equal(told.code, 3, told.stdout);
    assert.equal(await project.read('wanted.txt'), 'yes\n');
    await assert.rejects(project.read('unwanted.txt'));
    await assertPlayedAndGone();
    await undo(told);
  });

  it('C62: still takes no error object for "there is no such file": when this fails, the quirk may go', async () => {
    const { project, clis, gemini } = await enter({
      gemini: (at) =>
        story('one new file')
          .next(call('write_file', { file_path: at.file('made.txt'), content: 'made\n' }))
          .when({ afterTool: 'write_file' })
          .reply(say('Tried.')),
    });
    const agent = startProgram(clis.geminiPath, ['--acp', '-m', GEMINI_MODEL], {
      cwd: project.folder,
      env: { ...clis.env, GEMINI_CLI_NO_RELAUNCH: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      keepOpen: true,
    });
    const send = (message: object) => agent.type(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const fs = { readTextFile: true, writeTextFile: true };
    send({ id: 'a', method: 'initialize', params: { protocolVersion: 1, clientCapabilities: { fs } } });
    await agent.saw('"version":"0.61.0"');
    send({ id: 'b', method: 'session/new', params: { cwd: project.folder, mcpServers: [] } });
    const session = await sessionOf(agent);
    send({ id: 'c', method: 'session/set_mode', params: { sessionId: session, modeId: 'autoEdit' } });
    await agent.saw('"id":"c"');
    send({
      id: 'd',
      method: 'session/prompt',
      params: { sessionId: session, prompt: [{ type: 'text', text: 'Go.' }] },
    });
    await agent.saw('fs/read_text_file');
    const message = `Resource not found: ${project.file('made.txt')}`;
    send({ id: 0, error: { code: -32002, message, data: { uri: project.file('made.txt') } } });
    await agent.saw(/fs\/write_text_file|"stopReason":"end_turn"/);
    assert.doesNotMatch(
      agent.stdout(),
      /fs\/write_text_file/,
      'Gemini CLI understands -32002 now: take its quirk "errorWire" out of src/agent/quirks.ts from this version on',
    );
    assert.match(agent.stdout(), /Error checking existing file/);
    assert.deepEqual(gemini.beyondScript(), []);
    process.kill(agent.pid, 'SIGTERM');
    await agent.done;
    await clis.assertNothingAlive();
  });
});

const replace = (file: string, before: string, after: string) =>
  call('replace', { file_path: file, old_string: before, new_string: after, instruction: 'As it was asked for.' });

async function sessionOf(agent: { saw(pattern: RegExp): Promise<unknown>; stdout(): string }): Promise<string> {
  await agent.saw(/"sessionId":"[^"]+"/);
  const [, session = ''] = /"sessionId":"([^"]+)"/.exec(agent.stdout()) ?? [];
  return session;
}
