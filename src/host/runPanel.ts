import * as vscode from 'vscode';
import type { PagePlace } from './loopView.ts';
import type { RunDeck } from './runDeck.ts';

/** Under this name VS Code restores the panel after a reload of the window. */
export const PANEL_TYPE = 'cgloop.run';

const LONGEST_TITLE = 40;

/** The editor panel of a window: the same page as in the Loop view, with the run that the deck shows, wide. */
export interface RunPanel {
  readonly visible: boolean;
  /** Shows it, where it was, or in the active group. */
  open(): void;
  /** Takes the place that VS Code has kept for it. */
  restore(panel: vscode.WebviewPanel): void;
  dispose(): void;
}

/** `attach`: draws the page into the place. `changed`: whether it is visible has changed. */
export function createRunPanel(
  { extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>,
  deck: Pick<RunDeck, 'view' | 'onDidChange'>,
  attach: (place: PagePlace) => void,
  changed: () => void,
): RunPanel {
  let panel: vscode.WebviewPanel | null = null;
  const name = (): void => {
    if (panel === null) return;
    const title = titleOf(deck.view().run?.task ?? '');
    if (panel.title !== title) panel.title = title;
  };
  const take = (next: vscode.WebviewPanel): void => {
    panel?.dispose();
    panel = next;
    next.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    name();
    next.onDidDispose(() => {
      if (panel === next) panel = null;
      changed();
    });
    next.onDidChangeViewState(changed);
    attach({
      webview: next.webview,
      get visible() {
        return next.visible;
      },
      onDidChangeVisibility: next.onDidChangeViewState,
      onDidDispose: next.onDidDispose,
    });
    changed();
  };
  const unsubscribe = deck.onDidChange(name);
  return {
    get visible() {
      return panel?.visible ?? false;
    },
    open() {
      if (panel !== null) return panel.reveal();
      const { Active } = vscode.ViewColumn;
      take(vscode.window.createWebviewPanel(PANEL_TYPE, titleOf(''), Active, { enableFindWidget: true }));
    },
    restore: take,
    // The panel stays: VS Code restores it with the window.
    dispose: unsubscribe,
  };
}

function titleOf(task: string): string {
  const [line = ''] = task.trim().split('\n', 1);
  if (line === '') return vscode.l10n.t('Claude–Gemini Loop');
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}
