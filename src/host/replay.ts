import * as vscode from 'vscode';
import { loadReplay } from '../loop/loadReplay.ts';
import { listRuns } from '../session/runs.ts';
import type { CommandParts } from './commands.ts';
import { pickRun } from './pickRun.ts';

const { t } = vscode.l10n;

/** "Replay Run…": shows a run, or a log or trace from anywhere, in the view to look at. */
export async function replayCommand({ controller, stateFolder }: CommandParts): Promise<void> {
  if (controller.phase !== 'idle') {
    await vscode.window.showInformationMessage(t('A run is under way in this window.'));
    return;
  }
  const named = await chosenFile(stateFolder());
  if (named === null) return;
  const { file, events, problems } = await loadReplay(named, stateFolder());
  controller.openReplay(file, events);
  await vscode.commands.executeCommand('cgloop.loop.focus');
  if (problems.length > 0) {
    await vscode.window.showWarningMessage(
      t('Not everything of it could be read: {0}', problems.slice(0, 3).join(' · ')),
    );
  }
}

async function chosenFile(stateFolder: string): Promise<string | null> {
  const browse = { label: t('$(folder-opened) Another log or trace…'), directory: null };
  const picked = await pickRun(await listRuns(stateFolder), t('Replay Run'), browse);
  if (picked === undefined) return null;
  if (picked.directory !== null) return picked.directory;
  const [file] = (await vscode.window.showOpenDialog({ filters: { JSONL: ['jsonl'] }, openLabel: t('Replay') })) ?? [];
  return file?.fsPath ?? null;
}
