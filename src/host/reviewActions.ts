import * as vscode from 'vscode';
import type { HostToView, ViewToHost } from '../shared/messages.ts';
import type { FindingDecision } from '../shared/roundEvents.ts';
import type { ChangesEditor } from './changesEditor.ts';
import { type CommandParts, resumeCommand } from './commands.ts';
import { exportRun } from './exportRun.ts';
import { messageBox } from './gitBox.ts';

const { t } = vscode.l10n;

/** What can be done about the findings and the changes of the run shown: by the page, by editors, and by commands. */
export interface ReviewActions {
  act(message: ReviewMessage, reply: (message: HostToView) => void): Promise<void>;
  decide(finding: string, decision: FindingDecision): Promise<void>;
  /** Tells the next review; a run that is over is reviewed once more for it. */
  ask(finding: string, question: string): Promise<void>;
  /** `round` null: of the whole run. */
  openChanges(round: number | null): Promise<void>;
  commit(): Promise<void>;
  exportRun(): Promise<void>;
}

/** What the page says of these. */
export type ReviewMessage = Extract<
  ViewToHost,
  {
    readonly type: 'previewUndo' | 'undo' | 'decide' | 'ask' | 'openChanges' | 'commit' | 'export' | 'settleWorktree';
  }
>;

/** Faults that are foreseen are told to the person; all others reject. */
export function createReviewActions(parts: CommandParts & { readonly changes: ChangesEditor }): ReviewActions {
  const { controller, stateFolder, changes } = parts;
  const tell = async (result: { readonly type: string; readonly message?: string }): Promise<boolean> => {
    if (result.type !== 'problem') return true;
    await vscode.window.showErrorMessage(result.message ?? '');
    return false;
  };
  const actions: ReviewActions = {
    async act(message, reply) {
      switch (message.type) {
        case 'previewUndo': {
          const answer = await controller.previewUndo(stateFolder(), message.asked);
          return reply({ type: 'undoPreview', asked: message.asked, answer });
        }
        case 'undo':
          await tell(await controller.undo(stateFolder(), message.asked));
          return;
        case 'decide':
          return actions.decide(message.finding, message.decision);
        case 'ask':
          return actions.ask(message.finding, message.text);
        case 'openChanges':
          return actions.openChanges(message.round);
        case 'commit':
          return actions.commit();
        case 'export':
          return actions.exportRun();
        case 'settleWorktree': {
          const { settleWorktree } = await import('./worktreeActions.ts');
          return settleWorktree(controller, stateFolder(), message.how);
        }
        default:
          return message satisfies never;
      }
    },
    async decide(finding, decision) {
      await tell(await controller.decide(stateFolder(), finding, decision));
    },
    async ask(finding, question) {
      const { run } = controller.view();
      if (!(await tell(await controller.ask(stateFolder(), finding, question)))) return;
      if (run === null || controller.phase !== 'idle' || !controller.canReviewAgain) return;
      await resumeCommand(parts, { type: 'review', reviewer: run.reviewer.id });
    },
    async openChanges(round) {
      if (controller.shown === null) return;
      await changes.open(controller.shown.events, round);
    },
    async commit() {
      const run = controller.shown;
      if (run === null) return;
      const { prepareCommit } = await import('../loop/commitRun.ts');
      const made = await prepareCommit({ run: run.id, stateFolder: stateFolder(), t });
      if (made.type === 'problem') {
        await tell(made);
        return;
      }
      const place = await messageBox(made.folder, made.message);
      const staged =
        made.files.length === 0
          ? t('All of it is staged or committed already.')
          : t('Staged: {0}. Nothing is committed.', made.files.map((file) => file.path).join(', '));
      const left = [...made.left, ...made.persons];
      const rest =
        left.length === 0 ? '' : ` ${t('Not staged, because your own changes are in it: {0}', left.join(', '))}`;
      const where = place === 'scm' ? '' : ` ${t('The message for the commit is in the clipboard.')}`;
      await vscode.window.showInformationMessage(`${staged}${rest}${where}`);
    },
    async exportRun() {
      if (controller.shown !== null) await exportRun(controller.shown.directory);
    },
  };
  return actions;
}
