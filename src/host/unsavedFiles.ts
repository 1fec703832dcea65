import path from 'node:path';
import * as vscode from 'vscode';
import { UNSAVED_OPTIONS, type UnsavedFiles, type UnsavedPolicy } from '../loop/unsavedFiles.ts';
import { ownQuestion } from '../shared/ownQuestion.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { partsBelow } from '../workspace/roots.ts';

const { t } = vscode.l10n;

/** The unsaved files of this window, handled by the setting `cgloop.dirtyFiles`. */
export function createUnsavedFiles(policy: UnsavedPolicy): UnsavedFiles {
  return {
    policy,
    list: (folder) => [...unsavedIn(folder).keys()],
    async save(folder, files) {
      const open = unsavedIn(folder);
      const saved: string[] = [];
      for (const file of files) {
        const document = open.get(file);
        if (
          document === undefined ||
          (await document.save().then(
            (done) => done,
            () => false,
          ))
        )
          saved.push(file);
      }
      return saved;
    },
    question: (files) =>
      ownQuestion({
        toolCallId: 'unsaved',
        title: files.length === 1 ? t('1 file has unsaved changes') : t('{0} files have unsaved changes', files.length),
        options: [
          {
            optionId: UNSAVED_OPTIONS.save,
            name: t('Save'),
            kind: 'allow_once',
            scope: t('now, and before each later turn of this run'),
          },
          {
            optionId: UNSAVED_OPTIONS.leave,
            name: t('Go On Without Saving'),
            kind: 'reject_once',
            scope: t('for this run'),
          },
        ],
        form: {
          message: t(
            'The agents read and write the files on disk, where these changes are not. Saving can be undone in the editor.',
          ),
          fields: [],
        },
        content: [{ type: 'text', text: files.join('\n') }],
      }),
  };
}

/** Relative path with `/` → document, for files inside the folder. A notebook is saved by its own editor, not here. */
function unsavedIn(folder: string): Map<string, vscode.TextDocument> {
  const found = new Map<string, vscode.TextDocument>();
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed || document.uri.scheme !== 'file') continue;
    const parts = partsBelow(placeOf(document.uri.fsPath), folder);
    if (parts !== null && parts.length > 0) found.set(parts.join('/'), document);
  }
  return found;
}

function placeOf(file: string): string {
  try {
    return resolvePath(file);
  } catch {
    return path.resolve(file);
  }
}
