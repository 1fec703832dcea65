import * as vscode from 'vscode';
import { FileRefused, type FileService, type FileSession, type LineWindow } from '../scheduler/fileService.ts';
import { whereTo } from '../scheduler/rules.ts';
import {
  type DiskOptions,
  type ForeignText,
  MAX_FILE_BYTES,
  readDisk,
  windowOf,
  writeDisk,
} from '../workspace/diskFiles.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { foldsCase, openRoots, type Place, placeOf, type Root, samePlace } from '../workspace/roots.ts';
import { changeBetween, keepLineEnds, withoutMark } from '../workspace/textFile.ts';

export interface WorkspaceFsOptions {
  /** The other open folders, absolute; files below them are served too. */
  readonly folders: () => readonly string[];
  /** Bytes up to which a text is served whole. */
  readonly maxBytes?: number;
}

const WHOLE: LineWindow = { line: null, limit: null };
/** VS Code takes up a file that changed on disk within moments; the answer does not wait longer than this. */
const FOLLOW_MS = 2000;

/**
 * The files as the person sees them in this window: unsaved text is read from its editor and never replaced unread.
 * A file without unsaved text is read from and written to the disk, so that nothing formats on the way and a clean
 * editor shows the change as one step that can be undone.
 */
export function createWorkspaceFs({ folders, maxBytes = MAX_FILE_BYTES }: WorkspaceFsOptions): FileService {
  return {
    open(folder) {
      return openSession(openRoots(folder, folders()), { maxBytes, foreign: FOREIGN });
    },
    unsaved: (paths) =>
      paths.filter((path) => {
        const led = whereTo(path, { resolvePath });
        return led !== null && unsavedAt(led).length > 0;
      }),
  };
}

function openSession(roots: readonly Root[], options: DiskOptions): FileSession {
  /** Resolved path → the unsaved text that the agent has read whole. */
  const seen = new Map<string, string>();

  async function textOf(place: Place, window: LineWindow): Promise<{ text: string; from: 'editor' | 'disk' }> {
    const document = unsavedDocument(place);
    if (document === null) return { text: await readDisk(place, window, options), from: 'disk' };
    return { text: windowOf(document.getText(), window), from: 'editor' };
  }

  return {
    locate: (path) => placeOf(path, roots).path,
    async read(path, window) {
      const place = placeOf(path, roots);
      const found = await textOf(place, window);
      const whole = (window.line ?? 0) <= 1 && window.limit === null;
      if (found.from === 'editor' && whole) seen.set(place.path, found.text);
      return found;
    },
    look: async (path) => {
      try {
        return (await textOf(placeOf(path, roots), WHOLE)).text;
      } catch {
        return null;
      }
    },
    async write(located, content) {
      const place = samePlace(located, roots);
      const document = unsavedDocument(place);
      if (document !== null) {
        if (document.getText() !== seen.get(located)) throw unread(located);
        await writeThrough(document, content);
        seen.delete(located);
        await putRight(place, content, options);
        return 'editor';
      }
      await writeDisk(place, content, options, () => refuseUnsaved(place));
      await followed(located);
      return 'disk';
    },
  };
}

/**
 * Takes back what a formatter made of the text while it was saved; without one there is nothing to do. Where the person
 * has gone on typing since, their text stands.
 */
async function putRight(place: Place, content: string, options: DiskOptions): Promise<void> {
  try {
    await writeDisk(place, content, options, () => refuseUnsaved(place));
    await followed(place.path);
  } catch (error) {
    if (!(error instanceof FileRefused) || error.problem !== 'unsaved') throw error;
  }
}

/** The one document of this file with text that is not on disk, null when there is none. */
function unsavedDocument({ path }: Place): vscode.TextDocument | null {
  const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => leadsTo(uri, path));
  if (notebook !== undefined) {
    throw new FileRefused('notebook', `${path} is open as a notebook: it is not served as text.`);
  }
  const [first, ...others] = unsavedAt(path);
  if (first === undefined) return null;
  if (first.isUntitled || others.some((other) => other.isUntitled)) {
    throw new FileRefused(
      'unsaved',
      `${path} is a new file in the editor that was never saved. Ask the user to save it.`,
    );
  }
  if (others.some((other) => other.getText() !== first.getText())) {
    throw new FileRefused(
      'unsaved',
      `${path} is open under two names with different unsaved text. Ask the user to save it.`,
    );
  }
  return first;
}

function unsavedAt(path: string): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => {
    if (!document.isDirty || document.isClosed) return false;
    return leadsTo(document.uri, path);
  });
}

/** Whether a document is of this resolved path, whatever link it was opened through. */
function leadsTo(uri: vscode.Uri, path: string): boolean {
  if (uri.scheme !== 'file' && uri.scheme !== 'untitled') return false;
  if (uri.scheme === 'untitled' && !/[\\/]/.test(uri.path)) return false;
  const fold = (text: string) => (foldsCase() ? text.toLowerCase() : text);
  try {
    return fold(resolvePath(uri.fsPath)) === fold(path);
  } catch {
    return false;
  }
}

/** The last look before the first byte is written. */
function refuseUnsaved(place: Place): void {
  if (unsavedDocument(place) !== null) throw unread(place.path);
}

function unread(path: string): FileRefused {
  return new FileRefused(
    'unsaved',
    `${path} has unsaved changes of the user that you have not read. Read it again, and keep them in what you write.`,
  );
}

/** Puts the text into the document as one step that can be undone, and saves it. Rejects with the document as it was. */
async function writeThrough(document: vscode.TextDocument, content: string): Promise<void> {
  const before = document.getText();
  const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const text = keepLineEnds(withoutMark(content), end);
  if (!(await replaceText(document, text))) {
    throw new FileRefused('failed', `VS Code did not take the change of ${document.uri.fsPath}. Nothing was changed.`);
  }
  if (await document.save()) return;
  await replaceText(document, before);
  const why = 'perhaps its file has changed on disk since it was opened';
  throw new FileRefused('failed', `VS Code could not save ${document.uri.fsPath}: ${why}. Its text is as it was.`);
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const change = changeBetween(document.getText(), text);
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, change.text);
  return vscode.workspace.applyEdit(edit);
}

/** Settles when the open documents of the file show what is on disk, or after `FOLLOW_MS`. */
async function followed(path: string): Promise<void> {
  const shown = vscode.workspace.textDocuments.filter((one) => !one.isClosed && leadsTo(one.uri, path));
  if (shown.length === 0) return;
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
  const wanted = inLf(withoutMark(await vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) })));
  const isBehind = (document: vscode.TextDocument) =>
    !document.isClosed && !document.isDirty && inLf(document.getText()) !== wanted;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const look = () => {
      if (!shown.some(isBehind)) done();
    };
    const timer = setTimeout(done, FOLLOW_MS);
    const subscription = vscode.workspace.onDidChangeTextDocument(look);
    look();
  });
}

const inLf = (text: string) => text.replaceAll('\r\n', '\n');

/** The encodings that VS Code knows: that of the open document, else the one that the settings name for the file. */
const FOREIGN: ForeignText = {
  async decode(path, bytes) {
    const encoding = encodingOf(path);
    if (encoding !== null) return vscode.workspace.decode(bytes, { encoding });
    return vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) });
  },
  async encode(path, text) {
    const encoding = encodingOf(path);
    if (encoding !== null) return vscode.workspace.encode(text, { encoding });
    return vscode.workspace.encode(text, { uri: vscode.Uri.file(path) });
  },
};

function encodingOf(path: string): string | null {
  return vscode.workspace.textDocuments.find((one) => !one.isClosed && leadsTo(one.uri, path))?.encoding ?? null;
}
