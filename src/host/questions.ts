import os from 'node:os';
import * as vscode from 'vscode';
import { resolveDeps } from '../agent/catalog.ts';
import type { PermissionAnswer } from '../shared/permission.ts';
import { runProgram } from '../transport/childProcess.ts';
import { showInbox } from './inbox.ts';
import { createNotifier } from './notifications.ts';
import { createNotifyCommand } from './notifyCommand.ts';
import { createOutsideEvents } from './outsideEvents.ts';
import { pendingAnswer } from './pendingAnswer.ts';
import { type PendingPlace, pendingPlace } from './pendingDiff.ts';
import { createPendingEdits } from './pendingEdits.ts';
import type { RunDeck, WaitingRequest } from './runDeck.ts';
import { settingsOf } from './windowSettings.ts';

const { t } = vscode.l10n;

/** What questions need of the window. */
export interface QuestionParts {
  readonly deck: RunDeck;
  readonly stateFolder: () => string;
  /** Shows the view, and in it the run that the deck shows. */
  readonly showView: () => Promise<void>;
  readonly isViewVisible: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** Every way in which the agents' questions reach the person, and the answers go back. */
export interface Questions {
  /**
   * The question of a diff editor (its address, or the active one), else the oldest of the run shown; where only other
   * runs ask, the list of all.
   */
  decide(wish: 'approve' | 'deny', uri?: vscode.Uri): Promise<void>;
  /** An answer of the page, to a question of the run shown. */
  answer(permissionId: string, answer: PermissionAnswer): Promise<void>;
  openDiff(permissionId: string): Promise<void>;
  showWaiting(): Promise<void>;
  /** Whether the view is visible has changed. */
  visibilityChanged(): void;
  dispose(): void;
}

export function createQuestions(parts: QuestionParts): Questions {
  const { deck } = parts;
  const edits = createPendingEdits();
  const tell = (text: string): void => void vscode.window.showInformationMessage(text);
  const find = ({ runId, permissionId }: Omit<PendingPlace, 'side'>): WaitingRequest | undefined =>
    deck.waiting().find((one) => one.runId === runId && one.item.permissionId === permissionId);

  /** False: it was answered before. */
  const settle = async (request: WaitingRequest, answer: PermissionAnswer): Promise<boolean> => {
    const whole = await edits.withChange(request, answer);
    return deck.answerOf(request.runId, request.item.permissionId, whole);
  };
  const settleOrTell = async (request: WaitingRequest | undefined, answer: PermissionAnswer): Promise<void> => {
    if (request === undefined || !(await settle(request, answer))) tell(t('This was already answered.'));
  };
  const show = async (runId: string): Promise<void> => {
    if (deck.shown?.id !== runId) deck.showLive(runId);
    await parts.showView();
  };
  const decideOn = async (request: WaitingRequest | undefined, wish: 'approve' | 'deny'): Promise<void> => {
    if (request === undefined) return tell(t('This was already answered.'));
    const answer = pendingAnswer(request.item, wish);
    if (answer === null) return show(request.runId);
    await settleOrTell(request, answer);
  };
  const showWaiting = (): Promise<void> =>
    showInbox({
      waiting: deck.waiting,
      onDidChange: (listener) => deck.onDidChangeAny(listener),
      show: ({ runId }) => show(runId),
      openDiff,
      answer: decideOn,
    });
  const openDiff = async (request: WaitingRequest | undefined): Promise<void> => {
    if (request === undefined) return tell(t('This was already answered.'));
    await edits.open(request);
  };

  const notifier = createNotifier({
    waiting: deck.waiting,
    pauses: () =>
      deck.live.flatMap((run) => {
        const { paused, run: header } = run.view();
        const [task = ''] = header?.task.split('\n', 1) ?? [];
        return paused === null || run.shown === null ? [] : [{ runId: run.shown.id, since: paused.since, task }];
      }),
    isVisible: (runId) => parts.isViewVisible() && deck.shown?.id === runId,
    ask: async (text, buttons) => vscode.window.showWarningMessage(text, ...buttons),
    tell,
    answer: settle,
    show,
    onFault: parts.onFault,
    t,
  });
  const notify = createNotifyCommand({
    command: () => settingsOf(null).settings.notifyCommand,
    find: () => resolveDeps({ executablePaths: {}, stateFolder: parts.stateFolder(), trusted: false }),
    run: runProgram,
    env: process.env,
    cwd: os.homedir(),
    tell: (text) => void vscode.window.showWarningMessage(text),
    t,
  });
  const tellOutside = createOutsideEvents((event) => void notify(event), t);
  const unsubscribe = deck.onDidChangeAny((_, run) => {
    notifier.changed();
    tellOutside(run);
    void edits.close(deck.waiting()).catch(parts.onFault);
  });

  return {
    async decide(wish, uri) {
      const place = uri === undefined ? edits.active() : pendingPlace(uri.query);
      if (place !== null) return decideOn(find(place), wish);
      const [request] = deck.waiting();
      if (request === undefined) return tell(t('Nothing waits for you.'));
      // What nobody sees is not answered by a key.
      if (request.runId !== deck.shown?.id) return showWaiting();
      await decideOn(request, wish);
    },
    async answer(permissionId, answer) {
      const runId = deck.shown?.id ?? '';
      await settleOrTell(find({ runId, permissionId }), answer);
    },
    openDiff: (permissionId) => openDiff(find({ runId: deck.shown?.id ?? '', permissionId })),
    showWaiting,
    visibilityChanged: () => notifier.changed(),
    dispose() {
      unsubscribe();
      edits.dispose();
    },
  };
}
