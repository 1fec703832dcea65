import assert from 'node:assert/strict';
import { createElicitationParams } from '../../src/protocol/acpElicitation.ts';
import { closeSession, initialize, listSessions, logout } from '../../src/protocol/acpRequests.ts';
import { parseWire } from '../../src/protocol/parseWire.ts';
import { createConnection } from '../../src/transport/connection.ts';
import { PeerError } from '../../src/transport/rpcErrors.ts';
import { createFakePeer } from '../fakes/acpPeer.ts';

describe('ACP requests that no agent of a run needs yet', () => {
  const connected = () => {
    const peer = createFakePeer();
    const handlers = { notifications: new Map(), requests: new Map(), onRemark: () => undefined };
    return { peer, connection: createConnection(peer, handlers) };
  };

  it('session/list goes on by its cursor', async () => {
    const { peer, connection } = connected();
    const first = connection.request(listSessions, { cwd: '/w' });
    const asked = await peer.expect('session/list');
    assert.deepEqual(asked.params, { cwd: '/w' });
    const sessions = [{ sessionId: 's1', cwd: '/w', title: 'One', updatedAt: null }];
    peer.answer(asked, { sessions, nextCursor: 'c2' });
    assert.deepEqual((await first).value, { sessions, nextCursor: 'c2' });
    const second = connection.request(listSessions, { cwd: '/w', cursor: 'c2' });
    peer.answer(await peer.expect('session/list'), { sessions: [] });
    assert.deepEqual((await second).value.sessions, []);
  });

  it('session/close and logout take an object or null for done, and an error for refused', async () => {
    const { peer, connection } = connected();
    for (const answer of [{}, null]) {
      const closed = connection.request(closeSession, { sessionId: 's1' });
      peer.answer(await peer.expect('session/close'), answer);
      await closed;
      const out = connection.request(logout, {});
      peer.answer(await peer.expect('logout'), answer);
      await out;
    }
    const refused = connection.request(closeSession, { sessionId: 's1' });
    const { id } = await peer.expect('session/close');
    peer.send({ jsonrpc: '2.0', id, error: { code: -32601, message: '"Method not found": session/close' } });
    await assert.rejects(refused, (error) => error instanceof PeerError && error.code === -32601);
  });

  it('an elicitation by a page is read whole', () => {
    const page = {
      mode: 'url',
      requestId: 4,
      message: 'Sign in',
      elicitationId: 'e1',
      url: 'https://example.org/in?x=1',
    };
    assert.deepEqual(parseWire(createElicitationParams, 'mode', page), { type: 'known', value: page });
    assert.equal(parseWire(createElicitationParams, 'mode', { ...page, mode: 'voice' }).type, 'unknownVariant');
  });

  it('odd capabilities cost only themselves', () => {
    const told = { protocolVersion: 1, agentCapabilities: { loadSession: 'yes', promptCapabilities: 7, auth: null } };
    const parsed = parseWire(initialize.result, null, told);
    assert.equal(parsed.type, 'known');
    assert.deepEqual(parsed.type === 'known' && parsed.value.agentCapabilities?.loadSession, null);
  });
});
