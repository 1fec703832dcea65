import * as vscode from 'vscode';
import { diagnose } from '../agent/doctor.ts';
import { writeReport } from '../loop/reportRun.ts';
import { listRuns } from '../session/runs.ts';
import { english } from '../shared/translate.ts';
import type { CommandParts } from './commands.ts';
import { pickRun } from './pickRun.ts';
import type { SetupCheck } from './setupCheck.ts';

const { t } = vscode.l10n;

/** "Report a Problem…": gathers a run, and opens what was gathered to be read before it is shared. */
export async function reportCommand(parts: CommandParts, check: SetupCheck): Promise<void> {
  const { controller, keys, stateFolder } = parts;
  const shown = controller.shown;
  const directory =
    shown !== null && !shown.replay
      ? shown.directory
      : ((await pickRun(await listRuns(stateFolder()), t('Report a Problem')))?.directory ?? null);
  if (directory === null) return;
  const report = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Gathering the report…') },
    async () => {
      // Both agents are at work in a run: they are not started a second time.
      const doctor = controller.phase === 'idle' ? diagnose(await check.examine(), english) : null;
      const secrets = await keys.secrets();
      const versions = { [vscode.env.appName]: vscode.version };
      return writeReport({ directory, stateFolder: stateFolder(), doctor, versions, secrets });
    },
  );
  await vscode.window.showTextDocument(vscode.Uri.file(report.file));
  const reveal = t('Show Folder');
  const words = t('Read the report before you share it: your task and parts of your files are in it.');
  const picked = await vscode.window.showInformationMessage(words, reveal);
  if (picked === reveal) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(report.file));
}
