/** @jsxRuntime automatic @jsxImportSource preact */

import { runningCheck } from '../src/shared/checkWords.ts';
import { mayPause } from '../src/shared/mayPause.ts';
import type { HostState } from '../src/shared/messages.ts';
import { questionOf } from '../src/shared/questionWords.ts';
import type { RunView } from '../src/shared/view.ts';
import { endingWords } from './endingWords.ts';
import { Icon } from './Icon.tsx';
import { useFocusWithin } from './roving.ts';
import { spentWords } from './spent.ts';
import type { Page } from './state.ts';
import { duration, nameOf, score, t } from './words.ts';

interface Props {
  readonly view: RunView;
  readonly host: HostState;
  readonly now: number;
  /** Words for the next round as far as they are typed; null: the box is closed. */
  readonly note: string | null;
  readonly page: Page;
}

/** Who does what while a run is under way, at what cost, and how to stop it. */
export function Footer({ view, host, now, note, page }: Props) {
  const since = view.acting?.since ?? runningCheck(view)?.at ?? view.startedAt;
  const parts = [
    ...(since === null ? [] : [duration(now - since)]),
    ...spentWords(view.rounds.flatMap(({ turns }) => turns)),
  ];
  const asks = view.waiting.length > 0;
  const isPaused = view.paused !== null;
  const runs = host.phase === 'running' && mayPause(view);
  return (
    <footer class={`footer ${asks || isPaused ? 'waits' : ''}`}>
      {host.phase === 'running' && note !== null && <Note text={note} page={page} />}
      <Icon name={asks ? 'question' : isPaused ? 'debug-pause' : 'loading'} spin={!asks && !isPaused} />
      <span class="grow">
        {statusWords(view, host)}
        {parts.length > 0 && <span class="quiet"> · {parts.join(' · ')}</span>}
      </span>
      <div class="footer-actions">
        {runs && (
          <button
            type="button"
            class="icon-button"
            aria-label={t('Tell the executor something')}
            title={t('Tell the executor something for the next round')}
            aria-expanded={note !== null}
            onClick={() => page.dispatch({ type: 'note', text: note === null ? '' : null })}
          >
            <Icon name="comment" />
          </button>
        )}
        {runs && (
          <button
            type="button"
            aria-pressed={host.pauseWanted}
            title={t('Pause After This Round')}
            onClick={() => page.post({ type: 'pause', wanted: !host.pauseWanted })}
          >
            <Icon name="debug-pause" />
            <span class="where-wide">{t('Pause After This Round')}</span>
          </button>
        )}
        <button type="button" onClick={() => page.post({ type: 'stop' })}>
          <Icon name="debug-stop" />
          {host.phase === 'stopping' ? t('Stop Now') : t('Stop')}
        </button>
      </div>
    </footer>
  );
}

/** Words for the next execution, whatever is under way. Enter sends them. */
function Note({ text, page }: { text: string; page: Page }) {
  const send = () => {
    if (text.trim() === '') return;
    page.post({ type: 'note', text: text.trim() });
    page.dispatch({ type: 'note', text: null });
  };
  return (
    <div ref={useFocusWithin<HTMLDivElement>()} class="note row">
      <input
        type="text"
        class="grow"
        value={text}
        aria-label={t('For the next round')}
        placeholder={t('For the next round: what the executor is to heed')}
        onInput={({ currentTarget: { value } }) => page.dispatch({ type: 'note', text: value })}
        onKeyDown={({ key, isComposing }) => {
          if (key === 'Enter' && !isComposing) send();
          else if (key === 'Escape') page.dispatch({ type: 'note', text: null });
        }}
      />
      <button type="button" disabled={text.trim() === ''} onClick={send}>
        {t('Send')}
      </button>
    </div>
  );
}

/** One line for the footer and the live region; it changes only when something happens. */
export function statusWords(view: RunView, host: HostState): string {
  if (host.phase === 'stopping') return t('Stopping…');
  const isOver = host.phase === 'idle';
  if (!isOver && view.waiting.length === 1) return t('1 question waits for you');
  if (!isOver && view.waiting.length > 1) return t('{0} questions wait for you', view.waiting.length);
  const ended = endingWords(view);
  if (ended !== null && isOver) return ended.what;
  if (view.paused !== null && host.phase === 'running') return t('The run waits for you');
  const { run, acting } = view;
  if (host.phase === 'starting' || run === null) return host.phase === 'idle' ? '' : t('Starting the agents…');
  const number = view.rounds.at(-1)?.number ?? 0;
  const round = number > 0 ? `${t('Round {0} of {1}', number, run.rounds)} · ` : '';
  const check = runningCheck(view);
  if (check !== null) return `${round}${t('check {0}', check.command)}`;
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
