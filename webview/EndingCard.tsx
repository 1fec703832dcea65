/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostState } from '../src/shared/messages.ts';
import type { Feedback } from '../src/shared/roundEvents.ts';
import type { RunView } from '../src/shared/view.ts';
import { EndingActions } from './EndingActions.tsx';
import { endingWords } from './endingWords.ts';
import { Icon, type Tone } from './Icon.tsx';
import { undoPanel, useOnDemand } from './onDemand.ts';
import { Parts } from './Parts.tsx';
import { spentWords } from './spent.ts';
import type { EndingPanel, Page, UndoDraft } from './state.ts';
import { duration, t } from './words.ts';

interface Props {
  readonly view: RunView;
  readonly host: HostState;
  readonly panel: EndingPanel | null;
  readonly undo: UndoDraft | null;
  /** What goes back with the next round; null: the review as it came. */
  readonly feedback: Feedback | null;
  readonly page: Page;
}

const ICONS = { good: 'pass-filled', bad: 'error', warn: 'warning', quiet: 'circle-slash' } as const satisfies Record<
  Tone,
  string
>;

/** How the run ended, why, in numbers, and what can be done next. */
export function EndingCard({ view, host, panel, undo, feedback, page }: Props) {
  const words = endingWords(view);
  if (words === null) return null;
  const rounds = view.rounds.filter((round) => round.number > 0);
  const numbers = [
    rounds.length === 1 ? t('1 round') : t('{0} rounds', rounds.length),
    ...(view.endedAt !== null && view.startedAt !== null ? [duration(view.endedAt - view.startedAt)] : []),
    ...spentWords(rounds.flatMap(({ turns }) => turns)),
  ];
  return (
    <section class={`card ending stop ending-${words.tone}`} tabIndex={-1} aria-label={t('Result')}>
      <div class="ending-head">
        <Icon name={ICONS[words.tone]} tone={words.tone} />
        <div class="grow">
          <strong class={`tone-${words.tone}`}>{words.what}</strong>{' '}
          <span class="quiet ending-numbers">
            <Parts parts={numbers} />
          </span>
          {words.why !== '' && <p class="cause">{words.why}</p>}
          {view.undoneAt !== null ? (
            <p>{t('The run was undone: the folder is as it was before.')}</p>
          ) : (
            words.next !== '' && <p class="quiet">{words.next}</p>
          )}
          {host.changedSince > 0 && (
            <p class="row changed-since">
              <Icon name="warning" tone="warn" />
              <span class="grow">
                {host.changedSince === 1
                  ? t('Changed since the approval: 1 file. The approval is not about what is there now.')
                  : t(
                      'Changed since the approval: {0} files. The approval is not about what is there now.',
                      host.changedSince,
                    )}
              </span>
            </p>
          )}
        </div>
      </div>
      <EndingActions view={view} host={host} panel={panel} feedback={feedback} page={page} />
      {panel === 'undo' && undo !== null && <Undo draft={undo} view={view} page={page} />}
    </section>
  );
}

/** Most runs are kept: what looks at an undoing is loaded when one is looked at. */
function Undo({ draft, view, page }: { draft: UndoDraft; view: RunView; page: Page }) {
  const loaded = useOnDemand(undoPanel);
  if (loaded === null) return <p class="quiet">{t('Looking at what would change…')}</p>;
  return <loaded.UndoPanel draft={draft} view={view} folder={view.run?.folder ?? ''} page={page} />;
}
