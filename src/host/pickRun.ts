import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { RunSummary } from '../session/runs.ts';
import { homeOf } from '../shared/runPlace.ts';

const { t } = vscode.l10n;

/** A row besides the runs, such as one that opens a dialog. */
export interface OtherRow {
  readonly label: string;
  readonly directory: null;
}

/** One of the runs in the open folders, else one of all runs; undefined when the person picked none or there is none. */
export async function pickRun(
  runs: readonly RunSummary[],
  title: string,
): Promise<{ readonly directory: string } | undefined>;
export async function pickRun(
  runs: readonly RunSummary[],
  title: string,
  other: OtherRow,
): Promise<{ readonly directory: string | null } | undefined>;
export async function pickRun(
  runs: readonly RunSummary[],
  title: string,
  other?: OtherRow,
): Promise<{ readonly directory: string | null } | undefined> {
  const offered = offeredRuns(runs, await folderPaths()).map(rowOf);
  const rows = other === undefined ? offered : [...offered, other];
  if (rows.length === 0) {
    await vscode.window.showInformationMessage(t('There are no runs yet.'));
    return undefined;
  }
  return vscode.window.showQuickPick(rows, { title });
}

/** Those in one of the folders, else all. */
export function offeredRuns(runs: readonly RunSummary[], folders: readonly string[]): readonly RunSummary[] {
  const here = runs.filter(({ run }) => run !== null && folders.includes(homeOf(run)));
  return here.length > 0 ? here : runs;
}

/** The open folders, links resolved, as the logs name them. */
export async function folderPaths(): Promise<string[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return Promise.all(folders.map(({ uri }) => fs.realpath(uri.fsPath).catch(() => uri.fsPath)));
}

/** A run in a list: its task, how it ended, and when it began. */
export function rowOf(summary: RunSummary) {
  const { id, run, directory, undone, startedAt } = summary;
  const parts = [
    outcomeOf(summary),
    ...(undone ? [t('undone')] : []),
    ...(startedAt === null ? [] : [new Date(startedAt).toLocaleString(vscode.env.language)]),
  ];
  return {
    label: run?.task.split('\n', 1).join('') ?? id,
    description: parts.join(' · '),
    detail: run?.folder ?? '',
    directory,
  };
}

/** How a run stands, in a word or two. */
export function outcomeOf({ state, ending }: Pick<RunSummary, 'state' | 'ending'>): string {
  if (ending !== null) return endingWord(ending.type);
  return state === 'running' ? t('running') : t('interrupted');
}

function endingWord(type: NonNullable<RunSummary['ending']>['type']): string {
  switch (type) {
    case 'approved':
      return t('approved');
    case 'failed':
      return t('failed');
    case 'notApproved':
      return t('not approved');
    case 'noVerdict':
      return t('no verdict');
    case 'overBudget':
      return t('over budget');
    case 'stopped':
      return t('stopped');
    default:
      return type satisfies never;
  }
}
