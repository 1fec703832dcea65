import type { Ending } from '../src/shared/ending.ts';
import type { RunView } from '../src/shared/view.ts';
import type { Tone } from './Icon.tsx';
import { money, nameOf, score, t } from './words.ts';

type FailedCause = Extract<Ending, { type: 'failed' }>['cause'];

/** What a run ended with, why, and the way on, for people. */
export interface EndingWords {
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly tone: Tone;
}

/** How the run ended; null while it goes on. */
export function endingWords(view: RunView): EndingWords | null {
  const { ending } = view;
  if (ending === null) {
    if (!view.interrupted) return null;
    return {
      what: t('Interrupted'),
      why: t(
        'The window was closed or reloaded, or the program ended, while the run was under way. Its agents are gone.',
      ),
      next: t('What they changed is still in the folder: go on where they stood, or undo the run.'),
      tone: 'warn',
    };
  }
  switch (ending.type) {
    case 'approved':
      return { what: t('Approved with {0}', score(ending.score)), why: '', next: '', tone: 'good' };
    case 'notApproved':
      if (view.run?.kind === 'review') {
        return {
          what: t('Not approved'),
          why: '',
          next: t('Nothing was changed. “Review and Fix My Changes” has the findings solved.'),
          tone: 'warn',
        };
      }
      return {
        what: notApprovedWords(ending.cause),
        why: [ending.message ?? '', bestWords(ending, view)].filter((part) => part !== '').join(' '),
        next: t('Allow more rounds or make the task smaller, or undo the run.'),
        tone: 'warn',
      };
    case 'overBudget':
      return {
        what: t('Over budget'),
        why: budgetWords(ending),
        next: t('Go on with a higher budget, or undo the run.'),
        tone: 'warn',
      };
    case 'noVerdict':
      return {
        what: t('No verdict'),
        why: ending.message,
        next: t('The work is in the folder, unreviewed. Read it yourself, run again, or choose another reviewer.'),
        tone: 'bad',
      };
    case 'stopped':
      return {
        what: t('Stopped by you'),
        why: '',
        next: t('What was done so far is in the folder: go on where it stood, or undo the run.'),
        tone: 'quiet',
      };
    case 'failed': {
      const name = nameOf(ending.role === null ? null : view.agents[ending.role]);
      return {
        what: ending.role === null ? t('The run failed') : t('{0} failed: {1}', name, causeWords(ending.cause)),
        why: ending.message,
        next: wayOut(ending.cause, name),
        tone: 'bad',
      };
    }
    default:
      return ending satisfies never;
  }
}

function notApprovedWords(cause: Extract<Ending, { type: 'notApproved' }>['cause']): string {
  switch (cause) {
    case 'roundLimit':
      return t('Not approved: the last round is over');
    case 'plateau':
      return t('Not approved: the open findings do not fall');
    case 'oscillation':
      return t('Not approved: the work goes round in circles');
    default:
      return cause satisfies never;
  }
}

function budgetWords({ limit, used, allowed }: Extract<Ending, { type: 'overBudget' }>): string {
  switch (limit) {
    case 'tokens':
      return t('{0} of {1} tokens were used.', used, allowed);
    case 'money':
      return t('{0} of {1} were used.', money(used), money(allowed));
    case 'minutes':
      return t('{0} of {1} minutes were used.', used, allowed);
    default:
      return limit satisfies never;
  }
}

function bestWords(ending: Extract<Ending, { type: 'notApproved' }>, { rounds }: RunView): string {
  if (ending.bestRound === null || ending.bestRound === rounds.at(-1)?.number)
    return t('The last review gave {0}.', score(ending.score));
  return t('The last review gave {0}; round {1} was the best.', score(ending.score), ending.bestRound);
}

function causeWords(cause: FailedCause): string {
  switch (cause) {
    case 'signIn':
      return t('not signed in');
    case 'quota':
      return t('out of quota');
    case 'agentError':
      return t('an error of the agent');
    case 'agentExit':
      return t('its program ended');
    case 'noResult':
      return t('it gave no result');
    case 'spawn':
      return t('its program did not start');
    case 'startLimit':
      return t('it did not come up in time');
    case 'timeLimit':
      return t('the turn took too long');
    case 'protocol':
      return t('it answered in a way that is not understood');
    case 'incomplete':
      return t('it stopped early');
    case 'loop':
      return t('the loop’s own work failed');
    default:
      return cause satisfies never;
  }
}

function wayOut(cause: FailedCause, name: string): string {
  switch (cause) {
    case 'signIn':
      return t('Start {0} in a terminal, sign in there, and run again.', name);
    case 'quota':
      return t('Wait until the quota is renewed, or choose another model or agent.');
    case 'timeLimit':
      return t('Give a turn more time with the setting cgloop.turnLimitSeconds, or make the task smaller.');
    case 'spawn':
    case 'startLimit':
      return t(
        'Start {0} in a terminal to see what is wrong. The setting cgloop.executablePaths names its program.',
        name,
      );
    case 'agentError':
    case 'agentExit':
    case 'noResult':
    case 'protocol':
    case 'incomplete':
      return t('Run again. If it fails in the same place, the log says what {0} sent.', name);
    case 'loop':
      return t('Set right what is named above, and run again.');
    default:
      return cause satisfies never;
  }
}
