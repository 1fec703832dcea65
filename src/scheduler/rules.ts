import path from 'node:path';
import type { PermissionRequest, RuleScope } from '../shared/permission.ts';
import type { ToolKind } from '../shared/toolCall.ts';
import { english, type Translate } from '../shared/translate.ts';
import { plainWords, visibleCommands } from './commandLine.ts';
import { globTest } from './glob.ts';

/** What a rule is about: edits (deleting and moving too), commands, reading and searching, the web, all the rest. */
export type ToolClass = 'edit' | 'execute' | 'read' | 'web' | 'other';

/**
 * One rule of the person's. Without `path` and `command` it is about every call of its class. A rule that denies wins
 * over every one that allows; one that allows never reaches protected places, or past the run's folder.
 */
export interface Rule {
  readonly effect: 'allow' | 'deny';
  readonly tool: ToolClass;
  /** A pattern of paths relative to the run's folder; see `glob.ts`. Only with `edit` and `read`. */
  readonly path?: string;
  /** Words of a command. Only with `execute`. */
  readonly command?: CommandPattern;
  readonly scope: RuleScope;
}

/** `exact`: this line and no other; `prefix`: every plain line that begins with these words. */
export interface CommandPattern {
  readonly match: 'exact' | 'prefix';
  readonly line: string;
}

/** What the rules are read under; see `PolicyContext`. */
export interface RuleContext {
  readonly folder: string;
  /** Throws for a path that leads nowhere: in a circle of links. */
  readonly resolvePath: (path: string) => string;
  readonly caseInsensitive: boolean;
}

/** `uncertain`: a rule denies some command, and the line may hold it: only a person can tell. */
export type RuleWord =
  | { readonly type: 'allow' | 'deny'; readonly rule: Rule }
  | { readonly type: 'uncertain' }
  | { readonly type: 'none' };

/** The class of a tool kind. Tools of MCP servers are `other`. */
export function classOf(kind: ToolKind): ToolClass {
  switch (kind) {
    case 'edit':
    case 'delete':
    case 'move':
      return 'edit';
    case 'execute':
      return 'execute';
    case 'read':
    case 'search':
      return 'read';
    case 'fetch':
      return 'web';
    case 'think':
    case 'switch_mode':
    case 'ask':
    case 'plan':
    case 'other':
      return 'other';
    default:
      return kind satisfies never;
  }
}

/** What the rules say of a request. */
export function applyRules(rules: readonly Rule[], request: PermissionRequest, context: RuleContext): RuleWord {
  const ofClass = rules.filter(({ tool }) => tool === classOf(request.kind));
  const denying = ofClass.filter(({ effect }) => effect === 'deny');
  const denied = denying.find((rule) => denies(rule, request, context));
  if (denied !== undefined) return { type: 'deny', rule: denied };
  if (denying.some((rule) => mayHold(request.command, rule.command))) return { type: 'uncertain' };
  const allowed = ofClass.find((rule) => rule.effect === 'allow' && allowsAll(rule, request, context));
  return allowed === undefined ? { type: 'none' } : { type: 'allow', rule: allowed };
}

/** Any path, any visible command: refusing may reach too far, never too short. */
function denies(rule: Rule, request: PermissionRequest, context: RuleContext): boolean {
  if (rule.path !== undefined) {
    const matches = pathTest(rule.path, context);
    return request.paths.some((file) => [...places(file, context)].some(matches));
  }
  if (rule.command !== undefined) {
    const { command } = request;
    if (command === undefined) return false;
    const { match, line } = rule.command;
    if (command.trim() === line.trim()) return true;
    const words = plainWords(line);
    if (words === null) return false;
    const plain = plainWords(command);
    const lines = plain === null ? visibleCommands(command) : [plain];
    return lines.some((one) => begins(one, words) && (match === 'prefix' || one.length === words.length));
  }
  return true;
}

/** Whether a line that is not denied may start the denied command all the same: in a shell, or by another program. */
function mayHold(line: string | undefined, denied: CommandPattern | undefined): boolean {
  if (line === undefined || denied === undefined) return false;
  const [program = ''] = plainWords(denied.line) ?? [];
  return plainWords(line) === null || line.split(/[^\p{L}\p{N}_.-]+/u).includes(program);
}

/** Every path, the whole plain command: allowing never reaches further than what was written down. */
function allowsAll(rule: Rule, request: PermissionRequest, context: RuleContext): boolean {
  if (rule.path !== undefined) {
    const matches = pathTest(rule.path, context);
    return (
      request.paths.length > 0 &&
      request.paths.every((file) => {
        const led = whereTo(file, context);
        const place = led === null ? null : inFolder(led, context);
        return place !== null && matches(place);
      })
    );
  }
  if (rule.command !== undefined) {
    const { command } = request;
    if (command === undefined) return false;
    const words = plainWords(rule.command.line);
    const asked = plainWords(command);
    if (words === null || asked === null) return false;
    return begins(asked, words) && (rule.command.match === 'prefix' || asked.length === words.length);
  }
  return true;
}

function begins(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word);
}

/** The pattern as the person wrote it, maybe with the marks of Windows between folders. */
function pathTest(pattern: string, { caseInsensitive }: RuleContext): (place: string) => boolean {
  return globTest(pattern.replaceAll(path.sep, '/'), caseInsensitive);
}

/** A path as the agent named it and as it leads, where they lie in the folder. */
function places(file: string, context: RuleContext): ReadonlySet<string> {
  const all = [path.resolve(file), whereTo(file, context) ?? []].flat();
  return new Set(all.flatMap((one) => inFolder(one, context) ?? []));
}

/** Where a path leads; null: nowhere. */
export function whereTo(file: string, { resolvePath }: Pick<RuleContext, 'resolvePath'>): string | null {
  try {
    return resolvePath(file);
  } catch {
    return null;
  }
}

/** Relative to the folder, with `/`; null outside of it. */
function inFolder(file: string, { folder, caseInsensitive }: RuleContext): string | null {
  const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text);
  const relative = path.relative(fold(folder), fold(file));
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    return null;
  return relative.replaceAll(path.sep, '/');
}

/** A rule in words, for people: what it allows or denies, and how far it reaches. */
export function ruleWords(rule: Rule, t: Translate = english): string {
  const [what, reach] = [whatOf(rule, t), reachOf(rule.scope, t)];
  return rule.effect === 'allow' ? t('allow {0}, {1}', what, reach) : t('deny {0}, {1}', what, reach);
}

function reachOf(scope: RuleScope, t: Translate): string {
  switch (scope) {
    case 'session':
      return t('in this run');
    case 'workspace':
      return t('in this folder');
    case 'user':
      return t('in every folder');
    default:
      return scope satisfies never;
  }
}

function whatOf({ tool, path: pattern, command }: Rule, t: Translate): string {
  if (command !== undefined)
    return command.match === 'exact'
      ? t('the command {0}', command.line)
      : t('commands that begin with {0}', command.line);
  switch (tool) {
    case 'edit':
      return pattern === undefined ? t('edits') : t('edits of {0}', pattern);
    case 'read':
      return pattern === undefined ? t('reading') : t('reading of {0}', pattern);
    case 'execute':
      return t('commands');
    case 'web':
      return t('the web');
    case 'other':
      return t('other tools');
    default:
      return tool satisfies never;
  }
}
