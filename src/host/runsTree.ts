import * as vscode from 'vscode';

/** One row of the Runs view. */
export interface RunRow {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** A codicon and, where it says how the run ended, its colour. */
  readonly icon: string;
  readonly color: string | null;
  readonly directory: string;
}

/** The Runs view; its badge shows on the activity bar whether or not the Loop view was ever opened. */
export interface RunsTree {
  /** Reads the rows anew. */
  refresh(): void;
  /** How many questions wait for the person. */
  setWaiting(count: number): void;
}

/** Registers the view. `rows` is asked when the view is visible, and `show` with the folder of the row that was chosen. */
export function registerRunsTree(
  context: vscode.ExtensionContext,
  rows: () => Promise<readonly RunRow[]>,
  show: (directory: string) => Promise<void>,
): RunsTree {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<RunRow>('cgloop.runs', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (row) => (row === undefined ? [...(await rows())] : []),
      getTreeItem({ label, description, tooltip, icon, color, directory }) {
        const item = new vscode.TreeItem(label);
        item.id = directory;
        item.description = description;
        item.tooltip = tooltip;
        item.iconPath = new vscode.ThemeIcon(icon, color === null ? undefined : new vscode.ThemeColor(color));
        item.command = { command: SHOW_RUN, title: vscode.l10n.t('Show'), arguments: [directory] };
        return item;
      },
    },
  });
  context.subscriptions.push(
    changed,
    view,
    vscode.commands.registerCommand(SHOW_RUN, show),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) changed.fire();
    }),
  );
  return {
    refresh: () => changed.fire(),
    setWaiting(count) {
      const tooltip = vscode.l10n.t('{0} waiting for you', count);
      view.badge = count === 0 ? undefined : { value: count, tooltip };
    },
  };
}

/** The run's folder on disk that a command of a row is given; null for anything else. */
export function directoryOf(row: unknown): string | null {
  const isRow = typeof row === 'object' && row !== null && 'directory' in row;
  return isRow && typeof row.directory === 'string' ? row.directory : null;
}

/** Only the rows of the view call it. */
const SHOW_RUN = 'cgloop.showRun';
