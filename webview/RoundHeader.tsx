/** @jsxRuntime automatic @jsxImportSource preact */
import type { CheckItem, RoundView, RunView } from '../src/shared/view.ts';
import { activityOf } from './activity.ts';
import { filesWords } from './ChangesRow.tsx';
import { Icon } from './Icon.tsx';
import { Parts } from './Parts.tsx';
import { spentWords } from './spent.ts';
import type { Page } from './state.ts';
import { findingsWords, verdictWord } from './verdictWords.ts';
import { duration, nameOf, score, t } from './words.ts';

interface Props {
  readonly round: RoundView;
  readonly agents: RunView['agents'];
  /** Null: nobody acts, or not in this round. */
  readonly acting: RunView['acting'];
  readonly isShown: boolean;
  readonly page: Page;
}

/** Who did what in a round and what came of it, in numbers; under it what the agent is at. It opens and closes the round. */
export function RoundHeader({ round, agents, acting, isShown, page }: Props) {
  const id = `round/${round.number}`;
  const activity = activityOf(round, acting);
  return (
    <h2 id={id}>
      <button
        type="button"
        class="round-head stop"
        tabIndex={-1}
        aria-expanded={isShown}
        onClick={() => page.dispatch({ type: 'toggle', id, open: !isShown })}
      >
        <Icon name={isShown ? 'chevron-down' : 'chevron-right'} />
        <span class="grow">
          <strong class="part">{t('Round {0}', round.number)}</strong> <span class="quiet">—</span>{' '}
          <Flow round={round} agents={agents} acting={acting} /> <Numbers round={round} />{' '}
          {activity !== null && <span class="activity">{activity}</span>}
        </span>
      </button>
    </h2>
  );
}

/** Such as `Claude → checks ✓ → Gemini 7/10`. */
function Flow({ round, agents, acting }: Pick<Props, 'round' | 'agents' | 'acting'>) {
  const { review, checks, turns } = round;
  const isExecuted = turns.some(({ role }) => role === 'execute');
  const isReviewed = review !== null || turns.some(({ role }) => role === 'review');
  const executor = nameOf(agents.execute);
  const reviewer = nameOf(agents.review);
  const steps = [
    ...(isExecuted || !isReviewed
      ? [
          <span class="part" key="execute">
            {acting?.role === 'execute' ? t('{0} works', executor) : executor}
          </span>,
        ]
      : []),
    ...(checks.length > 0 ? [<Checks key="checks" checks={checks} />] : []),
    ...(isReviewed
      ? [
          <span class="part" key="review">
            {acting?.role === 'review' ? t('{0} reviews', reviewer) : reviewer}
            {review !== null && acting?.role !== 'review' && (
              <strong class={`tone-${verdictWord(review).tone}`}> {score(review.verdict.score)}</strong>
            )}
          </span>,
        ]
      : []),
  ];
  return (
    <>
      {steps.map((step, index) => (
        <span key={index}>
          {index > 0 && <span class="quiet"> → </span>}
          {step}
        </span>
      ))}
    </>
  );
}

function Checks({ checks }: { checks: readonly CheckItem[] }) {
  const running = checks.some(({ end }) => end === null);
  const red = checks.filter(({ end }) => end !== null && !end.passed).length;
  if (running) return <span class="part">{t('checks')}…</span>;
  return (
    <span class="part">
      {t('checks')} <Icon name={red === 0 ? 'check' : 'close'} tone={red === 0 ? 'good' : 'bad'} />{' '}
      <span class={red === 0 ? 'sr-only' : ''}>{redWords(red, checks.length)}</span>
    </span>
  );
}

function redWords(red: number, count: number): string {
  if (red === 0) return t('passed');
  return count === 1 ? t('failed') : t('{0} of {1} failed', red, count);
}

/** Such as `3 findings · 4 files +42 −10 · 1 m 12 s · 18K tokens · $0.12`. */
function Numbers({ round: { review, changes, startedAt, endedAt, turns } }: Pick<Props, 'round'>) {
  const parts = [
    ...(review === null || review.verdict.status === 'unparsable'
      ? []
      : [findingsWords(review.verdict.findings.length)]),
    ...(changes === null ? [] : [filesWords(changes)]),
    ...(endedAt === null ? [] : [duration(endedAt - startedAt), ...spentWords(turns)]),
  ];
  if (parts.length === 0) return null;
  return (
    <span class="round-numbers quiet">
      <Parts parts={parts} />
    </span>
  );
}
