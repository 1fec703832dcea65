import path from 'node:path';
import * as vscode from 'vscode';
import type { FileChoice } from '../shared/messages.ts';
import { git, gitEnv, shown, splitZ } from '../workspace/git.ts';
import { fuzzyFiles } from './fuzzyPath.ts';

/** Files beyond that many are not offered; they can be typed. */
const MOST = 50_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Finds files of a folder for a mention. */
export interface FileFinder extends vscode.Disposable {
  /**
   * The best first; those of open editors, the newest first, before others that fit as well. What git ignores is left
   * out. `anew`: the folder is listed once more, else as it was at the last time. `folder` is absolute.
   */
  find(query: string, folder: string, anew: boolean): Promise<readonly FileChoice[]>;
}

/** Lists with git where the folder is in a repository, else by VS Code's own search. Starts nothing in an untrusted window. */
export function createFileFinder(): FileFinder {
  const listed = new Map<string, Promise<readonly string[]>>();
  let recent: readonly string[] = [];
  const saw = (editor: vscode.TextEditor | undefined): void => {
    if (editor?.document.uri.scheme !== 'file') return;
    const file = editor.document.uri.fsPath;
    recent = [file, ...recent.filter((one) => one !== file)].slice(0, 100);
  };
  saw(vscode.window.activeTextEditor);
  const subscription = vscode.window.onDidChangeActiveTextEditor(saw);

  return {
    async find(query, folder, anew) {
      if (anew) listed.delete(folder);
      const listing = listed.get(folder) ?? list(folder);
      listed.set(folder, listing);
      const files = await listing;
      const open = openFiles(folder, recent);
      const isOpen = new Set(open);
      const choices = [...open, ...files.filter((file) => !isOpen.has(file))].map((file) => ({
        path: file,
        lines: null,
        open: isOpen.has(file),
      }));
      const found = fuzzyFiles(query, choices);
      const selected = selectionIn(folder);
      const fits = selected !== null && (query === '' || found.some((file) => file.path === selected.path));
      return fits ? [selected, ...found] : found;
    },
    dispose: () => subscription.dispose(),
  };
}

/** The lines that are selected in the active editor, when its file lies in the folder. */
export function selectionIn(folder: string): FileChoice | null {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== 'file' || editor.selection.isEmpty) return null;
  const file = relativeTo(folder, editor.document.uri.fsPath);
  return file === null ? null : { path: file, lines: selectedLines(editor.selection), open: true };
}

/** From 1. A selection that ends before the first character of a line does not reach into it. */
export function selectedLines({ start, end }: vscode.Selection): { readonly from: number; readonly to: number } {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { from: start.line + 1, to: last + 1 };
}

/** With `/`; null: it does not lie below the folder. */
export function relativeTo(folder: string, file: string): string | null {
  const relative = path.relative(folder, file);
  if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) return null;
  return relative.split(path.sep).join('/');
}

/** Those of the tabs, the last that was worked in first. */
function openFiles(folder: string, recent: readonly string[]): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) =>
    all.flatMap(({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? [input.uri.fsPath] : [],
    ),
  );
  const place = (file: string): number => {
    const at = recent.indexOf(file);
    return at < 0 ? recent.length : at;
  };
  const files = [...new Set(tabs)].toSorted((a, b) => place(a) - place(b));
  return files.flatMap((file) => relativeTo(folder, file) ?? []);
}

async function list(folder: string): Promise<readonly string[]> {
  const tracked = vscode.workspace.isTrusted ? await listByGit(folder) : null;
  if (tracked !== null) return tracked;
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');
  // `undefined`: what the setting files.exclude leaves out.
  const found = await vscode.workspace.findFiles(pattern, undefined, MOST);
  const files = found.flatMap((uri) => relativeTo(folder, uri.fsPath) ?? []);
  return files.filter((file) => !/(^|\/)node_modules\//.test(file)).toSorted();
}

/** Tracked files and new ones that no rule ignores; null: git cannot say. */
async function listByGit(folder: string): Promise<readonly string[] | null> {
  const args = [
    '-c',
    'core.fsmonitor=false',
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ];
  try {
    const output = await git(args, { cwd: folder, env: gitEnv(process.env), maxBytes: MOST_BYTES });
    return splitZ(output).slice(0, MOST).map(shown);
  } catch {
    return null;
  }
}
