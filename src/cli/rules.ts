import { type Command, CommanderError } from 'commander';
import { plainWords } from '../scheduler/commandLine.ts';
import { type Rule, ruleWords } from '../scheduler/rules.ts';
import { type ConfirmedCheck, readConfirmed, writeConfirmed } from '../session/checkFile.ts';
import { addRule, readRules, writeRules } from '../session/ruleFile.ts';
import { safeLine } from './terminalText.ts';

/** What is to be done with the stored rules. `dir` as it was typed. */
export type RulesArguments = { readonly dir: string } & (
  | { readonly action: 'list' }
  | { readonly action: 'add'; readonly rule: Rule }
  /** Number in the list, from 1. */
  | { readonly action: 'remove'; readonly number: number }
);

interface Raw {
  readonly dir: string;
  readonly prefix: boolean;
  readonly edit?: string;
  readonly read?: string;
  readonly web: boolean;
  readonly everywhere: boolean;
}

/** Adds `rules` with its actions to the program. */
export function addRulesCommand(program: Command, found: (asked: RulesArguments) => void): void {
  program
    .command('rules')
    .description('list, add and remove your rules for what executors may do without asking, or never')
    .argument('[action]', 'list, allow, deny or remove', 'list')
    .argument('[words...]', 'the command of a rule, or the number of the one to remove')
    .option('-d, --dir <folder>', 'the folder whose runs the rule is for', '.')
    .option('--prefix', 'every plain command that begins so, not only this one', false)
    .option('--edit <pattern>', 'edits of these paths, such as "src/**"')
    .option('--read <pattern>', 'reading of these paths')
    .option('--web', 'the web', false)
    .option('--everywhere', 'in every folder', false)
    .addHelpText('after', EXAMPLES)
    .action((action: string, words: readonly string[], raw: Raw) => {
      found({ dir: raw.dir, ...actionOf(action, words, raw) });
    });
}

function actionOf(action: string, words: readonly string[], raw: Raw) {
  switch (action) {
    case 'list':
      return { action: 'list' } as const;
    case 'remove': {
      const [word = ''] = words;
      if (words.length !== 1 || !/^[1-9]\d*$/.test(word))
        throw wrong('Give the number of the rule as "rules" lists it.');
      return { action: 'remove', number: Number(word) } as const;
    }
    case 'allow':
    case 'deny':
      return { action: 'add', rule: ruleOf(action, words, raw) } as const;
    default:
      throw wrong(`"${action}" is none of: list, allow, deny, remove.`);
  }
}

function ruleOf(effect: Rule['effect'], words: readonly string[], { prefix, edit, read, web, everywhere }: Raw): Rule {
  const of = { effect, scope: everywhere ? 'user' : 'workspace' } as const;
  const line = words.join(' ').trim();
  const about = [line !== '', edit !== undefined, read !== undefined, web].filter((one) => one).length;
  if (about !== 1) throw wrong('Say what the rule is about: a command, --edit, --read or --web, one of them.');
  if (edit !== undefined) return { ...of, tool: 'edit', path: edit };
  if (read !== undefined) return { ...of, tool: 'read', path: read };
  if (web) return { ...of, tool: 'web' };
  if (plainWords(line) === null) {
    throw wrong(
      'Only one program with its arguments can be a rule: no pipes, lists, redirections, variables or substitutions.',
    );
  }
  return { ...of, tool: 'execute', command: { match: prefix ? 'prefix' : 'exact', line } };
}

function wrong(message: string): CommanderError {
  return new CommanderError(2, 'cgloop.rules', message);
}

/**
 * Does it, and gives what is to be printed. `folder`: absolute, links resolved. Its confirmed checks come behind the rules.
 * Rejects with `RuleFileError` and `LineFileError`.
 */
export async function changeRules(
  asked: RulesArguments,
  folder: string,
  stateFolder: string,
): Promise<{ readonly text: string; readonly code: number }> {
  if (asked.action === 'add') {
    await addRule(stateFolder, asked.rule.scope === 'user' ? null : folder, asked.rule);
    return { text: `Added: ${safeLine(ruleWords(asked.rule))}\n`, code: 0 };
  }
  const all = [...(await readRules(stateFolder, folder)), ...(await readRules(stateFolder, null))];
  const checks = await readConfirmed(stateFolder, folder);
  if (asked.action === 'list') {
    const lines = [...all.map((rule) => ruleWords(rule)), ...checks.map(checkWords)];
    if (lines.length === 0) return { text: `There are no rules for ${safeLine(folder)}.\n`, code: 0 };
    return { text: lines.map((words, index) => `${index + 1}  ${safeLine(words)}\n`).join(''), code: 0 };
  }
  const check = checks[asked.number - 1 - all.length];
  if (check !== undefined) {
    const left = checks.filter((one) => one !== check);
    await writeConfirmed(stateFolder, folder, left);
    return { text: `Removed: ${safeLine(checkWords(check))}\n`, code: 0 };
  }
  const gone = all[asked.number - 1];
  if (gone === undefined) return { text: `There is no rule ${asked.number}. "rules" lists them.\n`, code: 1 };
  const isOwn = gone.scope === 'workspace';
  const left = all.filter((rule) => rule !== gone && rule.scope === gone.scope);
  await writeRules(stateFolder, isOwn ? folder : null, left);
  return { text: `Removed: ${safeLine(ruleWords(gone))}\n`, code: 0 };
}

function checkWords({ command }: ConfirmedCheck): string {
  return `run the check ${command} without asking, in this folder`;
}

const EXAMPLES = `
Examples:
  cgloop rules                               what holds in this folder
  cgloop rules allow "npm test"              exactly this command, in runs of this folder
  cgloop rules allow --prefix "git diff"     every plain command that begins so
  cgloop rules deny --edit "*.lock"          wins over everything that allows
  cgloop rules remove 2

A rule never reaches protected places (.git, .vscode, .claude, .gemini) or past the folder, and the reviewer only reads.`;
