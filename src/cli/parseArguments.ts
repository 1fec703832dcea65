import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { AGENT_IDS } from '../agent/catalog.ts';
import { DEFAULTS } from '../loop/options.ts';
import type { PermissionMode } from '../shared/events.ts';
import type { ContinueArguments } from './continueRun.ts';
import type { DoctorArguments } from './doctor.ts';
import type { ReplayArguments } from './replay.ts';
import type { ReportArguments } from './report.ts';
import type { ResumeArguments } from './resumeRun.ts';
import { addRulesCommand, type RulesArguments } from './rules.ts';

/** How a run is shown. */
export interface DisplayOptions {
  readonly verbose: boolean;
  /** Nothing on stderr but problems, questions and the ending. */
  readonly quiet: boolean;
  readonly output: 'text' | 'stream-json';
}

/** A run as the arguments ask for it. Names and numbers are in their ranges; the folder is as it was typed. */
export interface RunArguments extends DisplayOptions {
  readonly dir: string;
  readonly rounds: number;
  readonly threshold: number;
  readonly turnLimitSeconds: number;
  readonly executor: string;
  readonly reviewer: string;
  readonly executorModel: string | null;
  readonly reviewerModel: string | null;
  readonly permissionMode: PermissionMode;
  readonly trusted: boolean;
  /** Both wires are written to the run's folder. */
  readonly trace: boolean;
  readonly wait: boolean;
}

export interface DemoArguments extends DisplayOptions {
  readonly scenario: (typeof SCENARIOS)[number];
  readonly rounds: number;
  readonly permissionMode: PermissionMode;
}

export type Invocation =
  /** `task` null: it is read from stdin. */
  | { readonly type: 'run'; readonly task: string | null; readonly run: RunArguments }
  | { readonly type: 'resume'; readonly asked: ResumeArguments; readonly display: DisplayOptions }
  | { readonly type: 'undo'; readonly run: string }
  | { readonly type: 'runs' }
  | { readonly type: 'demo'; readonly demo: DemoArguments }
  | { readonly type: 'doctor'; readonly doctor: DoctorArguments }
  | { readonly type: 'continue'; readonly asked: ContinueArguments }
  | { readonly type: 'replay'; readonly asked: ReplayArguments }
  | { readonly type: 'report'; readonly asked: ReportArguments }
  | { readonly type: 'rules'; readonly asked: RulesArguments }
  /** Help or version, for stdout. */
  | { readonly type: 'told'; readonly text: string }
  /** Wrong arguments: what, where and the way out. */
  | { readonly type: 'usage'; readonly message: string };

const MODES = ['ask', 'edits', 'read-only', 'all'] as const satisfies readonly PermissionMode[];
const OUTPUTS = ['text', 'stream-json'] as const;
const SCENARIOS = ['default', 'stubborn'] as const;
const MAX_ROUNDS = 20;

/** Reads the arguments after the program's name. `agents` are the ids that can be named. Reads no file and prints nothing. */
export function parseArguments(
  args: readonly string[],
  version: string,
  agents: readonly string[] = AGENT_IDS,
): Invocation {
  const agent = oneOf(agents);
  const told: string[] = [];
  let invocation: Invocation | null = null;
  const program = new Command('cgloop')
    .description('One coding agent executes a task, another reviews it, round after round, until the review approves.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => told.push(text), writeErr: () => {} });

  display(program.argument('[task...]', 'what is to be done; "-" reads it from stdin'))
    .option('-d, --dir <folder>', 'the folder to work in', '.')
    .option('-n, --rounds <number>', 'rounds at most', whole(1, MAX_ROUNDS), DEFAULTS.rounds)
    .option('--threshold <score>', 'score from 1 to 10 at which an approval counts', score, DEFAULTS.threshold)
    .option('--timeout <seconds>', 'limit of one turn', whole(1, 3600), DEFAULTS.turnLimitSeconds)
    .option('--executor <agent>', `who executes: ${agents.join(', ')}`, agent, DEFAULTS.executor)
    .option('--reviewer <agent>', 'who reviews, also the same one', agent, DEFAULTS.reviewer)
    .option('--model <name>', 'model of the executor', modelName)
    .option('--reviewer-model <name>', 'model of the reviewer', modelName)
    .addOption(permission(DEFAULTS.permissionMode))
    .option('--trust', "use the folder's own hooks, instructions and servers", false)
    .option('--wait', 'while another run works in the folder, wait until it has ended', false)
    .option(
      '--resume <run>',
      'go on with an interrupted, failed, stopped or unapproved run; only what is named changes',
    )
    .option('--trace', "write what is said on both agents' wires to the run's folder, without keys", false)
    .addHelpText('after', EXAMPLES)
    .action((words: readonly string[], options: RawRun, command: Command) => {
      const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
      invocation =
        options.resume === undefined ? asRun(words, options) : asResume(options.resume, words, options, isGiven);
    });

  program
    .command('undo')
    .description('put the folder of a run back as it was before the run')
    .argument('<run>', 'id of the run, or a part that only it has')
    .action((run: string) => {
      invocation = { type: 'undo', run };
    });
  program
    .command('runs')
    .description('list past and running runs')
    .action(() => {
      invocation = { type: 'runs' };
    });
  program
    .command('continue')
    .description("go on with a run's session in the agent's own interface, in this terminal")
    .argument('<run>', 'id of the run, or a part that only it has')
    .option('--reviewer', "the reviewer's session instead of the executor's", false)
    .option('--print', 'only print the command', false)
    .action((run: string, { reviewer, print }: { readonly reviewer: boolean; readonly print: boolean }) => {
      invocation = { type: 'continue', asked: { run, role: reviewer ? 'review' : 'execute', print } };
    });
  program
    .command('replay')
    .description('show a run again from its log or its trace')
    .argument('<file>', "a log, a trace, a run's folder, or the id of a run")
    .option('--speed <factor>', 'as many times as fast as it happened; without it all at once', factor)
    .option('-v, --verbose', 'whole prompts, thoughts, tool arguments and diagnostics', false)
    .action((file: string, { speed, verbose }: { readonly speed?: number; readonly verbose: boolean }) => {
      invocation = { type: 'replay', asked: { file, speed: speed ?? null, verbose } };
    });
  program
    .command('report')
    .description('gather a run without keys and your home folder, to be read and then shared')
    .argument('<run>', 'id of the run, or a part that only it has')
    .option('--no-doctor', 'start no agent to look at the setup')
    .action((run: string, { doctor }: { readonly doctor: boolean }) => {
      invocation = { type: 'report', asked: { run, doctor } };
    });
  addRulesCommand(program, (asked) => {
    invocation = { type: 'rules', asked };
  });
  program
    .command('doctor')
    .description('check that both agents are there, start, and are signed in; exit 0 when nothing is in the way')
    .option('--json', 'print what was found as JSON', false)
    .option('--all', 'look at every agent of the catalog', false)
    .option('-d, --dir <folder>', 'the folder to look from', '.')
    .option('--executor <agent>', `who executes: ${agents.join(', ')}`, agent, DEFAULTS.executor)
    .option('--reviewer <agent>', 'who reviews, also the same one', agent, DEFAULTS.reviewer)
    .option('--trust', "as a run that uses the folder's own hooks, instructions and servers", false)
    .action(({ trust, ...options }: Omit<DoctorArguments, 'trusted'> & { readonly trust: boolean }) => {
      invocation = { type: 'doctor', doctor: { ...options, trusted: trust } };
    });
  display(program.command('demo'))
    .description('run the loop in a temporary project with demo agents: no account, no network')
    .addOption(new Option('--scenario <name>', 'what the agents play').choices(SCENARIOS).default('default'))
    .option('-n, --rounds <number>', 'rounds at most', whole(1, MAX_ROUNDS), DEFAULTS.rounds)
    .addOption(permission('edits'))
    .action((options: RawDemo) => {
      const { permission: permissionMode, ...demo } = options;
      invocation = { type: 'demo', demo: { ...demo, permissionMode } };
    });

  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'told', text: told.join('') };
    return { type: 'usage', message: error.message.replace(/^error: /, '') };
  }
  return invocation ?? { type: 'usage', message: 'There is nothing to do.' };
}

interface RawRun extends DisplayOptions {
  readonly dir: string;
  readonly rounds: number;
  readonly threshold: number;
  readonly timeout: number;
  readonly executor: string;
  readonly reviewer: string;
  readonly resume?: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly permission: PermissionMode;
  readonly trust: boolean;
  readonly trace: boolean;
  readonly wait: boolean;
}

interface RawDemo extends DisplayOptions {
  readonly scenario: (typeof SCENARIOS)[number];
  readonly rounds: number;
  readonly permission: PermissionMode;
}

function asRun(words: readonly string[], options: RawRun): Invocation {
  const {
    timeout,
    model = null,
    reviewerModel = null,
    permission: permissionMode,
    trust,
    resume: _,
    ...rest
  } = options;
  const fromStdin = words.length === 1 && words[0] === '-';
  const task = words.join(' ').trim();
  if (!fromStdin && task === '') {
    const message =
      'There is no task. Give one, such as: cgloop "Fix the failing test" – or "-" to read it from stdin.';
    return { type: 'usage', message };
  }
  const run = {
    ...rest,
    turnLimitSeconds: timeout,
    executorModel: model,
    reviewerModel,
    permissionMode,
    trusted: trust,
  };
  return { type: 'run', task: fromStdin ? null : task, run };
}

/** `isGiven` tells what was named on the command line, by the option's long name: the rest stays as the run had it. */
function asResume(
  run: string,
  words: readonly string[],
  options: RawRun,
  isGiven: (name: string) => boolean,
): Invocation {
  if (words.length > 0) return { type: 'usage', message: '--resume goes on with the task of that run: give none.' };
  if (isGiven('dir')) return { type: 'usage', message: '--resume goes on in the folder of that run: leave --dir out.' };
  const { model, reviewerModel, verbose, quiet, output } = options;
  const given: ResumeArguments['given'] = {
    ...(isGiven('rounds') ? { rounds: options.rounds } : {}),
    ...(isGiven('threshold') ? { threshold: options.threshold } : {}),
    ...(isGiven('timeout') ? { turnLimitSeconds: options.timeout } : {}),
    ...(isGiven('executor') ? { executor: options.executor } : {}),
    ...(isGiven('reviewer') ? { reviewer: options.reviewer } : {}),
    ...(model === undefined ? {} : { executorModel: model }),
    ...(reviewerModel === undefined ? {} : { reviewerModel }),
    ...(isGiven('permission') ? { permissionMode: options.permission } : {}),
    ...(isGiven('trust') ? { trusted: options.trust } : {}),
    ...(isGiven('trace') ? { trace: options.trace } : {}),
    ...(isGiven('wait') ? { wait: options.wait } : {}),
  };
  return { type: 'resume', asked: { run, given }, display: { verbose, quiet, output } };
}

function display(command: Command): Command {
  return command
    .option('-v, --verbose', 'whole prompts, thoughts, tool arguments and diagnostics', false)
    .addOption(new Option('--quiet', 'only problems, questions and the ending').default(false).conflicts('verbose'))
    .addOption(
      new Option('--output <format>', 'what stdout gets: the result, or the log').choices(OUTPUTS).default('text'),
    );
}

function permission(mode: PermissionMode): Option {
  return new Option('--permission <mode>', 'what the executor may do').choices(MODES).default(mode);
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

function factor(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0) return number;
  throw new InvalidArgumentError('Give a number above 0, such as 10.');
}

function score(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= 10) return number;
  throw new InvalidArgumentError('Give a number from 1 to 10.');
}

function oneOf(agents: readonly string[]): (text: string) => string {
  return (text) => {
    if (agents.includes(text)) return text;
    throw new InvalidArgumentError(`Name one of: ${agents.join(', ')}.`);
  };
}

/** A model's name goes into the agent's argument list: it must not look like an option. */
function modelName(text: string): string {
  if (/^[^-\s]\S*$/.test(text)) return text;
  throw new InvalidArgumentError('Give the name of a model, such as sonnet.');
}

const EXAMPLES = `
Examples:
  cgloop "Fix the failing test"
  cgloop -n 5 --permission edits -d ../project "Add pagination to the list"
  cgloop "Summarise the API" > summary.md     the result on stdout, all else on stderr
  cgloop --resume 20260131-142530-k3f9az -n 5  go on where a run stopped, now with up to 5 rounds
  cgloop demo                                 see it without any agent installed

Exit codes: 0 approved, 1 an agent failed, 2 wrong arguments, 3 not approved, 4 no verdict, 130 stopped.`;
