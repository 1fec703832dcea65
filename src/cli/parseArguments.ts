import { Command, CommanderError } from 'commander';
import { AGENT_IDS } from '../agent/catalog.ts';
import { addHistoryCommands, type HistoryInvocation } from './historyCommands.ts';
import { addReviewCommands, type ReviewInvocation } from './reviewCommand.ts';
import { addRulesCommand, type RulesArguments } from './rules.ts';
import { addRunArguments, commandMeant, type RunInvocation } from './runCommand.ts';
import { addSetupCommands, type SetupInvocation } from './setupCommands.ts';

/** What is to be done. Each command is a file of its own, which adds it to the program and reads its options. */
export type Invocation =
  | RunInvocation
  | ReviewInvocation
  | HistoryInvocation
  | SetupInvocation
  | { readonly type: 'rules'; readonly asked: RulesArguments }
  /** Help or version, for stdout. */
  | { readonly type: 'told'; readonly text: string }
  /** Wrong arguments: what, where and the way out. */
  | { readonly type: 'usage'; readonly message: string };

/** Reads the arguments after the program's name. `agents` are the ids that can be named. Reads no file and prints nothing. */
export function parseArguments(
  args: readonly string[],
  version: string,
  agents: readonly string[] = AGENT_IDS,
): Invocation {
  const told: string[] = [];
  let invocation: Invocation | null = null;
  const found = (wanted: Invocation): void => {
    invocation = wanted;
  };
  const tell = (text: string) => void told.push(text);
  const newProgram = () => programOf(version, agents, found, tell);
  try {
    newProgram().parse(withLiteralTask(args, newProgram), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'told', text: told.join('') };
    const message = error.message.replace(/^error: /, '');
    // The options of a command that is written wrongly are judged as those of a task.
    const meant = message.startsWith('There is no command') ? null : commandMeant(args[0] ?? '', newProgram());
    return { type: 'usage', message: meant === null ? message : `${message}\nDid you mean: cgloop ${meant}` };
  }
  return invocation ?? { type: 'usage', message: 'There is nothing to do.' };
}

function programOf(
  version: string,
  agents: readonly string[],
  found: (invocation: Invocation) => void,
  tell: (text: string) => void,
): Command {
  const program = new Command('cgloop')
    .description('One coding agent executes a task, another reviews it, round after round, until the review approves.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: tell, writeErr: () => {} });
  addRunArguments(program, agents, found);
  addReviewCommands(program, agents, found);
  addHistoryCommands(program, found);
  addRulesCommand(program, (asked) => found({ type: 'rules', asked }));
  addSetupCommands(program, agents, found);
  return program;
}

/**
 * What stands behind `--` is a task, also when it is called like a command: a blank before it keeps the parser from
 * taking it for that one. A look at the words before uses up a program. Throws `CommanderError`.
 */
function withLiteralTask(args: readonly string[], newProgram: () => Command): string[] {
  const at = args.indexOf('--');
  const task = args[at + 1];
  if (at < 0 || task === undefined || task === '-') return [...args];
  const { operands } = newProgram().parseOptions(args.slice(0, at));
  return operands.length > 0 ? [...args] : [...args.slice(0, at + 1), ` ${task}`, ...args.slice(at + 2)];
}
