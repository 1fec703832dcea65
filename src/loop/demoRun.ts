import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PermissionMode } from '../shared/permission.ts';
import { DEFAULTS, type RunOptions } from './options.ts';

/** What the demo agents are asked to do. */
export const DEMO_TASK =
  'Write slugify(title) in src/slugify.mjs: it turns the title of a page into the last part of its URL. Add tests.';

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Titles\n\nTurns the titles of pages into the last parts of their URLs. `npm test` runs the tests.\n',
  'package.json': `${JSON.stringify({ name: 'titles', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/slugify.mjs': `/** Turns a title into the last part of a URL. */
export function slugify(title) {
  return title;
}
`,
};

/** A new temporary folder with the sample project in it. It stays when the demo ends, so that it can be looked at. */
export function createDemoProject(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-demo-'));
  fillDemoProject(folder);
  return folder;
}

/** Puts the sample project into an empty folder (absolute). Throws rather than write over a file. */
export function fillDemoProject(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text, { flag: 'wx' });
  }
}

/** The demo agents' run in a sample project: no CLI, no account, no network. What lies in the folder is not trusted. */
export function demoOptions(asked: {
  readonly folder: string;
  readonly stateFolder: string;
  readonly rounds: number;
  readonly permissionMode: PermissionMode;
}): Omit<RunOptions, 'interactive'> {
  return {
    ...DEFAULTS,
    ...asked,
    task: DEMO_TASK,
    executor: 'demo-executor',
    reviewer: 'demo-reviewer',
    executorModel: null,
    reviewerModel: null,
    trusted: false,
    // Ours, in a project of ours: nobody needs to confirm it.
    checks: hasNode(process.env) ? [{ command: 'node --test', source: 'typed' }] : [],
    executablePaths: {},
  };
}

/** The sample project's tests want Node, which the demo itself does not. */
function hasNode(env: Readonly<Record<string, string | undefined>>): boolean {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const search = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  return search
    .split(path.delimiter)
    .some((folder) => path.isAbsolute(folder) && fs.existsSync(path.join(folder, name)));
}
