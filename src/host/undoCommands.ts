import * as vscode from 'vscode';
import type { UndoPreview, UndoResult } from '../loop/undoRun.ts';
import type { UndoScope } from '../shared/roundEvents.ts';
import type { ConflictWay, UndoOutcome } from '../shared/undo.ts';
import { undoScopes } from '../shared/undoScopes.ts';
import type { CommandParts } from './commands.ts';
import { changeWords } from './words.ts';

const { t } = vscode.l10n;

type UndoParts = Pick<CommandParts, 'controller' | 'stateFolder'>;

/** Rows of each list in the question; the rest is counted. */
const MOST_ROWS = 15;

/** "Undo Run", "Redo": shows what it would do with the folder of the run shown, asks, and does it. */
export async function undoCommand({ controller, stateFolder }: UndoParts, scope: UndoScope): Promise<void> {
  const applies = scope.type === 'redo' ? controller.canRedo : controller.canUndo;
  if (!applies) {
    await vscode.window.showInformationMessage(
      scope.type === 'redo' ? t('There is no undoing to take back here.') : t('There is no run to undo here.'),
    );
    return;
  }
  const preview = await controller.previewUndo(stateFolder(), { scope });
  if (preview.type === 'problem') {
    await vscode.window.showErrorMessage(preview.message);
    return;
  }
  const conflicts = await ask(preview);
  if (conflicts === null) return;
  const result = await controller.undo(stateFolder(), { scope, conflicts });
  if (result.type === 'problem') await vscode.window.showErrorMessage(result.message);
  else await tellLeft(result);
}

/** "Undo Round…" and "Go Back to Before Round…": asks for the round. */
export async function undoRoundCommand(parts: UndoParts, type: 'round' | 'before'): Promise<void> {
  const view = parts.controller.view();
  const undone = new Set(view.undoings.flatMap((one) => one.rounds));
  const offered =
    type === 'before'
      ? undoScopes(view)
      : view.rounds.flatMap(({ number, changes }): UndoScope[] =>
          number > 0 && changes !== null && !undone.has(number) ? [{ type, round: number }] : [],
        );
  const rows = offered.flatMap((scope) => {
    if (scope.type !== type) return [];
    const round = view.rounds.find(({ number }) => number === scope.round);
    const description = changeWords(round?.changes ?? [], t);
    return [{ label: undoTitle(scope), description, scope }];
  });
  if (rows.length === 0 || !parts.controller.canUndo) {
    await vscode.window.showInformationMessage(t('The run shown has no round of which that can be done.'));
    return;
  }
  const title = type === 'round' ? t('Which round is to be undone?') : t('To before which round?');
  const picked = await vscode.window.showQuickPick(rows, { title });
  if (picked !== undefined) await undoCommand(parts, picked.scope);
}

/** What is done with the files in conflict; null: nothing is to be done at all. */
async function ask(preview: Extract<UndoPreview, { readonly type: 'preview' }>): Promise<ConflictWay | null> {
  const { scope, files, ignored, conflicts } = preview;
  if (files.length === 0 && ignored.length === 0 && conflicts.length === 0) {
    await vscode.window.showInformationMessage(t('The folder is already so: no file would change.'));
    return null;
  }
  const title = undoTitle(scope);
  const buttons: readonly { readonly title: string; readonly way: ConflictWay }[] =
    conflicts.length === 0
      ? [{ title, way: 'leave' }]
      : [
          { title: t('{0}, Leave the Files in Conflict', title), way: 'leave' },
          { title: t('{0}, with Conflict Marks', title), way: 'mark' },
          { title: t('{0}, These Files Too', title), way: 'take' },
        ];
  const detail = previewLines(preview).join('\n');
  const picked = await vscode.window.showWarningMessage(`${title}?`, { modal: true, detail }, ...buttons);
  return picked?.way ?? null;
}

/** What the undoing does, a line each. */
function previewLines({
  files,
  kept,
  merged,
  mixed,
  conflicts,
  ignored,
  beyond,
  ...of
}: UndoOutcome & Where): string[] {
  const commits = beyond.commits.map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`);
  return [
    t('In {0}:', of.folder),
    ...rows(files.map((file) => `${file.path}  ${file.added === null ? t('binary') : changeWords([file], t)}`)),
    ...list(t('Ignored by git, and put back too:'), ignored),
    ...list(t('Changed since, and put together with it:'), merged),
    ...list(t('Changed by you and the agent; your part is saved, not kept:'), mixed),
    ...list(t('Stays, because you alone changed it:'), kept),
    ...list(
      t('In conflict with what has changed since:'),
      conflicts.map(({ path }) => path),
    ),
    ...list(t('Not undone, what these commands did outside the files of the folder:'), beyond.commands),
    ...list(t('Not undone, commits of the agent:'), commits),
    ...list(t('Not looked at, git repositories of their own inside the folder:'), beyond.nested ?? []),
    '',
    t('What is there now is saved first: Redo brings it back.'),
  ];
}

interface Where {
  readonly folder: string;
}

function list(head: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : ['', head, ...rows(texts)];
}

function rows(texts: readonly string[]): string[] {
  const more = texts.length - MOST_ROWS;
  return [...texts.slice(0, MOST_ROWS), ...(more > 0 ? [t('{0} more', more)] : [])];
}

/** What stays other than the person may think. */
async function tellLeft(result: Extract<UndoResult, { readonly type: 'undone' }>): Promise<void> {
  const { kept, conflicts } = result;
  const told = [
    ...(kept.length === 0 ? [] : [t('Left as you have it, because you alone changed it: {0}', kept.join(', '))]),
    ...(conflicts.length === 0
      ? []
      : [t('In conflict with what has changed since: {0}', conflicts.map(({ path }) => path).join(', '))]),
  ];
  if (told.length > 0) await vscode.window.showInformationMessage(told.join(' '));
}

function undoTitle(scope: UndoScope): string {
  switch (scope.type) {
    case 'run':
      return t('Undo Run');
    case 'round':
      return t('Undo Round {0}', scope.round);
    case 'before':
      return t('Go Back to Before Round {0}', scope.round);
    case 'after':
      return t('Restore Round {0}', scope.round);
    case 'redo':
      return t('Redo');
    default:
      return scope satisfies never;
  }
}
