/** What stands around the work of an agent: the run's head, the prompt, how a turn ended, how questions were settled. */
import type { PromptLack } from '../loop/runTurn.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { TurnOutcome } from '../shared/ending.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import { filledIn } from '../shared/questionForm.ts';
import { count, score } from '../shared/runWords.ts';
import type { Style } from './style.ts';
import { head, safe, safeLine } from './terminalText.ts';
import { SETTLERS } from './words.ts';

const PROMPT_LINES = 6;

/** The task, who works on it, and how. */
export function headerLines(told: RunHeader, style: Style): string {
  const { executor, reviewer } = told;
  const from = `approved from ${score(told.threshold)}`;
  const reviews = `${safeLine(reviewer.name)} reviews`;
  const who =
    told.kind === 'review'
      ? `${reviews}; ${from}`
      : `${safeLine(executor.name)} executes, ${reviews}; up to ${count(told.rounds, 'round')}, ${from}`;
  const trust = told.trusted ? ', trusted' : '';
  return [
    style.bold(safeLine(told.task)),
    style.dim(who),
    style.dim(`${safeLine(told.folder)}; permission ${told.permissionMode}${trust}; run ${told.id}`),
  ].join('\n');
}

/** The beginning of a prompt, or with `verbose` all of it. */
export function promptLines(prompt: string, verbose: boolean, columns: number): readonly string[] {
  const shown = safe(prompt);
  if (verbose) return shown.trimEnd().split('\n');
  const { lines: first, left } = head(shown, PROMPT_LINES, columns - 4);
  return left === 0 ? first : [...first, `… ${count(left, 'more line')} (-v shows all)`];
}

/** How a question was settled; empty for what a policy allowed, unless `verbose`. */
export function settledLine(
  { by, answer, why = '' }: Extract<LoopEvent, { type: 'permission.resolved' }>,
  request: PermissionRequest | undefined,
  verbose: boolean,
): string {
  const option = request?.options.find((one) => answer.outcome === 'selected' && one.optionId === answer.optionId);
  const allowed = option?.kind === 'allow_once' || option?.kind === 'allow_always';
  if (by === 'policy' && allowed && !verbose) return '';
  const word = option === undefined ? 'not answered' : safeLine(option.name);
  const filled =
    request?.form !== undefined && answer.outcome === 'selected' && answer.form !== undefined
      ? filledIn(request.form, answer.form).map(({ label, value }) => ` · ${safeLine(`${label} ${value}`)}`)
      : [];
  const line = `${SETTLERS[by]}: ${word} – ${safeLine(request?.title ?? '')}${filled.join('')}`;
  const because = by === 'user' && answer.outcome === 'selected' ? (answer.message ?? '') : why;
  return because === '' ? line : `${line} (${safeLine(because)})`;
}

/** Such as `Claude Code 2.1.197`. */
export function nameAndVersion({ name, version }: AgentRef): string {
  return safeLine(version === null ? name : `${name} ${version}`);
}

/** How the turn ended; empty for one that was completed. */
export function outcomeWords(outcome: TurnOutcome): string {
  switch (outcome.type) {
    case 'completed':
      return '';
    case 'incomplete':
      return `Cut short (${safeLine(outcome.cause)}): ${safe(outcome.message)}`;
    case 'cancelled':
      return outcome.by === 'user' ? 'Stopped.' : 'The agent stopped by itself.';
    case 'failed':
      return `Failed (${outcome.cause}): ${safe(outcome.message)}`;
    default:
      return outcome satisfies never;
  }
}

/** What a prompt does not hold, a line each. */
export function lacks({ withheld = [], shortened = [] }: PromptLack): string[] {
  return [
    ...(withheld.length === 0 ? [] : [`Kept out, as it may be secret: ${safeLine(few(withheld))}`]),
    ...(shortened.length === 0
      ? []
      : [`Too long to be whole in it, to be read by the reviewer: ${safeLine(few(shortened))}`]),
  ];
}

function few(files: readonly string[]): string {
  return [...files.slice(0, 10), ...(files.length > 10 ? ['…'] : [])].join(', ');
}
