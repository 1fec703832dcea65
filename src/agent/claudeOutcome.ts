import type { ClaudeResult } from '../protocol/claudeStream.ts';
import type { Usage } from '../shared/agentEvents.ts';
import type { FailureCause, TurnOutcome } from '../shared/ending.ts';
import type { CancelReason } from './agent.ts';
import { describeClaudeTool } from './claudeTools.ts';
import { interruptedOutcome } from './turnResults.ts';
import { compareVersions } from './versions.ts';

/** What else bears on the judgement of a turn. */
export interface TurnFacts {
  /** Why we interrupted the turn; null when we did not. */
  readonly interrupted: CancelReason | null;
  /** Said by a retry after a 401; then the interrupt was ours for that reason. */
  readonly signIn: string | null;
  /** `error` of the turn's last assistant line that is the CLI's own, such as `rate_limit`. */
  readonly error: string | null;
}

/**
 * Judges a turn by subtype, is_error and terminal_reason together: an API error comes as subtype `success` (N67), an
 * interrupt as an error (20-interrupt-while-streaming), and no single field tells them apart.
 */
export function outcomeOf(result: ClaudeResult, facts: TurnFacts): TurnOutcome {
  const reason = result.terminal_reason ?? 'completed';
  const aborted = reason.startsWith('aborted_');
  if (facts.signIn !== null && (aborted || result.is_error === true))
    return { type: 'failed', cause: 'signIn', message: facts.signIn };
  if (facts.interrupted !== null && (aborted || result.subtype === 'error_during_execution')) {
    return interruptedOutcome(facts.interrupted);
  }
  if (aborted) return { type: 'cancelled', by: 'agent' };
  const message = messageOf(result);
  if (result.is_error !== true && result.subtype === 'success') {
    // A slash command has no stop reason (93-slash-commands); a word that is neither is one that we do not know.
    if (result.stop_reason === 'max_tokens') return { type: 'incomplete', cause: 'max_tokens', message };
    return reason === 'completed' ? { type: 'completed' } : { type: 'incomplete', cause: reason, message };
  }
  if (result.subtype === 'error_max_turns') return { type: 'incomplete', cause: 'max_turns', message };
  if (result.subtype === 'error_max_budget_usd') return { type: 'incomplete', cause: 'max_budget_usd', message };
  if (result.stop_reason === 'refusal') return { type: 'incomplete', cause: 'refusal', message };
  if (facts.error === 'max_output_tokens') return { type: 'incomplete', cause: 'max_output_tokens', message };
  return { type: 'failed', cause: causeOf(result, facts.error), message };
}

/** How the process ended, as far as an open turn is concerned. */
export interface ClaudeExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last of what it said on stderr. */
  readonly stderr: string;
}

/** How a turn ended that no `result` closed. */
export function exitOutcome(exit: ClaudeExit | null): TurnOutcome {
  if (exit === null) return { type: 'failed', cause: 'noResult', message: 'Claude Code has not ended the turn.' };
  const how = exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
  const said = exit.stderr.trim();
  const message = `Claude Code ended before the turn was over (${how})${said === '' ? '.' : `: ${said}`}`;
  return { type: 'failed', cause: 'agentExit', message };
}

function causeOf(result: ClaudeResult, error: string | null): FailureCause {
  const status = result.api_error_status;
  if (error === 'authentication_failed' || status === 401) return 'signIn';
  if (error === 'rate_limit' || error === 'billing_error' || status === 429) return 'quota';
  return 'agentError';
}

/** The agent's own words; `[ede_diagnostic]` entries are not for people. */
function messageOf(result: ClaudeResult): string {
  const said = (result.errors ?? []).filter((one) => !one.startsWith('[ede_diagnostic]'));
  const text = result.result ?? '';
  return text !== '' ? text : said.length > 0 ? said.join('\n') : `Claude Code ended the turn with ${result.subtype}.`;
}

/** Tokens are of the turn, the cost is of the whole process: the cost before this turn is taken off (10-persistent-three-turns). */
export function usageOf(result: ClaudeResult, costBefore: number): Usage {
  const total = result.total_cost_usd ?? null;
  // After a resume the count starts anew (71-resume).
  const cost = total === null ? null : total < costBefore ? total : total - costBefore;
  return {
    inputTokens: result.usage?.input_tokens ?? null,
    outputTokens: result.usage?.output_tokens ?? null,
    cachedTokens: result.usage?.cache_read_input_tokens ?? null,
    costUsd: cost === null ? null : Math.round(cost * 1e9) / 1e9,
  };
}

/**
 * Where the count of a process begins that goes on with a session which had cost `earlier`. Newer versions go on from the
 * total of the session (sdk.d.ts, `total_cost_usd`); 2.1.197 begins anew (71-resume).
 */
export function carriedCost(earlier: number, version: string | undefined): number {
  return version !== undefined && compareVersions(version, '2.1.197') > 0 ? earlier : 0;
}

/** What a `rate_limit_event` is worth telling; null: nothing. */
export function limitWords(status: string | null | undefined): string | null {
  if (status === 'allowed_warning') return 'The usage limit of this Claude account is near.';
  return status === 'rejected' ? 'The usage limit of this Claude account is reached.' : null;
}

/** What was refused in the turn, one line each. */
export function denialsOf(result: ClaudeResult, folder: string): readonly string[] {
  return (result.permission_denials ?? []).map(({ tool_name: name, tool_input: input }) => {
    const { title, command } = describeClaudeTool(name, input ?? {}, folder);
    const [what = ''] = (command ?? title).split(/[\r\n]/, 1);
    return `${name}: ${what.slice(0, 300)}`;
  });
}
