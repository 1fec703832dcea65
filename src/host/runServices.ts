import * as vscode from 'vscode';
import type { SignInQuestion } from '../agent/agent.ts';
import type { RunServices } from '../loop/runServices.ts';
import { createUnsavedFiles } from './unsavedFiles.ts';
import { settingsOf } from './windowSettings.ts';
import { createWorkspaceFs } from './workspaceFs.ts';

const { t } = vscode.l10n;

/** What this window serves to the agents of a run in the folder (absolute). */
export function servicesFor(folder: string): RunServices {
  const { settings } = settingsOf(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? null);
  const folders = () =>
    (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return {
    files: createWorkspaceFs({ folders, maxBytes: settings.maxFileMegabytes * 1024 * 1024 }),
    unsaved: createUnsavedFiles(settings.dirtyFiles),
    translate: t,
    locale: vscode.env.language,
    askSignIn,
  };
}

/** Asks whether to sign in to an agent, and says first what that writes where. */
async function askSignIn({ agent, message, choices, commands }: SignInQuestion): Promise<string | null> {
  const detail = [
    message,
    ...choices.map(({ name, changes }) => `${name}: ${changes}`),
    ...commands.map((command) => t('In a terminal: {0}', command)),
  ].join('\n');
  const buttons = choices.map(({ id, name }) => ({ title: name, id }));
  const picked = await vscode.window.showWarningMessage(
    t('{0} wants a sign-in.', agent.name),
    { modal: true, detail },
    ...buttons,
  );
  return picked?.id ?? null;
}
