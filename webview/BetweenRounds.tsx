/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isOpen } from '../src/shared/isOpen.ts';
import type { Finding } from '../src/shared/review.ts';
import { reviewWords } from '../src/shared/reviewText.ts';
import type { Feedback } from '../src/shared/roundEvents.ts';
import { severityName } from '../src/shared/severityName.ts';
import type { RunView } from '../src/shared/view.ts';
import { withFinding } from './chosenFindings.ts';
import { FileLink } from './FileLink.tsx';
import { Icon } from './Icon.tsx';
import type { BetweenDraft, Page } from './state.ts';
import { t } from './words.ts';

/** What the form is drawn from. */
export interface BetweenProps {
  readonly view: RunView;
  readonly runId: string;
  readonly draft: BetweenDraft | null;
  readonly page: Page;
}

/** The run waits between two rounds: the review as it will go back, and the person's word on it. */
export function BetweenRounds({ view, runId, draft, page }: BetweenProps) {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const isTyping = document.activeElement?.matches('input, textarea') === true;
    if (document.hasFocus() && !isTyping) card.current?.focus();
  }, []);
  const round = view.rounds.findLast(({ review }) => review !== null);
  if (view.paused === null || round === undefined) return null;
  const id = `${runId}/${round.number}`;
  const known: BetweenDraft = draft?.id === id ? draft : { id, text: null, left: [], instruction: '' };
  const change = (part: Partial<BetweenDraft>) => page.dispatch({ type: 'between', draft: { ...known, ...part } });
  const before = reviewWords(round);
  const findings = view.findings.filter(isOpen);
  const goOn = () => page.post({ type: 'proceed', feedback: feedbackOf(known, before, findings) });
  return (
    <section
      ref={card}
      tabIndex={-1}
      class="card between"
      aria-label={t('Between two rounds')}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        goOn();
      }}
    >
      <div class="row">
        <Icon name="debug-pause" tone="warn" />
        <strong class="grow">{t('The run waits for you')}</strong>
      </div>
      <p class="quiet">{view.paused.why}</p>
      <label class="between-field">
        <span>{t('The review, as it goes back')}</span>
        <textarea
          rows={Math.min(12, Math.max(3, before.split('\n').length))}
          value={known.text ?? before}
          onInput={({ currentTarget: { value } }) => change({ text: value })}
        />
      </label>
      {findings.length > 0 && (
        <fieldset class="between-findings">
          <legend>{t('Findings that go back')}</legend>
          {findings.map((finding) => (
            <Choice
              key={finding.id}
              finding={finding}
              isSent={!known.left.includes(finding.id)}
              folder={view.run?.folder ?? ''}
              page={page}
              onChange={(isSent) => page.dispatch({ type: 'between', draft: withFinding(known, finding.id, isSent) })}
            />
          ))}
        </fieldset>
      )}
      <label class="between-field">
        <span>{t('Instruction for the next round')}</span>
        <textarea
          rows={2}
          value={known.instruction}
          placeholder={t('For example: leave the public interface as it is')}
          onInput={({ currentTarget: { value } }) => change({ instruction: value })}
        />
      </label>
      <div class="options">
        <button type="button" class="primary" title={t('Ctrl+Enter')} onClick={goOn}>
          <Icon name="debug-continue" />
          {t('Go On')}
        </button>
        <button type="button" onClick={() => page.post({ type: 'stop' })}>
          <Icon name="debug-stop" />
          {t('Stop')}
        </button>
      </div>
    </section>
  );
}

function Choice({
  finding,
  isSent,
  folder,
  page,
  onChange,
}: {
  readonly finding: Finding;
  readonly isSent: boolean;
  readonly folder: string;
  readonly page: Page;
  readonly onChange: (isSent: boolean) => void;
}) {
  const { id, severity, title, file, line } = finding;
  return (
    <div class="between-choice">
      <input
        type="checkbox"
        id={`between-${id}`}
        checked={isSent}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      <label for={`between-${id}`}>
        {title} <span class="quiet">{`${id} · ${severityName(severity, t)}`}</span>
      </label>
      {file !== undefined && <FileLink path={file} line={line} folder={folder} page={page} />}
    </div>
  );
}

/** Null: the review goes back as it came. */
function feedbackOf(draft: BetweenDraft, before: string, findings: readonly Finding[]): Feedback | null {
  const sent = findings.filter(({ id }) => !draft.left.includes(id)).map(({ id }) => id);
  const text = draft.text === null || draft.text.trim() === before.trim() ? null : draft.text.trim();
  const instruction = draft.instruction.trim() === '' ? null : draft.instruction.trim();
  const chosen = sent.length === findings.length ? null : sent;
  return text === null && instruction === null && chosen === null ? null : { findings: chosen, text, instruction };
}
