import * as vscode from 'vscode';
import { readSettings } from './settings.ts';

/** The settings that are in force for a folder, or for the window. */
export function settingsOf(folder: vscode.WorkspaceFolder | null): ReturnType<typeof readSettings> {
  const configuration = vscode.workspace.getConfiguration('cgloop', folder?.uri);
  return readSettings((name) => ({
    effective: configuration.get<unknown>(name),
    user: configuration.inspect<unknown>(name)?.globalValue,
  }));
}
