import path from 'node:path';
import * as vscode from 'vscode';
import { LOG_NAME } from '../session/logFormat.ts';
import { listRuns } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import type { CommandParts } from './commands.ts';
import { linkedFile } from './fileLink.ts';
import { pickRun } from './pickRun.ts';

const { t } = vscode.l10n;

/** "Open Run Log…": one of the runs in the open folders, else one of all runs. */
export async function openLogCommand({ stateFolder }: Pick<CommandParts, 'stateFolder'>): Promise<void> {
  const picked = await pickRun(await listRuns(stateFolder()), t('Open Run Log'));
  if (picked !== undefined) await openLog(picked.directory);
}

/** Opens a run's log in an editor. */
export async function openLog(directory: string): Promise<void> {
  await openFile(path.join(directory, LOG_NAME), null);
}

/** Opens the file that a link of the view names. */
export async function openLink(
  { controller }: Pick<CommandParts, 'controller'>,
  written: string,
  line: number | null,
): Promise<void> {
  const folder = controller.view().run?.folder ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const file = folder === undefined ? null : linkedFile(written, folder);
  if (file !== null) await openFile(file, line);
  else await vscode.window.showWarningMessage(t('{0} is no file of this machine.', written));
}

async function openFile(file: string, line: number | null): Promise<void> {
  const place = line === null ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), place === undefined ? {} : { selection: place });
  } catch (error) {
    const why = errorText(error, t);
    await vscode.window.showWarningMessage(t('{0} cannot be opened: {1}', file, why));
  }
}
