import * as vscode from 'vscode';
import type { PermissionAnswer } from '../shared/permission.ts';
import { shortPath } from '../shared/questionWords.ts';
import { PENDING_SCHEME, type PendingPlace, pendingAddress, pendingDiffOf, pendingPlace } from './pendingDiff.ts';
import { createPendingFiles } from './pendingFiles.ts';
import { closePendingTabs, pendingTabs, proposedOf } from './pendingTabs.ts';
import type { WaitingRequest } from './runDeck.ts';
import { nameOf } from './words.ts';

const { t } = vscode.l10n;

/** The diff editors of pending edits. */
export interface PendingEdits {
  /** Opens the question's diff beside, without taking the focus. False: it has none. */
  open(request: WaitingRequest): Promise<boolean>;
  /** The question of the diff that is the active editor; null: that is no such diff. */
  active(): PendingPlace | null;
  /** The answer with the text that the person made of the proposal, where it allows and there is one. */
  withChange(request: WaitingRequest, answer: PermissionAnswer): Promise<PermissionAnswer>;
  /** Closes the diffs whose questions wait no longer. */
  close(waiting: readonly WaitingRequest[]): Promise<void>;
  dispose(): void;
}

export function createPendingEdits(): PendingEdits {
  const files = createPendingFiles();
  const registration = vscode.workspace.registerFileSystemProvider(PENDING_SCHEME, files.provider, {
    isCaseSensitive: true,
  });
  const uriOf = ({ runId, view, item }: WaitingRequest, side: PendingPlace['side'], file: string) => {
    const place = { runId, permissionId: item.permissionId, side };
    const address = pendingAddress(place, shortPath(file, view.run?.folder ?? ''));
    return vscode.Uri.from({ scheme: PENDING_SCHEME, ...address });
  };

  /** Puts what is typed into the proposal where it is kept: closing its editor must not ask, nor lose it. */
  const settle = async (uri: vscode.Uri): Promise<void> => {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (document?.isDirty === true) await document.save();
  };

  return {
    async open(request) {
      const diff = pendingDiffOf(request.item.request);
      if (diff === null) return false;
      const current = uriOf(request, 'current', diff.path);
      const proposed = uriOf(request, 'proposed', diff.path);
      if (files.text(proposed) === null) {
        files.put(current, diff.oldText ?? '', false);
        files.put(proposed, diff.newText, diff.takesChange);
      }
      const [name = ''] = /[^\\/]*$/.exec(diff.path) ?? [];
      const title = t('{0} (proposed by {1})', name, nameOf(request.view.agents[request.item.role], t));
      const known = pendingTabs().find(({ uri }) => uri.toString() === proposed.toString());
      await vscode.commands.executeCommand('vscode.diff', current, proposed, title, {
        viewColumn: known?.tab.group.viewColumn ?? columnBeside(),
        preserveFocus: true,
        preview: true,
      });
      return true;
    },
    active() {
      const uri = proposedOf(vscode.window.tabGroups.activeTabGroup.activeTab);
      return uri === null ? null : pendingPlace(uri.query);
    },
    async withChange(request, answer) {
      const diff = pendingDiffOf(request.item.request);
      if (answer.outcome === 'cancelled' || diff === null || !diff.takesChange) return answer;
      const kind = request.item.request.options.find(({ optionId }) => optionId === answer.optionId)?.kind;
      if (kind !== 'allow_once' && kind !== 'allow_always') return answer;
      const uri = uriOf(request, 'proposed', diff.path);
      await settle(uri);
      const text = files.text(uri);
      return text === null || text === diff.newText ? answer : { ...answer, changedText: text };
    },
    async close(waiting) {
      const isWaiting = ({ runId, permissionId }: PendingPlace) =>
        waiting.some((one) => one.runId === runId && one.item.permissionId === permissionId);
      for (const uri of files.uris) {
        const place = pendingPlace(uri.query);
        if (place !== null && isWaiting(place)) continue;
        await settle(uri);
        await closePendingTabs((other) => other.toString() === uri.toString());
        files.drop(uri);
      }
    },
    dispose: () => registration.dispose(),
  };
}

/** Beside what the person looks at; an empty group is not split. */
function columnBeside(): vscode.ViewColumn {
  const { activeTabGroup } = vscode.window.tabGroups;
  return activeTabGroup.tabs.length === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}
