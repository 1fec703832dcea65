import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Relative path → content. */
export type Files = Readonly<Record<string, string>>;

/** A throw-away folder to work in. */
export interface Project {
  /** Absolute, links resolved. */
  readonly folder: string;
  file(name: string): string;
  read(name: string): Promise<string>;
  write(files: Files): Promise<void>;
  dispose(): Promise<void>;
}

/** Makes a project with these files; `git` makes them the first commit of a repository. */
export async function makeProject(files: Files, options: { readonly git: boolean }): Promise<Project> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'cgloop-project-')));
  const project: Project = {
    folder,
    file: (name) => path.join(folder, name),
    read: (name) => readFile(path.join(folder, name), 'utf8'),
    async write(more) {
      for (const [name, content] of Object.entries(more)) {
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
        await writeFile(path.join(folder, name), content);
      }
    },
    dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
  await project.write(files);
  if (options.git) {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgsign=false'];
    const git = (...args: string[]) => run('git', [...identity, ...args], { cwd: folder });
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'The project as it was');
  }
  return project;
}

/** Makes a project, hands it over, and removes it however that ends. */
export async function withProject<T>(
  files: Files,
  options: { readonly git: boolean },
  use: (project: Project) => Promise<T>,
): Promise<T> {
  const project = await makeProject(files, options);
  try {
    return await use(project);
  } finally {
    await project.dispose();
  }
}

/** A tiny Node project whose one test fails: `add` subtracts. `node --test` runs it. */
export const FAILING_TEST: Files = {
  'package.json': `${JSON.stringify({ name: 'adder', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'add.test.js': [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { add } from './add.js';",
    '',
    "test('adds two numbers', () => {",
    '  assert.equal(add(2, 3), 5);',
    '});',
    '',
  ].join('\n'),
};
