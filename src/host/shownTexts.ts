import * as vscode from 'vscode';
import { shortPath } from '../shared/questionWords.ts';
import { withoutAnsi } from '../shared/withoutAnsi.ts';
import type { RunController } from './runControl.ts';
import { checkText, SHOWN_SCHEME, shownPart, terminalText } from './shownPart.ts';

const { t } = vscode.l10n;

/** What the page shows in part, whole and read-only in an editor; and code of a message in the clipboard or the editor. */
export interface ShownTexts {
  openPart(id: string, part: number): Promise<void>;
  openTerminal(terminalId: string): Promise<void>;
  openCheck(checkId: string): Promise<void>;
  openPrompt(turn: number): Promise<void>;
  dispose(): void;
}

export function createShownTexts(controller: Pick<RunController, 'shown' | 'view'>): ShownTexts {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SHOWN_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? null,
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
  );
  const keep = (name: string, what: string, text: string) => {
    const path = name.replaceAll('\\', '/').replace(/^\/*/, '/');
    const uri = vscode.Uri.from({ scheme: SHOWN_SCHEME, path, query: `${controller.shown?.id ?? ''}/${what}` });
    const known = texts.get(uri.toString());
    texts.set(uri.toString(), text);
    // A command that is still at work has written more since.
    if (known !== undefined && known !== text) changed.fire(uri);
    return uri;
  };
  const show = async (uri: vscode.Uri) => {
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  };

  return {
    async openPart(id, number) {
      const part = shownPart(controller.view(), id, number);
      if (part === null || part.type === 'terminal') return;
      const what = `${id}/${number}`;
      if (part.type === 'text') return show(keep(t('Output'), what, withoutAnsi(part.text)));
      const name = shortPath(part.path, controller.view().run?.folder ?? '');
      const before = keep(name, `${what}/before`, part.oldText ?? '');
      const after = keep(name, `${what}/after`, part.newText);
      await vscode.commands.executeCommand('vscode.diff', before, after, t('{0} (change of an agent)', name), {
        preview: true,
        preserveFocus: true,
      });
    },
    openTerminal: (terminalId) =>
      show(keep(t('Output'), terminalId, withoutAnsi(terminalText(controller.shown?.events ?? [], terminalId)))),
    openCheck: (checkId) =>
      show(keep(t('Output'), checkId, withoutAnsi(checkText(controller.shown?.events ?? [], checkId)))),
    async openPrompt(turn) {
      const told = controller.shown?.events.find((event) => event.type === 'turn.started' && event.turn === turn);
      if (told?.type === 'turn.started') await show(keep(t('Prompt {0}', turn), `prompt/${turn}`, told.prompt));
    },
    dispose: () => registration.dispose(),
  };
}

/** Puts the text over the selections of the editor that the person was in last. */
export async function insertText(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    await vscode.window.showInformationMessage(t('Open a file in an editor first: the code goes to its cursor.'));
    return;
  }
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (done)
    await vscode.window.showTextDocument(editor.document, {
      viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
    });
  else await vscode.window.showWarningMessage(t('The editor did not take the text: its file is read-only.'));
}
