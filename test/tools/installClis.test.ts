import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import * as z from 'zod';

const read = (name: string) => readFile(new URL(`./clis/${name}`, import.meta.url), 'utf8');
const pins = z.looseObject({ dependencies: z.record(z.string(), z.string()) });
const lock = z.looseObject({ packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })) });

describe('pinned real CLIs', () => {
  it('are exact versions, apart from the root’s own dependencies', async () => {
    const { dependencies } = pins.parse(JSON.parse(await read('package.json')));
    assert.deepEqual(dependencies, { '@anthropic-ai/claude-code': '2.1.197', '@google/gemini-cli': '0.61.0' });
    const root = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
    for (const name of Object.keys(dependencies)) assert.ok(!root.includes(name), `${name} is in the root's lock file`);
  });

  it('are locked by content and bound to no registry', async () => {
    const text = await read('package-lock.json');
    assert.doesNotMatch(text, /https?:|"resolved"/);
    const { packages } = lock.parse(JSON.parse(text));
    const open = Object.entries(packages).filter(([name, entry]) => name !== '' && !entry.integrity);
    assert.deepEqual(open, []);
    assert.ok('node_modules/@anthropic-ai/claude-code-linux-x64' in packages);
    assert.ok('node_modules/@anthropic-ai/claude-code-darwin-arm64' in packages);
  });
});

describe('the pinned adapter of Claude Code', () => {
  it('is an exact version, locked by content and bound to no registry', async () => {
    const file = (name: string) => readFile(new URL(`./claudeAcp/${name}`, import.meta.url), 'utf8');
    const { dependencies } = pins.parse(JSON.parse(await file('package.json')));
    assert.deepEqual(dependencies, { '@agentclientprotocol/claude-agent-acp': '0.101.0' });
    const text = await file('package-lock.json');
    assert.doesNotMatch(text, /"resolved"/);
    const { packages } = lock.parse(JSON.parse(text));
    assert.deepEqual(
      Object.entries(packages).filter(([name, entry]) => name !== '' && !entry.integrity),
      [],
    );
  });
});
