import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { FileService } from '../../src/scheduler/fileService.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import { permission } from '../fakes/acpPeer.ts';
import { type FilesGround, type FilesGroundOptions, startFilesGround } from '../fakes/filesGround.ts';
import { clear, temporary } from '../workspace/grounds.ts';

const READ = 'fs/read_text_file';
const WRITE = 'fs/write_text_file';

describe('the files that an agent asks for', () => {
  let folder: string;
  let ground: FilesGround;

  const file = (name: string) => path.join(folder, name);
  const start = async (options: Partial<FilesGroundOptions> = {}) => {
    ground = await startFilesGround({ folder, files: createNodeFs(), ...options });
  };
  const write = (name: string, content = 'agent\n') => ground.ask(WRITE, { path: file(name), content });
  const codeOf = ({ error }: WireObject): Json | undefined => (isWireObject(error) ? error.code : undefined);
  const messageOf = ({ error }: WireObject) => String(isWireObject(error) ? error.message : '');
  const served = () =>
    ground.events.flatMap((event) =>
      event.type === 'file.served'
        ? [`${event.operation} ${path.relative(folder, event.path)} ${event.bytes} ${event.result}`]
        : [],
    );
  const questions = () => ground.events.flatMap((event) => (event.type === 'permission.requested' ? [event] : []));
  const answers = () =>
    ground.events.flatMap((event) => (event.type === 'permission.resolved' ? [`${event.by}: ${event.why}`] : []));
  const text = (name: string) => fs.readFileSync(file(name), 'utf8');

  beforeEach(() => {
    folder = temporary();
    fs.writeFileSync(file('a.txt'), 'mine\n');
  });
  afterEach(async () => {
    await ground.end();
    clear();
  });

  it('are served, and each is one event', async () => {
    await start();
    assert.deepEqual((await ground.ask(READ, { path: file('a.txt') })).result, { content: 'mine\n' });
    assert.equal((await write('sub/new.txt', 'ü\n')).result, null);
    assert.equal(codeOf(await ground.ask(READ, { path: file('none.txt') })), -32002);
    assert.equal(codeOf(await ground.ask(READ, { path: 'a.txt' })), -32602);
    assert.deepEqual(served(), [
      'read a.txt 5 disk',
      'write sub/new.txt 3 disk',
      'read none.txt 0 missing',
      `read ${path.relative(folder, 'a.txt')} 0 invalid`,
    ]);
    assert.deepEqual(questions(), [], 'the mode allows edits');
  });

  it('do not make a missing file a failure that the person is shown', async () => {
    await start();
    await ground.ask(READ, { path: file('none.txt') });
    const moves = ground.events.flatMap((event) => (event.type === 'request.moved' ? [event.state] : []));
    assert.deepEqual(moves, ['validating', 'scheduled', 'executing', 'success']);
  });

  it('P22: are those of our session only', async () => {
    await start();
    const answer = await ground.ask(READ, { sessionId: 'nope', path: file('a.txt') });
    assert.deepEqual([codeOf(answer), messageOf(answer)], [-32602, 'Session not found: nope']);
    assert.deepEqual(served(), []);
  });

  it('are written in the mode Ask only after the person allowed this file in this turn', async () => {
    await start({ mode: 'ask', interactive: true });
    ground.peer.send(grantRequest('x1', 'a.txt'));
    ground.answer((await ground.question()).permissionId, 'proceed_once');
    assert.equal((await ground.peer.next()).id, 'x1');
    assert.equal((await write('a.txt')).result, null);
    assert.equal(questions().length, 1, 'it was allowed already');

    await ground.nextTurn();
    const late = write('a.txt', 'later\n');
    const question = await ground.question();
    assert.equal(text('a.txt'), 'agent\n');
    assert.deepEqual(question.derived.content, [
      { type: 'diff', path: file('a.txt'), oldText: 'agent\n', newText: 'later\n' },
    ]);
    assert.equal(question.derived.title, 'Write a.txt');
    ground.answer(question.permissionId, 'allow');
    assert.equal((await late).result, null);
    assert.equal(text('a.txt'), 'later\n');
  });

  it('C20, acp-02d: are asked for by us when the agent leaves its question out, and denied the agent is told so', async () => {
    await start({ mode: 'ask', interactive: true });
    const work = write('a.txt', 'EVIL\n');
    const { permissionId } = await ground.question();
    ground.answer(permissionId, 'deny');
    const answer = await work;
    assert.deepEqual([codeOf(answer), messageOf(answer)], [-32603, `Writing ${file('a.txt')} was not allowed.`]);
    assert.equal(text('a.txt'), 'mine\n');
    assert.deepEqual(served(), ['write a.txt 0 notAllowed']);
  });

  it('are written without a question after "always", but for protected places (acp-26d-edit-always)', async () => {
    await start({ mode: 'ask', interactive: true });
    ground.peer.send(grantRequest('x1', 'a.txt'));
    ground.answer((await ground.question()).permissionId, 'proceed_always');
    await ground.peer.next();
    await ground.nextTurn();
    assert.equal((await write('b.txt')).result, null);
    for (const name of [
      '.git/hooks/pre-commit',
      '.vscode/settings.json',
      'x.code-workspace',
      '.gemini/x',
      '.claude/x',
    ]) {
      const work = write(name);
      ground.answer((await ground.question()).permissionId, 'deny');
      assert.equal(codeOf(await work), -32603, name);
      assert.equal(fs.existsSync(file(name)), false, name);
    }
  });

  it('P66: protected places are asked for in every mode, and refused when nobody is there', async () => {
    for (const mode of ['edits', 'all'] as const) {
      await start({ mode });
      const answer = await write('.vscode/settings.json', '{}');
      assert.equal(codeOf(answer), -32603);
      assert.match(messageOf(answer), /nobody is there/);
      fs.symlinkSync('.git', file('alias'));
      assert.equal(codeOf(await write('alias/config')), -32603, 'also through a link');
      fs.rmSync(file('alias'));
      assert.equal(fs.existsSync(file('.vscode')), false);
      assert.equal(answers().length, 2);
      await ground.end();
    }
    await start({ mode: 'all', interactive: true });
    const work = write('.vscode/settings.json', '{}');
    ground.answer((await ground.question()).permissionId, 'allow');
    assert.equal((await work).result, null);
    assert.equal(text('.vscode/settings.json'), '{}');
  });

  it('are never written by the reviewer, nor in a run that is read-only', async () => {
    await start({ role: 'review', mode: 'all', interactive: true });
    assert.deepEqual((await ground.ask(READ, { path: file('a.txt') })).result, { content: 'mine\n' });
    assert.match(messageOf(await write('a.txt')), /reviewer only reads/);
    await ground.end();
    await start({ mode: 'read-only', interactive: true });
    assert.match(messageOf(await write('a.txt')), /read-only/);
    assert.equal(text('a.txt'), 'mine\n');
    assert.ok(answers().every((why) => why.startsWith('policy: ')));
  });

  it('are not written when what was allowed has come to lead elsewhere', async () => {
    await start({ mode: 'ask', interactive: true });
    fs.mkdirSync(file('.git'));
    const work = write('b.txt');
    const { permissionId } = await ground.question();
    fs.symlinkSync('.git/config', file('b.txt'));
    ground.answer(permissionId, 'allow');
    const answer = await work;
    assert.deepEqual([codeOf(answer), fs.readdirSync(file('.git'))], [-32603, []]);
    assert.match(messageOf(answer), /replaced by a link/);
  });

  it('are not written any more once the turn is being stopped, and an open question is settled', async () => {
    await start({ mode: 'ask', interactive: true });
    const open = write('a.txt');
    await ground.question();
    ground.cancelTurn();
    assert.equal(codeOf(await open), -32800);
    assert.equal(codeOf(await write('b.txt')), -32800);
    assert.deepEqual(fs.readdirSync(folder), ['a.txt']);
    assert.equal(text('a.txt'), 'mine\n');
  });

  it('that go to one path are done in order, and reads go together', async () => {
    const order: string[] = [];
    const real = createNodeFs();
    const noting: FileService = {
      ...real,
      open(root) {
        const session = real.open(root);
        return {
          ...session,
          async read(...args) {
            order.push('read begins');
            const found = await session.read(...args);
            order.push('read ends');
            return found;
          },
          async write(...args) {
            order.push('write begins');
            const went = await session.write(...args);
            order.push('write ends');
            return went;
          },
        };
      },
    };
    await start({ files: noting });
    const request = (id: string, method: string, more: object) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: { sessionId: 's1', path: file('a.txt'), ...more },
    });
    ground.peer.send(
      request('w1', WRITE, { content: 'one\n' }),
      request('r1', READ, {}),
      request('w2', WRITE, { content: 'two\n' }),
      request('r2', READ, {}),
    );
    const told = new Map<Json, Json | undefined>();
    for (let n = 0; n < 4; n++) {
      const answer = await ground.peer.next();
      told.set(answer.id ?? null, answer.result);
    }
    assert.deepEqual([told.get('r1'), told.get('r2')], [{ content: 'one\n' }, { content: 'two\n' }]);
    assert.deepEqual(
      order,
      ['write', 'read', 'write', 'read'].flatMap((one) => [`${one} begins`, `${one} ends`]),
    );
  });

  const grantRequest = (id: string, name: string): WireObject => {
    const request = permission(id, `call-${id}`);
    const params = isWireObject(request.params) ? request.params : {};
    const toolCall = isWireObject(params.toolCall) ? params.toolCall : {};
    return { ...request, params: { ...params, toolCall: { ...toolCall, locations: [{ path: file(name) }] } } };
  };
});
