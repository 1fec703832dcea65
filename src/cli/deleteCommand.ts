import { deleteAllData, deleteRun, findRuns, runsBefore } from '../loop/deleteRuns.ts';
import { listRuns } from '../session/runs.ts';
import { count } from '../shared/runWords.ts';
import { isInteractive, readKeys, type Terminal } from './terminal.ts';
import { safeLine } from './terminalText.ts';

/** What `cgloop delete` is to delete. */
export interface DeleteArguments {
  readonly what:
    | { readonly type: 'runs'; readonly runs: readonly string[] }
    | { readonly type: 'olderThan'; readonly days: number }
    | { readonly type: 'all' };
  /** The person is not asked. */
  readonly yes: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes, after a question where much goes. Gives the exit code: 1 when something stays that was to go. */
export async function deleteCommand(args: DeleteArguments, stateFolder: string, terminal: Terminal): Promise<number> {
  const { what, yes } = args;
  const say = (text: string) => terminal.stderr.write(`${safeLine(text)}\n`);
  if (what.type === 'all') {
    const runs = (await listRuns(stateFolder)).length;
    const question = `Delete all data of the loop: ${count(runs, 'run')} with their checkpoints, rules and confirmed checks?`;
    if (!yes && !(await confirm(question, terminal))) return refused(terminal);
    const deleted = await deleteAllData(stateFolder);
    for (const why of deleted.kept) say(why);
    say(
      `${count(deleted.runs, 'run')} deleted, and what was kept besides. Keys that VS Code keeps: "Clear Keys" there.`,
    );
    return deleted.kept.length === 0 ? 0 : 1;
  }
  const { ids, problems } =
    what.type === 'runs'
      ? await findRuns(stateFolder, what.runs)
      : {
          ids: (await runsBefore(stateFolder, terminal.now() - what.days * DAY_MS)).map(({ id }) => id),
          problems: [],
        };
  for (const problem of problems) say(problem);
  // Named wrongly in part: nothing is deleted on a guess.
  if (problems.length > 0) return 1;
  if (ids.length === 0) {
    say('There is nothing to delete.');
    return 0;
  }
  if (what.type === 'olderThan' && !yes && !(await confirm(`Delete ${count(ids.length, 'run')}?`, terminal))) {
    return refused(terminal);
  }
  let kept = 0;
  for (const id of ids) {
    const result = await deleteRun(stateFolder, id);
    if (result.type === 'kept') kept++;
    say(result.type === 'kept' ? result.why : `Run ${id} is deleted.`);
  }
  return kept === 0 ? 0 : 1;
}

function refused(terminal: Terminal): number {
  const why = isInteractive(terminal) ? 'Nothing was deleted.' : 'Nothing was deleted: nobody can be asked. Add --yes.';
  terminal.stderr.write(`${why}\n`);
  return isInteractive(terminal) ? 0 : 2;
}

/** Asks for one key; nothing but `y` is a yes. Without a terminal: no. */
async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!isInteractive(terminal)) return false;
  terminal.stderr.write(`${safeLine(question)} y/N `);
  return new Promise((resolve) => {
    const release = readKeys(terminal, (typed) => {
      release();
      const yes = typed.toLowerCase() === 'y';
      terminal.stderr.write(`${yes ? 'y' : 'n'}\n`);
      resolve(yes);
    });
  });
}
