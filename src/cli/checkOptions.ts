import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULTS, type RunOptions } from '../loop/options.ts';
import { commandProblem } from '../shared/checkWords.ts';
import { whole, wrong } from './optionKinds.ts';

/** The options as commander reads them. */
export interface RawChecks {
  readonly check?: readonly string[];
  /** False: `--no-checks`. */
  readonly checks: boolean;
  readonly checkTimeout: number;
}

/** Adds the options about checks. */
export function checkOptions(command: Command): Command {
  return command
    .option(
      '--check <command>',
      'run this after each round; what fails is not approved (again for more; instead of those found in a trusted folder)',
      another,
    )
    .option('--no-checks', 'run none')
    .option('--check-timeout <seconds>', 'limit of one check', whole(1, 86_400), DEFAULTS.checkTimeoutSeconds);
}

/** As `RawChecks`, taken apart. */
type Given = { readonly check?: readonly string[] | undefined; readonly checks: boolean };

/** What they ask for; without any of them the checks of the folder are looked for. */
export function checksOf({ check = [], checks }: Given): Pick<RunOptions, 'checks'> {
  if (!checks && check.length > 0) throw wrong('--check and --no-checks cannot go together.');
  if (!checks) return { checks: [] };
  if (check.length === 0) return {};
  // What the person typed here is confirmed by that.
  return { checks: [...new Set(check)].map((command) => ({ command, source: 'typed' })) };
}

function another(text: string, before: readonly string[] | undefined): readonly string[] {
  const problem = commandProblem(text);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return [...(before ?? []), text];
}
