import * as vscode from 'vscode';

/** One row of the Runs view. */
export interface RunRow {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** For who hears it: the icon in words too. */
  readonly spoken: string;
  /** A codicon and, where it says how the run ended, its colour. */
  readonly icon: string;
  readonly color: string | null;
  readonly directory: string;
  /** What can be done with it, for the menus. */
  readonly kind: 'running' | 'resumable' | 'settled';
}

/** The runs of one folder (absolute). */
export interface RunGroup {
  readonly folder: string;
  readonly label: string;
  readonly rows: readonly RunRow[];
}

/** The Runs view; its badge shows on the activity bar whether or not the Loop view was ever opened. */
export interface RunsTree {
  /** Reads the rows anew. */
  refresh(): void;
  /** How many questions wait for the person. */
  setWaiting(count: number): void;
  /** What the rows were searched for, and how many were found; null: they are all there. */
  setSearch(search: string | null, found: number): void;
}

/** Registers the view. `groups` is asked when the view is visible, and `show` with the folder of the row that was chosen. */
export function registerRunsTree(
  context: vscode.ExtensionContext,
  groups: () => Promise<readonly RunGroup[]>,
  show: (directory: string) => Promise<void>,
): RunsTree {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<RunGroup | RunRow>('cgloop.runs', {
    canSelectMany: true,
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        if (node !== undefined) return 'rows' in node ? [...node.rows] : [];
        const all = await groups();
        const [only] = all;
        return all.length === 1 && only !== undefined ? [...only.rows] : [...all];
      },
      getTreeItem: (node) => ('rows' in node ? groupItem(node) : rowItem(node)),
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
    setSearch(search, found) {
      view.description = search === null ? '' : `“${search}”`;
      view.message = search !== null && found === 0 ? vscode.l10n.t('No run holds “{0}”.', search) : '';
    },
  };
}

function groupItem({ folder, label }: RunGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `folder ${folder}`;
  item.tooltip = folder;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = 'folder';
  return item;
}

function rowItem({ label, description, tooltip, spoken, icon, color, directory, kind }: RunRow): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = directory;
  item.description = description;
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: spoken };
  item.iconPath = new vscode.ThemeIcon(icon, color === null ? undefined : new vscode.ThemeColor(color));
  item.contextValue = `run.${kind}`;
  item.command = { command: SHOW_RUN, title: vscode.l10n.t('Show'), arguments: [directory] };
  return item;
}

/** The run's folder on disk that a command of a row is given; null for anything else. */
export function directoryOf(row: unknown): string | null {
  const isRow = typeof row === 'object' && row !== null && 'directory' in row;
  return isRow && typeof row.directory === 'string' ? row.directory : null;
}

/** The same of all rows that are selected, where the one under the pointer is among them. */
export function directoriesOf(row: unknown, selected: unknown): readonly string[] {
  const several = Array.isArray(selected) ? selected.flatMap((one) => directoryOf(one) ?? []) : [];
  const one = directoryOf(row);
  return several.length > 0 ? several : one === null ? [] : [one];
}

/** Only the rows of the view call it. */
const SHOW_RUN = 'cgloop.showRun';
