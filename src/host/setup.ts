import fs from 'node:fs/promises';
import os from 'node:os';
import * as vscode from 'vscode';
import { agentRef, installCommand, type ResolveDeps } from '../agent/catalog.ts';
import { doctorDeps, examine, missingAgents } from '../agent/doctorProbe.ts';
import { signInStart, terminalProgram } from '../agent/terminalCommand.ts';
import { resolveDepsFor } from '../agent/wideSearch.ts';
import type { DoctorAction } from '../shared/doctor.ts';
import { tellFault } from './faults.ts';
import type { Keys } from './keys.ts';
import { keyProblem } from './keys.ts';
import type { Settings } from './settings.ts';
import { createSetupCheck, type SetupCheck } from './setupCheck.ts';
import { settingsOf } from './windowSettings.ts';
import { nameOf } from './words.ts';

const { t } = vscode.l10n;

/** What the commands about the setup work on. */
export interface SetupParts {
  readonly keys: Keys;
  readonly check: SetupCheck;
  /** Throws when the state folder is wrongly set. */
  readonly stateFolder: () => string;
}

/** The doctor of this window. In an untrusted one it looks for programs and starts nothing. */
export function windowCheck(keys: Keys, stateFolder: () => string): SetupCheck {
  return createSetupCheck({
    t,
    async examine() {
      const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
      const { executor, reviewer } = chosen();
      const trusted = vscode.workspace.isTrusted;
      const real = await fs.realpath(folder ?? os.homedir());
      const options = {
        executor,
        reviewer,
        others: [],
        folder: real,
        trusted,
        mayStart: trusted && folder !== undefined,
      };
      const deps = await dependencies([executor, reviewer], stateFolder());
      return examine(
        { ...options, secrets: await keys.secrets() },
        doctorDeps(deps, os.homedir(), (file) => file),
      );
    },
    async missing() {
      const { executor, reviewer } = chosen();
      if (!vscode.workspace.isTrusted) return [];
      return missingAgents([executor, reviewer], await dependencies([executor, reviewer], stateFolder()));
    },
  });
}

/** "Check Setup": the card in the view, where the person sees it come. */
export async function checkSetupCommand({ check }: SetupParts): Promise<void> {
  await vscode.commands.executeCommand('cgloop.loop.focus');
  await check.check();
}

/** "Set Gemini API Key": into VS Code's secret storage, from where only Gemini CLI's process gets it. */
export async function setGeminiKeyCommand({ keys, check }: SetupParts): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: t('Set Gemini API Key'),
    prompt: t('From aistudio.google.com/apikey. VS Code keeps it; only Gemini CLI is given it.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      switch (keyProblem(text)) {
        case null:
        case 'empty':
          return null;
        case 'characters':
          return t('A key has letters, digits and - _ . / only.');
      }
    },
  });
  if (key === undefined || keyProblem(key) !== null) return;
  await keys.setGemini(key.trim());
  vscode.window.setStatusBarMessage(t('The Gemini API key is kept. The next run uses it.'), 5000);
  if (check.card !== null) await check.check();
}

/** "Clear Keys": forgets every key that was set here. */
export async function clearKeysCommand({ keys }: SetupParts): Promise<void> {
  if (!(await keys.hasAny())) {
    await vscode.window.showInformationMessage(t('No key is kept here.'));
    return;
  }
  await keys.clear();
  vscode.window.setStatusBarMessage(t('The keys are forgotten.'), 5000);
}

/** "Sign In…": the agent's own sign-in, in a terminal that the person sees. */
export async function signInCommand(parts: SetupParts): Promise<void> {
  const { executor, reviewer, agents } = chosen();
  const offered = [...new Set([executor, reviewer])].filter((id) => terminalProgram(id) !== null);
  const rows = offered.map((id) => ({ label: nameOf(agentRef(id, agents), t), id }));
  if (rows.length === 0) {
    await vscode.window.showInformationMessage(t('How to sign in to these agents is not known here.'));
    return;
  }
  const picked = rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title: t('Sign in to') });
  if (picked !== undefined) await signIn(parts, picked.id);
}

/** The buttons of the card. */
export async function actOnSetup(parts: SetupParts, action: DoctorAction): Promise<void> {
  switch (action.type) {
    case 'signIn':
      return signIn(parts, action.agent);
    case 'install':
      return install(action.agent);
    case 'setKey':
      return setGeminiKeyCommand(parts);
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', '@ext:cgloop.claude-gemini-loop');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
    default:
      return action satisfies never;
  }
}

async function signIn({ check, stateFolder }: SetupParts, id: string): Promise<void> {
  const name = nameOf(agentRef(id, chosen().agents), t);
  const start = signInStart(id, await dependencies([id], stateFolder()));
  if (start.type === 'missing') {
    await vscode.window.showErrorMessage(start.what);
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: t('Sign in: {0}', name),
    shellPath: start.command,
    shellArgs: [...start.args],
    env: start.env,
    // Not in the folder: nothing that lies there is read for a sign-in.
    cwd: os.homedir(),
    isTransient: true,
  });
  terminal.show();
  const typed = terminalProgram(id)?.signInTyped ?? null;
  if (typed !== null)
    void vscode.window.showInformationMessage(t('Type {0} in {1} to choose how to sign in.', typed, name));
  const closed = vscode.window.onDidCloseTerminal((one) => {
    if (one !== terminal) return;
    closed.dispose();
    if (check.card !== null) void check.check().catch(tellFault);
  });
}

/** Types the command into a terminal; the person starts it. */
async function install(id: string): Promise<void> {
  const command = installCommand(id);
  if (command === null) return;
  const terminal = vscode.window.createTerminal({
    name: t('Install: {0}', nameOf(agentRef(id), t)),
    isTransient: true,
  });
  terminal.show();
  terminal.sendText(command, false);
}

function chosen(): Pick<Settings, 'executor' | 'reviewer' | 'agents'> {
  return settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null).settings;
}

/** Where the agents `ids` are looked for, by the settings of this window. */
export async function dependencies(ids: readonly string[], stateFolder: string): Promise<ResolveDeps> {
  const { settings } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null);
  const { executablePaths, agents } = settings;
  const trusted = vscode.workspace.isTrusted;
  return { ...(await resolveDepsFor(ids, { executablePaths, stateFolder, trusted, agents })), t };
}
