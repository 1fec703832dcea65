import { errorText } from '../shared/errors.ts';
import type { LoopEvent, LoopEventBody } from '../shared/events.ts';
import type { FindingDecision } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { openEndedRun } from './endedRun.ts';
import { noteOf } from './findingQuestions.ts';
import { decideFinding, ledgerOf } from './findings.ts';

export type Decided =
  | { readonly type: 'decided' }
  /** What is in the way, for people. */
  | { readonly type: 'problem'; readonly message: string };

/** A finding of a run that is over. */
export interface FindingOfRun {
  /** The run's id, or a part that only it has. */
  readonly run: string;
  readonly stateFolder: string;
  readonly id: string;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

/** The person's decision about a finding of a run that is over: it goes into its log, and a run that goes on heeds it. */
export async function decideAfterwards({
  decision,
  ...finding
}: FindingOfRun & { readonly decision: FindingDecision }): Promise<Decided> {
  return add(finding, (events) => decideFinding(ledgerOf(events), finding.id, decision));
}

/** The person's question about a finding of a run that is over: the next review of it is told. */
export async function askAfterwards({
  question,
  ...finding
}: FindingOfRun & { readonly question: string }): Promise<Decided> {
  return add(finding, (events) => noteOf(events, question, finding.id));
}

async function add(
  { id, t = english, ...where }: FindingOfRun,
  eventOf: (events: readonly LoopEvent[]) => LoopEventBody | null,
): Promise<Decided> {
  const opened = await openEndedRun({ ...where, folder: 'leave', t });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  try {
    const event = eventOf(run.events);
    if (event === null) {
      return { type: 'problem', message: t('Run {0} has no finding {1} of which that is to be said.', run.id, id) };
    }
    await run.append(event);
    return { type: 'decided' };
  } catch (error) {
    return { type: 'problem', message: errorText(error, t) };
  } finally {
    await run.close();
  }
}
