import { runningCheck } from '../shared/checkWords.ts';
import type { HostState } from '../shared/messages.ts';
import type { RunView } from '../shared/view.ts';
import { nameOf, type Translate } from './words.ts';

/** The status bar item; null: none is shown. */
export interface Status {
  /** With codicons, such as `$(loading~spin) Round 2/3 · Gemini reviewing · 7/10`. */
  readonly text: string;
  readonly tooltip: string;
  /** A question waits for the person. */
  readonly waits: boolean;
}

/** Who does what while a run is under way. `waiting`: the questions of all runs of the window. */
export function statusOf(
  view: RunView,
  phase: HostState['phase'],
  t: Translate,
  waiting: number = view.waiting.length,
): Status | null {
  const tooltip = view.run?.task ?? t('Claude–Gemini Loop');
  switch (phase) {
    case 'idle':
      return null;
    case 'starting':
      return { text: `$(loading~spin) ${t('Starting the agents…')}`, tooltip, waits: false };
    case 'stopping':
      return { text: `$(loading~spin) ${t('Stopping…')}`, tooltip, waits: false };
    case 'running': {
      if (waiting > 0) return { text: `$(question) ${t('{0} waiting for you', waiting)}`, tooltip, waits: true };
      if (view.paused !== null)
        return { text: `$(debug-pause) ${t('Waiting for you between rounds')}`, tooltip, waits: true };
      return { text: `$(loading~spin) ${progress(view, t)}`, tooltip, waits: false };
    }
    default:
      return phase satisfies never;
  }
}

function progress(view: RunView, t: Translate): string {
  const { run, acting, rounds, scores } = view;
  const number = rounds.at(-1)?.number ?? 0;
  const parts: string[] = [];
  if (run !== null && number > 0) parts.push(t('Round {0}/{1}', number, run.rounds));
  if (acting !== null) {
    const name = nameOf(view.agents[acting.role], t);
    parts.push(acting.role === 'execute' ? t('{0} working', name) : t('{0} reviewing', name));
  }
  const check = runningCheck(view);
  if (check !== null) parts.push(t('check {0}', check.command));
  const last = scores.at(-1)?.score ?? null;
  if (last !== null) parts.push(`${last}/10`);
  return parts.length === 0 ? t('Starting the agents…') : parts.join(' · ');
}
