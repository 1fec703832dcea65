import { prepareCommit } from '../loop/commitRun.ts';
import { changes } from '../shared/runWords.ts';
import { fileLines } from './renderRound.ts';
import type { Terminal } from './terminal.ts';
import { safe, safeLine } from './terminalText.ts';

/** Stages the changes of a run and prints a message for their commit on stdout. Gives the exit code. */
export async function commitCommand(run: string, stateFolder: string, terminal: Terminal): Promise<number> {
  const made = await prepareCommit({ run, stateFolder });
  if (made.type === 'problem') {
    terminal.stderr.write(`${safe(made.message)}\n`);
    return 1;
  }
  const { message, files, left, persons, folder } = made;
  const list = (head: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [head, ...paths.map((path) => `  ${safeLine(path)}`)];
  const lines = [
    ...(files.length === 0
      ? [`All of it is staged or committed already in ${safeLine(folder)}.`]
      : [`Staged in ${safeLine(folder)}: ${changes(files)}`, ...fileLines(files)]),
    ...list('Not staged, because your own changes touch those of the run, or git does not know the file yet:', left),
    ...list('Not staged, because you alone changed it during the run:', persons),
    'Nothing was committed.',
  ];
  terminal.stderr.write(`${lines.join('\n')}\n`);
  terminal.stdout.write(terminal.stdout.isTTY === true ? safe(message) : message);
  return 0;
}
