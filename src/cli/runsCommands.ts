import { type Command, Option } from 'commander';
import type { DeleteArguments } from './deleteCommand.ts';
import type { ExportArguments } from './exportCommand.ts';
import type { RunsArguments } from './history.ts';
import { RUN_ID, whole, wrong } from './optionKinds.ts';
import type { ShowArguments } from './showCommand.ts';

const FORMATS = ['md', 'json'] as const satisfies readonly ExportArguments['format'][];

/** What these commands ask for. */
export type RunsInvocation =
  | { readonly type: 'runs'; readonly asked: RunsArguments }
  | { readonly type: 'show'; readonly asked: ShowArguments }
  | { readonly type: 'export'; readonly asked: ExportArguments }
  | { readonly type: 'commit'; readonly run: string }
  | { readonly type: 'delete'; readonly asked: DeleteArguments };

/** Adds the commands that list, show, hand on and delete runs of before. */
export function addRunsCommands(program: Command, found: (invocation: RunsInvocation) => void): void {
  program
    .command('runs')
    .description('list past and running runs, the newest first')
    .argument('[search...]', 'words of the task, the folder, the outcome or an agent; all of them must be there')
    .option('--json', 'print the list as JSON', false)
    .action((search: readonly string[], { json }: { readonly json: boolean }) => {
      found({ type: 'runs', asked: { search: search.join(' '), json } });
    });
  program
    .command('show')
    .description('show a run as it was shown when it ran, or its changes')
    .argument('<run>', RUN_ID)
    .option('--diff', 'the changes of the run as one patch', false)
    .option('--round <number>', 'only this round', whole(1, 10_000))
    .option('-v, --verbose', 'whole prompts, thoughts, tool arguments and diagnostics', false)
    .addOption(new Option('--json', 'print the run as one object, as "export" does').default(false).conflicts('diff'))
    .action((run: string, raw: RawShow) => {
      const { round = null, ...asked } = raw;
      if (asked.json && round !== null) throw wrong('--json is of the whole run: leave --round out.');
      found({ type: 'show', asked: { run, round, ...asked } });
    });
  program
    .command('export')
    .description('write down the whole story of a run, without keys and your home folder')
    .argument('<run>', RUN_ID)
    .addOption(
      new Option('--format <format>', 'Markdown to be read, or one JSON object').choices(FORMATS).default('md'),
    )
    .option('-o, --out <file>', 'a file that is not there yet; without it stdout')
    .action((run: string, { format, out }: { readonly format: ExportArguments['format']; readonly out?: string }) => {
      found({ type: 'export', asked: { run, format, out: out ?? null } });
    });
  program
    .command('commit')
    .description("stage a run's changes, without your own in the same files, and print a message; nothing is committed")
    .argument('<run>', RUN_ID)
    .addHelpText('after', '\nExample:\n  cgloop commit k3f9az | git commit -e -F -')
    .action((run: string) => found({ type: 'commit', run }));
  program
    .command('delete')
    .description('delete runs with everything that is kept of them; the files of their folders stay as they are')
    .argument('[runs...]', 'ids of runs; the beginning or the end of each is enough')
    .option('--older-than <days>', 'runs that nothing was added to for so many days', whole(0, 100_000))
    .option('--all', 'everything that is kept: runs, checkpoints, rules, confirmed checks', false)
    .option('-y, --yes', 'do not ask', false)
    .action((runs: readonly string[], raw: RawDelete) => {
      found({ type: 'delete', asked: { what: deletedOf(runs, raw), yes: raw.yes } });
    });
}

interface RawShow {
  readonly diff: boolean;
  readonly round?: number;
  readonly verbose: boolean;
  readonly json: boolean;
}

interface RawDelete {
  readonly olderThan?: number;
  readonly all: boolean;
  readonly yes: boolean;
}

function deletedOf(runs: readonly string[], { olderThan, all }: RawDelete): DeleteArguments['what'] {
  const given = [runs.length > 0, olderThan !== undefined, all].filter(Boolean).length;
  if (given !== 1) throw wrong('Say what is to be deleted: runs by their ids, --older-than DAYS, or --all.');
  if (all) return { type: 'all' };
  return olderThan === undefined ? { type: 'runs', runs } : { type: 'olderThan', days: olderThan };
}
