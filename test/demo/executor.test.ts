import assert from 'node:assert/strict';
import { runExecutor } from '../../src/demo/executor.ts';
import { UNWRITTEN } from '../../src/demo/story.ts';
import { readClaudeLine, readToolAsk, requestLine, userLine } from '../../src/protocol/claudeStream.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { at, type Peer, peerOf } from './peerOf.ts';

const isResult = (line: WireObject) => line.type === 'result';
const isAsk = (line: WireObject) => line.type === 'control_request';

/** A `tool_result` of a user line, as its only block. */
function toolResultOf(line: WireObject): unknown {
  const content = at(line, 'message', 'content');
  return Array.isArray(content) ? content[0] : undefined;
}

describe('demo executor', () => {
  let peer: Peer;
  const start = (mode: string, env: Record<string, string> = {}) => {
    peer = peerOf(runExecutor, ['-p', '--verbose', '--permission-mode', mode], env);
    return peer;
  };
  const answer = (ask: WireObject, response: object) =>
    peer.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: ask.request_id, response },
    });
  afterEach(() => peer.remove());

  it('says nothing before the first message, then answers initialize', async () => {
    start('acceptEdits');
    assert.deepEqual(peer.lines, []);
    peer.send(requestLine('1', 'initialize'));
    const response = await peer.next((line) => line.type === 'control_response');
    assert.equal(at(response, 'response', 'request_id'), '1');
    assert.equal(at(response, 'response', 'subtype'), 'success');
  });

  it('prints only lines that our reader of the real protocol knows', async () => {
    start('acceptEdits', { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' });
    peer.send(requestLine('1', 'initialize'));
    peer.send(userLine('Write slugify'));
    await peer.next((line) => line.type === 'system' && line.state === 'idle');
    for (const line of peer.lines) assert.equal(readClaudeLine(line).type, 'known', JSON.stringify(line));
    const kinds = new Set(peer.lines.map((line) => String(line.subtype ?? line.type)));
    for (const kind of ['init', 'stream_event', 'assistant', 'user', 'success']) assert.ok(kinds.has(kind), kind);
  });

  it('writes real files in three turns, with edits allowed and nothing asked', async () => {
    start('acceptEdits');
    peer.write('src/slugify.mjs', UNWRITTEN);
    const versions: (string | null)[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      peer.send(userLine('go on'));
      const result = await peer.next(isResult);
      assert.deepEqual([result.subtype, result.is_error, result.terminal_reason], ['success', false, 'completed']);
      versions.push(peer.read('src/slugify.mjs'));
    }
    assert.equal(new Set(versions).size, 3);
    assert.match(versions[2] ?? '', /normalize\('NFD'\)/);
    assert.match(peer.read('test/slugify.test.mjs') ?? '', /from '\.\.\/src\/slugify\.mjs'/);
    assert.equal(peer.lines.some(isAsk), false);
    const names = peer.lines.flatMap((line) => {
      const content = at(line, 'message', 'content');
      return line.type === 'assistant' && Array.isArray(content) ? [at(content[0], 'name')] : [];
    });
    assert.ok(names.includes('Edit') && names.includes('Write') && names.includes('Read'));
  });

  it('keeps to a folder of its own where there is no sample project', async () => {
    start('acceptEdits');
    peer.write('slugify.mjs', 'mine');
    peer.send(userLine('go'));
    await peer.next(isResult);
    assert.equal(peer.read('slugify.mjs'), 'mine');
    assert.match(peer.read('cgloop-demo/slugify.mjs') ?? '', /toLowerCase/);
  });

  it('asks before each write in mode default, and writes what was allowed', async () => {
    start('default');
    peer.send(userLine('go'));
    for (const name of ['slugify.mjs', 'slugify.test.mjs']) {
      const ask = await peer.next(isAsk);
      const read = readToolAsk(ask.request);
      assert.equal(read.type === 'known' && read.value.tool_name, 'Write');
      assert.equal(peer.read(`cgloop-demo/${name}`), null);
      answer(ask, { behavior: 'allow', updatedInput: at(ask, 'request', 'input') });
    }
    const result = await peer.next(isResult);
    assert.deepEqual(result.permission_denials, []);
    assert.notEqual(peer.read('cgloop-demo/slugify.test.mjs'), null);
  });

  it('takes a refusal with its words, writes nothing, and tells of it in the result', async () => {
    start('plan');
    peer.send(userLine('go'));
    answer(await peer.next(isAsk), { behavior: 'deny', message: 'Put it in docs.' });
    const refused = await peer.next((line) => at(toolResultOf(line), 'is_error') === true);
    assert.equal(at(toolResultOf(refused), 'content'), 'Put it in docs.');
    // An allow without its input is a refusal in the real program too (14-permission-allow-without-updatedInput).
    answer(await peer.next(isAsk), { behavior: 'allow' });
    const result = await peer.next(isResult);
    assert.equal(Array.isArray(result.permission_denials) && result.permission_denials.length, 2);
    assert.match(String(result.result), /not allowed/);
    assert.equal(peer.read('cgloop-demo/slugify.mjs'), null);
  });

  it('takes back its open question when it is interrupted (19-permission-pending-interrupt)', async () => {
    start('default');
    peer.send(userLine('go'));
    const ask = await peer.next(isAsk);
    peer.send(requestLine('stop', 'interrupt'));
    const result = await peer.next(isResult);
    assert.deepEqual([result.subtype, result.terminal_reason], ['error_during_execution', 'aborted_tools']);
    const order = peer.lines.slice(peer.lines.indexOf(ask) + 1).map((line) => line.type);
    assert.deepEqual(order, ['control_cancel_request', 'control_response', 'user', 'user', 'result']);
    answer(ask, { behavior: 'allow', updatedInput: at(ask, 'request', 'input') });
    peer.send(userLine('again'));
    await peer.next(isAsk);
    assert.equal(peer.read('cgloop-demo/slugify.mjs'), null, 'a late answer writes nothing');
  });

  it('can be interrupted while it speaks, and works on afterwards', async () => {
    start('acceptEdits', { CGLOOP_DEMO_SPEED: '1' });
    peer.send(userLine('go'));
    await peer.next((line) => at(line, 'event', 'type') === 'content_block_delta');
    peer.send(requestLine('stop', 'interrupt'));
    const result = await peer.next(isResult);
    assert.equal(result.terminal_reason, 'aborted_streaming');
  });

  it('follows a change of mode, refuses what it does not know, and ends with its input', async () => {
    start('default');
    peer.send({
      type: 'control_request',
      request_id: 'm',
      request: { subtype: 'set_permission_mode', mode: 'acceptEdits' },
    });
    peer.send({ type: 'control_request', request_id: 'x', request: { subtype: 'rewind_files' } });
    const refused = await peer.next((line) => at(line, 'response', 'request_id') === 'x');
    assert.equal(at(refused, 'response', 'subtype'), 'error');
    peer.send(userLine('go'));
    await peer.next(isResult);
    assert.equal(peer.lines.some(isAsk), false);
    peer.end();
    while (peer.exits.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(peer.exits, [0]);
  });
});
