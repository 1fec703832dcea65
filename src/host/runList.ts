import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { LOG_NAME, WRITER_NAME } from '../session/logFormat.ts';
import { type RunScores, scoresOf } from '../session/runScores.ts';
import { listRuns, type RunSummary, searchRuns } from '../session/runs.ts';
import { holderOf } from '../workspace/claim.ts';
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
/** How often the writers of runs that are at work are looked for. */
const ASK_MS = 3000;

export interface RunListParts {
  readonly tree: RunsTree;
  /** Throws when it is wrongly set. */
  readonly stateFolder: () => string;
  /** Whether the run of this folder on disk is at work in this window, which then says how it goes. */
  readonly isOwn: (directory: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createRunList({ tree, stateFolder, isOwn, now }: RunListParts): RunList {
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
      const elsewhere = runs.filter((run) => run.state === 'running' && !isOwn(run.directory));
      watch.look(path.join(state, 'runs'), elsewhere);
      tree.setSearch(search, runs.length);
      const time = { now: now(), language: vscode.env.language };
      const rows = await Promise.all(
        runs.map(async (summary) => {
          const told = await scores.of(summary.directory);
          const outcome = outcomeOf(summary);
          const description = runDescription(summary, told, outcome, time, t);
          return { run: summary.run, row: runRow(summary, { label: rowOf(summary).label, description, outcome }) };
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
 * Watches which runs come and go: one level of one folder. Of those that are at work, here or elsewhere, it is asked now and then
 * whether their writer still lives, because a program that is killed changes no file.
 */
function createWatch(changed: () => void) {
  let folder: { readonly path: string; readonly watcher: vscode.Disposable } | null = null;
  /** At work elsewhere, as the list says. */
  let open: readonly RunSummary[] = [];
  /** A run that has just come may not have said yet what it is. */
  let isFresh = false;
  let gathering: ReturnType<typeof setTimeout> | null = null;
  let asking: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    gathering ??= setTimeout(() => {
      gathering = null;
      changed();
    }, GATHER_MS);
  };
  const come = (): void => {
    isFresh = true;
    soon();
    later();
  };
  const ask = async (): Promise<void> => {
    const writers = await Promise.all(open.map(({ directory }) => holderOf(path.join(directory, WRITER_NAME))));
    asking = null;
    if (isFresh || writers.includes(null)) {
      // The list is read anew, if anybody sees it, and says then what is still at work.
      isFresh = false;
      open = [];
      changed();
    } else if (open.length > 0) later();
  };
  const later = (): void => {
    asking ??= setTimeout(() => void ask(), ASK_MS);
  };
  return {
    look(runs: string, elsewhere: readonly RunSummary[]): void {
      open = elsewhere;
      if (open.length > 0) later();
      if (folder?.path === runs) return;
      folder?.watcher.dispose();
      const pattern = new vscode.RelativePattern(vscode.Uri.file(runs), '*');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
      folder = {
        path: runs,
        watcher: vscode.Disposable.from(watcher, watcher.onDidCreate(come), watcher.onDidDelete(soon)),
      };
    },
    dispose(): void {
      for (const timer of [gathering, asking]) if (timer !== null) clearTimeout(timer);
      folder?.watcher.dispose();
    },
  };
}
