import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** Writes a run (its folder on disk) where the person says, as Markdown or JSON, without keys and the home folder. */
export async function exportRun(directory: string): Promise<void> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const folder = first?.uri.scheme === 'file' ? first.uri.fsPath : os.homedir();
  const target = await vscode.window.showSaveDialog({
    title: t('Export Run'),
    defaultUri: vscode.Uri.file(path.join(folder, `cgloop-${path.basename(directory)}.md`)),
    filters: { Markdown: ['md'], JSON: ['json'] },
  });
  if (target === undefined) return;
  const text = await exportText(directory, target.path.endsWith('.json'));
  await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  await vscode.window.showTextDocument(target, { preserveFocus: true });
}

async function exportText(directory: string, asJson: boolean): Promise<string> {
  const [{ exportRun }, { exportMarkdown }, { createRedactor, knownSecrets }, { readRun }, { reduce }, { EMPTY_VIEW }] =
    await Promise.all([
      import('../session/exportJson.ts'),
      import('../session/exportMarkdown.ts'),
      import('../session/redact.ts'),
      import('../session/replay.ts'),
      import('../shared/reduce.ts'),
      import('../shared/view.ts'),
    ]);
  const { events, state } = await readRun(directory);
  const view = reduce(EMPTY_VIEW, events);
  const told = exportRun(view, state);
  if (told === null) throw new Error(t('The log of the run does not say what it worked on.'));
  const redact = createRedactor(knownSecrets(process.env), os.homedir());
  return redact(asJson ? `${JSON.stringify(told, null, 2)}\n` : exportMarkdown(view, told));
}
