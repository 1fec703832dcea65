import * as vscode from 'vscode';
import { shortPath } from '../shared/questionWords.ts';
import { fitsOn, notificationText } from './notifications.ts';
import { pendingAnswer } from './pendingAnswer.ts';
import { pendingDiffOf } from './pendingDiff.ts';
import type { WaitingRequest } from './runDeck.ts';

const { t } = vscode.l10n;

/** What can be done with a question of the list. */
export interface InboxParts {
  readonly waiting: () => readonly WaitingRequest[];
  readonly onDidChange: (listener: () => void) => () => void;
  readonly show: (request: WaitingRequest) => Promise<void>;
  readonly openDiff: (request: WaitingRequest) => Promise<void>;
  readonly answer: (request: WaitingRequest, wish: 'approve' | 'deny') => Promise<void>;
}

interface Row extends vscode.QuickPickItem {
  readonly request: WaitingRequest;
}

interface RowButton extends vscode.QuickInputButton {
  readonly act: (request: WaitingRequest) => Promise<void>;
}

/**
 * "Show Waiting Requests": every question of every run of this window. Enter shows it in the view; its buttons answer it or
 * open its diff. A command is allowed from here only where its row shows it whole. The list follows what happens meanwhile.
 */
export async function showInbox(parts: InboxParts): Promise<void> {
  if (parts.waiting().length === 0) {
    await vscode.window.showInformationMessage(t('Nothing waits for you.'));
    return;
  }
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = t('Waiting Requests');
  pick.placeholder = t('Enter shows a request in the Loop view');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const list = () => {
    const waiting = parts.waiting();
    if (waiting.length === 0) return pick.hide();
    const [active] = pick.activeItems;
    const rows = waiting.map((request) => rowOf(request, parts));
    pick.items = rows;
    const same = rows.find(({ request }) => active !== undefined && keyOf(request) === keyOf(active.request));
    if (same !== undefined) pick.activeItems = [same];
  };
  const unsubscribe = parts.onDidChange(list);
  await new Promise<void>((resolve, reject) => {
    const settle = (work: Promise<void>) => work.catch(reject);
    pick.onDidTriggerItemButton(({ item, button }) => {
      const pressed = buttonsOf(item.request, parts).find(({ tooltip }) => tooltip === button.tooltip);
      if (pressed !== undefined) void settle(pressed.act(item.request));
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      pick.hide();
      if (row !== undefined) void settle(parts.show(row.request));
    });
    pick.onDidHide(() => resolve());
    list();
    pick.show();
  }).finally(() => {
    unsubscribe();
    pick.dispose();
  });
}

const keyOf = ({ runId, item }: WaitingRequest) => `${runId} ${item.permissionId}`;

function rowOf(request: WaitingRequest, parts: InboxParts): Row {
  const { view, item } = request;
  const { command, paths } = item.request;
  const folder = view.run?.folder ?? '';
  const task = view.run?.task.split('\n', 1).join('') ?? '';
  const detail = fitsOn(command) ? undefined : (command?.replace(/\s+/g, ' ') ?? listed(paths, folder));
  return {
    label: notificationText(request, t),
    description: `${shortName(folder)} · ${task}`,
    ...(detail === undefined || detail === '' ? {} : { detail }),
    buttons: buttonsOf(request, parts),
    request,
  };
}

/** Nothing where one path is named: the question says it. */
function listed(paths: readonly string[], folder: string): string {
  return paths.length < 2 ? '' : paths.map((path) => shortPath(path, folder)).join(', ');
}

function shortName(folder: string): string {
  return /[^\\/]*$/.exec(folder)?.[0] ?? folder;
}

function buttonsOf(request: WaitingRequest, parts: InboxParts): RowButton[] {
  const { item } = request;
  const buttons: RowButton[] = [];
  const add = (icon: string, tooltip: string, act: RowButton['act']) =>
    buttons.push({ iconPath: new vscode.ThemeIcon(icon), tooltip, act });
  if (pendingDiffOf(item.request) !== null) add('diff', t('Open Diff'), parts.openDiff);
  if (fitsOn(item.request.command) && pendingAnswer(item, 'approve') !== null) {
    add('check', t('Allow'), (one) => parts.answer(one, 'approve'));
  }
  if (pendingAnswer(item, 'deny') !== null) add('close', t('Deny'), (one) => parts.answer(one, 'deny'));
  return buttons;
}
