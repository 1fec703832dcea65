import { exportRun, type RunExport } from '../session/exportJson.ts';
import { exportSarif } from '../session/exportSarif.ts';
import { PRODUCT } from '../session/product.ts';
import type { RunState } from '../session/replay.ts';
import type { LoopEvent } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { repositoryPrefix } from '../workspace/changeRange.ts';
import { renderFindings, renderVerdict } from './renderReview.ts';
import type { Style } from './style.ts';

/** The run as one object in JSON; empty when its log does not say what was asked for. */
export function runJson(events: readonly LoopEvent[], state: RunState): string {
  const run = exported(events, state);
  return run === null ? '' : `${JSON.stringify(run, null, 2)}\n`;
}

/** Its open findings as SARIF, with paths from the root of the repository. */
export async function runSarif(events: readonly LoopEvent[], state: RunState): Promise<string> {
  const run = exported(events, state);
  if (run === null) return '';
  return `${JSON.stringify(exportSarif(run, PRODUCT, await repositoryPrefix(run.folder)), null, 2)}\n`;
}

/** The last review with its open findings, which is the result of a run that executed nothing. Empty without one. */
export function reviewText(events: readonly LoopEvent[], columns: number, style: Style): string {
  const view = reduce(EMPTY_VIEW, events);
  const last = view.rounds.findLast(({ review }) => review !== null)?.review ?? null;
  if (last === null || view.run === null) return '';
  const verdict = renderVerdict(last.verdict, last.approved, last.blockedBy, view.run.threshold, style);
  const findings = renderFindings(view.findings, columns, style);
  return [verdict, findings].filter((part) => part !== '').join('\n\n');
}

function exported(events: readonly LoopEvent[], state: RunState): RunExport | null {
  return exportRun(reduce(EMPTY_VIEW, events), state);
}
