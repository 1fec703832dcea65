import type { AgentRef } from '../shared/agentEvents.ts';
import { count } from '../shared/runWords.ts';
import type { ToolCallPatch } from '../shared/toolCall.ts';
import { lacksResult } from '../shared/unsentResults.ts';
import { diffCounts, renderContent } from './renderDiff.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

const OUTPUT_LINES = 6;

/** What a tool call is called where it has to fit in a line. */
export function toolTitle(call: ToolCallPatch): string {
  return safeLine(call.title ?? call.toolName ?? 'a tool');
}

/**
 * A tool call that has ended: its title with the size of its edits, and the last lines of what a command or a failure
 * said. Verbose: its arguments and everything it gave, or that its agent's wire has no place for it.
 */
export function renderTool(
  call: ToolCallPatch,
  verbose: boolean,
  style: Style,
  agent: AgentRef | null = null,
): readonly string[] {
  const content = call.content ?? [];
  const diffs = content.flatMap((one) => (one.type === 'diff' ? [diffCounts(one)] : []));
  // ACP names a call by what it is done to; only the kind says what is done.
  const nameless =
    call.toolName === undefined && (call.kind === 'read' || call.kind === 'search' || call.kind === 'fetch');
  const facts = [...diffs, ...(nameless ? [call.kind] : [])];
  const detail = facts.length === 0 ? '' : style.dim(`  ${facts.join(', ')}`);
  const first = `${markOf(call, style)} ${toolTitle(call)}${detail}`;
  if (verbose) {
    const input = call.rawInput === undefined ? '' : style.dim(safe(JSON.stringify(call.rawInput, null, 2)));
    const isUnsent =
      call.state === 'success' && content.length === 0 && agent !== null && lacksResult(agent, call.kind ?? 'other');
    const unsent = isUnsent ? style.dim('(its result is not sent by this transport)') : '';
    const all = [input, renderContent(content, style).trimEnd(), unsent].filter((text) => text !== '');
    return [first, ...all.map((text) => text.replace(/^(?=.)/gm, '  '))];
  }
  const texts = content.flatMap((one) => (one.type === 'text' ? [safe(one.text)] : []));
  if (texts.length === 0 || (call.kind !== 'execute' && call.state === 'success')) return [first];
  const lines = texts.join('\n').trimEnd().split('\n');
  const left = Math.max(0, lines.length - OUTPUT_LINES);
  const last = left === 0 ? lines : [`… ${count(left, 'line')} before`, ...lines.slice(left)];
  return [first, ...last.map((line) => style.dim(`  ${line}`))];
}

function markOf({ state, reason }: ToolCallPatch, style: Style): string {
  if (state === 'success') return style.green('✓');
  if (reason === 'denied') return style.yellow('– denied:');
  if (reason === 'noResult') return style.yellow('? no result reported:');
  return state === 'error' ? style.red('✗') : style.yellow('– stopped:');
}
