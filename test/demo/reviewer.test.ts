import assert from 'node:assert/strict';
import { runReviewer } from '../../src/demo/reviewer.ts';
import { placesIn, TITLES, workOf } from '../../src/demo/story.ts';
import { sessionUpdateParams, UPDATE_TAG } from '../../src/protocol/acp.ts';
import * as acp from '../../src/protocol/acpRequests.ts';
import { parseWire } from '../../src/protocol/parseWire.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { at, type Peer, peerOf } from './peerOf.ts';

const PLACES = placesIn(() => false);

describe('demo reviewer', () => {
  let peer: Peer;
  let ids = 0;
  beforeEach(() => {
    peer = peerOf(runReviewer);
  });
  afterEach(() => peer.remove());

  async function request(method: string, params: object): Promise<WireObject> {
    const id = ++ids;
    peer.send({ jsonrpc: '2.0', id, method, params });
    return peer.next((line) => line.id === id);
  }

  async function open(): Promise<unknown> {
    await request('initialize', { protocolVersion: 1 });
    return at(await request('session/new', { cwd: peer.folder, mcpServers: [] }), 'result', 'sessionId');
  }

  /** The review of one prompt: its whole message text, and its verdict. */
  async function review(sessionId: unknown, asked = 'Review this.') {
    const from = peer.lines.length;
    const response = await request('session/prompt', { sessionId, prompt: [{ type: 'text', text: asked }] });
    const said = peer.lines.slice(from).flatMap((line) => {
      const update = at(line, 'params', 'update');
      return at(update, 'sessionUpdate') === 'agent_message_chunk' ? [String(at(update, 'content', 'text'))] : [];
    });
    const text = said.join('');
    const verdict: unknown = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? 'null');
    return { response, text, verdict };
  }

  it('answers as an agent of protocol version 1', async () => {
    const first = await request('initialize', { protocolVersion: 1 });
    assert.equal(parseWire(acp.initialize.result, null, first.result).type, 'known');
    const session = await request('session/new', { cwd: peer.folder, mcpServers: [] });
    assert.equal(parseWire(acp.newSession.result, null, session.result).type, 'known');
    const sessionId = at(session, 'result', 'sessionId');
    assert.deepEqual((await request('session/set_mode', { sessionId, modeId: 'plan' })).result, {});
    assert.equal(at(await request('session/set_mode', { sessionId, modeId: 'auto_edit' }), 'error', 'code'), -32602);
    assert.equal(at(await request('session/load', { sessionId }), 'error', 'code'), -32601);
    assert.equal(at(await request('session/prompt', { sessionId: 'x' }), 'error', 'code'), -32602);
  });

  it('sends only updates that our reader of ACP knows', async () => {
    await review(await open());
    const updates = peer.lines.filter((line) => line.method === 'session/update');
    for (const { params } of updates)
      assert.equal(parseWire(sessionUpdateParams, UPDATE_TAG, params).type, 'known', JSON.stringify(params));
    const kinds = new Set(updates.map((line) => at(line, 'params', 'update', 'sessionUpdate')));
    assert.deepEqual([...kinds].sort(), [
      'agent_message_chunk',
      'agent_thought_chunk',
      'tool_call',
      'tool_call_update',
    ]);
  });

  it('reviews what stands in the files: scores rise over the rounds, the last line is APPROVED', async () => {
    const sessionId = await open();
    const scores: unknown[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      const work = workOf(turn, { code: peer.read(PLACES.code), test: peer.read(PLACES.test) }, PLACES);
      for (const step of work.steps)
        peer.write(
          step.path,
          step.tool === 'Write' ? step.content : (peer.read(step.path) ?? '').replace(step.old, () => step.new),
        );
      const { response, text, verdict } = await review(sessionId);
      assert.equal(at(response, 'result', 'stopReason'), 'end_turn');
      scores.push(at(verdict, 'score'));
      assert.equal(text.trimEnd().endsWith('\nAPPROVED'), turn === 3);
      assert.equal(at(verdict, 'approved'), turn === 3);
    }
    assert.deepEqual(scores, [5, 7.5, 9.5]);
  });

  it('finds a blocker where nothing was written', async () => {
    const { verdict } = await review(await open());
    assert.equal(at(verdict, 'score'), 2);
    const findings = at(verdict, 'findings');
    assert.equal(Array.isArray(findings) && at(findings[0], 'severity'), 'blocker');
  });

  it('says of each finding that the prompt names whether it is fixed, and does not open it again', async () => {
    const sessionId = await open();
    const { verdict } = await review(
      sessionId,
      `Open:\n- F1 (major) ${TITLES.accents}\n- F2 [blocker] ${TITLES.missing}`,
    );
    assert.deepEqual(at(verdict, 'previous'), [
      { id: 'F1', status: 'fixed' },
      { id: 'F2', status: 'open' },
    ]);
    const findings = at(verdict, 'findings');
    assert.ok(Array.isArray(findings) && !findings.some((one) => at(one, 'title') === TITLES.missing));
  });

  it('is never content in the scenario "stubborn", by the environment or by a mark in the task', async () => {
    for (let turn = 1; turn <= 3; turn++) {
      const work = workOf(turn, { code: null, test: null }, PLACES);
      for (const step of work.steps) if (step.tool === 'Write') peer.write(step.path, step.content);
    }
    const marked = await review(await open(), 'Task: x [demo: stubborn]');
    assert.equal(at(marked.verdict, 'approved'), false);
    assert.doesNotMatch(marked.text, /APPROVED/);
    const score = Number(at(marked.verdict, 'score'));
    assert.ok(score < 9);
  });

  it('ends a cancelled prompt as cancelled, and answers the next', async () => {
    peer.remove();
    peer = peerOf(runReviewer, [], { CGLOOP_DEMO_SPEED: '1' });
    const sessionId = await open();
    peer.send({ jsonrpc: '2.0', id: 'p', method: 'session/prompt', params: { sessionId, prompt: [] } });
    await peer.next((line) => line.method === 'session/update');
    peer.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } });
    const response = await peer.next((line) => line.id === 'p');
    assert.deepEqual(response.result, { stopReason: 'cancelled' });
  });
});
