import type { Rule } from '../scheduler/rules.ts';
import type { ConfirmedCheck } from '../session/checkFile.ts';
import type { Translate } from './words.ts';

/** One stored rule, or one confirmed check, as a person picks it. */
export interface RuleRow {
  readonly label: string;
  readonly description: string;
  readonly what: { readonly type: 'rule'; readonly rule: Rule } | { readonly type: 'check'; readonly command: string };
  /** The folder whose runs it is for; null: every run. */
  readonly folder: string | null;
}

/** The rules of one place, with what they say and how far they reach. `name` is the folder's, for people. */
export function ruleRows(rules: readonly Rule[], folder: string | null, name: string, t: Translate): RuleRow[] {
  return rules.map((rule) => ({
    label: rule.effect === 'allow' ? t('Allow: {0}', whatOf(rule, t)) : t('Deny: {0}', whatOf(rule, t)),
    description: folder === null ? t('in every folder') : t('in {0}', name),
    what: { type: 'rule', rule },
    folder,
  }));
}

/** The checks that run in a folder without being asked about. */
export function checkRows(checks: readonly ConfirmedCheck[], folder: string, name: string, t: Translate): RuleRow[] {
  return checks.map(({ command }) => ({
    label: t('Check: {0}', command),
    description: t('in {0}', name),
    what: { type: 'check', command },
    folder,
  }));
}

function whatOf({ tool, path, command }: Rule, t: Translate): string {
  if (command !== undefined)
    return command.match === 'exact' ? command.line : t('commands that begin with {0}', command.line);
  switch (tool) {
    case 'edit':
      return path === undefined ? t('all edits') : t('edits of {0}', path);
    case 'read':
      return path === undefined ? t('all reading') : t('reading of {0}', path);
    case 'execute':
      return t('all commands');
    case 'web':
      return t('the web');
    case 'other':
      return t('all other tools');
    default:
      return tool satisfies never;
  }
}
