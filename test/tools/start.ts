import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDemoProject } from '../../src/loop/demoRun.ts';
import { startServer } from '../vscode/host/server.ts';
import { windowUrl } from '../vscode/host/window.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SETTINGS = { 'cgloop.executor': 'demo-executor', 'cgloop.reviewer': 'demo-reviewer' } as const;

/**
 * Opens VS Code with the extension as it was built, on a sample project, with settings of its own: nothing of the person's VS Code
 * is read or changed. Resolves with the exit code once it is closed, or by Ctrl+C.
 */
export async function start(inBrowser: boolean): Promise<number> {
  const project = createDemoProject();
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-start-'));
  const code = inBrowser ? null : desktopCode();
  try {
    return code === null ? await serve(project) : await openDesktop(code, project, scratch);
  } finally {
    for (const folder of [scratch, project]) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The absolute path of `code`, where a desktop VS Code has put it on the PATH. */
export function desktopCode(env: NodeJS.ProcessEnv = process.env): string | null {
  const names = process.platform === 'win32' ? ['code.cmd'] : ['code'];
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return files.find((file) => fs.existsSync(file)) ?? null;
}

async function openDesktop(code: string, project: string, scratch: string): Promise<number> {
  const user = path.join(scratch, 'User');
  fs.mkdirSync(user);
  fs.writeFileSync(
    path.join(user, 'settings.json'),
    JSON.stringify({ ...SETTINGS, 'workbench.startupEditor': 'none' }),
  );
  console.log(`Opening VS Code (${code}). It ends when its window is closed.`);
  const args = ['--new-window', '--wait', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`];
  args.push(`--user-data-dir=${scratch}`, `--extensions-dir=${path.join(scratch, 'extensions')}`, project);
  // A script on Windows, which only a shell can start: its arguments are folders of ours.
  const shell = process.platform === 'win32';
  const words = shell ? [code, ...args].map((word) => `"${word}"`) : [code, ...args];
  const [command = code, ...rest] = words;
  const child = spawn(command, rest, { stdio: 'inherit', shell });
  // Ctrl+C reaches the child too: we wait for it.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const [exit] = await once(child, 'exit');
  process.off('SIGINT', ignore);
  return typeof exit === 'number' ? exit : 0;
}

async function serve(project: string): Promise<number> {
  if (process.platform !== 'linux') {
    console.error(
      "No `code` is on the PATH: install VS Code, then choose “Shell Command: Install 'code' command” in it.",
    );
    return 1;
  }
  const ended = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
  const server = await startServer({ install: [root], settings: SETTINGS, endOnSignal: false });
  console.log(`VS Code is at\n\n  ${windowUrl(server, { folder: project })}\n`);
  console.log('for browsers on this machine. Open “Claude–Gemini Loop” on its left, and write a task. Ctrl+C ends it.');
  await ended;
  await server.stop();
  return 0;
}
