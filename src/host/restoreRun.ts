import * as vscode from 'vscode';
import { listRuns } from '../session/runs.ts';
import { tellFault } from './faults.ts';
import { runToOpen } from './lastRun.ts';
import { folderPaths } from './pickRun.ts';
import type { RunController } from './runController.ts';

const SHOWN_RUN = 'shownRun';

/** Opens from disk what this window showed last, and remembers what it shows. */
export async function restoreRun(
  context: vscode.ExtensionContext,
  controller: RunController,
  runsFolder: () => string,
): Promise<void> {
  const remembered = context.workspaceState.get<string | null>(SHOWN_RUN);
  let known = remembered;
  const unsubscribe = controller.onDidChange((change) => {
    const id = controller.shown?.id ?? null;
    // While agents are being started no run is shown yet, and the last one is still the one to open.
    // What is only looked at is not what the window was at.
    if (controller.shown?.replay === true) return;
    if (change !== 'state' || controller.phase === 'starting' || id === known) return;
    known = id;
    void context.workspaceState.update(SHOWN_RUN, id);
  });
  context.subscriptions.push({ dispose: unsubscribe });
  try {
    const run = runToOpen(await listRuns(runsFolder()), await folderPaths(), remembered);
    if (run !== null && controller.shown === null) await controller.open(run.directory);
  } catch (error) {
    tellFault(error);
  }
}

/** Ends what a window or a program that was killed has left at work, and says so. */
export async function tellOrphans(runsFolder: () => string): Promise<void> {
  const { endOrphans } = await import('../workspace/orphans.ts');
  const { t } = vscode.l10n;
  for (const { name, pid } of await endOrphans(runsFolder())) {
    const text = t('{0} (process {1}) was still at work for a run that was killed: it was ended.', name, pid);
    void vscode.window.showInformationMessage(text);
  }
}
