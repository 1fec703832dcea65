import * as vscode from 'vscode';

/** Tells every file of the disk that the person saves, makes, moves or deletes in this window. Paths are absolute. */
export function watchUserEdits(tell: (file: string) => void): vscode.Disposable {
  const note = (uri: vscode.Uri): void => {
    if (uri.scheme === 'file') tell(uri.fsPath);
  };
  const { workspace } = vscode;
  return vscode.Disposable.from(
    workspace.onDidSaveTextDocument((document) => note(document.uri)),
    workspace.onDidSaveNotebookDocument((notebook) => note(notebook.uri)),
    workspace.onDidCreateFiles(({ files }) => files.forEach(note)),
    workspace.onDidDeleteFiles(({ files }) => files.forEach(note)),
    workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) [oldUri, newUri].forEach(note);
    }),
  );
}
