import path from 'node:path';
import * as vscode from 'vscode';
import { listRuns } from '../session/runs.ts';
import type { CommandParts } from './commands.ts';

const { t } = vscode.l10n;

type DeleteParts = Pick<CommandParts, 'controller' | 'stateFolder' | 'keys'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** "Delete Run…": the runs of these folders on disk, after a question. */
export async function deleteRunsCommand(parts: DeleteParts, directories: readonly string[]): Promise<void> {
  const ids = directories.map((directory) => path.basename(directory));
  if (ids.length === 0) return;
  const { run } = parts.controller.view();
  const [only] = ids;
  const isShown = ids.length === 1 && only === parts.controller.shown?.id;
  const title =
    ids.length > 1
      ? t('Delete {0} runs?', ids.length)
      : t('Delete the run “{0}”?', isShown && run !== null ? shortened(run.task) : await taskOf(parts, only ?? ''));
  if (await isAgreed(title)) await deleteAll(parts, ids);
}

/** "Delete Old Runs…": those that nothing was added to for so many days. */
export async function deleteOldRunsCommand(parts: DeleteParts, now: number): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: t('Delete Old Runs'),
    prompt: t('Runs that nothing was added to for how many days?'),
    value: '30',
    validateInput: (text) => (/^\d{1,5}$/.test(text.trim()) ? null : t('A whole number, please.')),
  });
  if (typed === undefined || !/^\d{1,5}$/.test(typed.trim())) return;
  const { runsBefore } = await import('../loop/deleteRuns.ts');
  const old = await runsBefore(parts.stateFolder(), now - Number(typed) * DAY_MS);
  if (old.length === 0) {
    await vscode.window.showInformationMessage(t('There is no run that old.'));
    return;
  }
  const ids = old.map(({ id }) => id);
  if (await isAgreed(t('Delete {0} runs?', ids.length))) await deleteAll(parts, ids);
}

/** "Delete All Loop Data": every run with its checkpoints, rules, confirmed checks and keys. */
export async function deleteAllDataCommand(parts: DeleteParts): Promise<void> {
  const { controller, keys, stateFolder } = parts;
  if (controller.live.length > 0) {
    await vscode.window.showWarningMessage(t('A run is under way in this window: stop it first.'));
    return;
  }
  const state = stateFolder();
  const remove = t('Delete All');
  const detail = t(
    'Goes: {0} runs with their logs and checkpoints, stored rules, confirmed checks, and the keys that are kept here. Stays: the files of your folders. Folder of the data: {1}',
    (await listRuns(state)).length,
    state,
  );
  const picked = await vscode.window.showWarningMessage(
    t('Delete all data of the loop?'),
    { modal: true, detail },
    remove,
  );
  if (picked !== remove) return;
  if (controller.shown !== null) controller.showNew();
  const { deleteAllData } = await import('../loop/deleteRuns.ts');
  const { runs, kept } = await deleteAllData(state, t);
  await keys.clear();
  if (kept.length > 0) await vscode.window.showWarningMessage(kept.join(' '));
  else await vscode.window.showInformationMessage(t('All data of the loop is deleted. Runs: {0}', runs));
}

async function deleteAll({ controller, stateFolder }: DeleteParts, ids: readonly string[]): Promise<void> {
  const { deleteRun } = await import('../loop/deleteRuns.ts');
  const kept: string[] = [];
  for (const id of ids) {
    if (controller.phase === 'idle' && controller.shown?.id === id) controller.showNew();
    const result = await deleteRun(stateFolder(), id, t);
    if (result.type === 'kept') kept.push(result.why);
  }
  if (kept.length > 0) await vscode.window.showWarningMessage(kept.join(' '));
}

async function isAgreed(title: string): Promise<boolean> {
  const remove = t('Delete');
  const detail = t(
    'Logs, reports and checkpoints go, so that nothing of it can be undone or gone on with any more. The files of the folder stay as they are.',
  );
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, remove)) === remove;
}

async function taskOf({ stateFolder }: DeleteParts, id: string): Promise<string> {
  const found = (await listRuns(stateFolder())).find((one) => one.id === id);
  return shortened(found?.run?.task ?? id);
}

function shortened(task: string): string {
  const [line = ''] = task.split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
