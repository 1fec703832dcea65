import assert from 'node:assert/strict';
import { createElicitationParams } from '../../src/protocol/acpElicitation.ts';
import { initialize, newSession } from '../../src/protocol/acpRequests.ts';
import { parseWire } from '../../src/protocol/parseWire.ts';

describe('ACP, what agents send', () => {
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

  it('what an agent says of itself and of a session in another shape costs no start', () => {
    const told = { protocolVersion: 1, agentInfo: { name: 'own' }, authMethods: [{ id: 'key', name: 'Key' }, {}] };
    const hello = parseWire(initialize.result, null, told);
    assert.deepEqual(hello.type === 'known' && [hello.value.agentInfo, hello.value.authMethods], [
      { name: 'own' },
      null,
    ]);
    const session = { sessionId: 's1', modes: { current: 'a' }, models: [], configOptions: { a: 1 } };
    const begun = parseWire(newSession.result, null, session);
    assert.deepEqual(begun.type === 'known' && begun.value, {
      ...session,
      modes: null,
      models: null,
      configOptions: null,
    });
    assert.equal(parseWire(newSession.result, null, { ...session, sessionId: 1 }).type, 'invalid');
  });
});
