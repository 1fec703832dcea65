import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitPatch } from '../../src/loop/fitPatch.ts';
import { filesOf, hunksOf, showsLine } from '../../src/loop/patch.ts';
import { isSecretFile, withholdSecrets } from '../../src/loop/withheld.ts';

const MARKS = { file: '[file]', line: '[line]' };
const KEY = `sk-ant-${'a1B2'.repeat(8)}`;

/** One file's part of a diff, as git writes it; `lines` with their signs. */
function part(path: string, ...lines: readonly string[]): string {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length;
  return [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${count('-')} +1,${count('+')} @@`,
    ...lines,
    '',
  ].join('\n');
}

describe('taking a diff apart', () => {
  it('finds the files, whatever their names, and the whole is the sum of its parts', () => {
    const names = ['a.ts', 'with blank b/x.ts', 'src/é.ts'];
    const quoted =
      'diff --git "a/tab\\there \\"q\\" \\303\\251" "b/tab\\there \\"q\\" \\303\\251"\nBinary files differ\n';
    const patch = names.map((name) => part(name, '+diff --git a/no b/no', '-@@ -1 +1 @@')).join('') + quoted;
    assert.deepEqual(
      filesOf(patch).map(({ path }) => path),
      [...names, 'tab\there "q" é'],
    );
    assert.equal(
      filesOf(patch)
        .map(({ text }) => text)
        .join(''),
      patch,
    );
    assert.deepEqual(filesOf(''), []);
  });

  it('ends a line at a line feed only: no text in a file makes another file or hunk of what follows it', () => {
    const lines = [
      '+a\rdiff --git a/open.txt b/open.txt',
      `+SECRET=${KEY}`,
      '+a\u2028@@ -9,9 +9,9 @@',
      '+PLAIN=hunter22x',
    ];
    const patch = part('.env', ...lines);
    assert.deepEqual(
      filesOf(patch).map(({ path }) => path),
      ['.env'],
    );
    assert.equal(hunksOf(patch).length, 1);
    const { patch: sent, files } = withholdSecrets(patch, [], MARKS);
    assert.deepEqual(files, ['.env']);
    assert.doesNotMatch(sent, /PLAIN|SECRET/);
  });

  it('finds the hunks and the lines that they show', () => {
    const text = 'diff --git a/a b/a\n@@ -3,2 +3,4 @@ x\n a\n+b\n+c\n d\n@@ -20 +22,0 @@\n-gone\n';
    const [first, second, ...more] = hunksOf(text);
    assert.ok(first && second && more.length === 0);
    assert.equal(second.text, '@@ -20 +22,0 @@\n-gone\n');
    assert.deepEqual(
      [2, 3, 6, 7].map((line) => showsLine(first, 'new', line)),
      [false, true, true, false],
    );
    assert.deepEqual([showsLine(second, 'old', 20), showsLine(second, 'new', 22)], [true, false]);
  });
});

describe('what is kept out of a diff', () => {
  it('knows files that hold secrets by their names', () => {
    const secret = [
      '.env',
      'a/.env.local',
      '.ENV',
      'tls/server.pem',
      'k.key',
      '.ssh/id_rsa',
      '.npmrc',
      'credentials.json',
    ];
    const plain = ['env.ts', 'src/environment.ts', 'id_rsa.pub', 'keys.ts', 'monkey', 'secretary.md', 'credentials.ts'];
    for (const name of secret) assert.ok(isSecretFile(name), name);
    for (const name of plain) assert.ok(!isSecretFile(name), name);
  });

  it('keeps out their contents, and what stood in them wherever else it stands', () => {
    const value = 'hunter2hunter2';
    const patch =
      part('.env', `+PASSWORD=${value}`, '+MODE=production', '+URL=https://example.org/1') +
      part('a.ts', ' const mode = "production";', `+connect("${value}");`);
    const { patch: clean, files, values } = withholdSecrets(patch, [], MARKS);
    assert.deepEqual(files, ['.env', 'a.ts']);
    assert.deepEqual(values, [value]);
    assert.doesNotMatch(clean, /hunter2|MODE/);
    assert.match(clean, /\+\+\+ b\/\.env\n\[file\]\n/);
    assert.match(clean, / const mode = "production";\n\+\[line\]\n$/);
  });

  it('keeps out lines that look like a key, known secrets and whole private keys, with the sign of the line', () => {
    const patch = part(
      'a.ts',
      `+const a = "${KEY}";`,
      `-const b = "${KEY}";`,
      ` apiKey: "abcdef1234567890abcdef",`,
      '+const known = give("of-this-run");',
      '+-----BEGIN RSA PRIVATE KEY-----',
      '+MIIEpAIBAAKCAQEA',
      '+-----END RSA PRIVATE KEY-----',
      '+const token = nextToken();',
      '+const apiKey = process.env.API_KEY;',
    );
    const { patch: clean, files } = withholdSecrets(patch, ['of-this-run'], MARKS);
    assert.deepEqual(files, ['a.ts']);
    assert.deepEqual(clean.split('\n').slice(5), [
      '+[line]',
      '-[line]',
      ' [line]',
      '+[line]',
      ...['+[line]', '+[line]', '+[line]'],
      '+const token = nextToken();',
      '+const apiKey = process.env.API_KEY;',
      '',
    ]);
  });

  it('leaves a diff without secrets as it is', () => {
    const patch = part('a.ts', '+const a = 1;', ' task-list-of-many-words-here: "x"') + part('b.ts', '-b');
    assert.deepEqual(withholdSecrets(patch, [], MARKS), { patch, files: [], values: [] });
    assert.deepEqual(withholdSecrets('', [], MARKS), { patch: '', files: [], values: [] });
  });
});

describe('fitting a diff into its place', () => {
  const mark = (leftOut: number) => `[${leftOut}]`;
  const big = (path: string, lines: number) => part(path, ...Array.from({ length: lines }, (_, at) => `+line ${at}`));

  it('cuts the biggest first, and leaves the small ones whole', () => {
    const patch = big('big', 5_000) + big('small', 20) + big('middle', 300);
    const { text, shortened, leftOut } = fitPatch(patch, 12_000, mark);
    assert.deepEqual([shortened, leftOut], [['big'], []]);
    assert.ok(text.includes(big('small', 20)) && text.includes(big('middle', 300)));
    assert.match(text, /^diff --git a\/big b\/big\n[\s\S]*\n\[\d+\]\n[\s\S]*\+line 4999\n/);
  });

  it('leaves out files without a share worth having, and names them', () => {
    const names = Array.from({ length: 200 }, (_, at) => `f${at}`);
    const { text, shortened, leftOut } = fitPatch(names.map((name) => big(name, 100)).join(''), 20_000, mark);
    assert.ok(leftOut.length > 100 && leftOut.every((name) => shortened.includes(name)));
    for (const name of names) assert.equal(text.includes(`b/${name}\n`), !leftOut.includes(name), name);
  });

  it('is whole when it fits, else bounded, and says of every file that it is not whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 500, max: 30_000 }),
        (sizes, limit) => {
          const parts = sizes.map((size, at) => big(`f${at}`, size));
          const patch = parts.join('');
          const { text, shortened } = fitPatch(patch, limit, mark);
          if (patch.length <= limit) assert.equal(text, patch);
          assert.ok(text.length <= limit + parts.length * 12, `${text.length} of ${limit}`);
          for (const [at, one] of parts.entries()) assert.equal(text.includes(one), !shortened.includes(`f${at}`));
        },
      ),
      { numRuns: 200 },
    );
  });
});
