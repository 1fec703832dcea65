import { readRun } from '../session/replay.ts';
import { openChangesCommand } from './changesCommand.ts';
import type { ChangesEditor } from './changesEditor.ts';
import type { CommandName } from './commandNames.ts';
import { type CommandParts, resumeCommand, showView } from './commands.ts';
import { deleteAllDataCommand, deleteOldRunsCommand, deleteRunsCommand } from './deleteCommands.ts';
import { exportRun } from './exportRun.ts';
import type { RunList } from './runList.ts';
import { directoriesOf, directoryOf, type RunsTree } from './runsTree.ts';

/** What the commands of the Runs view work on. */
export interface RowParts {
  readonly parts: CommandParts;
  readonly list: RunList;
  readonly tree: RunsTree;
  readonly changes: ChangesEditor;
  /** Opens the run shown in an editor panel. */
  readonly open: () => void;
}

/** The commands that the rows of the Runs view are given to; from elsewhere they are about the run shown. */
export function rowCommands({ parts, list, tree, changes, open }: RowParts) {
  const { controller } = parts;
  const show = async (row: unknown): Promise<void> => {
    const directory = directoryOf(row);
    if (directory !== null) await controller.showRun(directory);
  };
  return {
    async openChanges(row) {
      const directory = directoryOf(row);
      const events = directory === null ? (controller.shown?.events ?? []) : (await readRun(directory)).events;
      await openChangesCommand(changes, events);
    },
    async exportRun(row) {
      const directory = directoryOf(row) ?? controller.shown?.directory;
      if (directory !== undefined) await exportRun(directory);
    },
    async openInEditor(row) {
      await show(row);
      open();
    },
    findRun: list.search,
    clearSearch: async () => list.clearSearch(),
    async resumeRun(row) {
      await show(row);
      await showView();
      await resumeCommand(parts);
    },
    async deleteRun(row, selected) {
      const shown = controller.shown === null || controller.shown.replay ? [] : [controller.shown.directory];
      const chosen = directoriesOf(row, selected);
      await deleteRunsCommand(parts, chosen.length > 0 ? chosen : shown);
      tree.refresh();
    },
    async deleteOldRuns() {
      await deleteOldRunsCommand(parts, Date.now());
      tree.refresh();
    },
    async deleteAllData() {
      await deleteAllDataCommand(parts);
      tree.refresh();
    },
  } satisfies Partial<Record<CommandName, (...args: readonly unknown[]) => Promise<void>>>;
}
