import { openEndedRun } from './endedRun.ts';
import { decideFinding, type FindingDecision, ledgerOf } from './findings.ts';

export type Decided =
  | { readonly type: 'decided' }
  /** What is in the way, for people. */
  | { readonly type: 'problem'; readonly message: string };

/** The person's decision about a finding of a run that is over: it goes into its log, and a run that goes on heeds it. */
export async function decideAfterwards(asked: {
  /** The run's id, or a part that only it has. */
  readonly run: string;
  readonly stateFolder: string;
  readonly id: string;
  readonly decision: FindingDecision;
}): Promise<Decided> {
  const { id, decision, ...where } = asked;
  const opened = await openEndedRun({ ...where, folder: 'leave' });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  try {
    const event = decideFinding(ledgerOf(run.events), id, decision);
    if (event === null) {
      return { type: 'problem', message: `Run ${run.id} has no finding ${id} of which that is to be decided.` };
    }
    await run.append(event);
    return { type: 'decided' };
  } catch (error) {
    return { type: 'problem', message: error instanceof Error ? error.message : String(error) };
  } finally {
    await run.close();
  }
}
