import * as vscode from 'vscode';
import { agentIds, agentRef } from '../agent/catalog.ts';
import type { HostState } from '../shared/messages.ts';
import type { OfferBook } from './agentOffers.ts';
import type { CheckBook } from './checkBook.ts';
import type { Consent } from './consent.ts';
import { continuable } from './continueInTerminal.ts';
import { hostStateOf, type WindowFacts } from './hostState.ts';
import type { RunController } from './runControl.ts';
import type { SetupCheck } from './setupCheck.ts';
import { settingsOf } from './windowSettings.ts';

/** What the page is told beside the log, as this window has it. */
export function windowState(
  controller: RunController,
  check: SetupCheck,
  told: {
    readonly consent: Consent;
    readonly offers: OfferBook;
    readonly installed: WindowFacts['installed'];
    readonly checks: CheckBook;
    readonly changedSince: number;
  },
): HostState {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { settings, problems } = settingsOf(folders[0] ?? null);
  const ids = agentIds(settings.agents);
  return hostStateOf(
    controller,
    {
      trusted: vscode.workspace.isTrusted,
      folders: folders.map(({ name, uri }) => ({ name, path: uri.fsPath })),
      settings,
      settingProblems: problems,
      doctor: check.card,
      hasSession: continuable(controller.shown?.events ?? []).length > 0,
      agents: ids.flatMap((id) => agentRef(id, settings.agents) ?? []),
      installed: told.installed,
      offers: told.offers.of(ids, settings.agents),
      consent: told.consent.state,
      checks: told.checks.found,
      changedSince: told.changedSince,
      words: vscode.l10n.bundle ?? {},
      language: vscode.env.language,
    },
    vscode.l10n.t,
  );
}
