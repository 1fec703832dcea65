import assert from 'node:assert/strict';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import { type Origin, PROVENANCE } from '../../src/protocol/provenance.ts';
import type { AgentProtocol } from '../../src/shared/agentEvents.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import { GOLDEN } from './goldenCatalog.ts';
import { instancesOf } from './goldenSchema.ts';
import { readTranscript } from './goldenTranscript.ts';

/** What a path may begin at: the message, or the part of it that an event keeps as its `wire`. */
function beginnings(line: WireObject): readonly WireObject[] {
  const { params, result, request } = line;
  return [line, params, result, request].filter((part) => part !== undefined && isWireObject(part));
}

/** Whether the path leads to something; `[]` is any item of a list. */
function leads(value: Json | undefined, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return value !== undefined && value !== null;
  if (key === '[]') return Array.isArray(value) && value.some((item: Json) => leads(item, rest));
  return isWireObject(value ?? null) && isWireObject(value) && leads(value[key], rest);
}

/** The paths of an origin: separated by commas, with remarks in parentheses. */
function pathsOf(from: string): readonly string[] {
  return from
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((path) => path.trim());
}

/** What the specification of ACP has and no recorded agent sent. */
const SPECIFIED = ['update.entries', 'update.currentModeId'];

describe('PROVENANCE, on the recorded wires', () => {
  const said = new Map<AgentProtocol, WireObject[]>();
  before(() => {
    for (const [folder, files] of Object.entries(GOLDEN)) {
      for (const file of Object.keys(files)) {
        const { protocol, rows } = readTranscript(`${folder}/${file}`);
        const lines = rows.flatMap((row) => (row.dir === 'out' && row.line !== undefined ? [row.line] : []));
        said.set(protocol, [...(said.get(protocol) ?? []), ...lines]);
      }
    }
  });

  it('takes for specified only what the official schema has', () => {
    const instances = instancesOf('SessionNotification').filter(isWireObject);
    for (const path of SPECIFIED)
      assert.ok(
        instances.some((one) => leads(one, path.split('.'))),
        path,
      );
  });

  for (const [event, fields] of Object.entries(PROVENANCE)) {
    it(`${event}: every path that a field comes from stands in a recording`, () => {
      for (const [field, row] of Object.entries(fields)) {
        for (const protocol of ['acp', 'claude-stream-json', 'gemini-stream-json'] as const) {
          const origin: Origin = row[protocol];
          if (origin === null || origin.layer === 'ours') continue;
          for (const path of pathsOf(origin.from)) {
            const steps = path.replaceAll('[]', '.[]').split('.');
            const found = (said.get(protocol) ?? []).some((line) =>
              beginnings(line).some((part) => leads(part, steps)),
            );
            assert.ok(found || SPECIFIED.includes(path), `${event}.${field} of ${protocol}: no recording has ${path}`);
          }
        }
      }
    });
  }
});
