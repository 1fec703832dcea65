import * as vscode from 'vscode';
import { isOpen } from '../shared/isOpen.ts';
import { mayPause } from '../shared/mayPause.ts';
import type { Finding } from '../shared/review.ts';
import { freeFolders } from './commands.ts';
import type { RunDeck } from './runDeck.ts';
import type { RunsTree } from './runsTree.ts';
import { statusOf } from './status.ts';

/** The status bar item, the badge, and the context keys that commands and menus depend on. */
export function keepStatus(context: vscode.ExtensionContext, controller: RunDeck, tree: RunsTree): void {
  const item = vscode.window.createStatusBarItem('cgloop.status', vscode.StatusBarAlignment.Left, 0);
  item.name = vscode.l10n.t('Claude–Gemini Loop');
  const keys = new Map<string, boolean>();
  const setKey = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    void vscode.commands.executeCommand('setContext', `cgloop.${key}`, value);
  };
  let counted = 0;
  const update = () => {
    const view = controller.view();
    const isOwn = controller.shown !== null && !controller.shown.replay;
    const waiting = controller.waiting().length;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    setKey('running', controller.phase !== 'idle');
    setKey('busy', folders.length > 0 && freeFolders(folders, controller).length === 0);
    setKey('waiting', waiting > 0);
    setKey('canUndo', controller.canUndo);
    setKey('canResume', controller.canResume);
    setKey('canPause', controller.phase === 'running' && mayPause(view));
    const changed = view.rounds.some(({ number, changes }) => number > 0 && (changes?.length ?? 0) > 0);
    setKey('hasChanges', isOwn && changed);
    setKey('canCommit', controller.canCommit);
    setKey('canRedo', controller.canRedo);
    setKey('hasFindings', isOwn && view.findings.some(onALine));
    setKey('shown', controller.shown !== null);
    setKey('own', isOwn);
    if (waiting !== counted) tree.setWaiting(waiting);
    counted = waiting;
    // Where the run shown is at rest, another one may be at work.
    const run = controller.phase === 'idle' ? (controller.live[0] ?? controller) : controller;
    const status = statusOf(run.view(), run.phase, vscode.l10n.t, waiting);
    item.command = waiting > view.waiting.length ? 'cgloop.showWaiting' : 'cgloop.loop.focus';
    if (status === null) return item.hide();
    item.text = status.text;
    item.tooltip = status.tooltip;
    item.backgroundColor = status.waits ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };
  context.subscriptions.push(
    item,
    { dispose: controller.onDidChangeAny(update) },
    {
      dispose: controller.onDidChangeAny((change) => {
        if (change === 'state') tree.refresh();
      }),
    },
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      update();
      tree.refresh();
    }),
  );
  // The keys of an extension host that was killed in a run still stand in the window.
  update();
}

function onALine(finding: Finding): boolean {
  return isOpen(finding) && finding.file !== undefined;
}
