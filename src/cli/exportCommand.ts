import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exportRun } from '../session/exportJson.ts';
import { exportMarkdown } from '../session/exportMarkdown.ts';
import { createRedactor, knownSecrets } from '../session/redact.ts';
import { readRun } from '../session/replay.ts';
import { findProblem, findRun } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import type { Terminal } from './terminal.ts';
import { safeLine } from './terminalText.ts';

/** What `cgloop export` writes, and where. */
export interface ExportArguments {
  readonly run: string;
  readonly format: 'md' | 'json';
  /** As it was typed; null: stdout. */
  readonly out: string | null;
}

/** Writes a run down. Gives the exit code. */
export async function exportCommand(args: ExportArguments, stateFolder: string, terminal: Terminal): Promise<number> {
  const refuse = (message: string): number => {
    terminal.stderr.write(`${safeLine(message)}\n`);
    return 1;
  };
  const found = await findRun(stateFolder, args.run);
  if (found.type !== 'found') return refuse(findProblem(found, args.run));
  const { events, state, problems } = await readRun(found.directory);
  for (const problem of problems) terminal.stderr.write(`${safeLine(problem)}\n`);
  const view = reduce(EMPTY_VIEW, events);
  const told = exportRun(view, state);
  if (told === null) return refuse(`The log of run ${found.id} does not say what it worked on.`);
  const redact = createRedactor(knownSecrets(terminal.env), os.homedir());
  const text = redact(args.format === 'md' ? exportMarkdown(view, told) : `${JSON.stringify(told, null, 2)}\n`);
  if (args.out === null) {
    terminal.stdout.write(text);
    return 0;
  }
  try {
    await fs.writeFile(args.out, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    return refuse(unwritten(args.out, error));
  }
  terminal.stderr.write(`${path.resolve(args.out)}\n`);
  return 0;
}

/** Why the file was not written, and the way out. */
function unwritten(out: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EEXIST') return `${out} is there already: name another file, or remove it.`;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return `There is no folder ${path.dirname(path.resolve(out))} to write ${path.basename(out)} into: make it, or name another file.`;
  }
  return `${out} cannot be written: ${errorText(error)}`;
}
