import * as vscode from 'vscode';
import type { HostToView, ViewToHost } from '../shared/messages.ts';
import type { CommandName } from './commandNames.ts';
import { actOn, type CommandParts, resumeCommand, runFromView, warmOptions } from './commands.ts';
import type { Composer } from './composer.ts';
import type { lazyWarmAgents } from './lazyRuns.ts';
import { openLink, openLog } from './openFiles.ts';
import type { Questions } from './questions.ts';
import type { ReviewActions } from './reviewActions.ts';
import { actOnSetup, type SetupParts } from './setup.ts';
import { insertText, type ShownTexts } from './shownTexts.ts';

/** Who carries out what a page asks for. */
export interface PageParts {
  readonly parts: CommandParts;
  readonly setup: SetupParts;
  readonly warm: ReturnType<typeof lazyWarmAgents>;
  readonly composer: Composer;
  readonly questions: Questions;
  readonly review: ReviewActions;
  readonly texts: ShownTexts;
  readonly run: (command: CommandName) => Promise<void>;
  readonly lookAtChecks: () => void;
}

/** Every message of a page but `ready`, checked before. `reply`: to the page that asked. */
export type ActOnMessage = (
  message: Exclude<ViewToHost, { readonly type: 'ready' }>,
  reply: (message: HostToView) => void,
) => Promise<void>;

export function createPageMessages(page: PageParts): ActOnMessage {
  const { parts, setup, warm, composer, questions, review, texts, run, lookAtChecks } = page;
  const { controller } = parts;
  const { check } = setup;
  return async (message, reply) => {
    switch (message.type) {
      case 'run':
        return runFromView(parts, message.task, message.options, composer.images(), composer.clearImages);
      case 'warm': {
        lookAtChecks();
        const asked = await warmOptions(parts, message.options);
        if (asked !== null) await warm.warm(asked.options, asked.idleMs);
        return;
      }
      case 'complete':
      case 'askTasks':
      case 'addImage':
      case 'removeImage':
      case 'dropped':
      case 'consent':
        return composer.act(message, reply);
      case 'resume':
        return resumeCommand(parts, { type: 'goOn', feedback: message.feedback });
      case 'continueRounds':
        return resumeCommand(parts, { type: 'rounds', more: message.rounds, feedback: message.feedback });
      case 'reviewAgain':
        return resumeCommand(parts, { type: 'review', reviewer: message.reviewer });
      case 'pause':
        return controller.pause(message.wanted);
      case 'proceed':
        controller.proceed(message.feedback);
        return;
      case 'note':
        controller.note(message.text);
        return;
      case 'answer':
        return questions.answer(message.permissionId, message.answer);
      case 'openDiff':
        return questions.openDiff(message.permissionId);
      case 'stop':
      case 'newRun':
        return run(message.type);
      case 'previewUndo':
      case 'undo':
      case 'decide':
      case 'ask':
      case 'openChanges':
      case 'commit':
      case 'export':
      case 'settleWorktree':
        return review.act(message, reply);
      case 'openLog':
        return controller.shown === null ? run('openLog') : openLog(controller.shown.directory);
      case 'openFile':
        return openLink(parts, message.path, message.line);
      case 'openPart':
        return texts.openPart(message.id, message.part);
      case 'openTerminal':
        return texts.openTerminal(message.terminalId);
      case 'openCheck':
        return texts.openCheck(message.checkId);
      case 'openPrompt':
        return texts.openPrompt(message.turn);
      case 'copyText':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertText':
        return insertText(message.text);
      case 'act':
        if (message.action !== 'waitForFolder') return actOn(message.action);
        await controller.startWhenFree();
        return;
      case 'continueInTerminal':
        return run('continueInTerminal');
      case 'doctor':
        switch (message.action.type) {
          case 'check':
            await check.check();
            return;
          case 'close':
            check.close();
            return;
          default:
            return actOnSetup(setup, message.action);
        }
      default:
        return message satisfies never;
    }
  };
}
