import * as vscode from 'vscode';
import type { Applied, ApplyOptions, SettleProblem } from '../loop/settleWorktree.ts';
import type { ConflictWay } from '../shared/undo.ts';
import type { RunController } from './runControl.ts';

const { t } = vscode.l10n;

type Shown = Exclude<Applied, SettleProblem>;

/** Names of files that a question shows; the rest is counted. */
const MOST_NAMES = 12;

/**
 * Settles what becomes of the worktree of the run shown, after the person has seen what it does. Applying and dropping are
 * asked about first; keeping loses nothing.
 */
export async function settleWorktree(
  controller: Pick<RunController, 'shown' | 'refresh'>,
  stateFolder: string,
  how: 'applied' | 'kept' | 'dropped',
): Promise<void> {
  const { shown } = controller;
  if (shown === null || shown.replay) return;
  const run = { run: shown.id, stateFolder, t };
  const said = await settle(run, how);
  await controller.refresh();
  if (said === null) return;
  if (said.isProblem) await vscode.window.showErrorMessage(said.text);
  else await vscode.window.showInformationMessage(said.text);
}

interface Said {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Null: the person thought better of it. */
async function settle(run: ApplyOptions, how: 'applied' | 'kept' | 'dropped'): Promise<Said | null> {
  const { applyWorktree, dropWorktree, keepWorktree } = await import('../loop/settleWorktree.ts');
  switch (how) {
    case 'applied': {
      const preview = await applyWorktree({ ...run, preview: true });
      if (preview.type === 'problem') return failed(preview.message);
      const conflicts = await askToApply(preview);
      if (conflicts === null) return null;
      const done = await applyWorktree({ ...run, conflicts });
      if (done.type === 'problem') return failed(done.message);
      if (done.type !== 'part') return ok(t('{0} has the changes of the run.', done.worktree.origin));
      return failed(t('The files in conflict were left, so that the worktree stays: {0}', named(done.conflicts)));
    }
    case 'kept': {
      const kept = await keepWorktree(run);
      if (kept.type === 'problem') return failed(kept.message);
      return ok(
        kept.commits === 0
          ? t('The run changed nothing: its worktree and branch are removed.')
          : t('The changes are on branch {0}. The worktree is removed.', kept.worktree.branch),
      );
    }
    case 'dropped': {
      const drop = t('Drop');
      const detail = t('What is in it, its commits too, is kept as a checkpoint first.');
      const picked = await vscode.window.showWarningMessage(t('Drop the worktree?'), { modal: true, detail }, drop);
      if (picked !== drop) return null;
      const dropped = await dropWorktree(run);
      if (dropped.type === 'problem') return failed(dropped.message);
      return ok(t('The worktree is removed. What was in it is kept as checkpoint {0}.', dropped.saved.id));
    }
    default:
      return how satisfies never;
  }
}

/** What becomes of files in conflict; null: nothing is to be done. */
async function askToApply({ worktree, files, merged, conflicts }: Shown): Promise<ConflictWay | null> {
  const apply = t('Apply');
  const mark = t('Apply, with Conflict Marks');
  const take = t('Apply, Taking the Files of the Run');
  const detail = [
    files.length === 0 ? t('Nothing differs.') : t('Changed: {0}', named(files)),
    ...(merged.length === 0 ? [] : [t('Put together with your own changes: {0}', merged.join(', '))]),
    ...(conflicts.length === 0 ? [] : [t('In conflict with your own changes: {0}', named(conflicts))]),
    t('What is replaced is saved first.'),
  ].join('\n\n');
  const title = t('Apply the changes of the worktree to {0}?', worktree.origin);
  const choices = conflicts.length === 0 ? [apply] : [mark, take];
  const picked = await vscode.window.showInformationMessage(title, { modal: true, detail }, ...choices);
  return picked === apply ? 'leave' : picked === mark ? 'mark' : picked === take ? 'take' : null;
}

function named(files: readonly { readonly path: string }[]): string {
  const names = files.slice(0, MOST_NAMES).map(({ path }) => path);
  const more = files.length - names.length;
  return [...names, ...(more === 0 ? [] : [t('{0} more', more)])].join(', ');
}

function ok(text: string): Said {
  return { text, isProblem: false };
}

function failed(text: string): Said {
  return { text, isProblem: true };
}
