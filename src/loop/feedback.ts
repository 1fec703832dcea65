import type { Finding } from '../shared/review.ts';
import type { Translate } from '../shared/translate.ts';
import type { Stuck } from './convergence.ts';
import { type Ledger, openFindings } from './findings.ts';
import type { PersonsWord } from './pauseGate.ts';
import type { ExecutorInput } from './prompts.ts';
import type { Review } from './reviewStep.ts';

/** What the next execution is told of the last review, as the person wants it. Null: there is no review yet. */
export function goesBack(
  last: Pick<Review, 'text' | 'verdict'> | null,
  ledger: Ledger,
  { feedback, notes }: Pick<PersonsWord, 'feedback' | 'notes'>,
): Pick<ExecutorInput, 'review' | 'openFindings' | 'onlyThese' | 'personSays'> {
  const instruction = feedback?.instruction ?? '';
  const personSays = [...notes, ...(instruction === '' ? [] : [instruction])];
  if (last === null) return { review: null, openFindings: [], onlyThese: false, personSays };
  const open = openFindings(ledger);
  const chosen = chosenOf(open, feedback?.findings ?? null);
  const onlyThese = chosen.length < open.length;
  // The whole text would name what the person left out.
  const text = feedback?.text ?? (onlyThese ? last.verdict.summary : last.text);
  return { review: { verdict: last.verdict, text }, openFindings: chosen, onlyThese, personSays };
}

function chosenOf(open: readonly Finding[], ids: readonly string[] | null): readonly Finding[] {
  return ids === null ? open : open.filter(({ id }) => ids.includes(id));
}

/** How things stand after a round, for the person who is asked what goes on. */
export function standingWords(
  round: number,
  verdict: Pick<Review['verdict'], 'score'>,
  ledger: Ledger,
  stuck: Stuck | null,
  t: Translate,
): string {
  const score = verdict.score === null ? t('no score') : `${verdict.score}/10`;
  const stands = t('Round {0} is over: {1}, {2}.', round, score, openWords(openFindings(ledger).length, t));
  return [stands, ...(stuck === null ? [] : [stuck.message])].join(' ');
}

function openWords(open: number, t: Translate): string {
  if (open === 0) return t('no open findings');
  return open === 1 ? t('1 open finding') : t('{0} open findings', open);
}
