import * as vscode from 'vscode';
import type { RunOptions } from '../loop/options.ts';
import { type CommandParts, folderToRunIn, say, showView } from './commands.ts';
import { otherBranches } from './gitBox.ts';
import { settingNotice } from './hostState.ts';
import { composerDefaults, runOptions } from './settings.ts';
import { settingsOf } from './windowSettings.ts';

const { t } = vscode.l10n;

/** Branches that are offered by name; others can be written. */
const MOST_BRANCHES = 20;
/** Where work mostly leaves from. */
const FIRST = ['main', 'master', 'develop'];

/**
 * "Review My Changes" (nobody executes) and "Review and Fix My Changes" (the run waits after its first review, so that the
 * person chooses what goes to the executor). `source`: what the title of Source Control gives, which says the repository.
 */
export async function reviewChangesCommand(
  parts: CommandParts,
  kind: 'review' | 'fix',
  source: unknown,
): Promise<void> {
  const folder = await folderToRunIn(parts, folderOf(source));
  if (folder === null) return;
  const { settings, problems } = settingsOf(folder);
  const [problem] = problems;
  if (problem !== undefined) return say(settingNotice(problem, t));
  const picked = await pickRange(folder.uri.fsPath, kind);
  if (picked === null) return;
  const { range } = picked;
  const chosen = composerDefaults(settings);
  const options = runOptions({
    task: taskOf(kind, range),
    folder: folder.uri.fsPath,
    // Nothing of the folder's own is started for a review.
    chosen:
      kind === 'review'
        ? { ...chosen, rounds: 1, permissionMode: 'read-only', checks: [] }
        : { ...chosen, rounds: Math.max(2, chosen.rounds) },
    settings,
    stateFolder: parts.stateFolder(),
    secrets: await parts.keys.secrets(),
  });
  await showView();
  await parts.consent.ask(receivers(kind, options), async () => {
    await parts.controller.start({ ...options, kind, ...(range === null ? {} : { range }) });
  });
}

function receivers(kind: 'review' | 'fix', { executor, reviewer }: RunOptions) {
  return { executor: kind === 'review' ? reviewer : executor, reviewer };
}

function taskOf(kind: 'review' | 'fix', range: string | null): string {
  if (kind === 'review')
    return range === null ? t('Review the changes that are not committed') : t('Review {0}', range);
  return range === null ? t('Review and fix the changes that are not committed') : t('Review and fix {0}', range);
}

interface Row extends vscode.QuickPickItem {
  /** Null: the working tree. Undefined: it is written. */
  readonly range: string | null | undefined;
}

/** What is to be reviewed; null: nothing. */
async function pickRange(folder: string, kind: 'review' | 'fix'): Promise<{ readonly range: string | null } | null> {
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const branches = (await otherBranches(folder)).toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_BRANCHES);
  const rows: readonly Row[] = [
    { label: t('What is not committed'), description: t('staged, unstaged and untracked'), range: null },
    ...branches.map((name) => ({ label: t('Since this branch left {0}', name), range: name })),
    { label: t('Another range…'), range: undefined },
  ];
  const title = kind === 'review' ? t('What is to be reviewed?') : t('What is to be reviewed and fixed?');
  const row = await vscode.window.showQuickPick(rows, { title });
  if (row === undefined) return null;
  if (row.range !== undefined) return { range: row.range };
  const typed = await vscode.window.showInputBox({
    title,
    prompt: t('A branch or commit that the work began at, or a range as git says it.'),
    placeHolder: 'main...HEAD',
    ignoreFocusOut: true,
  });
  const range = typed?.trim() ?? '';
  return range === '' ? null : { range };
}

/** Absolute: the open folder in which the repository of a source control lies, or that lies in it. */
function folderOf(source: unknown): string | null {
  const uri = typeof source === 'object' && source !== null && 'rootUri' in source ? source.rootUri : null;
  if (!(uri instanceof vscode.Uri) || uri.scheme !== 'file') return null;
  const inside = vscode.workspace.getWorkspaceFolder(uri);
  if (inside !== undefined) return inside.uri.fsPath;
  const below = vscode.workspace.workspaceFolders?.find((one) => one.uri.path.startsWith(`${uri.path}/`));
  return below?.uri.fsPath ?? null;
}
