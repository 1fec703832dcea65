import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { LANGUAGE_CHOICES } from '../loop/language.ts';
import { DEFAULTS } from '../loop/options.ts';
import type { PermissionMode } from '../shared/permission.ts';

/** What the commands take for a run, in their help. */
export const RUN_ID = 'id of the run; its beginning or its end is enough, of 4 characters or more';

/** How a run is shown. */
export interface DisplayOptions {
  readonly verbose: boolean;
  /** Nothing on stderr but problems, questions and the ending. */
  readonly quiet: boolean;
  readonly output: OutputFormat;
}

/** What stdout gets: the result, the run as one object, its log, or the findings as SARIF. */
export type OutputFormat = 'text' | 'json' | 'stream-json' | 'sarif';

/** The formats of a run. */
export const OUTPUTS = ['text', 'json', 'stream-json'] as const satisfies readonly OutputFormat[];
/** The formats of a review, whose findings are what it is for. */
export const REVIEW_OUTPUTS = [...OUTPUTS, 'sarif'] as const satisfies readonly OutputFormat[];

/** Most rounds of a run. */
export const MAX_ROUNDS = 20;

const MODES = ['ask', 'edits', 'read-only', 'all'] as const satisfies readonly PermissionMode[];

/** `--verbose`, `--quiet` and `--output`. */
export function display(command: Command, outputs: readonly OutputFormat[] = OUTPUTS): Command {
  return command
    .option('-v, --verbose', 'whole prompts, thoughts, tool arguments and diagnostics', false)
    .addOption(new Option('--quiet', 'only problems, questions and the ending').default(false).conflicts('verbose'))
    .addOption(
      new Option('--output <format>', 'what stdout gets: the result, the run as an object, the log as it grows')
        .choices(outputs)
        .default('text'),
    );
}

/** `--permission`, with this mode when it is not given. */
export function permission(mode: PermissionMode): Option {
  return new Option('--permission <mode>', 'what the executor may do').choices(MODES).default(mode);
}

/** `--timeout`, `--threshold`, and the choice of both agents. */
export function agentOptions(command: Command, agents: readonly string[], executes: boolean): Command {
  const agent = oneOf(agents);
  command
    .option('--threshold <score>', 'score from 1 to 10 at which an approval counts', score, DEFAULTS.threshold)
    .option('--timeout <seconds>', 'limit of one turn', whole(1, 3600), DEFAULTS.turnLimitSeconds);
  if (executes) {
    command
      .option('--executor <agent>', `who executes: ${agents.join(', ')}`, agent, DEFAULTS.executor)
      .option('--reviewer <agent>', 'who reviews, also the same one', agent, DEFAULTS.reviewer)
      .option('--model <name>', 'model of the executor', modelName);
  } else command.option('--reviewer <agent>', `who reviews: ${agents.join(', ')}`, agent, DEFAULTS.reviewer);
  return command
    .option('--reviewer-model <name>', 'model of the reviewer', modelName)
    .addOption(
      new Option('--lang <language>', "language of the prompts; auto: the terminal's")
        .choices(LANGUAGE_CHOICES)
        .default(DEFAULTS.language),
    );
}

/** A whole number in a range, bounds included. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

/** A number above zero. */
export function factor(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0) return number;
  throw new InvalidArgumentError('Give a number above 0, such as 10.');
}

/** A score of a review. */
export function score(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= 10) return number;
  throw new InvalidArgumentError('Give a number from 1 to 10.');
}

/** The name of an agent. */
export function oneOf(agents: readonly string[]): (text: string) => string {
  return (text) => {
    if (agents.includes(text)) return text;
    throw new InvalidArgumentError(`Name one of: ${agents.join(', ')}.`);
  };
}

/** A model's name goes into the agent's argument list: it must not look like an option. */
export function modelName(text: string): string {
  if (/^[^-\s]\S*$/.test(text)) return text;
  throw new InvalidArgumentError('Give the name of a model, such as sonnet.');
}

/** Wrong arguments that no single option is to blame for. */
export function wrong(message: string): CommanderError {
  return new CommanderError(2, 'cgloop.usage', message);
}
