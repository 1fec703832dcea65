import { ownQuestion } from '../shared/ownQuestion.ts';
import type { PermissionRequest } from '../shared/permission.ts';

const GO_ON = 'goOn';

/** A question of ours with two answers, of which one agrees. `yes` and `no` are the words of the buttons. */
export function agreementQuestion(toolCallId: string, title: string, yes: string, no: string): PermissionRequest {
  return ownQuestion({
    toolCallId,
    title,
    options: [
      { optionId: GO_ON, name: yes, kind: 'allow_once' },
      { optionId: 'end', name: no, kind: 'reject_once' },
    ],
  });
}

/** Whether the person agreed: nobody there, or no answer, is no agreement. */
export function isAgreed(answer: string | null): boolean {
  return answer === GO_ON;
}
