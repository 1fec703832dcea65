import path from 'node:path';
import type { PermissionAnswer, PermissionMode, PermissionOption, PermissionRequest, Role } from '../shared/events.ts';

/** What the policy is asked under. */
export interface PolicyContext {
  readonly role: Role;
  readonly mode: PermissionMode;
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Whether a person is there to be asked. */
  readonly interactive: boolean;
  /** Resolves `..` and links of an absolute path, also of one that does not exist yet. */
  readonly resolvePath: (path: string) => string;
  /** Windows and macOS: `.GIT` is `.git`. */
  readonly caseInsensitive: boolean;
}

/** `ask`: the person decides. `answer`: settled at once; `why` is for people and goes to the agent with a refusal. */
export type PolicyDecision =
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer; readonly why: string };

const PROTECTED_FOLDERS = ['.git', '.vscode', '.claude', '.gemini'];

/**
 * Decides a permission request by role and mode. Only options that the agent offered are ever chosen, by id; an option
 * of unknown kind is never chosen, and neither is one of several of the same allowing kind (the agent then offers a
 * choice that only a person can make).
 */
export function decide(request: PermissionRequest, context: PolicyContext): PolicyDecision {
  if (context.role === 'review') return reject(request, 'The reviewer only reads: it may not do this.');
  const wish = wishOf(request, context);
  switch (wish.type) {
    case 'allow': {
      const once = only(request.options, 'allow_once');
      if (once) return { type: 'answer', answer: { outcome: 'selected', optionId: once.optionId }, why: wish.why };
      return askOr(request, context, 'The agent offers a choice that only a person can make, and nobody is there.');
    }
    case 'reject':
      return reject(request, wish.why);
    case 'ask':
      return askOr(request, context, wish.whyNot);
    default:
      return wish satisfies never;
  }
}

type Wish =
  | { readonly type: 'allow'; readonly why: string }
  | { readonly type: 'reject'; readonly why: string }
  | { readonly type: 'ask'; readonly whyNot: string };

function wishOf(request: PermissionRequest, context: PolicyContext): Wish {
  const writes = request.kind === 'edit' || request.kind === 'delete' || request.kind === 'move';
  const reads = request.kind === 'read' || request.kind === 'search' || request.kind === 'fetch';
  const nobody = 'This needs a person’s consent, and nobody is there to be asked.';
  if (request.kind === 'ask') return { type: 'ask', whyNot: 'Nobody is there to answer questions.' };
  switch (context.mode) {
    case 'ask':
      return { type: 'ask', whyNot: nobody };
    case 'read-only':
      if (reads) return { type: 'ask', whyNot: nobody };
      return { type: 'reject', why: 'This run is read-only: nothing is written and no command runs.' };
    case 'edits':
      if (writes && everyPathOpen(request, context)) return { type: 'allow', why: 'Edits in the folder are allowed.' };
      return { type: 'ask', whyNot: `Edits are allowed, this is not. ${nobody}` };
    case 'all':
      if (writes && !everyPathOpen(request, context)) {
        return { type: 'ask', whyNot: `A protected path, or one outside the folder. ${nobody}` };
      }
      return { type: 'allow', why: 'Everything is allowed in this run.' };
    default:
      return context.mode satisfies never;
  }
}

function askOr(request: PermissionRequest, context: PolicyContext, whyNot: string): PolicyDecision {
  return context.interactive ? { type: 'ask' } : reject(request, whyNot);
}

/** A refusal by the agent's own option, or `cancelled` when it offers none. */
function reject(request: PermissionRequest, why: string): PolicyDecision {
  const option =
    request.options.find((o) => o.kind === 'reject_once') ?? request.options.find((o) => o.kind === 'reject_always');
  const answer: PermissionAnswer = option
    ? { outcome: 'selected', optionId: option.optionId, ...(request.takesMessage ? { message: why } : {}) }
    : { outcome: 'cancelled' };
  return { type: 'answer', answer, why };
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
  const relative = path.relative(fold(context.folder), fold(context.resolvePath(file)));
  if (relative === '' || path.isAbsolute(relative)) return false;
  // A name such as `.git ` or `.git.` is `.git` to Windows, and HFS ignores some characters: compare what is left.
  const parts = relative.split(path.sep).map((part) => part.toLowerCase().replace(/[\s.]+$/, ''));
  if (relative.split(path.sep)[0] === '..') return false;
  return !parts.some((part) => PROTECTED_FOLDERS.includes(part)) && !relative.toLowerCase().endsWith('.code-workspace');
}
