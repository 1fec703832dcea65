import type { AgentReady } from '../agent/agent.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
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
}

/**
 * See `LoopParts.revive`. Commands may have run when the executor ended: only the person can know whether going on is
 * right.
 */
export async function reviveExecutor({ name, ask, append, stopped, isOver, restart }: ReviveParts): Promise<boolean> {
  const title = `${name} ended in the middle of its work. Start it again and let it go on?`;
  const agreed = isAgreed(await ask(agreementQuestion('restart', title, 'Go on', 'End the run')));
  if (!agreed || stopped.aborted || isOver()) return false;
  const say = (level: 'info' | 'error', text: string) => append(loopDiagnostic(level, text, 'restarted'));
  try {
    const told = await restart();
    if (told === null) return false;
    const how = told.resumed === undefined ? 'in a new session' : 'in the session that it was in';
    say('info', `${name} was started again, ${how}. Nothing is sent again by itself: it is asked to go on.`);
    return !isOver();
  } catch (error) {
    say('error', errorText(error));
    return false;
  }
}
