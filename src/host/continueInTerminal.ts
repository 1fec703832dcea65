import * as vscode from 'vscode';
import { noteHandover, prepareContinue } from '../loop/continueRun.ts';
import { lastSessionOf } from '../session/lastSession.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEvent } from '../shared/events.ts';
import { tellFault } from './faults.ts';
import type { Keys } from './keys.ts';
import type { RunController, ShownRun } from './runControl.ts';
import { settingsOf } from './windowSettings.ts';
import { nameOf } from './words.ts';

const { t } = vscode.l10n;

/** The executor first. */
const ROLES: readonly Role[] = ['execute', 'review'];

/** The roles whose agents told a session, in the order in which they are offered. */
export function continuable(events: readonly LoopEvent[]): readonly Role[] {
  return ROLES.filter((role) => lastSessionOf(events, role) !== null);
}

/** What the command works on. */
export interface ContinueParts {
  readonly controller: RunController;
  readonly keys: Keys;
  readonly stateFolder: () => string;
}

/** "Continue in Terminal": ends our process, and opens the agent's own interface on the session of the run shown. */
export async function continueInTerminalCommand(parts: ContinueParts): Promise<void> {
  const { controller, keys, stateFolder } = parts;
  const run = controller.shown;
  if (run === null || run.replay) {
    await vscode.window.showInformationMessage(t('Show a run first: its session is gone on with.'));
    return;
  }
  if (!vscode.workspace.isTrusted) {
    await vscode.window.showWarningMessage(t('This workspace is not trusted, so nothing is started in it.'));
    return;
  }
  if (!(await isStopped(controller))) return;
  const role = await chosenRole(run);
  if (role === null) return;
  const { settings } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null);
  const prepared = await prepareContinue({
    directory: run.directory,
    role,
    stateFolder: stateFolder(),
    executablePaths: settings.executablePaths,
    secrets: await keys.secrets(),
    t,
  });
  if (prepared.type === 'problem') {
    await vscode.window.showErrorMessage(prepared.message);
    return;
  }
  const { agent, folder, sessionId, start } = prepared.continuation;
  await noteHandover(run.directory, { type: 'handover.started', role, wire: { sessionId } });
  const terminal = vscode.window.createTerminal({
    name: nameOf(agent, t),
    shellPath: start.command,
    shellArgs: [...start.args],
    // A key may be among them: a transient terminal is not written down for the next window.
    env: start.env,
    isTransient: true,
    cwd: folder,
  });
  terminal.show();
  const closed = vscode.window.onDidCloseTerminal((one) => {
    if (one !== terminal) return;
    closed.dispose();
    void noteHandover(run.directory, { type: 'handover.ended', role })
      .then(() => refresh(controller, run))
      .catch(tellFault);
  });
  await refresh(controller, run);
}

/** Whether no run is under way, after the person was asked to stop the one that is. */
async function isStopped(controller: RunController): Promise<boolean> {
  if (controller.phase === 'idle') return true;
  const stop = t('Stop and Go On');
  const detail = t('A session has one owner at a time: the agents of the run are ended first.');
  const question = t('Stop the run and go on in a terminal?');
  const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, stop);
  if (picked !== stop) return false;
  controller.stop();
  await controller.settled();
  return true;
}

async function chosenRole({ events }: ShownRun): Promise<Role | null> {
  const roles = continuable(events);
  const [first] = roles;
  if (first === undefined) {
    await vscode.window.showInformationMessage(t('No agent of this run has told its session.'));
    return null;
  }
  if (roles.length === 1) return first;
  const rows = roles.map((role) => ({
    label: nameOf(lastSessionOf(events, role)?.agent ?? null, t),
    description: role === 'execute' ? t('the executor’s session') : t('the reviewer’s session'),
    role,
  }));
  const picked = await vscode.window.showQuickPick(rows, { title: t('Whose session is to go on?') });
  return picked?.role ?? null;
}

async function refresh(controller: RunController, run: ShownRun): Promise<void> {
  if (controller.shown?.id === run.id) await controller.refresh();
}
