import type { AgentReady } from '../agent/agent.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { Translate } from '../shared/translate.ts';
import { agreementQuestion, isAgreed } from './agreement.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';

interface ReviveParts {
  /** The executor's, for people. */
  readonly name: string;
  readonly ask: (request: PermissionRequest) => Promise<string | null>;
  readonly append: (body: LoopEventBody) => void;
  readonly stopped: AbortSignal;
  /** The agents are being ended. */
  readonly isOver: () => boolean;
  /** Ends what is left of the executor and starts it again; null: the run was over before that. Rejects when it does not start. */
  readonly restart: () => Promise<AgentReady | null>;
  readonly t: Translate;
}

/**
 * See `LoopParts.revive`. Commands may have run when the executor ended: only the person can know whether going on is
 * right.
 */
export async function reviveExecutor(parts: ReviveParts): Promise<boolean> {
  const { name, ask, append, stopped, isOver, restart, t } = parts;
  const title = t('{0} ended in the middle of its work. Start it again and let it go on?', name);
  const agreed = isAgreed(await ask(agreementQuestion('restart', title, t('Go on'), t('End the run'))));
  if (!agreed || stopped.aborted || isOver()) return false;
  const say = (level: 'info' | 'error', text: string) => append(loopDiagnostic(level, text, 'restarted'));
  try {
    const told = await restart();
    if (told === null) return false;
    const how =
      told.resumed === undefined
        ? t('{0} was started again, in a new session.', name)
        : t('{0} was started again, in the session that it was in.', name);
    say('info', `${how} ${t('Nothing is sent again by itself: it is asked to go on.')}`);
    return !isOver();
  } catch (error) {
    say('error', errorText(error, t));
    return false;
  }
}
