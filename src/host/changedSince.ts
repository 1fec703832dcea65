import * as vscode from 'vscode';
import { runHeaderOf } from '../session/replay.ts';
import type { RunController } from './runControl.ts';

/** Whether the folder is still as the run shown was approved. */
export interface ChangedSince {
  /** How many files are not; 0 also where nobody can tell. */
  readonly files: number;
  onDidChange(listener: () => void): () => void;
  dispose(): void;
}

/** Looks when a run is shown or ends, when a file of its folder is saved, and when the person comes back to the window. */
export function watchChangedSince(
  controller: Pick<RunController, 'phase' | 'shown' | 'onDidChange'>,
  stateFolder: () => string,
): ChangedSince {
  const listeners = new Set<() => void>();
  let files = 0;
  let looking: Promise<void> | null = null;
  let again = false;

  const tell = (count: number): void => {
    if (count === files) return;
    files = count;
    for (const listener of listeners) listener();
  };
  const lookOnce = async (): Promise<void> => {
    const run = controller.phase === 'idle' ? controller.shown : null;
    if (run === null || run.replay || run.interrupted || !vscode.workspace.isTrusted) return tell(0);
    const { changedSince } = await import('../loop/changedSince.ts');
    const changed = await changedSince(run.events, stateFolder());
    if (controller.shown?.id === run.id) tell(changed.length);
  };
  const look = (): void => {
    again = looking !== null;
    looking ??= lookOnce()
      // What cannot be compared, such as a folder that is gone, is said to nobody here.
      .catch(() => tell(0))
      .finally(() => {
        looking = null;
        if (again) look();
      });
  };
  const subscriptions = [
    { dispose: controller.onDidChange((change) => change === 'state' && look()) },
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const folder = runHeaderOf(controller.shown?.events ?? [])?.folder;
      if (folder !== undefined && uri.scheme === 'file' && uri.fsPath.startsWith(folder)) look();
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && look()),
  ];
  return {
    get files() {
      return files;
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
