import * as vscode from 'vscode';
import { PENDING_SCHEME } from './pendingDiff.ts';
import { SHOWN_SCHEME } from './shownPart.ts';

/** A tab that shows the proposed side of a pending edit. */
export interface PendingTab {
  readonly tab: vscode.Tab;
  readonly uri: vscode.Uri;
}

export function pendingTabs(): readonly PendingTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap((tab) => {
      const uri = proposedOf(tab);
      return uri === null ? [] : [{ tab, uri }];
    }),
  );
}

/** Closes what a former window has shown from its memory, pending edits and parts of a run: nobody has their texts any more. */
export async function closeFormerTabs(): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const { input } = tab;
      const uri =
        input instanceof vscode.TabInputTextDiff
          ? input.modified
          : input instanceof vscode.TabInputText
            ? input.uri
            : undefined;
      return uri?.scheme === PENDING_SCHEME || uri?.scheme === SHOWN_SCHEME;
    });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** The address of the proposed side that the tab shows; null for any other tab. */
export function proposedOf(tab: vscode.Tab | undefined): vscode.Uri | null {
  const input = tab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return null;
  return input.modified.scheme === PENDING_SCHEME ? input.modified : null;
}

/** Closes the tabs whose address is meant, without moving the focus. */
export async function closePendingTabs(isMeant: (proposed: vscode.Uri) => boolean): Promise<void> {
  const tabs = pendingTabs().filter(({ uri }) => isMeant(uri));
  if (tabs.length === 0) return;
  await vscode.window.tabGroups.close(
    tabs.map(({ tab }) => tab),
    true,
  );
}
