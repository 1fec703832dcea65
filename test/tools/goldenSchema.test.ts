import assert from 'node:assert/strict';
import type * as z from 'zod';
import {
  cancelRequestParams,
  readTextFileParams,
  requestPermissionParams,
  sessionUpdateParams,
  UPDATE_TAG,
  writeTextFileParams,
} from '../../src/protocol/acp.ts';
import { createElicitationParams } from '../../src/protocol/acpElicitation.ts';
import {
  authenticate,
  initialize,
  loadSession,
  newSession,
  prompt,
  resumeSession,
  setConfigOption,
  setMode,
} from '../../src/protocol/acpRequests.ts';
import { isWireObject, parseWire } from '../../src/protocol/parseWire.ts';
import { ANY_TEXT, instancesOf, officialSchema, problemsOfSent } from './goldenSchema.ts';

/** Definitions of the official schema and our reading of them; `tag` tells variants that we may not know. */
const READ: readonly (readonly [string, z.ZodType, string | null])[] = [
  ['SessionNotification', sessionUpdateParams, UPDATE_TAG],
  ['RequestPermissionRequest', requestPermissionParams, null],
  ['ReadTextFileRequest', readTextFileParams, null],
  ['WriteTextFileRequest', writeTextFileParams, null],
  ['InitializeResponse', initialize.result, null],
  ['NewSessionResponse', newSession.result, null],
  ['LoadSessionResponse', loadSession.result, null],
  ['ResumeSessionResponse', resumeSession.result, null],
  ['AuthenticateResponse', authenticate.result, null],
  ['CreateElicitationRequest', createElicitationParams, 'mode'],
  ['SetSessionModeResponse', setMode.result, null],
  ['SetSessionConfigOptionResponse', setConfigOption.result, null],
  ['PromptResponse', prompt.result, null],
  ['CancelRequestNotification', cancelRequestParams, null],
];

/**
 * Updates that an agent sends only to a client that asks for them in `clientCapabilities.session`, and the word that
 * stands for those of later versions.
 */
const UNKNOWN = ['notice', 'compaction_update', 'compaction_summary_chunk', ANY_TEXT];

describe('the official schema of ACP', () => {
  for (const [name, ours, tag] of READ) {
    it(`${name}: every instance that it allows is read by our schema`, () => {
      const instances = instancesOf(name);
      const official = officialSchema(name);
      for (const instance of instances) {
        assert.ok(official.safeParse(instance).success, `no instance: ${JSON.stringify(instance)}`);
        const read = parseWire(ours, tag, instance);
        if (read.type === 'unknownVariant' && UNKNOWN.includes(read.variant)) continue;
        // An id that is null is no id: there is nothing to take back.
        if (isWireObject(instance) && instance.requestId === null) continue;
        assert.equal(read.type, 'known', `${JSON.stringify(read)}: ${JSON.stringify(instance)}`);
      }
      assert.ok(instances.length > 0);
    }).timeout(10_000);
  }

  it('has instances of every kind of update and of every word of its lists', () => {
    const updates = instancesOf('SessionNotification').flatMap((one) =>
      isWireObject(one) && isWireObject(one.update) ? [one.update] : [],
    );
    const kinds = new Set(updates.map(({ sessionUpdate }) => sessionUpdate));
    assert.deepEqual([...kinds].toSorted(), [
      'agent_message_chunk',
      'agent_thought_chunk',
      'available_commands_update',
      'compaction_summary_chunk',
      'compaction_update',
      'config_option_update',
      'current_mode_update',
      'notice',
      'plan',
      'session_info_update',
      'tool_call',
      'tool_call_update',
      'usage_update',
      'user_message_chunk',
    ]);
    const text = JSON.stringify(updates);
    for (const word of ['"switch_mode"', '"failed"', '"resource_link"', '"terminal"', '"diff"', '"audio"', '"high"']) {
      assert.ok(text.includes(word), word);
    }
    const stops = instancesOf('PromptResponse').flatMap((one) => (isWireObject(one) ? [one.stopReason] : []));
    assert.deepEqual([...new Set(stops)].toSorted(), [
      'cancelled',
      'end_turn',
      'max_tokens',
      'max_turn_requests',
      'refusal',
    ]);
  });

  it('refuses a message of another shape or with a field of our own', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/project' } };
    assert.equal(problemsOfSent({ method: 'session/new', message }).length, 1);
    const params = { cwd: '/project', mcpServers: [], folder: '/project' };
    assert.deepEqual(problemsOfSent({ method: 'session/new', message: { ...message, params } }), [
      'NewSessionRequest: no field "folder"',
    ]);
  });
});
