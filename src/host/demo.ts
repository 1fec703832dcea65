import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { createDemoProject, demoOptions, fillDemoProject } from '../loop/demoRun.ts';
import { DEFAULTS } from '../loop/options.ts';
import { type CommandParts, say, showView } from './commands.ts';
import { untrustedNotice } from './hostState.ts';

const { t } = vscode.l10n;

/**
 * "Try the Demo": the demo agents' run in a sample project of its own, so that no file of the person's is touched. It asks as
 * any other run does.
 */
export async function demoCommand({ controller, stateFolder }: CommandParts): Promise<void> {
  if (!vscode.workspace.isTrusted) return say(untrustedNotice(t));
  const state = stateFolder();
  const folder = await demoFolder();
  if (folder === null) return;
  await showView();
  const { rounds, permissionMode } = DEFAULTS;
  const options = demoOptions({ folder, stateFolder: state, rounds, permissionMode });
  await controller.start({ ...options, interactive: true, face: 'editor' });
}

/** A temporary one, or the open folder where that is empty and the person wants it; null when they want neither. */
async function demoFolder(): Promise<string | null> {
  const [open] = vscode.workspace.workspaceFolders ?? [];
  if (open?.uri.scheme !== 'file' || (await fs.readdir(open.uri.fsPath)).length > 0) return createDemoProject();
  const here = t('Use This Folder');
  const elsewhere = t('Use a Temporary Folder');
  const picked = await vscode.window.showInformationMessage(
    t('Where is the sample project of the demo to lie?'),
    { modal: true, detail: t('The open folder {0} is empty.', open.uri.fsPath) },
    here,
    elsewhere,
  );
  if (picked === elsewhere) return createDemoProject();
  if (picked !== here) return null;
  fillDemoProject(open.uri.fsPath);
  return open.uri.fsPath;
}
