import { writeReport } from '../loop/reportRun.ts';
import { readRun, runHeaderOf } from '../session/replay.ts';
import { findProblem, findRun } from '../session/runs.ts';
import type { DoctorReport } from '../shared/doctor.ts';
import type { RunHeader } from '../shared/events.ts';
import type { Terminal } from './terminal.ts';
import { safeLine } from './terminalText.ts';

/** Which run `cgloop report` gathers. */
export interface ReportArguments {
  /** Id of the run, or a part that only it has. */
  readonly run: string;
  /** Whether the setup is looked at anew, which starts both agents once. */
  readonly doctor: boolean;
}

/** What the command needs besides the terminal. */
export interface ReportParts {
  readonly terminal: Terminal;
  readonly stateFolder: string;
  /** Looks at the setup of the run's two agents. */
  readonly examine: (run: RunHeader) => Promise<DoctorReport>;
}

/** Writes a report of a run and says where it lies. Gives the exit code. */
export async function report({ run, doctor }: ReportArguments, parts: ReportParts): Promise<number> {
  const { terminal, stateFolder, examine } = parts;
  const found = await findRun(stateFolder, run);
  if (found.type !== 'found') {
    terminal.stderr.write(`${safeLine(findProblem(found, run))}\n`);
    return 1;
  }
  const header = doctor ? runHeaderOf((await readRun(found.directory)).events) : null;
  const told = header === null ? null : await examine(header);
  const { directory } = found;
  const written = await writeReport({ directory, stateFolder, doctor: told, versions: {}, secrets: {} });
  terminal.stdout.write(`${written.file}\n`);
  terminal.stderr.write(
    'Read it before you share the folder: keys and your home folder were taken out, your task and parts of your files were not.\n',
  );
  return 0;
}
