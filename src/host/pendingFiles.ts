import * as vscode from 'vscode';

/** The sides of pending edits, in memory; nothing of them is ever on the disk. */
export interface PendingFiles {
  readonly provider: vscode.FileSystemProvider;
  put(uri: vscode.Uri, text: string, editable: boolean): void;
  /** As it was last saved; null: there is no such side. */
  text(uri: vscode.Uri): string | null;
  drop(uri: vscode.Uri): void;
  readonly uris: readonly vscode.Uri[];
}

interface File {
  readonly uri: vscode.Uri;
  readonly editable: boolean;
  bytes: Uint8Array;
  /** Stands for the time of change: greater with each change. */
  version: number;
}

/** Marks the bytes as UTF-8, so that no setting for encodings has a say in what is shown. */
const MARK = '\ufeff';

export function createPendingFiles(): PendingFiles {
  const files = new Map<string, File>();
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let versions = 0;
  const find = (uri: vscode.Uri): File => {
    const file = files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions('A pending edit is no folder to work in.');
  };
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(MARK + text);

  return {
    provider: {
      onDidChangeFile: changes.event,
      watch: () => ({ dispose() {} }),
      stat(uri) {
        const { bytes, version, editable } = find(uri);
        const times = { ctime: 0, mtime: version };
        const file = { type: vscode.FileType.File, ...times, size: bytes.byteLength };
        return editable ? file : { ...file, permissions: vscode.FilePermission.Readonly };
      },
      readFile: (uri) => find(uri).bytes,
      writeFile(uri, content) {
        const file = find(uri);
        if (!file.editable) refuse();
        file.bytes = content;
        file.version = ++versions;
        changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      },
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    put(uri, text, editable) {
      files.set(uri.toString(), { uri, editable, bytes: bytesOf(text), version: ++versions });
    },
    text(uri) {
      const bytes = files.get(uri.toString())?.bytes;
      // The decoder takes one mark away: ours. A second one is the text's own.
      return bytes === undefined ? null : new TextDecoder().decode(bytes);
    },
    drop: (uri) => void files.delete(uri.toString()),
    get uris() {
      return [...files.values()].map(({ uri }) => uri);
    },
  };
}
