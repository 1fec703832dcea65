import { type Command, Option } from 'commander';
import {
  type Applied,
  applyWorktree,
  type Dropped,
  dropWorktree,
  type Kept,
  keepWorktree,
  type SettleProblem,
} from '../loop/settleWorktree.ts';
import { changes, count } from '../shared/runWords.ts';
import type { ConflictWay } from '../shared/undo.ts';
import { RUN_ID, wrong } from './optionKinds.ts';
import { safeLine } from './terminalText.ts';
import { CONFLICT_WAYS, conflictLines, type FileMarks, fileLine, listOf } from './undoCommand.ts';

/** `cgloop worktree` as it was asked for. */
export type WorktreeArguments =
  | { readonly how: 'apply'; readonly run: string; readonly conflicts: ConflictWay; readonly preview: boolean }
  | { readonly how: 'keep' | 'drop'; readonly run: string };

/** What the command asks for. */
export type WorktreeInvocation = { readonly type: 'worktree'; readonly asked: WorktreeArguments };

/** Adds `cgloop worktree`. */
export function addWorktreeCommand(program: Command, found: (invocation: WorktreeInvocation) => void): void {
  const worktree = program
    .command('worktree')
    .description('say what becomes of the worktree that a run worked in (--worktree)')
    // A word that is none of its own is answered here.
    .allowExcessArguments()
    .action(() => {
      throw wrong('Say what is to become of the worktree: cgloop worktree apply RUN, keep RUN or drop RUN.');
    });
  worktree
    .command('apply')
    .description('bring its work into your folder, put together with what is there now, and remove the worktree')
    .argument('<run>', RUN_ID)
    .addOption(
      new Option(
        '--conflicts <way>',
        'files that changed in both on the same lines: left, marked, or taken from the run',
      )
        .choices(CONFLICT_WAYS)
        .default('leave'),
    )
    .option('--preview', 'only say what it would do', false)
    .action((run: string, options: { readonly conflicts: ConflictWay; readonly preview: boolean }) =>
      found({ type: 'worktree', asked: { how: 'apply', run, ...options } }),
    );
  worktree
    .command('keep')
    .description('commit its work on its branch, keep the branch, and remove the worktree')
    .argument('<run>', RUN_ID)
    .action((run: string) => found({ type: 'worktree', asked: { how: 'keep', run } }));
  worktree
    .command('drop')
    .description('remove the worktree and its branch, after a checkpoint of what is in it')
    .argument('<run>', RUN_ID)
    .action((run: string) => found({ type: 'worktree', asked: { how: 'drop', run } }));
}

/** Does it; the exit code is 1 where it could not be done, or only in part. */
export async function settle(
  asked: WorktreeArguments,
  stateFolder: string,
): Promise<{ readonly text: string; readonly code: number }> {
  const result = await settled(asked, stateFolder);
  const way = asked.how === 'apply' ? asked.conflicts : 'leave';
  return { text: renderSettled(result, way), code: result.type === 'problem' || result.type === 'part' ? 1 : 0 };
}

async function settled(asked: WorktreeArguments, stateFolder: string): Promise<Applied | Kept | Dropped> {
  const { run } = asked;
  switch (asked.how) {
    case 'apply':
      return applyWorktree({ run, stateFolder, conflicts: asked.conflicts, preview: asked.preview });
    case 'keep':
      return keepWorktree({ run, stateFolder });
    case 'drop':
      return dropWorktree({ run, stateFolder });
    default:
      return asked satisfies never;
  }
}

/** What became of the worktree, or would. */
export function renderSettled(result: Applied | Kept | Dropped | SettleProblem, way: ConflictWay = 'leave'): string {
  switch (result.type) {
    case 'problem':
      return `${result.message}\n`;
    case 'kept':
      return result.commits === 0
        ? 'The run changed nothing: its worktree and branch are removed.\n'
        : `The work is on branch ${result.worktree.branch} (${count(result.commits, 'commit')}). The worktree is removed.\n`;
    case 'dropped':
      return `The worktree is removed. What was in it is kept as checkpoint ${result.saved.id}.\n`;
    case 'preview':
    case 'applied':
    case 'part':
      return applied(result, way);
    default:
      return result satisfies never;
  }
}

const MARKS: FileMarks = { added: 'added  ', modified: 'changed', deleted: 'removed', typeChanged: 'changed' };

function applied(
  result: Extract<Applied, { readonly type: 'preview' | 'applied' | 'part' }>,
  way: ConflictWay,
): string {
  const { worktree, files, merged, conflicts, replaced, commits, type } = result;
  const place = safeLine(worktree.origin);
  const verb = type === 'preview' ? 'would get' : 'has';
  const head =
    files.length === 0
      ? `There is nothing to apply to ${place}.\n`
      : `${place} ${verb} the work of the run (${changes(files)}).\n`;
  const saved =
    replaced === null || files.length === 0 ? '' : `What stood there is kept as checkpoint ${replaced.id}.\n`;
  const branch =
    commits === 0 ? '' : `Branch ${worktree.branch} keeps the ${count(commits, 'commit')} made in the worktree.\n`;
  const rest =
    result.rest === undefined
      ? ''
      : `The run worked in a part of the worktree. All of that is kept as checkpoint ${result.rest.id}.\n`;
  const stays = type === 'part' ? `The worktree stays, because of the conflicts: ${safeLine(worktree.path)}\n` : '';
  return [
    head,
    ...files.map((file) => fileLine(file, MARKS)),
    saved,
    listOf('Changed in your folder too; both changes were put together:', merged),
    conflictLines('In conflict with what changed in your folder', conflicts, way),
    branch,
    rest,
    stays,
  ].join('');
}
