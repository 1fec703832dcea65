import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { CLAUDE_DEPS, createClaudeAgent } from '../../src/agent/claudeCli.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import { startAnthropic } from '../fakes/models/anthropic.ts';
import type { ModelServer } from '../fakes/models/modelServer.ts';
import { call, say, story } from '../fakes/models/story.ts';
import { makeProject, type Project } from './harness/project.ts';
import { needRealClis, type RealCli, realCli } from './harness/realCli.ts';

const FILES = {
  'lf.txt': 'one\ntwo\nthree\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'bom.txt': '\ufeffone\ntwo\nthree\n',
};

describe('e2e: the person changes what Claude Code proposes', function () {
  this.timeout(60_000);
  let anthropic: ModelServer;
  let clis: RealCli;
  let project: Project;

  before(function () {
    return needRealClis(this);
  });
  beforeEach(async () => {
    anthropic = await startAnthropic(story('nothing yet'));
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: anthropic.url });
    project = await makeProject(FILES, { git: false });
  });
  afterEach(async () => {
    for (const one of [clis, project]) await one?.dispose();
    await anthropic?.close();
  });

  /** One turn of Claude Code; `answer` settles its questions. Gives those that were asked. */
  async function turn(answer: (request: PermissionRequest) => PermissionAnswer): Promise<readonly PermissionRequest[]> {
    const asked: PermissionRequest[] = [];
    const agent = createClaudeAgent(
      {
        launch: {
          ref: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
          command: clis.claudePath,
          args: [],
          env: {},
        },
        role: 'execute',
        folder: project.folder,
        mode: 'ask',
        trusted: true,
        model: null,
        permissions: {
          request: async (request) => {
            asked.push(request);
            return answer(request);
          },
        },
        emit: () => {},
      },
      { ...CLAUDE_DEPS, env: clis.env },
    );
    await agent.ready();
    const { outcome } = await agent.prompt('Do it', new AbortController().signal);
    await agent.dispose();
    assert.deepEqual(outcome, { type: 'completed' });
    assert.deepEqual([anthropic.beyondScript(), anthropic.unplayed()], [[], []]);
    return asked;
  }
  const allowing = (changedText: string): PermissionAnswer => ({ outcome: 'selected', optionId: 'allow', changedText });

  for (const [name, wanted, onDisk] of [
    ['lf.txt', 'ONE\ntwo\nthree, and more\n', 'ONE\ntwo\nthree, and more\n'],
    ['crlf.txt', 'ONE\r\ntwo\r\nthree, and more\r\n', 'ONE\r\ntwo\r\nthree, and more\r\n'],
    ['bom.txt', '\ufeffONE\ntwo\nthree, and more\n', '\ufeffONE\ntwo\nthree, and more\n'],
  ] as const) {
    it(`an Edit of ${name}: the whole file is as the person left it`, async () => {
      const file = project.file(name);
      anthropic.tell(
        story('reads, then edits')
          .next(call('Read', { file_path: file }))
          .next(call('Edit', { file_path: file, old_string: 'one', new_string: 'uno' }))
          .when({ afterTool: 'Edit', toolFailed: false })
          .reply(say('Edited.')),
      );
      const asked = await turn(() => allowing(wanted));
      assert.deepEqual(
        asked.map((request) => request.takesChange),
        [true],
      );
      assert.equal(await project.read(name), onDisk);
    });
  }

  it('a Write of a new file, and one over a file that was read', async () => {
    const [fresh, old] = [project.file('new.txt'), project.file('crlf.txt')];
    anthropic.tell(
      story('writes twice')
        .next(call('Write', { file_path: fresh, content: 'proposed\n' }))
        .next(call('Read', { file_path: old }))
        .next(call('Write', { file_path: old, content: 'proposed\n' }))
        .when({ afterTool: 'Write', toolFailed: false })
        .reply(say('Written.')),
    );
    await turn(({ paths }) => allowing(paths[0] === fresh ? 'for new\n' : 'for old\r\n'));
    assert.deepEqual([await project.read('new.txt'), await project.read('crlf.txt')], ['for new\n', 'for old\r\n']);
  });
});
