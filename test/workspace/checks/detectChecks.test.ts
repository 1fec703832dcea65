import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { detectChecks } from '../../../src/workspace/checks/detectChecks.ts';
import { filesOnDisk, projectPath } from '../../../src/workspace/checks/projectFiles.ts';
import { gitSettings } from '../../../src/workspace/gitSettings.ts';
import { manifest, projectOf } from './project.ts';

type Files = Readonly<Record<string, string>>;
const commands = async (files: Files, platform: NodeJS.Platform = 'linux') =>
  (await detectChecks(projectOf(files), platform)).map(({ command }) => command);

const TABLE: readonly (readonly [string, Files, readonly string[]])[] = [
  ['nothing', {}, []],
  [
    'scripts of package.json',
    { 'package.json': manifest({ build: 'b', lint: 'eslint .', test: 'mocha', 'type-check': 'tsc' }) },
    ['npm test', 'npm run lint', 'npm run type-check'],
  ],
  [
    'one check of each kind',
    { 'package.json': manifest({ typecheck: 'tsc', 'check:types': 'tsc' }) },
    ['npm run typecheck'],
  ],
  ["npm's own placeholder", { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
  [
    'a script that mends or never ends is no check',
    { 'package.json': manifest({ test: 'vitest --watch', lint: 'eslint --fix .', typecheck: 'tsc --watch-less' }) },
    ['npm run typecheck'],
  ],
  [
    'packageManager before the lock files',
    { 'package.json': manifest({ test: 'x' }, { packageManager: 'pnpm@9.1.0' }), 'yarn.lock': '' },
    ['pnpm test'],
  ],
  ['yarn', { 'package.json': manifest({ test: 'x', lint: 'y' }), 'yarn.lock': '' }, ['yarn test', 'yarn run lint']],
  ['pnpm', { 'package.json': manifest({ test: 'x' }), 'pnpm-lock.yaml': '' }, ['pnpm test']],
  ['bun, whose test is its own runner', { 'package.json': manifest({ test: 'x' }), 'bun.lock': '' }, ['bun run test']],
  ['a package.json that is none', { 'package.json': '{"scripts": [' }, []],
  ['a package.json of another shape', { 'package.json': '{"scripts": {"test": 3}}' }, []],
  ['deno with comments', { 'deno.jsonc': '{ // tasks\n "tasks": { "test": "deno test -A", }, }' }, ['deno task test']],
  ['deno without a task', { 'deno.json': '{}' }, []],
  ['cargo', { 'Cargo.toml': '' }, ['cargo test']],
  ['go', { 'go.mod': '' }, ['go test ./...', 'go vet ./...']],
  ['pytest by its own file', { 'pytest.ini': '' }, ['pytest']],
  ['pytest by a section', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': '' }, ['uv run pytest']],
  ['pytest in tox.ini, with poetry', { 'tox.ini': '[pytest]\n', 'poetry.lock': '' }, ['poetry run pytest']],
  ['pytest in setup.cfg', { 'setup.cfg': '[tool:pytest]\n', 'Pipfile.lock': '' }, ['pipenv run pytest']],
  ['tox', { 'tox.ini': '[tox]\nenvlist = py3\n' }, ['tox']],
  ['nox', { 'noxfile.py': '' }, ['nox']],
  ['a Python project that names no tests', { 'pyproject.toml': '[project]\nname = "p"\n' }, []],
  ['maven', { 'pom.xml': '' }, ['mvn test']],
  ['maven with its wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw test']],
  ['gradle', { 'build.gradle': '' }, ['gradle test']],
  ['gradle with its wrapper', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew test']],
  ['dotnet', { 'App.sln': '' }, ['dotnet test']],
  ['composer', { 'composer.json': '{"scripts":{"test":"phpunit"}}' }, ['composer test']],
  ['phpunit', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, ['vendor/bin/phpunit']],
  ['mix', { 'mix.exs': '' }, ['mix test']],
  ['rspec', { '.rspec': '', Gemfile: '' }, ['bundle exec rspec']],
  ['rake', { Rakefile: 'Rake::TestTask.new\n' }, ['rake test']],
  ['swift', { 'Package.swift': '' }, ['swift test']],
  ['make', { Makefile: 'test:\n\tgo test\nlint: test\n\tgo vet\n' }, ['make test', 'make lint']],
  ['make, where check stands for test', { Makefile: 'check:\n\t./run\n' }, ['make check']],
  ['make, the first file by its order', { Makefile: 'test:\n\tx\n', GNUmakefile: 'all:\n\tx\n' }, []],
  ['just', { justfile: 'default:\n  x\ntest filter="":\n  x\n' }, ['just test']],
  [
    'a Makefile adds only what no tool of its own stands for',
    { 'package.json': manifest({ test: 'x' }), Makefile: 'test:\n\tnpm test\nlint:\n\teslint\n' },
    ['npm test', 'make lint'],
  ],
  [
    'two languages in one folder',
    { 'package.json': manifest({ test: 'x' }), 'Cargo.toml': '' },
    ['npm test', 'cargo test'],
  ],
];

describe('detected checks', () => {
  for (const [title, files, expected] of TABLE)
    it(`of ${title}`, async () => assert.deepEqual(await commands(files), expected));

  it('name the wrappers as cmd.exe takes them', async () => {
    assert.deepEqual(await commands({ 'pom.xml': '', mvnw: '', 'build.gradle': '', gradlew: '' }, 'win32'), [
      'mvnw test',
      'gradlew test',
    ]);
  });

  it('are read from the disk, where a folder, a large file and a missing one are no text', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-checks-'));
    try {
      fs.writeFileSync(path.join(folder, 'package.json'), manifest({ test: 'node --test' }));
      fs.mkdirSync(path.join(folder, 'Makefile'));
      fs.writeFileSync(path.join(folder, 'large'), Buffer.alloc(600 * 1024));
      const project = await filesOnDisk(folder);
      assert.deepEqual(await detectChecks(project, 'linux'), [{ command: 'npm test', kind: 'test' }]);
      for (const file of ['Makefile', 'large', 'missing', 'a/b']) assert.equal(await project.read(file), null, file);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
    assert.deepEqual((await filesOnDisk(folder)).names, []);
  });

  it('wait for no pipe that has the name of a project file', async function () {
    if (process.platform === 'win32') this.skip(); // There is no `mkfifo`.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-checks-'));
    try {
      for (const name of ['Makefile', 'package.json']) execFileSync('mkfifo', [path.join(folder, name)]);
      assert.deepEqual(await detectChecks(await filesOnDisk(folder), 'linux'), []);
      fs.mkdirSync(path.join(folder, 'hooks'));
      execFileSync('mkfifo', [path.join(folder, 'hooks', 'post-commit')]);
      assert.equal((await gitSettings({ gitDir: folder, commonDir: folder })).size, 0);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('take only paths that stay in the folder', () => {
    assert.equal(projectPath('./scripts/../run.sh'), 'run.sh');
    assert.equal(projectPath('scripts\\test.cmd'), 'scripts/test.cmd');
    for (const path of ['', '.', '..', '../x', '/etc/passwd', 'C:\\x', '~/x', 'a/', 'a/../../x'])
      assert.equal(projectPath(path), null, path);
  });
});
