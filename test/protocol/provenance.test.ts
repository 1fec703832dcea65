import assert from 'node:assert/strict';
import { type Origin, PROVENANCE } from '../../src/protocol/provenance.ts';

const rows = Object.entries(PROVENANCE).flatMap(([event, fields]) =>
  Object.entries(fields).map(([field, row]) => ({ name: `${event}.${field}`, row })),
);

describe('PROVENANCE', () => {
  it('says where each field comes from', () => {
    for (const { name, row } of rows) {
      for (const origin of Object.values<Origin>(row)) assert.notEqual(origin?.from.trim(), '', name);
    }
  });

  it('takes nothing from an envelope that the protocol does not have', () => {
    for (const { name, row } of rows) {
      assert.notEqual(row['claude-stream-json']?.layer, 'acpWire', name);
      assert.notEqual(row['gemini-stream-json']?.layer, 'acpWire', name);
    }
  });

  it('has no permission where the protocol cannot ask: Gemini CLI headless (sj-03-mode-default)', () => {
    for (const { name, row } of rows) {
      if (name.startsWith('permission.requested')) assert.equal(row['gemini-stream-json'], null, name);
    }
  });
});
