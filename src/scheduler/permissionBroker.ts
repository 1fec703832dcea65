import type {
  LoopEventBody,
  PermissionAnswer,
  PermissionRequest,
  PermissionSettler,
  Role,
  WireObject,
} from '../shared/events.ts';
import { formProblems } from '../shared/questionForm.ts';
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
  /** Called when a role begins or ceases to wait for the person. */
  readonly onWaiting: (role: Role, waiting: boolean) => void;
}

/** Every question of the agents, from the asking to its one answer. */
export interface PermissionBroker {
  port(role: Role): PermissionPort;
  /**
   * The person's answer. False: unknown, already settled, not one of the offered options, or an allowing one whose form
   * is not filled in as it must be; nothing was done.
   */
  answer(permissionId: string, answer: PermissionAnswer): boolean;
  /** Settles every open question, or those of one role, as cancelled. */
  settleAll(by: Exclude<PermissionSettler, 'user' | 'policy'>, role?: Role): void;
}

interface Open {
  readonly role: Role;
  readonly request: PermissionRequest;
  readonly settle: (by: PermissionSettler, answer: PermissionAnswer, why?: string) => void;
}

/** Each request settles exactly once, by one of seven causes; the log holds who settled it and why. */
export function createPermissionBroker(options: BrokerOptions): PermissionBroker {
  const open = new Map<string, Open>();
  let count = 0;
  let disposed = false;

  const isWaiting = (role: Role) => [...open.values()].some((o) => o.role === role);

  function start(role: Role, request: PermissionRequest, wire: WireObject, withdrawn: AbortSignal) {
    return new Promise<PermissionAnswer>((resolve) => {
      const permissionId = `p${++count}`;
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
        // A policy's answer comes within the request: nobody has been waiting for it.
        if (by !== 'policy' && !isWaiting(role)) options.onWaiting(role, false);
        resolve(answer);
      };
      const onWithdrawn = () => settle('withdrawn', { outcome: 'cancelled' });
      const wasWaiting = isWaiting(role);
      open.set(permissionId, { role, request, settle });
      options.append({
        type: 'permission.requested',
        turn: options.turnOf(role),
        role,
        permissionId,
        wire,
        derived: request,
      });
      const decision = options.decide(role, request);
      if (decision.type === 'answer') settle('policy', decision.answer, decision.why);
      else if (disposed) settle('dispose', { outcome: 'cancelled' });
      else if (withdrawn.aborted) onWithdrawn();
      else {
        withdrawn.addEventListener('abort', onWithdrawn, { once: true });
        if (!wasWaiting) options.onWaiting(role, true);
      }
    });
  }

  return {
    port: (role) => ({ request: (request, wire, withdrawn) => start(role, request, wire, withdrawn) }),
    answer(permissionId, answer) {
      const question = open.get(permissionId);
      if (!question) return false;
      if (answer.outcome === 'selected' && !isOffered(question.request, answer)) return false;
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

/** Whether the agent offers this answer: the option, and with it the form, whole or not at all. */
function isOffered(
  { options, form }: PermissionRequest,
  answer: Extract<PermissionAnswer, { readonly outcome: 'selected' }>,
): boolean {
  const option = options.find(({ optionId }) => optionId === answer.optionId);
  if (option === undefined) return false;
  const allows = option.kind === 'allow_once' || option.kind === 'allow_always';
  if (form === undefined || !allows) return answer.form === undefined;
  return formProblems(form, answer.form ?? {}).size === 0;
}
