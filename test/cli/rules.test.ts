import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArguments } from '../../src/cli/parseArguments.ts';
import { changeRules } from '../../src/cli/rules.ts';
import { addConfirmed } from '../../src/session/checkFile.ts';

describe('cgloop rules', () => {
  let state: string;
  beforeEach(() => {
    state = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-rules-'));
  });
  afterEach(() => fs.rmSync(state, { recursive: true }));

  /** Runs it in a folder as it would be typed; gives what is printed, or the word about wrong arguments. */
  async function typed(folder: string, ...args: readonly string[]): Promise<string> {
    const invocation = parseArguments(['rules', ...args], '0');
    if (invocation.type === 'usage') return `usage: ${invocation.message}`;
    assert.ok(invocation.type === 'rules');
    const { text, code } = await changeRules(invocation.asked, folder, state);
    return code === 0 ? text : `${code}: ${text}`;
  }

  it('adds, lists and removes, by folder and everywhere', async () => {
    assert.equal(await typed('/p'), 'There are no rules for /p.\n');
    assert.equal(await typed('/p', 'allow', 'npm', 'test'), 'Added: allow the command npm test, in this folder\n');
    await typed('/p', 'deny', '--prefix', 'rm', '--everywhere');
    await typed('/p', 'deny', '--edit', '*.lock');
    await typed('/p', 'allow', '--web', '--everywhere');
    assert.equal(
      await typed('/p', 'list'),
      [
        '1  allow the command npm test, in this folder',
        '2  deny edits of *.lock, in this folder',
        '3  deny commands that begin with rm, in every folder',
        '4  allow the web, in every folder',
        '',
      ].join('\n'),
    );
    assert.equal(
      await typed('/q'),
      '1  deny commands that begin with rm, in every folder\n2  allow the web, in every folder\n',
    );
    assert.equal(await typed('/p', 'remove', '3'), 'Removed: deny commands that begin with rm, in every folder\n');
    assert.equal(await typed('/p', 'remove', '1'), 'Removed: allow the command npm test, in this folder\n');
    assert.equal(await typed('/p'), '1  deny edits of *.lock, in this folder\n2  allow the web, in every folder\n');
    assert.equal(await typed('/p', 'remove', '9'), '1: There is no rule 9. "rules" lists them.\n');
  });

  it('lists the confirmed checks of the folder behind its rules, and removes them', async () => {
    const check = (command: string) => addConfirmed(state, '/p', { command, definition: 'a'.repeat(64) });
    await typed('/p', 'allow', '--web');
    await check('npm test');
    await check('make lint');
    const [web, test, lint] = [
      'allow the web, in this folder',
      'run the check npm test without asking, in this folder',
      'run the check make lint without asking, in this folder',
    ];
    assert.equal(await typed('/p'), `1  ${web}\n2  ${test}\n3  ${lint}\n`);
    assert.equal(await typed('/q'), 'There are no rules for /q.\n');
    assert.equal(await typed('/p', 'remove', '2'), `Removed: ${test}\n`);
    assert.equal(await typed('/p'), `1  ${web}\n2  ${lint}\n`);
    assert.equal(await typed('/p', 'remove', '1'), `Removed: ${web}\n`);
    assert.equal(await typed('/p'), `1  ${lint}\n`);
    assert.equal(await typed('/p', 'remove', '2'), '1: There is no rule 2. "rules" lists them.\n');
  });

  it('says what is wrong with a rule', async () => {
    assert.match(await typed('/p', 'allow', 'npm test && rm x'), /^usage: Only one program with its arguments/);
    assert.match(await typed('/p', 'allow'), /^usage: Say what the rule is about/);
    assert.match(await typed('/p', 'allow', 'npm', '--web'), /^usage: Say what the rule is about/);
    assert.match(await typed('/p', 'remove', 'one'), /^usage: Give the number/);
    assert.match(await typed('/p', 'forbid', 'x'), /^usage: "forbid" is none of/);
    assert.equal(await typed('/p'), 'There are no rules for /p.\n');
  });
});
