import { ownQuestion } from './ownQuestion.ts';
import type { PermissionRequest } from './permission.ts';
import type { CheckChange, CheckEnd } from './roundEvents.ts';
import { english, type Translate } from './translate.ts';
import type { CheckItem, RunView } from './view.ts';

/** Option ids of the question about a check. */
export const CHECK_OPTIONS = { once: 'run', always: 'always', skip: 'skip' } as const;

/**
 * Whether a check may run. `defined`: file → what of it the command runs. `changes`: what is other than when it was
 * confirmed; empty for a check that is asked about for the first time.
 */
export function checkQuestion(
  command: string,
  defined: ReadonlyMap<string, string>,
  changes: readonly CheckChange[],
  t: Translate,
): PermissionRequest {
  const texts = changes.length === 0 ? [...defined].map(definedWords) : changes.map((change) => changeText(change, t));
  return ownQuestion({
    toolCallId: 'check',
    title: titleOf(changes, t),
    command,
    options: [
      {
        optionId: CHECK_OPTIONS.once,
        name: t('Run It in This Run'),
        kind: 'allow_once',
        scope: t('after each round, until what it runs changes'),
      },
      {
        optionId: CHECK_OPTIONS.always,
        name: t('Always Run It in This Folder'),
        kind: 'allow_always',
        scope: t('exactly this command, until what it runs changes'),
      },
      {
        optionId: CHECK_OPTIONS.skip,
        name: t('Skip It'),
        kind: 'reject_once',
        scope: t('in this run: it counts neither for nor against the work'),
      },
    ],
    content: texts.length === 0 ? [] : [{ type: 'text', text: texts.join('\n\n') }],
  });
}

function titleOf(changes: readonly CheckChange[], t: Translate): string {
  if (changes.length === 0) return t('Run this check of the project between work and review?');
  return changes.some(({ type }) => type === 'definition')
    ? t('What this check runs was changed. Run it all the same?')
    : t('Tests were removed. Run this check all the same?');
}

function definedWords([file, text]: readonly [string, string]): string {
  return `${file}\n${prefixed('  ', text)}`;
}

function changeText(change: CheckChange, t: Translate): string {
  switch (change.type) {
    case 'definition': {
      const { file, before, after } = change;
      const lines = [before === null ? [] : [prefixed('- ', before)], after === null ? [] : [prefixed('+ ', after)]];
      return [file, ...lines.flat()].join('\n');
    }
    case 'testsRemoved':
      return [t('Removed:'), ...change.files.map((file) => `- ${file}`)].join('\n');
    default:
      return change satisfies never;
  }
}

/** Characters of one text in a question: the whole of it is in the file. */
const MOST = 1_500;

function prefixed(mark: string, text: string): string {
  const shown = text.length > MOST ? `${text.slice(0, MOST)}…` : text;
  return shown.replace(/^/gm, mark);
}

/** The check that runs now. */
export function runningCheck({ rounds, ending, interrupted }: RunView): CheckItem | null {
  if (ending !== null || interrupted) return null;
  return rounds.at(-1)?.checks.find(({ end }) => end === null) ?? null;
}

/** How a check ended, in a few words. */
export function checkEndWords({ passed, exitCode, signal, by, problem }: CheckEnd, t: Translate): string {
  if (passed) return t('passed');
  if (problem !== undefined) return problem;
  if (by === 'limit') return t('took too long');
  if (by === 'stop') return t('stopped');
  return signal === null ? t('exit code {0}', `${exitCode ?? '?'}`) : t('ended by the signal {0}', signal);
}

/** No command line of a person is longer; cmd.exe takes 8191 characters (learn.microsoft.com, "Command prompt line string limitation"). */
const MOST_CHARACTERS = 4_000;

/** Bidirectional controls (Unicode Standard Annex 9, 2). */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Why the text cannot be a check, for people; null when it can. */
export function commandProblem(text: string, t: Translate = english): string | null {
  if (text.trim() === '') return t('A check is a command: this one is empty.');
  if (text.length > MOST_CHARACTERS)
    return t('A check has at most {0} characters: put it into a script.', MOST_CHARACTERS);
  if (/\p{Cc}/u.test(text)) return t('A check is one line without control characters: put more into a script.');
  if (TURNS.test(text))
    return t('A check has no characters that change the direction of writing: it would not read as it runs.');
  if (/^\s*-/.test(text)) return t('A check begins with a program, and this one with an option.');
  return null;
}
