import type { Command } from 'commander';
import type { LanguageChoice } from '../loop/language.ts';
import { DEFAULTS, type RunKind } from '../loop/options.ts';
import { checkOptions, checksOf, type RawChecks } from './checkOptions.ts';
import { agentOptions, type DisplayOptions, display, MAX_ROUNDS, REVIEW_OUTPUTS, whole, wrong } from './optionKinds.ts';
import { argumentsOf, type RawWork, type RunArguments, workOptions } from './runCommand.ts';

/** A review of changes, or a run that begins with one. */
export interface ReviewArguments {
  readonly kind: Exclude<RunKind, 'task'>;
  /** As git says it; null: the changes of the working tree. */
  readonly range: string | null;
  readonly run: RunArguments;
}

interface RawReview extends RawChecks, DisplayOptions {
  readonly dir: string;
  readonly threshold: number;
  readonly timeout: number;
  readonly reviewer: string;
  readonly reviewerModel?: string;
  readonly lang: LanguageChoice;
  readonly trust: boolean;
  readonly wait: boolean;
  readonly trace: boolean;
  readonly large: boolean;
}

const RANGE = 'A...B, A..B, or a branch or commit that the work began at; without it the changes not yet committed';

/** What these commands ask for. */
export type ReviewInvocation = { readonly type: 'review'; readonly asked: ReviewArguments };

/** Adds `review` and `fix`. */
export function addReviewCommands(
  program: Command,
  agents: readonly string[],
  found: (invocation: ReviewInvocation) => void,
): void {
  const review = program
    .command('review')
    .description('have changes reviewed, and nothing else: no executor is started and nothing is written')
    .argument('[range...]', RANGE)
    .option('-d, --dir <folder>', 'the folder whose changes are reviewed', '.');
  checkOptions(display(agentOptions(review, agents, false), REVIEW_OUTPUTS))
    .option('--trust', "use the folder's own hooks, instructions and servers", false)
    .option('--wait', 'while another run works in the folder, wait until it has ended', false)
    .option('--large', 'agree to a first checkpoint of any size', false)
    .option('--trace', "write what is said on the reviewer's wire to the run's folder, without keys", false)
    .addHelpText('after', REVIEW_EXAMPLES)
    .action((words: readonly string[], options: RawReview) => {
      const { timeout, reviewerModel = null, trust, lang, check, checks, checkTimeout, ...rest } = options;
      const run: RunArguments = {
        ...rest,
        rounds: 1,
        turnLimitSeconds: timeout,
        executor: DEFAULTS.executor,
        executorModel: null,
        reviewerModel,
        permissionMode: 'read-only',
        trusted: trust,
        budget: {},
        plateauRounds: DEFAULTS.plateauRounds,
        language: lang,
        askBetweenRounds: false,
        newWorktree: false,
        // Nothing of the folder's own is started for a review; what is named here is.
        checks: checksOf({ check, checks }).checks ?? [],
        checkTimeoutSeconds: checkTimeout,
      };
      found({ type: 'review', asked: { kind: 'review', range: rangeOf('review', words), run } });
    });

  const fix = program
    .command('fix')
    .description('have changes reviewed, the findings solved, and the changes reviewed again until the review approves')
    .argument('[range...]', RANGE)
    .option('-n, --rounds <number>', 'rounds at most; the first is the review', whole(2, MAX_ROUNDS), DEFAULTS.rounds);
  workOptions(fix, agents, REVIEW_OUTPUTS)
    .addHelpText('after', FIX_EXAMPLES)
    .action((words: readonly string[], options: RawWork) => {
      found({ type: 'review', asked: { kind: 'fix', range: rangeOf('fix', words), run: argumentsOf(options) } });
    });
}

/** Also catches a task of several words that begins with the name of the command. */
function rangeOf(command: string, words: readonly string[]): string | null {
  if (words.length > 1) {
    const task = [command, ...words].join(' ');
    throw wrong(`"${command}" is a command, and takes one range. Put a task in quotes: cgloop "${task}"`);
  }
  return words[0] ?? null;
}

const REVIEW_EXAMPLES = `
Examples:
  cgloop review                                  staged, unstaged and untracked changes against HEAD
  cgloop review main                             since this branch left main, up to the files as they are now
  cgloop review main...HEAD                      the same, but only what is committed
  cgloop review HEAD~3 --output json             one object with verdict, findings and usage
  cgloop review origin/main...HEAD --output sarif > cgloop.sarif

Exit codes: 0 approved, 1 the reviewer failed, 2 nothing to review or wrong arguments, 3 not approved, 4 no verdict.`;

const FIX_EXAMPLES = `
Examples:
  cgloop fix                                     what is not yet committed
  cgloop fix main --permission edits             everything since this branch left main

On a terminal you choose the findings that are to be solved; without one all open ones are. What is checked out is worked on,
with what is not committed in it. Exit codes as without a command.`;
