import * as vscode from 'vscode';
import type { FindingThreads } from './findingThreads.ts';
import type { ReviewActions } from './reviewActions.ts';

const { t } = vscode.l10n;

/** What the buttons of a finding's thread work on. */
export interface FindingParts {
  readonly threads: FindingThreads;
  readonly review: Pick<ReviewActions, 'decide' | 'ask'>;
}

/** "Fix Next Round": an open one goes back by itself; one that was settled is open again. */
export async function fixFindingCommand({ threads, review }: FindingParts, thread: unknown): Promise<void> {
  const finding = threads.findingOf(thread);
  if (finding !== null) await review.decide(finding, { status: 'open' });
}

/** "Dismiss…": asks for the reason, which the reviewer is told. */
export async function dismissFindingCommand({ threads, review }: FindingParts, thread: unknown): Promise<void> {
  const finding = threads.findingOf(thread);
  if (finding === null) return;
  const reason = await vscode.window.showInputBox({
    title: t('Dismiss {0}', finding),
    prompt: t('Why? The reviewer is told, and does not raise it again. May be left empty.'),
    ignoreFocusOut: true,
  });
  if (reason !== undefined) await review.decide(finding, { status: 'dismissed', reason });
}

/** "Ask Why…": a question for the next review. */
export async function askFindingCommand({ threads, review }: FindingParts, thread: unknown): Promise<void> {
  const finding = threads.findingOf(thread);
  if (finding === null) return;
  const question = await vscode.window.showInputBox({
    title: t('Ask About {0}', finding),
    prompt: t('The reviewer answers in its next review. A run that is over is reviewed once more for it.'),
    value: t('Why is this a problem?'),
    ignoreFocusOut: true,
  });
  if (question !== undefined && question.trim() !== '') await review.ask(finding, question);
}
