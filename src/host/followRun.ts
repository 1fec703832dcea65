import * as vscode from 'vscode';
import { LOG_NAME, WRITER_NAME } from '../session/logFormat.ts';
import type { RunController } from './runControl.ts';

/** How often a log that another program writes is read anew at most. */
const AGAIN_MS = 1000;

/**
 * Keeps the run shown up to date while another window or a terminal has it at work: its log is read anew when it has grown, and
 * once more when its writer is gone.
 */
export function followRun(
  controller: Pick<RunController, 'shown' | 'refresh' | 'onDidChange'>,
  onFault: (error: unknown) => void,
): vscode.Disposable {
  let followed: { readonly directory: string; readonly watcher: vscode.Disposable } | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void controller.refresh().catch(onFault);
    }, AGAIN_MS);
  };
  const follow = (): void => {
    const { shown } = controller;
    const directory = shown?.elsewhere ? shown.directory : null;
    if (directory === (followed?.directory ?? null)) return;
    followed?.watcher.dispose();
    followed = directory === null ? null : { directory, watcher: watch(directory, soon) };
  };
  const unsubscribe = controller.onDidChange((change) => change === 'state' && follow());
  return {
    dispose() {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
      followed?.watcher.dispose();
    },
  };
}

function watch(directory: string, soon: () => void): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(directory), `{${LOG_NAME},${WRITER_NAME}}`);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(soon),
    watcher.onDidCreate(soon),
    watcher.onDidDelete(soon),
  );
}
