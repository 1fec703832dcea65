import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { LOG_NAME, WRITER_NAME } from '../session/logFormat.ts';
import { type RunScores, scoresOf } from '../session/runScores.ts';
import { listRuns, type RunSummary, searchRuns } from '../session/runs.ts';
import { folderPaths, offeredRuns, outcomeOf, rowOf } from './pickRun.ts';
import { groupRows, runDescription, runRow } from './runRows.ts';
import type { RunGroup, RunsTree } from './runsTree.ts';

const { t } = vscode.l10n;

/** The runs that the Runs view shows, as they lie in the state folder. */
export interface RunList {
  /** Watches the state folder from the first call on. */
  groups(): Promise<readonly RunGroup[]>;
  /** "Search Runs…": all runs that hold the words, in every folder. */
  search(): Promise<void>;
  clearSearch(): void;
  dispose(): void;
}

/** How long changes on disk are gathered before the list is read anew. */
const GATHER_MS = 300;

/** `now`: milliseconds since the epoch. */
export function createRunList(tree: RunsTree, stateFolder: () => string, now: () => number): RunList {
  let search: string | null = null;
  const watch = createWatch(tree.refresh);
  const scores = createScoreBook();
  const setSearch = (next: string | null): void => {
    search = next;
    void vscode.commands.executeCommand('setContext', 'cgloop.searching', search !== null);
    tree.refresh();
  };
  return {
    async groups() {
      const state = stateFolder();
      const all = await listRuns(state);
      const runs = search === null ? offeredRuns(all, await folderPaths()) : searchRuns(all, search, outcomeOf);
      watch.look(path.join(state, 'runs'), all);
      tree.setSearch(search, runs.length);
      const time = { now: now(), language: vscode.env.language };
      const rows = await Promise.all(
        runs.map(async (summary) => {
          const told = await scores.of(summary.directory);
          const description = runDescription(summary, told, outcomeOf(summary), time, t);
          return { run: summary.run, row: runRow(summary, { label: rowOf(summary).label, description }) };
        }),
      );
      return groupRows(rows);
    },
    async search() {
      const typed = await vscode.window.showInputBox({
        title: t('Search Runs'),
        prompt: t('Words of the task, the folder, the agents or the outcome. Empty: all runs.'),
        value: search ?? '',
      });
      if (typed === undefined) return;
      setSearch(typed.trim() === '' ? null : typed.trim());
      await vscode.commands.executeCommand('cgloop.runs.focus');
    },
    clearSearch: () => setSearch(null),
    dispose: () => watch.dispose(),
  };
}

/** The scores of logs, read again only when a log has grown. */
function createScoreBook() {
  const known = new Map<string, { readonly size: number; readonly scores: Promise<RunScores> }>();
  const nothing: RunScores = { scores: [], rounds: 0 };
  return {
    async of(directory: string): Promise<RunScores> {
      const size = await fs.stat(path.join(directory, LOG_NAME)).then(
        (stat) => stat.size,
        () => -1,
      );
      const before = known.get(directory);
      if (before?.size === size) return before.scores;
      const scores = size < 0 ? Promise.resolve(nothing) : scoresOf(directory).catch(() => nothing);
      known.set(directory, { size, scores });
      return scores;
    },
  };
}

/**
 * Watches which runs come and go, and of those that are at work, in this window or elsewhere, whether they still are: two
 * levels of folders and no file that is written all the time.
 */
function createWatch(changed: () => void) {
  const watchers = new Map<string, vscode.Disposable>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      changed();
    }, GATHER_MS);
  };
  const watch = (folder: string, names: string): vscode.Disposable => {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), names);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
    return vscode.Disposable.from(watcher, watcher.onDidCreate(soon), watcher.onDidDelete(soon));
  };
  return {
    look(runs: string, all: readonly RunSummary[]): void {
      const wanted = new Map([[runs, '*']]);
      for (const { state, run, directory } of all) {
        if (state === 'running') wanted.set(directory, WRITER_NAME);
        else if (run === null) wanted.set(directory, LOG_NAME);
      }
      for (const [folder, watcher] of watchers) {
        if (wanted.has(folder)) continue;
        watcher.dispose();
        watchers.delete(folder);
      }
      for (const [folder, names] of wanted) if (!watchers.has(folder)) watchers.set(folder, watch(folder, names));
    },
    dispose(): void {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.dispose();
    },
  };
}
