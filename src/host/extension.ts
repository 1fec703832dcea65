import * as vscode from 'vscode';
import { COMMANDS } from './commandNames.ts';
import { AT_WORK_SINCE } from './lastRun.ts';
import { closeFormerTabs } from './pendingTabs.ts';
import { PANEL_TYPE } from './runPanel.ts';
import { registerRunsTree } from './runsTree.ts';
import { keepTerminalPath, TERMINAL_SETTING } from './terminalPath.ts';
import type { Workbench } from './workbench.ts';

let workbench: Promise<Workbench> | null = null;

/**
 * Registers the view, the commands and `cgloop` for terminals, and nothing more: no process, file or timer. Everything else lies in a bundle of its
 * own, `dist/host.cjs`, which is loaded on the first use of one of them, or at once after the extension host was killed in a run.
 */
export function activate(context: vscode.ExtensionContext): void {
  const open = (): Promise<Workbench> => {
    workbench ??= import('./workbench.ts').then(({ createWorkbench }) => createWorkbench(context, tree));
    return workbench;
  };
  const tree = registerRunsTree(
    context,
    async () => (await open()).runGroups(),
    async (directory) => (await open()).showRun(directory),
  );
  // A former window's: their questions were settled with it.
  void closeFormerTabs();
  const keepPath = () =>
    keepTerminalPath(context.environmentVariableCollection, {
      wanted: vscode.workspace.isTrusted && vscode.workspace.getConfiguration('cgloop').get(TERMINAL_SETTING) === true,
      bin: context.asAbsolutePath('bin'),
      node: process.execPath,
      platform: process.platform,
      description: vscode.l10n.t('The command cgloop.'),
    });
  keepPath();
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(keepPath),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`cgloop.${TERMINAL_SETTING}`)) keepPath();
    }),
    vscode.window.registerWebviewViewProvider('cgloop.loop', {
      resolveWebviewView: async (view) => (await open()).showIn(view),
    }),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel: async (panel) => (await open()).showInPanel(panel),
    }),
    ...COMMANDS.map((name) =>
      vscode.commands.registerCommand(`cgloop.${name}`, async (...args: unknown[]) => (await open()).run(name, args)),
    ),
  );
  // What the killed one left at work is ended, its run shown as interrupted, and its commands are offered as they apply now.
  if (context.workspaceState.get(AT_WORK_SINCE) !== undefined) void open();
}

/** Ends the agents of a run that is under way, within the time that VS Code grants. */
export async function deactivate(): Promise<void> {
  await (await workbench)?.close();
}
