import { ownQuestion } from './ownQuestion.ts';
import type { PermissionRequest } from './permission.ts';
import type { Translate } from './translate.ts';

/** Option ids of the question about what is kept out of a review's prompt. */
export const WITHHELD_OPTIONS = { keepOut: 'keepOut', send: 'send' } as const;

/** Whether what may be secret stays out of the diff that the reviewer is sent. `files`: relative, with `/`. */
export function withheldQuestion(reviewer: string, files: readonly string[], t: Translate): PermissionRequest {
  return ownQuestion({
    toolCallId: 'withheld',
    title: t('Keep what may be secret out of the diff that {0} is sent?', reviewer),
    options: [
      {
        optionId: WITHHELD_OPTIONS.keepOut,
        name: t('Keep It Out'),
        kind: 'reject_once',
        scope: t('in this run: the reviewer is told only the names of the files'),
      },
      {
        optionId: WITHHELD_OPTIONS.send,
        name: t('Send It All the Same'),
        kind: 'allow_once',
        scope: t('in this run: these files, to the company behind the reviewer'),
      },
    ],
    content: [{ type: 'text', text: files.map((file) => `- ${file}`).join('\n') }],
  });
}
