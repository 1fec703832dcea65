import fs from 'node:fs';
import path from 'node:path';
import type { AgentTrace } from '../agent/agent.ts';
import { PRODUCT } from '../session/product.ts';
import type { Trace, TraceEvent } from '../session/trace.ts';
import type { AgentRef } from '../shared/agentEvents.ts';
import type { RunHeader } from '../shared/events.ts';
import type { Translate } from '../shared/translate.ts';
import type { StartProblem } from './options.ts';

/** What a trace holds of what an agent's process did. */
export function traceEvent(event: AgentTrace, agent: AgentRef): TraceEvent {
  switch (event.dir) {
    case 'start':
      return { ...event, agent };
    case 'in':
    case 'out':
      return event;
    case 'exit': {
      const { code, signal, error } = event.exit;
      return { dir: 'exit', code, signal, error: error?.message ?? null, stderr: event.stderr };
    }
    default:
      return event satisfies never;
  }
}

/** The trace of a start that failed has no run to lie in; gives its file. */
export function keepTrace(trace: Trace | null, stateFolder: string, run: RunHeader): string | null {
  if (trace === null) return null;
  const folder = path.join(stateFolder, 'traces');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${run.id}.jsonl`);
  trace.writeTo(file, PRODUCT, run);
  return file;
}

/** The problem with the file of the trace, where there is one. */
export function withTrace(problem: StartProblem, file: string | null, t: Translate): StartProblem {
  if (file === null) return problem;
  return { ...problem, fix: `${problem.fix} ${t('What was said on its wire: {0}', file)}`.trim() };
}
