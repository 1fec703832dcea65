import type { LoopEvent, LoopEventBody } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import type { Finding } from '../shared/review.ts';
import type { StandingUndo } from '../shared/undo.ts';
import { EMPTY_VIEW } from '../shared/view.ts';

type FindingUpdated = Extract<LoopEventBody, { readonly type: 'finding.updated' }>;

/** The findings that the undone rounds had fixed: they are open again. Pure. */
export function reopened(events: readonly LoopEvent[], rounds: readonly number[]): readonly FindingUpdated[] {
  const fixedIn = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'finding.updated' && event.status === 'fixed') fixedIn.set(event.id, event.round);
  }
  const { findings } = reduce(EMPTY_VIEW, events);
  return findings.flatMap((finding): FindingUpdated[] => {
    const round = finding.fixedBy?.round ?? fixedIn.get(finding.id);
    if (finding.status !== 'fixed' || round === undefined || !rounds.includes(round)) return [];
    const { fixedBy: _, ...rest } = finding;
    return [update({ ...rest, status: 'open' })];
  });
}

/** The findings that `undone` had reopened, and that are still so: as they were before it. Pure. */
export function fixedAgain(events: readonly LoopEvent[], undone: StandingUndo): readonly FindingUpdated[] {
  const before = events.filter(({ seq }) => seq < undone.seq);
  const now = new Map(reduce(EMPTY_VIEW, events).findings.map((finding) => [finding.id, finding]));
  const were = reduce(EMPTY_VIEW, before).findings;
  return reopened(before, undone.rounds).flatMap(({ id }) => {
    const was = were.find((finding) => finding.id === id);
    return was !== undefined && now.get(id)?.status === 'open' ? [update(was)] : [];
  });
}

function update(finding: Finding): FindingUpdated {
  return { type: 'finding.updated', id: finding.id, status: finding.status, finding };
}
