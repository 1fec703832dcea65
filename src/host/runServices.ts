import * as vscode from 'vscode';
import type { RunServices } from '../loop/runServices.ts';
import { createUnsavedFiles } from './unsavedFiles.ts';
import { settingsOf } from './windowSettings.ts';
import { createWorkspaceFs } from './workspaceFs.ts';

/** What this window serves to the agents of a run in the folder (absolute). */
export function servicesFor(folder: string): RunServices {
  const { settings } = settingsOf(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? null);
  const folders = () =>
    (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return {
    files: createWorkspaceFs({ folders, maxBytes: settings.maxFileMegabytes * 1024 * 1024 }),
    unsaved: createUnsavedFiles(settings.dirtyFiles),
  };
}
