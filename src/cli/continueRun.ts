import { type ContinueResult, noteHandover, prepareContinue } from '../loop/continueRun.ts';
import { findProblem, findRun } from '../session/runs.ts';
import type { Role } from '../shared/agentEvents.ts';
import { runForeground } from '../transport/childProcess.ts';
import { environmentOf, type Terminal } from './terminal.ts';
import { safeLine } from './terminalText.ts';

/** Which session `cgloop continue` goes on with. */
export interface ContinueArguments {
  /** Id of the run, or a part that only it has. */
  readonly run: string;
  readonly role: Role;
  /** Only says what it would start. */
  readonly print: boolean;
}

/** Starts the agent's own interface on the run's session, in this terminal. Gives the exit code. */
export async function continueRun(args: ContinueArguments, stateFolder: string, terminal: Terminal): Promise<number> {
  const found = await findRun(stateFolder, args.run);
  if (found.type !== 'found') return refuse(terminal, findProblem(found, args.run));
  const { role } = args;
  const prepared: ContinueResult = await prepareContinue({
    directory: found.directory,
    role,
    stateFolder,
    executablePaths: {},
    secrets: {},
  });
  if (prepared.type === 'problem') return refuse(terminal, prepared.message);
  const { agent, folder, sessionId, start } = prepared.continuation;
  const said = `${agent.name} goes on with session ${sessionId} in ${folder}`;
  if (args.print) {
    const env = Object.entries(start.env).map(([name, value]) => `${name}=${quoted(value)}`);
    const line = [...env, ...[start.command, ...start.args].map(quoted)].join(' ');
    terminal.stdout.write(`cd ${quoted(folder)} && ${line}\n`);
    return 0;
  }
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) {
    return refuse(terminal, 'Its interface needs a terminal. --print says what would be started.');
  }
  terminal.stderr.write(`${safeLine(said)}. What you change there is yours.\n`);
  await noteHandover(found.directory, { type: 'handover.started', role, wire: { sessionId } });
  // Ctrl-C is the interface's own key as long as it runs.
  const release = terminal.onSignal(() => undefined);
  try {
    const exit = await runForeground({ ...start, cwd: folder, env: { ...environmentOf(terminal), ...start.env } });
    if (exit.error !== null) return refuse(terminal, exit.error.message);
    return exit.code ?? 1;
  } finally {
    // A key pressed once too often must not end us before the log knows.
    await noteHandover(found.directory, { type: 'handover.ended', role });
    release();
  }
}

function refuse(terminal: Terminal, message: string): number {
  terminal.stderr.write(`${safeLine(message)}\n`);
  return 1;
}

/** As a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
