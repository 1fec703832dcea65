import * as vscode from 'vscode';
import { agentIds, agentRef } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import type { Role } from '../shared/agentEvents.ts';
import { settingsOf } from './windowSettings.ts';

const { t } = vscode.l10n;

/** "Swap Executor and Reviewer": in the settings of the place where either of them is set, else in the person's own. */
export async function swapAgentsCommand(): Promise<void> {
  const { settings } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null);
  const { executor, reviewer, agents } = settings;
  const fixed = [executor, reviewer].find((id) => id.startsWith('demo-'));
  if (fixed !== undefined) {
    await vscode.window.showWarningMessage(t('{0} cannot take the other role.', agentRef(fixed)?.name ?? fixed));
    return;
  }
  await setAgents(reviewer, executor, agents);
}

/** "Choose Agents…": who works and who reviews, in the same place of the settings. */
export async function chooseAgentsCommand(): Promise<void> {
  const { settings } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null);
  const { agents } = settings;
  const executor = await pickAgent('execute', settings.executor, agents, t('Who is to do the work?'));
  if (executor === undefined) return;
  const reviewer = await pickAgent('review', settings.reviewer, agents, t('Who is to review it?'));
  if (reviewer !== undefined) await setAgents(executor, reviewer, agents);
}

async function setAgents(executor: string, reviewer: string, agents: CustomAgents): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('cgloop');
  const inWorkspace = (name: string) => configuration.inspect(name)?.workspaceValue !== undefined;
  const target =
    inWorkspace('executor') || inWorkspace('reviewer')
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
  await configuration.update('executor', executor, target);
  await configuration.update('reviewer', reviewer, target);
  const name = (id: string) => agentRef(id, agents)?.name ?? id;
  vscode.window.setStatusBarMessage(t('{0} works now, {1} reviews.', name(executor), name(reviewer)), 5000);
}

/** Undefined: the person went back. */
async function pickAgent(role: Role, now: string, agents: CustomAgents, title: string): Promise<string | undefined> {
  const other = role === 'execute' ? 'demo-reviewer' : 'demo-executor';
  const rows = agentIds(agents)
    .filter((id) => id !== other)
    .map((id) => ({
      id,
      label: agentRef(id, agents)?.name ?? id,
      description: id === now ? t('{0} (chosen now)', id) : id,
    }));
  return (await vscode.window.showQuickPick(rows, { title, matchOnDescription: true }))?.id;
}
