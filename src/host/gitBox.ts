import path from 'node:path';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** What we use of VS Code's own Git extension (its `api/git.d.ts`, version 1). */
interface GitExports {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD: { readonly name?: string } | undefined };
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
}

/** Puts the message where a commit is written; in the clipboard where there is no such place, or the person's own words stay. */
export async function messageBox(folder: string, message: string): Promise<'scm' | 'clipboard'> {
  const repository = await repositoryOf(folder);
  if (repository === null || !(await mayWrite(repository.inputBox.value, message))) {
    await vscode.env.clipboard.writeText(message);
    return 'clipboard';
  }
  repository.inputBox.value = message;
  await vscode.commands.executeCommand('workbench.view.scm');
  return 'scm';
}

/** Whether the message may take the place of what the person has written there. */
async function mayWrite(written: string, message: string): Promise<boolean> {
  if (written.trim() === '' || written === message) return true;
  const replace = t('Replace');
  const picked = await vscode.window.showWarningMessage(
    t('A message for a commit is written already. Is it to be replaced?'),
    { modal: true, detail: written.slice(0, 500) },
    replace,
  );
  return picked === replace;
}

/** The local branches of the repository but the one that is checked out; none where VS Code knows no repository. */
export async function otherBranches(folder: string): Promise<readonly string[]> {
  const repository = await repositoryOf(folder);
  const branches = (await repository?.getBranches({ remote: false })) ?? [];
  const here = repository?.state.HEAD?.name;
  return branches.flatMap(({ name }) => (name === undefined || name === here ? [] : [name]));
}

async function repositoryOf(folder: string): Promise<GitRepository | null> {
  const git = vscode.extensions.getExtension<GitExports>('vscode.git');
  const api = git === undefined ? null : (await git.activate()).getAPI(1);
  const inside = (root: string) => folder === root || folder.startsWith(`${root}${path.sep}`);
  const found = api?.repositories.filter(({ rootUri }) => inside(rootUri.fsPath)) ?? [];
  return found.toSorted((a, b) => b.rootUri.fsPath.length - a.rootUri.fsPath.length)[0] ?? null;
}
