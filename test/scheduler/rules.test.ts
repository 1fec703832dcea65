import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { commandLine, plainWords } from '../../src/scheduler/commandLine.ts';
import { globTest } from '../../src/scheduler/glob.ts';
import { applyRules, type CommandPattern, type Rule, ruleWords } from '../../src/scheduler/rules.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';

const context = {
  folder: '/p',
  resolvePath: (file: string) => path.resolve(file).replace('/p/link/', '/elsewhere/'),
  caseInsensitive: false,
};
const asked = (more: Partial<PermissionRequest>): PermissionRequest => ({
  toolCallId: 't',
  title: 'x',
  kind: 'edit',
  options: [],
  content: [],
  paths: [],
  takesMessage: false,
  ...more,
});
const command = (line: string) => asked({ kind: 'execute', command: line });
const edit = (...paths: readonly string[]) => asked({ paths });
const forCommand = (
  line: string,
  match: CommandPattern['match'] = 'prefix',
  effect: Rule['effect'] = 'allow',
): Rule => ({
  effect,
  tool: 'execute',
  command: { match, line },
  scope: 'session',
});
const forEdit = (pattern: string, effect: Rule['effect'] = 'allow'): Rule => ({
  effect,
  tool: 'edit',
  path: pattern,
  scope: 'user',
});
const said = (rules: readonly Rule[], request: PermissionRequest, more: Partial<typeof context> = {}) =>
  applyRules(rules, request, { ...context, ...more }).type;

/** What a shell makes more of than one program with its arguments. */
const COMPOUND = [
  'npm test && rm -rf /',
  'npm test; rm -rf /',
  'npm test | sh',
  'npm test || true',
  'npm test & rm x',
  'npm test $(rm x)',
  'npm test `rm x`',
  'npm test "$(rm x)"',
  'npm test "`rm x`"',
  'npm test $\u007bIFS}x',
  'npm test $HOME',
  'npm test\nrm x',
  'npm test\r\nrm x',
  'npm test > /etc/passwd',
  'npm test >> x',
  'npm test 2>&1',
  'npm test < x',
  'npm test <(rm x)',
  'npm test *',
  'npm test ~/x',
  'npm test {a,b}',
  'npm test [ab]',
  'npm test \\; rm',
  'npm test "a\\"; rm x"',
  "npm test 'unclosed",
  'npm test "unclosed',
  'npm test #x',
  'npm test !!',
  'npm test %PATH%',
  'npm test ^& del x',
  '(npm test)',
  'NODE_OPTIONS=--require=./x npm test',
  '"npm"=x npm test',
  'npm test\u0000',
  'npm test\u00a0x',
  'npm test\u2028rm x',
];

describe('rules for commands', () => {
  it('match a plain line by its words, and not by its letters', () => {
    assert.equal(said([forCommand('npm test')], command('npm test')), 'allow');
    assert.equal(said([forCommand('npm test')], command("  npm   'test'  --watch src/a.ts  ")), 'allow');
    assert.equal(said([forCommand('npm test')], command('npm tests')), 'none');
    assert.equal(said([forCommand('npm test')], command('npm')), 'none');
    assert.equal(said([forCommand('npm test')], command('/tmp/npm test')), 'none');
    assert.equal(said([forCommand('npm test', 'exact')], command('npm test')), 'allow');
    assert.equal(said([forCommand('npm test', 'exact')], command('npm test -- --force')), 'none');
    assert.equal(said([forCommand("git commit -m 'a b'", 'exact')], command('git commit -m "a b"')), 'allow');
  });

  it('never match what a shell would make more of', () => {
    for (const line of COMPOUND) {
      assert.equal(plainWords(line), null, line);
      assert.equal(said([forCommand('npm test'), forCommand('npm')], command(line)), 'none', line);
      assert.equal(said([forCommand(line, 'exact')], command(line)), 'none', `${line}, from itself`);
    }
  });

  it('refuse a command wherever it can be seen, and ask where it may be hidden', () => {
    const rules = [forCommand('rm', 'prefix', 'deny')];
    assert.equal(said(rules, command('rm -rf build')), 'deny');
    assert.equal(said(rules, command('npm test && rm -rf build')), 'deny');
    assert.equal(said(rules, command('(rm x)')), 'deny');
    assert.equal(said(rules, command('sudo rm x')), 'uncertain');
    assert.equal(said(rules, command('bash -c "rm x"')), 'uncertain');
    assert.equal(said(rules, command('eval "$X"')), 'uncertain');
    assert.equal(said(rules, command('npm test')), 'none');
  });

  it('a line made of a program and its arguments reads back as these very words', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const [program = '', ...args] = words;
        const read = plainWords(commandLine(program, args));
        if (read !== null) assert.deepEqual(read, words);
      }),
      { numRuns: process.env.DEEP === '1' ? 20_000 : 1_000 },
    );
    assert.deepEqual(plainWords(commandLine('npm', ['run', 'a b', ''])), ['npm', 'run', 'a b', '']);
  });

  it('no line with a mark of a shell outside of quotes is plain', () => {
    const mark = fc.constantFrom(...';&|<>$`\\\n\r(){}[]*?~#!%^"\'');
    const part = fc.stringMatching(/^[a-z ]{0,6}$/);
    fc.assert(
      fc.property(part, mark, part, (before, one, after) => {
        assert.equal(plainWords(`npm test ${before}${one}${after}`), null);
      }),
    );
  });
});

describe('rules for paths', () => {
  it('allow when every path matches, inside the folder, as it leads', () => {
    assert.equal(said([forEdit('src/**')], edit('/p/src/a/b.ts')), 'allow');
    assert.equal(said([forEdit('src/**')], edit('/p/src/a.ts', '/p/test/a.ts')), 'none');
    assert.equal(said([forEdit('src/**')], edit('/p/src/../package.json')), 'none');
    assert.equal(said([forEdit('**')], edit('/p/link/a.ts')), 'none', 'a link that leads out of the folder');
    assert.equal(said([forEdit('**')], edit('/q/a.ts')), 'none');
    assert.equal(said([forEdit('**')], edit()), 'none', 'an edit that names no path');
  });

  it('deny when any path matches, as it is named or as it leads, and win over what allows', () => {
    const rules = [forEdit('**'), forEdit('*.env', 'deny')];
    assert.equal(said(rules, edit('/p/src/a.ts')), 'allow');
    assert.equal(said(rules, edit('/p/src/a.ts', '/p/deep/er/prod.env')), 'deny');
    assert.equal(said([forEdit('link/**', 'deny'), forEdit('**')], edit('/p/link/a')), 'deny');
  });

  it('compare without case where the disk does', () => {
    assert.equal(said([forEdit('SRC/**')], edit('/P/src/A.ts'), { caseInsensitive: true }), 'allow');
    assert.equal(said([forEdit('SRC/**')], edit('/p/src/A.ts')), 'none');
  });

  it('are patterns of folders and names', () => {
    const matches = (pattern: string, file: string) => globTest(pattern, false)(file);
    assert.ok(matches('*.ts', 'a/b/c.ts'));
    assert.ok(matches('a/*.ts', 'a/c.ts'));
    assert.ok(!matches('a/*.ts', 'a/b/c.ts'));
    assert.ok(matches('a/**/c.ts', 'a/c.ts'));
    assert.ok(matches('a/**/c.ts', 'a/x/y/c.ts'));
    assert.ok(matches('a?c', 'x/abc'));
    assert.ok(!matches('a.c', 'abc'));
    assert.ok(matches('(a)[b]+.c', 'x/(a)[b]+.c'));
    assert.ok(matches('a/*', 'a/with\nbreak'));
    assert.ok(matches('./a/*', 'a/c') && matches('/a', 'a') && !matches('./a', 'b/a'));
    assert.ok(matches('a/', 'a/b/c') && !matches('a/', 'b/a/c'));
  });
});

describe('rules', () => {
  it('are about their class of tools only', () => {
    const all = (tool: Rule['tool']): Rule => ({ effect: 'allow', tool, scope: 'workspace' });
    assert.equal(said([all('edit')], edit('/p/a')), 'allow');
    assert.equal(said([all('edit')], asked({ kind: 'delete', paths: ['/p/a'] })), 'allow');
    assert.equal(said([all('edit')], command('ls')), 'none');
    assert.equal(said([all('read')], asked({ kind: 'fetch' })), 'none');
    assert.equal(said([all('web')], asked({ kind: 'fetch' })), 'allow');
    assert.equal(said([all('other')], asked({ kind: 'other' })), 'allow');
  });

  it('tell what they reach', () => {
    assert.equal(ruleWords(forCommand('npm test', 'exact')), 'allow the command npm test, in this run');
    assert.equal(ruleWords(forCommand('rm', 'prefix', 'deny')), 'deny commands that begin with rm, in this run');
    assert.equal(ruleWords(forEdit('src/**')), 'allow edits of src/**, in every folder');
    assert.equal(ruleWords({ effect: 'deny', tool: 'web', scope: 'workspace' }), 'deny the web, in this folder');
  });
});
