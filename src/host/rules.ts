import path from 'node:path';
import * as vscode from 'vscode';
import { readConfirmed, writeConfirmed } from '../session/checkFile.ts';
import { readRules, writeRules } from '../session/ruleFile.ts';
import { folderPaths } from './pickRun.ts';
import { checkRows, ruleRows } from './ruleRows.ts';

const { t } = vscode.l10n;

/** "Permission Rules…": what was allowed or denied for good, in the open folders and in every folder; a picked one can go. */
export async function rulesCommand(stateFolder: () => string): Promise<void> {
  const state = stateFolder();
  const places = [...(await folderPaths()), null];
  const rows = await Promise.all(
    places.map(async (folder) => {
      const name = folder === null ? '' : path.basename(folder);
      const checks = folder === null ? [] : checkRows(await readConfirmed(state, folder), folder, name, t);
      return [...ruleRows(await readRules(state, folder), folder, name, t), ...checks];
    }),
  );
  if (rows.flat().length === 0) {
    const how = t('“Always allow” on a question makes one, or "cgloop rules" in a terminal.');
    await vscode.window.showInformationMessage(t('There are no permission rules yet. {0}', how));
    return;
  }
  const picked = await vscode.window.showQuickPick(rows.flat(), {
    title: t('Permission Rules'),
    placeHolder: t('Pick the rule to remove'),
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  const remove = t('Remove');
  const detail = `${picked.label}, ${picked.description}`;
  const options = { modal: true, detail };
  if ((await vscode.window.showWarningMessage(t('Remove this rule?'), options, remove)) !== remove) return;
  const { what, folder } = picked;
  if (what.type === 'check') {
    if (folder === null) return;
    const left = (await readConfirmed(state, folder)).filter(({ command }) => command !== what.command);
    await writeConfirmed(state, folder, left);
    return;
  }
  const now = await readRules(state, folder);
  const gone = JSON.stringify(what.rule);
  await writeRules(
    state,
    folder,
    now.filter((rule) => JSON.stringify(rule) !== gone),
  );
}
