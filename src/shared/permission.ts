/** How far an agent may go: what it asks, what is offered, and how it was answered. Types only. */
import type { FormValues, QuestionForm } from './question.ts';
import type { ToolContent, ToolKind } from './toolCall.ts';

/** How far an executor may go without asking; see `scheduler/policy.ts` for the meaning of each. */
export type PermissionMode = 'ask' | 'edits' | 'read-only' | 'all';

/** ACP's option kinds; another word is kept as it came and is never picked automatically. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
  /** What the option really reaches, for people, where we know it. */
  readonly scope?: string;
}

/** How far a rule of the person's reaches in time and place: this run, runs in this folder, or every run. */
export type RuleScope = 'session' | 'workspace' | 'user';

/** What we offer beside the agent's options: it allows once, and the rest is answered by our policy from then on. */
export type PermissionOffer =
  /** Edits of this run inside the folder; protected places still ask. */
  | { readonly offerId: string; readonly type: 'runEdits' }
  /** Exactly this command line, from then on. */
  | { readonly offerId: string; readonly type: 'command'; readonly scope: RuleScope; readonly command: string };

/** One question of an agent to the person or the policy. */
export interface PermissionRequest {
  readonly toolCallId: string;
  /** One line for people: the command, or what is done to which file. */
  readonly title: string;
  readonly kind: ToolKind;
  /** The agent's own options, in the agent's order. */
  readonly options: readonly PermissionOption[];
  readonly content: readonly ToolContent[];
  /** Absolute paths that the call names. */
  readonly paths: readonly string[];
  /** The whole command line of a command, never shortened. */
  readonly command?: string;
  /** Those of `paths` whose editor holds unsaved text, which the agent's own write passes by. */
  readonly unsaved?: readonly string[];
  /** Present when this program asks, and not the agent. */
  readonly asker?: 'loop';
  /** Whether a refusal may carry words for the agent. */
  readonly takesMessage: boolean;
  /** Whether it may be allowed with another text for the file of its one diff, which then shows the whole file. */
  readonly takesChange?: boolean;
  /** What is to be filled in: an allowing option goes with the values of its fields. */
  readonly form?: QuestionForm;
  /** Ours, to be chosen together with the agent's only `allow_once` option. */
  readonly offers?: readonly PermissionOffer[];
}

/** Who settled a permission request. Every request is settled by exactly one of them. */
export type PermissionSettler =
  | 'user'
  | 'policy'
  | 'withdrawn'
  | 'turnEnded'
  | 'sessionCancel'
  | 'agentExit'
  | 'dispose';

export type PermissionAnswer =
  | {
      readonly outcome: 'selected';
      readonly optionId: string;
      readonly message?: string;
      /** Only with an allowing option of a request that has a form; see `shared/questionForm.ts`. */
      readonly form?: FormValues;
      /** One of the request's `offers`, with its `allow_once` option. */
      readonly offerId?: string;
      /** The whole text that the person wants in the file instead; only with an allowing option, where it `takesChange`. */
      readonly changedText?: string;
    }
  | { readonly outcome: 'cancelled' };
