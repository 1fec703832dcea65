import type { Ending } from '../shared/events.ts';

/** What a person can do after a run, a line each. */
export function nextSteps(
  ending: Ending,
  run: { readonly id: string; readonly directory: string; readonly program: string },
): readonly string[] {
  const resume = `${run.program} --resume ${run.id}`;
  const goOn = `Go on with it: ${resume}`;
  const undo = `Undo the run: ${run.program} undo ${run.id}`;
  const log = `Everything that was said and done: ${run.directory}`;
  switch (ending.type) {
    case 'approved':
      return [undo, log];
    case 'stopped':
      return [goOn, undo, log];
    case 'notApproved':
      return [`The open findings stand above. Go on with more rounds: ${resume} --rounds N`, undo, log];
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
