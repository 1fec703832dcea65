import type { RunKind } from '../loop/options.ts';
import type { Ending } from '../shared/ending.ts';

/** A run that is over, and how people call this program. */
export interface DoneRun {
  readonly id: string;
  readonly directory: string;
  readonly kind: RunKind;
  /** Of a review; null: the working tree. */
  readonly range: string | null;
  readonly program: string;
  /** How many it had. */
  readonly rounds: number;
  /** How many findings are open at its end. */
  readonly open: number;
  /** It worked in a worktree, which waits for what becomes of it. */
  readonly inWorktree: boolean;
}

/** What a person can do after a run, a line each. */
export function nextSteps(ending: Ending, run: DoneRun): readonly string[] {
  if (run.kind === 'review') return reviewSteps(ending, run);
  const resume = `${run.program} --resume ${run.id}`;
  const goOn = `Go on with it: ${resume}`;
  const settle = `${run.program} worktree`;
  const undo = run.inWorktree
    ? `Its work is in a worktree. Bring it into your folder: ${settle} apply ${run.id} – or keep it as a branch, or drop it: ${settle} keep|drop ${run.id}`
    : `Undo the run: ${run.program} undo ${run.id}`;
  const log = `Everything that was said and done: ${run.directory}`;
  switch (ending.type) {
    case 'approved':
      return [undo, log];
    case 'stopped':
      return [goOn, undo, log];
    case 'notApproved':
      return [...wayOn(ending, resume, run.open), ...toBest(ending, run), undo, log];
    case 'overBudget': {
      const flag = { tokens: '--max-tokens', money: '--max-cost', minutes: '--max-minutes' }[ending.limit];
      return [`Go on with more: ${resume} ${flag} N`, undo, log];
    }
    case 'noVerdict':
      return ['The review could not be read as a verdict; what was said stands above.', goOn, undo, log];
    case 'failed':
      return [...fixOf(ending), goOn, undo, log];
    default:
      return ending satisfies never;
  }
}

/** Nothing was changed, so that there is nothing to undo. */
function reviewSteps(ending: Ending, { id, directory, program, range }: DoneRun): readonly string[] {
  const log = `Everything that was said: ${directory}`;
  switch (ending.type) {
    case 'approved':
      return [log];
    case 'notApproved':
      return [`Have the findings solved: ${program} fix${range === null ? '' : ` ${range}`}`, log];
    case 'failed':
    case 'noVerdict':
    case 'overBudget':
    case 'stopped':
      return [...(ending.type === 'failed' ? fixOf(ending) : []), `Go on with it: ${program} --resume ${id}`, log];
    default:
      return ending satisfies never;
  }
}

/** `resume`: the command that goes on with the run. */
function wayOn({ cause }: Extract<Ending, { type: 'notApproved' }>, resume: string, open: number): readonly string[] {
  const what = open === 0 ? 'No finding is open; what was missing stands above.' : 'The open findings stand above.';
  const more = `${what} Go on with more rounds: ${resume} --rounds N`;
  const another = `Ask another reviewer about the last round: ${resume} --review-again --reviewer NAME`;
  if (cause === 'roundLimit') return [more, another];
  const instruct = `More of the same would hardly help. Go on and say what to do otherwise: ${resume} --rounds N --ask-between-rounds`;
  return [instruct, another];
}

/** Where the last round is not the best one. */
function toBest(
  { bestRound }: Extract<Ending, { type: 'notApproved' }>,
  { id, program, rounds }: { readonly id: string; readonly program: string; readonly rounds: number },
): readonly string[] {
  if (bestRound === null || bestRound >= rounds) return [];
  return [`Go back to the best round: ${program} undo ${id} --after ${bestRound}`];
}

function fixOf({ cause }: Extract<Ending, { type: 'failed' }>): readonly string[] {
  switch (cause) {
    case 'signIn':
      return ['Sign in to that agent once in a terminal, then run this again.'];
    case 'quota':
      return ['Wait until the quota is renewed, or name another model or agent.'];
    case 'timeLimit':
      return ['Give a turn more time with --timeout, or a smaller task.'];
    case 'spawn':
    case 'startLimit':
    case 'agentExit':
    case 'agentError':
    case 'noResult':
    case 'protocol':
    case 'incomplete':
    case 'loop':
      return [];
    default:
      return cause satisfies never;
  }
}
