import type { Command } from 'commander';
import type { ContinueArguments } from './continueRun.ts';
import { factor, RUN_ID } from './optionKinds.ts';
import type { ReplayArguments } from './replay.ts';
import type { ReportArguments } from './report.ts';
import { addRunsCommands, type RunsInvocation } from './runsCommands.ts';
import { addUndoCommand, type UndoInvocation } from './undoCommand.ts';
import { addWorktreeCommand, type WorktreeInvocation } from './worktreeCommand.ts';

/** What these commands ask for. */
export type HistoryInvocation =
  | RunsInvocation
  | UndoInvocation
  | WorktreeInvocation
  | { readonly type: 'continue'; readonly asked: ContinueArguments }
  | { readonly type: 'replay'; readonly asked: ReplayArguments }
  | { readonly type: 'report'; readonly asked: ReportArguments };

/** Adds the commands that look at, take back or go on with runs of before. */
export function addHistoryCommands(program: Command, found: (invocation: HistoryInvocation) => void): void {
  addRunsCommands(program, found);
  addUndoCommand(program, found);
  addWorktreeCommand(program, found);
  program
    .command('continue')
    .description("go on with a run's session in the agent's own interface, in this terminal")
    .argument('<run>', RUN_ID)
    .option('--reviewer', "the reviewer's session instead of the executor's", false)
    .option('--print', 'only print the command', false)
    .action((run: string, { reviewer, print }: { readonly reviewer: boolean; readonly print: boolean }) => {
      found({ type: 'continue', asked: { run, role: reviewer ? 'review' : 'execute', print } });
    });
  program
    .command('replay')
    .description('show a run again from its log or its trace')
    .argument('<file>', "a log, a trace, a run's folder, or the id of a run")
    .option('--speed <factor>', 'as many times as fast as it happened; without it all at once', factor)
    .option('-v, --verbose', 'whole prompts, thoughts, tool arguments and diagnostics', false)
    .action((file: string, { speed, verbose }: { readonly speed?: number; readonly verbose: boolean }) => {
      found({ type: 'replay', asked: { file, speed: speed ?? null, verbose } });
    });
  program
    .command('report')
    .description('gather a run without keys and your home folder, to be read and then shared')
    .argument('<run>', RUN_ID)
    .option('--no-doctor', 'start no agent to look at the setup')
    .action((run: string, { doctor }: { readonly doctor: boolean }) => {
      found({ type: 'report', asked: { run, doctor } });
    });
}
