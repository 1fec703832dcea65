import type { AgentRef } from './agentEvents.ts';
import type { ToolKind } from './toolCall.ts';

/** Kinds of tools whose result never comes, also when the tool worked: of Gemini CLI over ACP (acp-10-parallel-reads) and without it (sj-03-mode-yolo). */
const GEMINI_ACP: readonly ToolKind[] = ['read', 'search'];
const GEMINI_HEADLESS: readonly ToolKind[] = ['read', 'edit'];

/** Whether the result of a tool that worked is empty because this agent's wire has no place for it. */
export function lacksResult({ id, protocol }: Pick<AgentRef, 'id' | 'protocol'>, kind: ToolKind): boolean {
  if (protocol === 'gemini-stream-json') return GEMINI_HEADLESS.includes(kind);
  return id === 'gemini' && GEMINI_ACP.includes(kind);
}
