import type { Command } from 'commander';
import type { LanguageChoice } from '../loop/language.ts';
import { DEFAULTS } from '../loop/options.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { Budget, CheckRequest } from '../shared/roundEvents.ts';
import { checkOptions, checksOf, type RawChecks } from './checkOptions.ts';
import {
  agentOptions,
  type DisplayOptions,
  display,
  factor,
  MAX_ROUNDS,
  OUTPUTS,
  type OutputFormat,
  permission,
  whole,
  wrong,
} from './optionKinds.ts';

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
  /** It works in a new worktree. */
  readonly newWorktree: boolean;
  readonly large: boolean;
  readonly budget: Budget;
  readonly plateauRounds: number;
  readonly language: LanguageChoice;
  readonly askBetweenRounds: boolean;
  /** Absent: those of the folder. */
  readonly checks?: readonly CheckRequest[];
  readonly checkTimeoutSeconds: number;
}

/** What `workOptions` reads, besides the number of rounds. */
export interface RawWork extends DisplayOptions, RawChecks {
  readonly dir: string;
  readonly rounds: number;
  readonly threshold: number;
  readonly timeout: number;
  readonly executor: string;
  readonly reviewer: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly permission: PermissionMode;
  readonly trust: boolean;
  readonly trace: boolean;
  readonly wait: boolean;
  readonly worktree: boolean;
  readonly large: boolean;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxMinutes?: number;
  readonly plateauRounds: number;
  readonly lang: LanguageChoice;
  readonly askBetweenRounds: boolean;
}

interface RawRun extends RawWork {
  readonly resume?: string;
  readonly reviewAgain: boolean;
}

/** The options of every command that has an executor at work, without the number of rounds. */
export function workOptions(
  command: Command,
  agents: readonly string[],
  outputs: readonly OutputFormat[] = OUTPUTS,
): Command {
  command.option('-d, --dir <folder>', 'the folder to work in', '.');
  return checkOptions(display(agentOptions(command, agents, true), outputs))
    .addOption(permission(DEFAULTS.permissionMode))
    .option('--trust', "use the folder's own hooks, instructions and servers", false)
    .option('--wait', 'while another run works in the folder, wait until it has ended', false)
    .option('--worktree', 'work in a new git worktree; "cgloop worktree" then applies, keeps or drops it', false)
    .option('--large', 'agree to a first checkpoint of any size', false)
    .option('--max-tokens <number>', 'tokens that the run may use', whole(1, 1_000_000_000))
    .option('--max-cost <dollars>', 'US dollars that the run may cost, as far as the agents tell it', factor)
    .option('--max-minutes <number>', 'minutes that the run may take, without the time that it waits for you', factor)
    .option(
      '--plateau-rounds <number>',
      'end when the open findings do not become fewer over so many rounds; 0: never',
      whole(0, MAX_ROUNDS),
      DEFAULTS.plateauRounds,
    )
    .option('--ask-between-rounds', 'wait for you after each round: edit the review, choose findings, instruct', false)
    .option('--trace', "write what is said on both agents' wires to the run's folder, without keys", false);
}

/** Which run `cgloop --resume` goes on with, and what is to be other than it was. */
export interface ResumeArguments {
  /** Id of the run, or a part that only it has. */
  readonly run: string;
  /** Only what was really given: the rest is as the run had it. */
  readonly given: Partial<ResumableArguments>;
}

/** What a run may be given anew when it goes on. */
export type ResumableArguments = Pick<
  RunArguments,
  | 'rounds'
  | 'threshold'
  | 'turnLimitSeconds'
  | 'executor'
  | 'reviewer'
  | 'executorModel'
  | 'reviewerModel'
  | 'permissionMode'
  | 'trusted'
  | 'trace'
  | 'wait'
  | 'large'
  | 'budget'
  | 'plateauRounds'
  | 'language'
  | 'askBetweenRounds'
  | 'checks'
  | 'checkTimeoutSeconds'
> & { readonly reviewAgain: boolean };

/** What is asked for without a command. */
export type RunInvocation =
  /** `task` null: it is read from stdin. */
  | { readonly type: 'run'; readonly task: string | null; readonly run: RunArguments }
  | { readonly type: 'resume'; readonly asked: ResumeArguments; readonly display: DisplayOptions };

/** What the program does without a command: a task, or a run that goes on. */
export function addRunArguments(
  program: Command,
  agents: readonly string[],
  found: (invocation: RunInvocation) => void,
): void {
  program
    .argument('[task...]', 'what is to be done; "-" reads it from stdin')
    .option('-n, --rounds <number>', 'rounds at most', whole(1, MAX_ROUNDS), DEFAULTS.rounds);
  workOptions(program, agents)
    .option(
      '--resume <run>',
      'go on with an interrupted, failed, stopped or unapproved run; only what is named changes',
    )
    .option(
      '--review-again',
      'with --resume: only review the last round once more, such as by another --reviewer',
      false,
    )
    .addHelpText('after', EXAMPLES)
    .action((words: readonly string[], options: RawRun, command: Command) => {
      const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
      const { resume } = options;
      if (resume === undefined) refuseSlip(words, command);
      found(resume === undefined ? asRun(words, options) : asResume(resume, words, options, isGiven));
    });
}

/** The run that the options ask for. */
export function argumentsOf(options: RawWork): RunArguments {
  const {
    timeout,
    model = null,
    reviewerModel = null,
    permission: permissionMode,
    trust,
    maxTokens: _tokens,
    maxCost: _cost,
    maxMinutes: _minutes,
    check: _check,
    checks: _checks,
    checkTimeout,
    lang,
    worktree: newWorktree,
    ...rest
  } = options;
  return {
    ...rest,
    newWorktree,
    turnLimitSeconds: timeout,
    executorModel: model,
    reviewerModel,
    language: lang,
    permissionMode,
    trusted: trust,
    budget: budgetOf(options),
    ...checksOf(options),
    checkTimeoutSeconds: checkTimeout,
  };
}

function asRun(words: readonly string[], options: RawRun): RunInvocation {
  const { resume: _, reviewAgain, ...work } = options;
  if (reviewAgain) throw wrong('--review-again goes with --resume RUN: it reviews the last round of that run.');
  const fromStdin = words.length === 1 && words[0] === '-';
  const task = words.join(' ').trim();
  if (!fromStdin && task === '') {
    throw wrong('There is no task. Give one, such as: cgloop "Fix the failing test" – or "-" to read it from stdin.');
  }
  return { type: 'run', task: fromStdin ? null : task, run: argumentsOf(work) };
}

/** A task of one word that is a command but for one slip of the keys starts no agent. */
function refuseSlip([word = '', more]: readonly string[], program: Command): void {
  const meant = more === undefined ? commandMeant(word, program) : null;
  if (meant === null) return;
  throw wrong(`There is no command "${word}". Did you mean: cgloop ${meant} – or a task: cgloop -- "${word}"`);
}

/** The command of the program that the word is but for one slip of the keys, or in other letters; null: none. */
export function commandMeant(word: string, program: Command): string | null {
  const commands = [...program.commands.map((one) => one.name()), 'help'];
  return commands.find((command) => command !== word && isOneSlip(word.toLowerCase(), command)) ?? null;
}

/** The same word, or with one letter too many, too few or another one, or with two neighbours changed about. */
function isOneSlip(word: string, wanted: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === wanted[start]) start++;
  let [end, until] = [word.length, wanted.length];
  while (end > start && until > start && word[end - 1] === wanted[until - 1]) [end, until] = [end - 1, until - 1];
  const [typed, meant] = [word.slice(start, end), wanted.slice(start, until)];
  const isTurned = typed.length === 2 && meant === `${typed[1]}${typed[0]}`;
  return isTurned || (typed.length <= 1 && meant.length <= 1 && /^[a-z]+$/.test(word));
}

/** `isGiven` tells what was named on the command line, by the option's long name: the rest stays as the run had it. */
function asResume(
  run: string,
  words: readonly string[],
  options: RawRun,
  isGiven: (name: string) => boolean,
): RunInvocation {
  if (words.length > 0) throw wrong('--resume goes on with the task of that run: give none.');
  if (isGiven('worktree')) throw wrong('--resume goes on where that run worked: leave --worktree out.');
  if (isGiven('dir')) throw wrong('--resume goes on in the folder of that run: leave --dir out.');
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
    ...(isGiven('large') ? { large: options.large } : {}),
    ...(isGiven('plateauRounds') ? { plateauRounds: options.plateauRounds } : {}),
    ...(isGiven('lang') ? { language: options.lang } : {}),
    ...(isGiven('askBetweenRounds') ? { askBetweenRounds: options.askBetweenRounds } : {}),
    ...(isGiven('reviewAgain') ? { reviewAgain: options.reviewAgain } : {}),
    budget: budgetOf(options),
    ...checksOf(options),
    ...(isGiven('checkTimeout') ? { checkTimeoutSeconds: options.checkTimeout } : {}),
  };
  return { type: 'resume', asked: { run, given }, display: { verbose, quiet, output } };
}

function budgetOf({ maxTokens, maxCost, maxMinutes }: RawWork): Budget {
  return {
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxCost === undefined ? {} : { money: maxCost }),
    ...(maxMinutes === undefined ? {} : { minutes: maxMinutes }),
  };
}

const EXAMPLES = `
Examples:
  cgloop "Fix the failing test"
  cgloop -n 5 --permission edits -d ../project "Add pagination to the list"
  cgloop "Summarise the API" > summary.md     the result on stdout, all else on stderr
  cgloop --check "npm test" "Fix the bug in add"  approved only while this passes
  cgloop --resume 20260131-142530-k3f9az -n 5  go on where a run stopped, now with up to 5 rounds
  cgloop --max-tokens 500000 --ask-between-rounds "Rename the module"
  cgloop demo                                 see it without any agent installed

"cgloop COMMAND --help" tells of one command.

Exit codes: 0 approved, 1 an agent failed, 2 wrong arguments, 3 not approved, 4 no verdict, 5 over budget, 130 stopped.`;
