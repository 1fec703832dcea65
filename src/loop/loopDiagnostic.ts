import type { Diagnostic, Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';

/** What this program has to say in the log, for people; outside a turn where none is named. */
export function loopDiagnostic(
  level: Diagnostic['level'],
  text: string,
  code: Diagnostic['code'] = 'loop',
  { turn, role }: { readonly turn: number; readonly role: Role } = { turn: 0, role: 'execute' },
): LoopEventBody {
  return { type: 'diagnostic', turn, role, wire: null, derived: { source: 'loop', level, code, text } };
}
