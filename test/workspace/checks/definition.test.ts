import assert from 'node:assert/strict';
import { changesBetween, definitionOf, digestOf } from '../../../src/workspace/checks/definition.ts';
import { manifest, projectOf } from './project.ts';

type Files = Readonly<Record<string, string>>;
const textsOf = async (command: string, files: Files) =>
  Object.fromEntries((await definitionOf(command, projectOf(files))).texts);
const changes = async (command: string, before: Files, after: Files) =>
  changesBetween(
    command,
    await definitionOf(command, projectOf(before)),
    await definitionOf(command, projectOf(after)),
  );

describe('what a check is defined to run', () => {
  it('is its script with those before and after it, and the scripts that it runs', async () => {
    const scripts = {
      pretest: 'npm run build',
      test: 'npm run -s unit && yarn e2e',
      build: 'tsc',
      unit: 'mocha',
      e2e: 'x',
    };
    for (const command of ['npm test', 'npm t', 'npm run test', 'CI=1 npm --silent test', 'pnpm test', 'yarn test'])
      assert.deepEqual(await textsOf(command, { 'package.json': manifest({ ...scripts, lint: 'eslint' }) }), {
        'package.json': [
          '"pretest": "npm run build"',
          '"build": "tsc"',
          '"test": "npm run -s unit && yarn e2e"',
          '"unit": "mocha"',
          '"e2e": "x"',
        ].join('\n\n'),
      });
  });

  it('has the scripts that a pattern runs, and ends where scripts run each other', async () => {
    const files = { 'package.json': manifest({ test: 'run-s test:*', 'test:a': 'npm test', 'test:b': 'b' }) };
    assert.deepEqual(await textsOf('npm test', files), {
      'package.json': '"test": "run-s test:*"\n\n"test:a": "npm test"\n\n"test:b": "b"',
    });
  });

  it('has the settings of the runner, wherever they stand', async () => {
    const files = {
      'package.json': manifest({ test: 'cross-env A=1 c8 mocha --config other.json' }, { mocha: { spec: 'a' } }),
      '.mocharc.json': '{}',
      'other.json': '{ }',
      'jest.config.js': 'not ours',
    };
    assert.deepEqual(await textsOf('npm test', files), {
      'package.json': '"test": "cross-env A=1 c8 mocha --config other.json"\n\n"mocha": {\n  "spec": "a"\n}',
      '.mocharc.json': '{}',
      'other.json': '{ }',
    });
    assert.deepEqual(
      await textsOf('uv run python -m pytest -q', {
        'pyproject.toml': '[project]\nname = "p"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.other]\nx = 1\n',
        'conftest.py': '# fixtures',
      }),
      { 'conftest.py': '# fixtures', 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"' },
    );
  });

  it('is the recipe of a target with what it needs and the variables that they name', async () => {
    const Makefile = `A = go\nB := $(A) test\nC = x\n\ntest: gen unit\n\t$(B) ./... \\\n\t  -v\n\ngen:\n\t\${A} generate\n\nother:\n\trm -rf $(C)\n`;
    assert.deepEqual(await textsOf('make -s test', { Makefile }), {
      Makefile: `A = go\nB := $(A) test\ntest: gen unit\n\t$(B) ./... -v\ngen:\n\t\${A} generate`,
    });
    assert.deepEqual(await textsOf('make', { Makefile: 'all: x\nx:\n\ty\n' }), { Makefile: 'all: x\nx:\n\ty' });
  });

  it('has the script file that it names, but no test, and nothing outside the folder', async () => {
    const files = {
      'package.json': manifest({ test: 'node --import tsx scripts/check.mjs a' }),
      'scripts/check.mjs': 'run()',
      a: 'a',
    };
    assert.deepEqual(Object.keys(await textsOf('npm test', files)), ['package.json', 'scripts/check.mjs']);
    assert.deepEqual(await textsOf('./ci/test.sh --all', { 'ci/test.sh': 'x' }), { 'ci/test.sh': 'x' });
    assert.deepEqual(await textsOf('sh ci/test.sh', { 'ci/test.sh': 'x' }), { 'ci/test.sh': 'x' });
    for (const command of [
      'node sum.test.mjs',
      'node --test lib/x.mjs',
      'node ../x.mjs',
      'bash -c lib/x.mjs',
      '/bin/x',
    ])
      assert.deepEqual(await textsOf(command, { 'sum.test.mjs': 't', 'lib/x.mjs': 'x', '../x.mjs': 'x' }), {}, command);
  });

  it('names what it looked for, so that other changes need no second look', async () => {
    const { looked } = await definitionOf('npm test', projectOf({ 'package.json': manifest({ test: 'tsx run.ts' }) }));
    assert.deepEqual([...looked], ['package.json', 'run.ts']);
  });

  it('tells what a change did, in order, and only of what it runs', async () => {
    const before = { 'package.json': manifest({ test: 'mocha', lint: 'eslint' }), '.mocharc.json': '{}' };
    const after = { 'package.json': manifest({ test: 'exit 0', lint: 'other' }) };
    assert.deepEqual(await changes('npm test', before, after), [
      { type: 'definition', command: 'npm test', file: '.mocharc.json', before: '{}', after: null },
      {
        type: 'definition',
        command: 'npm test',
        file: 'package.json',
        before: '"test": "mocha"',
        after: '"test": "exit 0"',
      },
    ]);
    const other = {
      ...before,
      'package.json': manifest({ test: 'mocha' }, { dependencies: { a: '1' } }),
      'a.test.js': 'x',
    };
    assert.deepEqual(await changes('npm test', before, other), []);
    assert.deepEqual(await changes('npm test', {}, { 'package.json': '{' }), []);
  });

  it('names the line that names another file, not the file, which may be as it was', async () => {
    const files = { 'package.json': manifest({ test: 'node a.mjs' }), 'a.mjs': 'a', 'b.mjs': 'b' };
    const other = { ...files, 'package.json': manifest({ test: 'node b.mjs' }) };
    assert.deepEqual(
      (await changes('npm test', files, other)).map((change) => change.type === 'definition' && change.file),
      ['package.json'],
    );
    const { 'a.mjs': _, ...without } = files;
    assert.deepEqual(
      (await changes('npm test', files, without)).map((change) => change.type === 'definition' && change.file),
      ['a.mjs'],
    );
  });

  it('has a digest that only its texts decide', async () => {
    const of = async (files: Files) => digestOf(await definitionOf('npm test', projectOf(files)));
    const one = await of({ 'package.json': manifest({ test: 'mocha' }), '.mocharc.js': 'a' });
    assert.equal(one, await of({ '.mocharc.js': 'a', 'package.json': manifest({ test: 'mocha', x: 'y' }) }));
    assert.notEqual(one, await of({ 'package.json': manifest({ test: 'mocha' }) }));
    assert.notEqual(await of({}), await of({ 'package.json': manifest({ test: '' + 'true' }) }));
  });
});
