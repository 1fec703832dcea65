import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readAgentsFile } from '../../src/cli/agentsFile.ts';

describe('readAgentsFile', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-agents-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const write = (text: string) => fs.writeFileSync(path.join(folder, 'agents.json'), text);

  it('has no agents without a file', () => {
    assert.deepEqual(readAgentsFile(folder), { type: 'agents', agents: {} });
  });

  it('reads them as the setting does', () => {
    write('{ "mine": { "command": "my-agent" } }');
    const read = readAgentsFile(folder);
    assert.deepEqual(read.type === 'agents' && read.agents.mine?.command, 'my-agent');
  });

  it('says where and why it cannot', () => {
    for (const text of ['{', '[]', '{ "mine": { "args": ["-x"] } }']) {
      write(text);
      const read = readAgentsFile(folder);
      assert.match(
        read.type === 'problem' ? read.message : '',
        /agents\.json cannot be used: .*Correct it, or remove it/s,
      );
    }
  });
});
