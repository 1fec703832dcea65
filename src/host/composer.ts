import * as vscode from 'vscode';
import { listRuns } from '../session/runs.ts';
import { mentionOf } from '../shared/mentions.ts';
import type { HostToView, ViewToHost } from '../shared/messages.ts';
import { IMAGE_LIMITS, type TaskImage } from '../shared/task.ts';
import type { Consent } from './consent.ts';
import { folderPaths, offeredRuns } from './pickRun.ts';
import { createFileFinder, relativeTo, selectionIn } from './workspaceFiles.ts';

const { t } = vscode.l10n;

/** Tasks of earlier runs that can be recalled, and how long each may be. */
const RECALLED = 50;
const LONGEST = 20_000;

/** What a composer asks of its window. */
export type ComposerMessage = Extract<
  ViewToHost,
  { readonly type: 'complete' | 'askTasks' | 'addImage' | 'removeImage' | 'dropped' | 'consent' }
>;

type Post = (message: HostToView) => void;

export interface ComposerParts {
  readonly consent: Consent;
  /** Throws when the state folder is wrongly set. */
  readonly stateFolder: () => string;
  readonly showView: () => Promise<void>;
}

/** The host's side of the composer: files, tasks and images for it, and what other places of the window put into it. */
export interface Composer extends vscode.Disposable {
  act(message: ComposerMessage, reply: Post): Promise<void>;
  /** A page listens: it gets the images, and what was put into the task while none did. The result: it no longer does. */
  attach(page: Post): () => void;
  /** Those that go with the next task. */
  images(): readonly TaskImage[];
  /** They went with one. */
  clearImages(): void;
  /** "Run on Selection": the lines selected in the active editor, else its file; the task box in any case. */
  mentionSelection(): Promise<void>;
  /** The files of the Explorer. */
  mentionFiles(uris: readonly vscode.Uri[]): Promise<void>;
}

export function createComposer({ consent, stateFolder, showView }: ComposerParts): Composer {
  const finder = createFileFinder();
  const pages = new Set<Post>();
  let images: readonly TaskImage[] = [];
  /** What was put into the task while no page listened. */
  let kept: Extract<HostToView, { readonly type: 'compose' }> | null = null;

  const keep = (next: readonly TaskImage[]): void => {
    images = next;
    for (const page of pages) page({ type: 'images', images });
  };
  /** `place`: something in the folder that the mentions are of. */
  const compose = async (mentions: readonly string[], place?: vscode.Uri): Promise<void> => {
    const text = mentions.map((mention) => `${mention} `).join('');
    const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
    const folder = place && several ? (vscode.workspace.getWorkspaceFolder(place)?.uri.fsPath ?? null) : null;
    const message = { type: 'compose', text, folder } as const;
    await showView();
    // The one that listens longest may be another panel; the newest is the one that was just shown.
    const page = [...pages].at(-1);
    if (page === undefined) kept = message;
    else page(message);
  };
  const fileMention = (uri: vscode.Uri): string | null => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined || uri.scheme !== 'file') return null;
    const file = relativeTo(folder.uri.fsPath, uri.fsPath);
    return file === null ? null : mentionOf(file, null);
  };
  const mentionFiles = async (uris: readonly vscode.Uri[]): Promise<void> => {
    const mentions = uris.map(fileMention);
    if (mentions.length > 0 && mentions.every((mention) => mention === null)) {
      void vscode.window.showInformationMessage(t('Only files of the open folders can be named in a task.'));
      return;
    }
    await compose(
      mentions.filter((mention) => mention !== null),
      uris.find((uri) => fileMention(uri) !== null),
    );
  };

  return {
    images: () => images,
    clearImages: () => {
      if (images.length > 0) keep([]);
    },
    attach(page) {
      pages.add(page);
      if (images.length > 0) page({ type: 'images', images });
      if (kept !== null) page(kept);
      kept = null;
      return () => pages.delete(page);
    },
    async act(message, reply) {
      switch (message.type) {
        case 'complete': {
          const { query } = message;
          // One that was chosen may be closed by now.
          const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
          const folder = open.find((one) => one === message.folder) ?? open[0];
          const files = folder === undefined ? [] : await finder.find(query, folder, message.anew);
          return reply({ type: 'files', query, files });
        }
        case 'askTasks': {
          const runs = offeredRuns(await listRuns(stateFolder()), await folderPaths());
          const tasks = runs.flatMap(({ run }) => (run === null || run.task.length > LONGEST ? [] : [run.task]));
          return reply({ type: 'tasks', tasks: [...new Set(tasks)].slice(0, RECALLED) });
        }
        case 'addImage':
          if (images.length < IMAGE_LIMITS.count) keep([...images, message.image]);
          return;
        case 'removeImage':
          return keep(images.filter((_, index) => index !== message.index));
        case 'dropped':
          return mentionFiles(message.uris.flatMap(uriOf));
        case 'consent':
          return consent.settle(message.known);
        default:
          return message satisfies never;
      }
    },
    async mentionSelection() {
      const editor = vscode.window.activeTextEditor;
      const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
      const selected = folder === undefined ? null : selectionIn(folder.uri.fsPath);
      if (selected !== null) return compose([mentionOf(selected.path, selected.lines)], editor?.document.uri);
      await (editor === undefined ? compose([]) : mentionFiles([editor.document.uri]));
    },
    mentionFiles,
    dispose: () => finder.dispose(),
  };
}

/** The address; none for what is no address. */
function uriOf(text: string): vscode.Uri[] {
  try {
    return [vscode.Uri.parse(text, true)];
  } catch {
    return [];
  }
}
