/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostState } from '../src/shared/messages.ts';
import { questionOf } from '../src/shared/questionWords.ts';
import { addUsage } from '../src/shared/reduce.ts';
import type { RunView } from '../src/shared/view.ts';
import { endingWords } from './EndingCard.tsx';
import { Icon } from './Icon.tsx';
import type { Page } from './state.ts';
import { cost, duration, nameOf, score, t } from './words.ts';

interface Props {
  readonly view: RunView;
  readonly host: HostState;
  readonly now: number;
  readonly page: Page;
}

/** Who does what while a run is under way, at what cost, and how to stop it. */
export function Footer({ view, host, now, page }: Props) {
  const since = view.acting?.since ?? view.startedAt;
  const parts = [
    ...(since === null ? [] : [duration(now - since)]),
    ...cost(addUsage(view.usage.execute, view.usage.review)),
  ];
  const waits = view.waiting.length > 0;
  return (
    <footer class={`footer ${waits ? 'waits' : ''}`}>
      <Icon name={waits ? 'question' : 'loading'} spin={!waits} />
      <span class="grow">
        {statusWords(view, host)}
        {parts.length > 0 && <span class="quiet"> · {parts.join(' · ')}</span>}
      </span>
      <button type="button" onClick={() => page.post({ type: 'stop' })}>
        <Icon name="debug-stop" />
        {host.phase === 'stopping' ? t('Stop Now') : t('Stop')}
      </button>
    </footer>
  );
}

/** One line for the footer and the live region; it changes only when something happens. */
export function statusWords(view: RunView, host: HostState): string {
  if (host.phase === 'stopping') return t('Stopping…');
  if (view.waiting.length === 1) return t('1 question waits for you');
  if (view.waiting.length > 1) return t('{0} questions wait for you', view.waiting.length);
  const ended = endingWords(view);
  if (ended !== null && host.phase === 'idle') return ended.what;
  const { run, acting } = view;
  if (host.phase === 'starting' || run === null) return host.phase === 'idle' ? '' : t('Starting the agents…');
  const number = view.rounds.at(-1)?.number ?? 0;
  const round = number > 0 ? `${t('Round {0} of {1}', number, run.rounds)} · ` : '';
  if (acting === null) return `${round}${betweenTurns(view)}`;
  const name = nameOf(view.agents[acting.role]);
  return `${round}${acting.role === 'execute' ? t('{0} works', name) : t('{0} reviews', name)}`;
}

function betweenTurns(view: RunView): string {
  const last = view.rounds.at(-1)?.review;
  return last ? t('Review: {0}', score(last.verdict.score)) : t('Comparing the folder…');
}

/** The oldest open question in one sentence, for the assertive live region; empty when nothing waits. */
export function questionWords(view: RunView): string {
  const [item] = view.waiting;
  if (item === undefined) return '';
  return t(
    '{0}. It waits for your answer.',
    questionOf(item, nameOf(view.agents[item.role]), view.run?.folder ?? '', t),
  );
}
