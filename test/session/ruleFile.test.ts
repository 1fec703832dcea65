import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Rule } from '../../src/scheduler/rules.ts';
import { addRule, openRules, RuleFileError, readRules, writeRules } from '../../src/session/ruleFile.ts';

const allowTest: Rule = {
  effect: 'allow',
  tool: 'execute',
  command: { match: 'exact', line: 'npm test' },
  scope: 'workspace',
};
const denyEnv: Rule = { effect: 'deny', tool: 'edit', path: '*.env', scope: 'user' };

describe('stored rules', () => {
  let state: string;
  beforeEach(() => {
    state = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-rules-'));
  });
  afterEach(() => fs.rmSync(state, { recursive: true }));
  const files = () => fs.readdirSync(path.join(state, 'rules')).map((name) => path.join(state, 'rules', name));

  it('hold for their folder, or for every folder, and those of the session for the run only', async () => {
    const book = await openRules(state, '/p');
    assert.deepEqual(book.rules, []);
    await book.add(allowTest);
    await book.add(denyEnv);
    await book.add({ effect: 'allow', tool: 'edit', scope: 'session' });
    assert.equal(book.rules.length, 3);
    assert.deepEqual((await openRules(state, '/p')).rules, [denyEnv, allowTest]);
    assert.deepEqual((await openRules(state, '/other')).rules, [denyEnv]);
    assert.ok(!fs.readFileSync(files()[0] ?? '', 'utf8').includes('session'));
  });

  it('are readable by nobody else', async function () {
    if (process.platform === 'win32') this.skip();
    await addRule(state, null, denyEnv);
    const [file = ''] = files();
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
  });

  it('are all kept when many are added at once', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `make ${index}`);
    await Promise.all(lines.map((line) => addRule(state, '/p', { ...allowTest, command: { match: 'exact', line } })));
    const kept = (await readRules(state, '/p')).map((rule) => rule.command?.line ?? '');
    assert.deepEqual(kept.toSorted(), lines.toSorted());
  });

  it('stop a run when they cannot be read, and lose nothing but a line that was never finished', async () => {
    await addRule(state, '/p', allowTest);
    const [file = ''] = files();
    fs.appendFileSync(file, '{"effect":"deny","too');
    assert.deepEqual(await readRules(state, '/p'), [allowTest]);
    fs.appendFileSync(file, '\n');
    await assert.rejects(openRules(state, '/p'), (error: unknown) => {
      assert.ok(error instanceof RuleFileError);
      assert.match(error.message, /line 3 is no JSON/);
      return error.file === file;
    });
    fs.writeFileSync(file, '{"format":"cgloop-rules","version":2}\n');
    await assert.rejects(readRules(state, '/p'), RuleFileError);
  });

  it('can be replaced as a whole', async () => {
    await addRule(state, null, denyEnv);
    await writeRules(state, null, []);
    assert.deepEqual(await readRules(state, null), []);
    assert.equal(files().length, 1, 'no draft is left');
  });
});
