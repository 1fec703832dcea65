import assert from 'node:assert/strict';
import { commandProblem } from '../../../src/shared/checkWords.ts';
import type { FileChange } from '../../../src/shared/fileEvents.ts';
import { hasTestName, removedTests } from '../../../src/workspace/checks/removedTests.ts';
import { shellCommand } from '../../../src/workspace/checks/shell.ts';

describe('the shell of a check', () => {
  it('gets the text as one argument, whatever stands in it', () => {
    const text = `npm test -- --grep "größer; $(rm -rf ~)" '测试 %PATH%' && echo \\"`;
    assert.deepEqual(shellCommand(text, 'linux', {}), { command: '/bin/sh', args: ['-c', text], verbatim: false });
    assert.deepEqual(shellCommand(text, 'darwin', { SHELL: '/bin/fish' }).args, ['-c', text]);
  });

  it('is cmd.exe on Windows, which takes off the outer quotes and reads the rest as typed', () => {
    const text = 'npm test -- --grep "größer 测试" & echo %CD%';
    const expected = (command: string) => ({ command, args: ['/d', '/s', '/c', `"${text}"`], verbatim: true });
    assert.deepEqual(shellCommand(text, 'win32', {}), expected('cmd.exe'));
    const comSpec = 'C:\\Windows\\system32\\cmd.exe';
    assert.deepEqual(shellCommand(text, 'win32', { ComSpec: comSpec }), expected(comSpec));
    assert.deepEqual(shellCommand(text, 'win32', { COMSPEC: 'C:\\tools\\pwsh.exe' }), expected('cmd.exe'));
  });

  it('takes only one line that reads as it runs', () => {
    for (const text of ['npm test', 'a | b && c > d', 'echo "测试 ü"', 'a'.repeat(4000)])
      assert.equal(commandProblem(text), null);
    const none = [
      '',
      '  ',
      'a\nb',
      'a\r',
      'a\0b',
      'a\tb',
      'a\u001b[2J',
      ' -rf',
      'a'.repeat(4001),
      'a \u202e b',
      'a\u2066b',
    ];
    for (const text of none) assert.notEqual(commandProblem(text), null, JSON.stringify(text));
  });
});

describe('removed tests', () => {
  const change = (status: FileChange['status'], path: string): FileChange => ({ path, status, added: 0, removed: 1 });

  it('are known by their names', () => {
    const names = [
      'a.test.ts',
      'x/a.spec.jsx',
      'test.mjs',
      'x/test_a.py',
      'a_test.go',
      'a_spec.rb',
      'x/ATest.java',
      'ATests.cs',
      '测试.test.js',
    ];
    for (const name of names) assert.ok(hasTestName(name), name);
    for (const name of ['a.ts', 'latest.js', 'contest.py', 'test.sh', 'test/run.sh', 'attest.go', 'Testing.java'])
      assert.ok(!hasTestName(name), name);
  });

  it('are those that are gone, not those that moved or were written in another language', () => {
    const files = [
      change('deleted', 'test/a.js'),
      change('deleted', 'src/b.test.js'),
      change('deleted', 'c.spec.ts'),
      change('deleted', 'test/data.json'),
      change('deleted', 'src/d.ts'),
      change('modified', 'e.test.js'),
      change('added', 'lib/b.test.ts'),
      change('added', 'tests/C.spec.ts'),
    ];
    assert.deepEqual(removedTests(files), ['test/a.js']);
  });
});
