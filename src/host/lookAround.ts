import * as vscode from 'vscode';
import { agentIds, installedAgents } from '../agent/catalog.ts';
import type { CheckBook } from './checkBook.ts';
import type { WindowFacts } from './hostState.ts';
import { dependencies } from './setup.ts';
import { settingsOf } from './windowSettings.ts';

/** Which agents' programs are where those of the chosen ones are looked for. Starts nothing in an untrusted window. */
export async function lookForAgents(runsFolder: () => string): Promise<WindowFacts['installed']> {
  if (!vscode.workspace.isTrusted) return new Map();
  const { executor, reviewer, agents } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null).settings;
  return installedAgents(agentIds(agents), await dependencies([executor, reviewer], runsFolder()));
}

/** The checks of the open folders; nothing of an untrusted one is looked at. */
export async function lookForChecks(checks: CheckBook): Promise<void> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
  await checks.look(new Map(onDisk.map((folder) => [folder.uri.fsPath, settingsOf(folder).settings.checks])));
}
