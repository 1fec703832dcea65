import path from 'node:path';
import type { Role } from '../shared/agentEvents.ts';
import type {
  PermissionAnswer,
  PermissionMode,
  PermissionOffer,
  PermissionOption,
  PermissionRequest,
  RuleScope,
} from '../shared/permission.ts';
import { english, type Translate, type Words } from '../shared/translate.ts';
import { plainWords } from './commandLine.ts';
import { applyRules, classOf, type Rule, ruleWords, whereTo } from './rules.ts';

/** What the policy is asked under. */
export interface PolicyContext {
  readonly role: Role;
  readonly mode: PermissionMode;
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Whether a person is there to be asked. */
  readonly interactive: boolean;
  /** Resolves `..` and links of an absolute path, also of one that does not exist yet. Throws for one that leads nowhere. */
  readonly resolvePath: (path: string) => string;
  /** Windows and macOS: `.GIT` is `.git`. */
  readonly caseInsensitive: boolean;
  readonly rules: readonly Rule[];
  /** No edit of this run has been asked for yet. */
  readonly firstEdit: boolean;
  /** Says to the person why. Absent: in English, as to the agent. */
  readonly t?: Translate;
}

/** `ask`: the person decides. `answer`: settled at once; `why` is for people, and goes to the agent with a refusal, in English. */
export type PolicyDecision =
  /** `offers`: what we offer beside the agent's options. */
  | { readonly type: 'ask'; readonly offers?: readonly PermissionOffer[] }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer; readonly why: string };

const PROTECTED_FOLDERS = ['.git', '.vscode', '.claude', '.gemini'];

/**
 * Decides a permission request by role, rules and mode, in this order: the reviewer only reads; a rule that denies wins;
 * protected places and what is outside the folder always ask; nothing is written in the mode Read-only; then a rule that
 * allows, and last the mode. Only options that the agent offered are ever chosen, by id; an option
 * of unknown kind is never chosen, and neither is one of several of the same allowing kind (the agent then offers a
 * choice that only a person can make).
 */
export function decide(request: PermissionRequest, context: PolicyContext): PolicyDecision {
  if (context.role === 'review') {
    return reject(request, context, (t) => t('The reviewer only reads: it may not do this.'));
  }
  const wish = wishOf(request, context);
  const { t = english } = context;
  switch (wish.type) {
    case 'allow': {
      const once = only(request.options, 'allow_once');
      if (once) return { type: 'answer', answer: { outcome: 'selected', optionId: once.optionId }, why: wish.why(t) };
      return askOr(request, context, (t) =>
        t('The agent offers a choice that only a person can make, and nobody is there.'),
      );
    }
    case 'reject':
      return reject(request, context, wish.why);
    case 'ask':
      return askOr(request, context, wish.whyNot);
    default:
      return wish satisfies never;
  }
}

type Wish =
  | { readonly type: 'allow'; readonly why: Words }
  | { readonly type: 'reject'; readonly why: Words }
  | { readonly type: 'ask'; readonly whyNot: Words };

function wishOf(request: PermissionRequest, context: PolicyContext): Wish {
  const tool = classOf(request.kind);
  if (request.kind === 'ask') return { type: 'ask', whyNot: (t) => t('Nobody is there to answer questions.') };
  const word = applyRules(context.rules, request, context);
  if (word.type === 'deny') {
    return { type: 'reject', why: (t) => t('A rule of the user refuses this: {0}.', ruleWords(word.rule, t)) };
  }
  if (context.mode === 'read-only' && tool !== 'read' && tool !== 'web')
    return { type: 'reject', why: (t) => t('This run is read-only: nothing is written and no command runs.') };
  // Also where a mode or a rule allows everything.
  if (tool === 'edit' && !everyPathOpen(request, context))
    return { type: 'ask', whyNot: withNobody((t) => t('A protected path, or one outside the folder.')) };
  if (tool === 'edit' && (request.unsaved ?? []).length > 0)
    return {
      type: 'ask',
      whyNot: withNobody((t) => t('The editor holds unsaved changes of a file that this writes.')),
    };
  if (word.type === 'uncertain')
    return { type: 'ask', whyNot: withNobody((t) => t('The line may hold a command that a rule refuses.')) };
  if (word.type === 'allow') return { type: 'allow', why: (t) => t('A rule of yours: {0}.', ruleWords(word.rule, t)) };
  switch (context.mode) {
    case 'ask':
    case 'read-only':
      return { type: 'ask', whyNot: NOBODY };
    case 'edits':
      if (tool === 'edit') return { type: 'allow', why: (t) => t('Edits in the folder are allowed.') };
      return { type: 'ask', whyNot: withNobody((t) => t('Edits are allowed, this is not.')) };
    case 'all':
      return { type: 'allow', why: (t) => t('Everything is allowed in this run.') };
    default:
      return context.mode satisfies never;
  }
}

const NOBODY: Words = (t) => t('This needs a person’s consent, and nobody is there to be asked.');

function withNobody(what: Words): Words {
  return (t) => `${what(t)} ${NOBODY(t)}`;
}

function askOr(request: PermissionRequest, context: PolicyContext, whyNot: Words): PolicyDecision {
  return context.interactive ? { type: 'ask', offers: offersFor(request, context) } : reject(request, context, whyNot);
}

/**
 * What can be allowed beyond the one call: the edits of this run with its first question about one, and a command line
 * that means the same to everyone. Only where one option of the agent allows once; the widest reach of the agent's own
 * "always" is its session, so ours for this run is left out beside it.
 */
function offersFor(request: PermissionRequest, context: PolicyContext): readonly PermissionOffer[] {
  if (only(request.options, 'allow_once') === null || request.form !== undefined) return [];
  const tool = classOf(request.kind);
  if (tool === 'edit') {
    const reaches = context.firstEdit && context.mode === 'ask' && everyPathOpen(request, context);
    return reaches ? [{ offerId: 'run-edits', type: 'runEdits' }] : [];
  }
  const { command } = request;
  if (tool !== 'execute' || command === undefined || plainWords(command) === null) return [];
  const agentOffers = request.options.some((option) => option.kind === 'allow_always');
  const scopes: readonly RuleScope[] = agentOffers ? ['workspace', 'user'] : ['session', 'workspace', 'user'];
  return scopes.map((scope) => ({ offerId: `command-${scope}`, type: 'command', scope, command }));
}

/** The rule that a chosen offer stands for. */
export function ruleOf(offer: PermissionOffer): Rule {
  switch (offer.type) {
    case 'runEdits':
      return { effect: 'allow', tool: 'edit', scope: 'session' };
    case 'command':
      return {
        effect: 'allow',
        tool: 'execute',
        command: { match: 'exact', line: offer.command },
        scope: offer.scope,
      };
    default:
      return offer satisfies never;
  }
}

/** A refusal by the agent's own option, or `cancelled` when it offers none. */
function reject(request: PermissionRequest, { t = english }: PolicyContext, why: Words): PolicyDecision {
  const option =
    request.options.find((o) => o.kind === 'reject_once') ?? request.options.find((o) => o.kind === 'reject_always');
  const answer: PermissionAnswer = option
    ? { outcome: 'selected', optionId: option.optionId, ...(request.takesMessage ? { message: why(english) } : {}) }
    : { outcome: 'cancelled' };
  return { type: 'answer', answer, why: why(t) };
}

function only(options: readonly PermissionOption[], kind: PermissionOption['kind']): PermissionOption | null {
  const [first, second] = options.filter((o) => o.kind === kind);
  return first && !second ? first : null;
}

/** True when the request names paths, and each lies in the folder and under nothing protected. */
function everyPathOpen(request: PermissionRequest, context: PolicyContext): boolean {
  return request.paths.length > 0 && request.paths.every((p) => isOpenPath(p, context));
}

/** Whether an edit of this absolute path needs no question of its own: inside the folder and not a protected place. */
export function isOpenPath(file: string, context: Pick<PolicyContext, 'folder' | 'resolvePath' | 'caseInsensitive'>) {
  const fold = (text: string) => (context.caseInsensitive ? text.toLowerCase() : text);
  const led = whereTo(file, context);
  if (led === null) return false;
  const relative = path.relative(fold(context.folder), fold(led));
  if (relative === '' || path.isAbsolute(relative)) return false;
  const parts = relative.split(path.sep).map(plainName);
  if (relative.split(path.sep)[0] === '..') return false;
  return !parts.some((part) => PROTECTED_FOLDERS.includes(part)) && !parts.at(-1)?.endsWith('.code-workspace');
}

/**
 * A name as some disks read it: to Windows `.git `, `.git.` and `.git::$DATA` are `.git`, and HFS ignores the characters
 * that join and direct a text.
 */
function plainName(part: string): string {
  const visible = part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return visible.toLowerCase().replace(/[\s.]*(:.*)?$/s, '');
}
