import * as vscode from 'vscode';
import { listRuns } from '../session/runs.ts';
import { tellFault } from './faults.ts';
import { AT_WORK_SINCE, runToOpen } from './lastRun.ts';
import { folderPaths } from './pickRun.ts';
import type { RunDeck } from './runDeck.ts';

const SHOWN_RUN = 'shownRun';

/** Opens from disk what this window showed last, and remembers what it shows, and since when it is at work. `now`: as `Date.now`. */
export async function restoreRun(
  context: vscode.ExtensionContext,
  controller: RunDeck,
  runsFolder: () => string,
  now: () => number,
): Promise<void> {
  const memory = context.workspaceState;
  const remembered = memory.get<string | null>(SHOWN_RUN);
  const since = memory.get<number>(AT_WORK_SINCE);
  let known = remembered;
  let isAtWork = false;
  const unsubscribe = controller.onDidChange((change) => {
    const id = controller.shown?.id ?? null;
    // While agents are being started no run is shown yet, and the last one is still the one to open.
    // What is only looked at is not what the window was at.
    if (controller.shown?.replay === true) return;
    if (change !== 'state' || controller.phase === 'starting' || id === known) return;
    known = id;
    void memory.update(SHOWN_RUN, id);
  });
  const noteWork = controller.onDidChangeAny((change) => {
    if (change !== 'state' || isAtWork === controller.live.length > 0) return;
    isAtWork = !isAtWork;
    void memory.update(AT_WORK_SINCE, isAtWork ? now() : undefined);
  });
  context.subscriptions.push({ dispose: unsubscribe }, { dispose: noteWork });
  try {
    const run = runToOpen(await listRuns(runsFolder()), await folderPaths(), remembered, since);
    if (run !== null && controller.shown === null && controller.phase === 'idle') await controller.open(run.directory);
  } catch (error) {
    tellFault(error);
  }
  if (since !== undefined && !isAtWork) void memory.update(AT_WORK_SINCE, undefined);
}

/** Ends what a window or a program that was killed has left at work, and says so. */
export async function tellOrphans(runsFolder: () => string): Promise<void> {
  const { endOrphans } = await import('../workspace/orphans.ts');
  const { t } = vscode.l10n;
  // The agents of a run and their commands are told of at once, not in a notification each.
  const ended = (await endOrphans(runsFolder())).map(({ name, pid }) =>
    t('{0} (process {1}) was still at work for a run that was killed: it was ended.', name, pid),
  );
  if (ended.length > 0) void vscode.window.showInformationMessage(ended.join(' '));
}
