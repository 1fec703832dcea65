import type { Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type {
  PermissionAnswer,
  PermissionOffer,
  PermissionOption,
  PermissionRequest,
  PermissionSettler,
} from '../shared/permission.ts';
import { formProblems } from '../shared/questionForm.ts';
import type { WireObject } from '../shared/wire.ts';
import type { PolicyDecision } from './policy.ts';

/** What an agent may ask of us during a turn. */
export interface PermissionPort {
  /**
   * Settles exactly once, and never rejects. An aborted `withdrawn` means that the peer took the request back.
   * `wire` is the request's parameters, verbatim.
   */
  request(request: PermissionRequest, wire: WireObject, withdrawn: AbortSignal): Promise<PermissionAnswer>;
}

export interface BrokerOptions {
  readonly append: (body: LoopEventBody) => void;
  readonly decide: (role: Role, request: PermissionRequest) => PolicyDecision;
  /** The turn that the role is in, 0 outside of one. */
  readonly turnOf: (role: Role) => number;
  /** How many permission ids the run has given out before. */
  readonly givenOut?: number;
  /** Called when a role begins or ceases to wait for the person. */
  readonly onWaiting: (role: Role, waiting: boolean) => void;
  /** Called before the agent hears that its request is allowed. */
  readonly onAllowed?: (role: Role, request: PermissionRequest, option: PermissionOption) => void;
  /** Called before the agent hears of an answer that came with this offer. */
  readonly onOffer?: (role: Role, offer: PermissionOffer) => void;
}

/** Every question of the agents, from the asking to its one answer. */
export interface PermissionBroker {
  port(role: Role): PermissionPort;
  /**
   * The person's answer. False: unknown, already settled, not one of the offered options, or an allowing one whose form
   * is not filled in as it must be, or with a change that the request does not take; nothing was done.
   */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** Settles every open question, or those of one role, as cancelled. */
  settleAll(by: Exclude<PermissionSettler, 'user' | 'policy'>, role?: Role): void;
}

interface Open {
  readonly role: Role;
  /** With our offers. */
  readonly request: PermissionRequest;
  readonly settle: (by: PermissionSettler, answer: PermissionAnswer, why?: string) => void;
}

/** Each request settles exactly once, by one of seven causes; the log holds who settled it and why. */
export function createPermissionBroker(options: BrokerOptions): PermissionBroker {
  const open = new Map<string, Open>();
  let count = options.givenOut ?? 0;
  let disposed = false;

  const isWaiting = (role: Role) => [...open.values()].some((o) => o.role === role);

  function start(role: Role, request: PermissionRequest, wire: WireObject, withdrawn: AbortSignal) {
    return new Promise<PermissionAnswer>((resolve) => {
      const permissionId = `p${++count}`;
      let waits = false;
      const settle: Open['settle'] = (by, answer, why) => {
        if (!open.delete(permissionId)) return;
        withdrawn.removeEventListener('abort', onWithdrawn);
        options.append({
          type: 'permission.resolved',
          permissionId,
          by,
          answer,
          ...(why === undefined ? {} : { why }),
        });
        const option = allowingOption(request, answer);
        if (option !== null) options.onAllowed?.(role, request, option);
        // What is settled within the request nobody has been waiting for.
        if (waits && !isWaiting(role)) options.onWaiting(role, false);
        resolve(answer);
      };
      const onWithdrawn = () => settle('withdrawn', { outcome: 'cancelled' });
      const wasWaiting = isWaiting(role);
      const decision = options.decide(role, request);
      const offers = decision.type === 'ask' ? (decision.offers ?? []) : [];
      const asked = offers.length === 0 ? request : { ...request, offers };
      open.set(permissionId, { role, request: asked, settle });
      options.append({
        type: 'permission.requested',
        turn: options.turnOf(role),
        role,
        permissionId,
        wire,
        derived: asked,
      });
      if (disposed) settle('dispose', { outcome: 'cancelled' });
      else if (withdrawn.aborted) onWithdrawn();
      else if (decision.type === 'answer') settle('policy', decision.answer, decision.why);
      else {
        withdrawn.addEventListener('abort', onWithdrawn, { once: true });
        waits = true;
        if (!wasWaiting) options.onWaiting(role, true);
      }
    });
  }

  return {
    port: (role) => ({ request: (request, wire, withdrawn) => start(role, request, wire, withdrawn) }),
    answer(permissionId, answer) {
      const question = open.get(permissionId);
      if (!question) return false;
      if (answer.outcome === 'selected') {
        if (!isOffered(question.request, answer)) return false;
        const { offers = [] } = question.request;
        const offer = offers.find(({ offerId }) => offerId === answer.offerId);
        if (offer !== undefined) options.onOffer?.(question.role, offer);
      }
      question.settle('user', answer);
      return true;
    },
    settleAll(by, role) {
      if (by === 'dispose') disposed = true;
      for (const question of [...open.values()]) {
        if (role === undefined || question.role === role) question.settle(by, { outcome: 'cancelled' });
      }
    },
  };
}

/** Whether this answer can be chosen: the agent's option, with it the form, whole or not at all, a change and an offer of ours. */
function isOffered(
  { options, form, takesChange = false, offers = [] }: PermissionRequest,
  answer: Extract<PermissionAnswer, { readonly outcome: 'selected' }>,
): boolean {
  const option = options.find(({ optionId }) => optionId === answer.optionId);
  if (option === undefined) return false;
  const { offerId } = answer;
  if (offerId !== undefined && (option.kind !== 'allow_once' || !offers.some((offer) => offer.offerId === offerId)))
    return false;
  const allows = option.kind === 'allow_once' || option.kind === 'allow_always';
  if (answer.changedText !== undefined && !(takesChange && allows)) return false;
  if (form === undefined || !allows) return answer.form === undefined;
  return formProblems(form, answer.form ?? {}).size === 0;
}

/** The option that allows the request; null when the answer does not. */
function allowingOption({ options }: PermissionRequest, answer: PermissionAnswer): PermissionOption | null {
  if (answer.outcome === 'cancelled') return null;
  const option = options.find(({ optionId }) => optionId === answer.optionId);
  return option?.kind === 'allow_once' || option?.kind === 'allow_always' ? option : null;
}
