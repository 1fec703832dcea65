/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComposerOptions, HostState } from '../src/shared/messages.ts';
import type { BetweenProps } from './BetweenRounds.tsx';
import { Composer } from './Composer.tsx';
import { betweenDraft, chosenFeedback } from './chosenFindings.ts';
import { ConsentCard, Receivers } from './composer/Receivers.tsx';
import { DoctorCard } from './DoctorCard.tsx';
import { Now } from './Elapsed.tsx';
import { EndingCard } from './EndingCard.tsx';
import { Footer, questionWords, statusWords } from './Footer.tsx';
import { Icon } from './Icon.tsx';
import { Notices } from './Notices.tsx';
import { betweenRounds, useOnDemand } from './onDemand.ts';
import { Run } from './Run.tsx';
import { chosenOptions, type Page, type PageState } from './state.ts';
import { Timeline } from './Timeline.tsx';
import { t } from './words.ts';

/** The whole page. Nothing is drawn before the host has said how things stand. */
export function App({ state, page }: { state: PageState; page: Page }) {
  const { host, view } = state;
  const options = chosenOptions(state);
  if (host === null || options === null) return null;
  const isShown = view.run !== null || host.phase !== 'idle';
  return (
    <>
      <Timeline key={state.runId} hasRun={view.run !== null} page={page}>
        <Notices host={host} page={page} />
        {host.doctor !== null && <DoctorCard card={host.doctor} page={page} />}
        {isShown ? (
          <Now.Provider value={state.now}>
            <Run state={state} host={host} page={page} />
          </Now.Provider>
        ) : (
          <Empty host={host} options={options} page={page} />
        )}
        {view.paused !== null && host.phase === 'running' && (
          <Between view={view} runId={state.runId ?? ''} draft={state.between} page={page} />
        )}
        {host.phase === 'idle' && (
          <EndingCard
            view={view}
            host={host}
            panel={state.panel}
            undo={state.undo}
            feedback={chosenFeedback(betweenDraft(state), view.findings)}
            page={page}
          />
        )}
      </Timeline>
      {host.consent.asked !== null && <ConsentCard {...host.consent.asked} host={host} page={page} />}
      {host.replay ? (
        <ReplayNotice page={page} />
      ) : host.phase === 'idle' ? (
        <Composer draft={state.draft} composer={state.composer} options={options} host={host} page={page} />
      ) : (
        <Footer view={view} host={host} now={state.now} note={state.note} page={page} />
      )}
      <div class="sr-only" role="status" aria-live="polite">
        {statusWords(view, host)}
      </div>
      <div class="sr-only" aria-live="assertive">
        {host.phase !== 'idle' && questionWords(view)}
      </div>
    </>
  );
}

/** Most runs never wait between two rounds: the form is loaded when one does. */
function Between(props: BetweenProps) {
  const loaded = useOnDemand(betweenRounds);
  return loaded && <loaded.BetweenRounds {...props} />;
}

/** Stands where a task is typed otherwise, so that it is always in sight. */
function ReplayNotice({ page }: { page: Page }) {
  return (
    <div class="card notice" role="note">
      <div class="row">
        <Icon name="history" tone="quiet" />
        <p class="cause grow">{t('Replay of a log or a trace: it is only shown, and nothing on it acts.')}</p>
      </div>
      <div class="options">
        <button type="button" onClick={() => page.post({ type: 'newRun' })}>
          {t('Close Replay')}
        </button>
      </div>
    </div>
  );
}

/** What a first visitor sees: what this is, who receives what, and tasks to try. */
function Empty({ host, options, page }: { host: HostState; options: ComposerOptions; page: Page }) {
  const examples = [
    t('Find a test that fails and make it pass.'),
    t('Add a README section on how to run this project.'),
    t('Look for one bug in this folder, fix it, and add a test for it.'),
  ];
  return (
    <div class="empty">
      <h1>{t('One agent works, another reviews, until the review approves.')}</h1>
      {/* Where an agent is missing, what helps now comes first; nothing runs before it was told. */}
      {host.consent.asked === null && host.doctor === null && (
        <div class={host.consent.told ? 'quiet' : 'card'}>
          <Receivers executor={options.executor} reviewer={options.reviewer} host={host} />
          {!host.consent.told && (
            <div class="options">
              <button type="button" onClick={() => page.post({ type: 'consent', known: true })}>
                {t('Understood')}
              </button>
            </div>
          )}
        </div>
      )}
      <h2>{t('Try')}</h2>
      <ul class="examples">
        {examples.map((text) => (
          <li key={text}>
            <button
              type="button"
              class="link"
              onClick={() => page.dispatch({ type: 'write', text, caret: text.length })}
            >
              <Icon name="lightbulb" />
              {text}
            </button>
          </li>
        ))}
      </ul>
      <div class="options">
        <button
          type="button"
          disabled={!host.trusted}
          title={t('A run with scripted agents in a sample project: no account, no network, none of your files')}
          onClick={() => page.post({ type: 'act', action: 'tryDemo' })}
        >
          <Icon name="beaker" />
          {t('Try the Demo')}
        </button>
      </div>
    </div>
  );
}
