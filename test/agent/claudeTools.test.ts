import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PREVIEW_LIMIT, previewOf } from '../../src/agent/claudeContent.ts';
import { outcomeOf } from '../../src/agent/claudeOutcome.ts';
import { describeClaudeTool } from '../../src/agent/claudeTools.ts';
import { readPresentFile } from '../../src/agent/presentFile.ts';

describe('describeClaudeTool', () => {
  it('names calls by exact tool and input, files relative to the folder', () => {
    const title = (name: string, input: object) => describeClaudeTool(name, { ...input }, '/p').title;
    assert.equal(title('Read', { file_path: '/p/src/a.ts', offset: 10, limit: 31 }), 'Read src/a.ts:10-40');
    assert.equal(title('Read', { file_path: '/etc/hosts' }), 'Read /etc/hosts');
    assert.equal(title('Bash', { command: 'npm test\nrm x' }), 'npm test');
    assert.equal(title('Grep', { pattern: 'a.b' }), 'Search /a.b/');
    assert.equal(title('mcp__github__create_issue', {}), 'github: create_issue');
    assert.equal(title('NoSuchTool', { a: 1 }), 'NoSuchTool');
    assert.equal(title('Write', { path: 'x' }), 'Write a file');
    assert.equal(title('Bash', { command: 'x'.repeat(500) }).length, 200);
  });

  it('keeps the whole command, and gives absolute paths', () => {
    assert.equal(describeClaudeTool('Bash', { command: 'a\nb' }, '/p').command, 'a\nb');
    assert.deepEqual(describeClaudeTool('Write', { file_path: '../x' }, '/p').paths, ['/x']);
    assert.deepEqual(describeClaudeTool('Grep', { pattern: 'x', path: 'src' }, '/p').paths, ['/p/src']);
    assert.equal(describeClaudeTool('NoSuchTool', {}, '/p').kind, 'other');
  });
});

describe('previewOf', () => {
  const write = { file_path: '/p/a', content: 'new' };

  it('compares with the file as it is, and says when it does not', () => {
    assert.deepEqual(previewOf('Write', write, { type: 'missing' }), [
      { type: 'diff', path: '/p/a', oldText: null, newText: 'new' },
    ]);
    assert.deepEqual(previewOf('Write', write, { type: 'unread', why: 'the file has 9000000 bytes' }), [
      { type: 'text', text: 'The present content is not compared: the file has 9000000 bytes. This would replace it:' },
      { type: 'text', text: 'new' },
    ]);
    const huge = { file_path: '/p/a', content: 'x'.repeat(PREVIEW_LIMIT + 1) };
    assert.deepEqual(previewOf('Write', huge, { type: 'missing' }), [
      { type: 'text', text: `${PREVIEW_LIMIT + 1} characters: too large to compare.` },
    ]);
  });

  it('replaces every place where the edit says so, and shows only the change where the text is not there', () => {
    const edit = { file_path: '/p/a', old_string: 'e', new_string: 'E', replace_all: true };
    assert.deepEqual(previewOf('Edit', edit, { type: 'text', text: 'eve' }), [
      { type: 'diff', path: '/p/a', oldText: 'eve', newText: 'EvE' },
    ]);
    assert.deepEqual(previewOf('Edit', edit, { type: 'text', text: 'xyz' }), [
      { type: 'diff', path: '/p/a', oldText: 'e', newText: 'E' },
    ]);
    assert.deepEqual(previewOf('Edit', { file_path: 7 }, { type: 'missing' }), []);
    assert.deepEqual(previewOf('Bash', { command: 'x' }, { type: 'missing' }), []);
  });
});

describe('readPresentFile', () => {
  it('reads plain text files up to a limit, and says what it did not read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'present-'));
    try {
      const at = (name: string) => path.join(folder, name);
      writeFileSync(at('text'), 'ä\r\n');
      writeFileSync(at('binary'), Buffer.from([1, 0, 2]));
      writeFileSync(at('big'), 'x'.repeat(PREVIEW_LIMIT + 1));
      mkdirSync(at('folder'));
      assert.deepEqual(await readPresentFile(at('text')), { type: 'text', text: 'ä\r\n' });
      assert.deepEqual(await readPresentFile(at('none')), { type: 'missing' });
      assert.deepEqual(await readPresentFile(at('binary')), { type: 'unread', why: 'the file is binary' });
      assert.equal((await readPresentFile(at('big'))).type, 'unread');
      assert.equal((await readPresentFile(at('folder'))).type, 'unread');
      assert.equal((await readPresentFile(path.join(at('text'), 'below'))).type, 'unread');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('outcomeOf', () => {
  const facts = { interrupted: null, signIn: null, error: null } as const;
  const result = { type: 'result', subtype: 'success', is_error: false } as const;

  it('takes only a success without error, and a reason that it knows, for completed', () => {
    assert.deepEqual(outcomeOf(result, facts), { type: 'completed' });
    assert.equal(outcomeOf({ ...result, terminal_reason: 'prompt_too_long' }, facts).type, 'incomplete');
    assert.equal(outcomeOf({ ...result, stop_reason: 'max_tokens' }, facts).type, 'incomplete');
    assert.equal(outcomeOf({ ...result, subtype: 'error_of_tomorrow' }, facts).type, 'failed');
    assert.equal(outcomeOf({ ...result, is_error: true }, facts).type, 'failed');
  });

  it('counts a turn that was over before our interrupt as what it was', () => {
    assert.deepEqual(outcomeOf(result, { ...facts, interrupted: 'user' }), { type: 'completed' });
  });

  it('keeps diagnostics that are not for people to itself', () => {
    const died = {
      ...result,
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['[ede_diagnostic] x', 'No such session'],
    };
    const outcome = outcomeOf(died, facts);
    assert.equal(outcome.type === 'failed' && outcome.message, 'No such session');
  });
});
