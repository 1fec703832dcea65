/** @jsxRuntime automatic @jsxImportSource preact */

import { isOpen } from '../src/shared/isOpen.ts';
import type { Finding } from '../src/shared/review.ts';
import { useFocusWithin } from './roving.ts';
import type { Page, Remark } from './state.ts';
import { t } from './words.ts';

/** What the person can do about a finding. */
export interface FindingTools {
  /** Whether it goes back with the next round; null: nothing goes back now that could be chosen. */
  readonly isSent: boolean | null;
  readonly send: (isSent: boolean) => void;
  /** What is being written about it; null: nothing. */
  readonly remark: Remark | null;
  /** What becomes of a question; null: nobody would answer it. */
  readonly asking: string | null;
}

/** Fix it next, dismiss it with a reason, ask why; or open again what is settled. */
export function FindingActions({ finding, tools, page }: { finding: Finding; tools: FindingTools; page: Page }) {
  const { id, status } = finding;
  const { isSent, send, remark, asking } = tools;
  const write = (next: Remark | null) => page.dispatch({ type: 'remark', finding: id, remark: next });
  if (!isOpen(finding)) {
    if (status === 'withdrawn') return null;
    return (
      <div class="finding-actions">
        <button
          type="button"
          class="link"
          onClick={() => page.post({ type: 'decide', finding: id, decision: { status: 'open' } })}
        >
          {status === 'fixed' ? t('Not fixed: open it again') : t('Open it again')}
        </button>
      </div>
    );
  }
  return (
    <>
      <div class="finding-actions">
        {isSent !== null && (
          <label class="check">
            <input type="checkbox" checked={isSent} onChange={({ currentTarget: { checked } }) => send(checked)} />
            {t('Fix next round')}
          </label>
        )}
        <button
          type="button"
          class="link"
          aria-expanded={remark?.type === 'dismiss'}
          onClick={() => write(remark?.type === 'dismiss' ? null : { type: 'dismiss', text: '' })}
        >
          {t('Dismiss…')}
        </button>
        {asking !== null && (
          <button
            type="button"
            class="link"
            aria-expanded={remark?.type === 'ask'}
            onClick={() => write(remark?.type === 'ask' ? null : { type: 'ask', text: '' })}
          >
            {t('Ask why')}
          </button>
        )}
      </div>
      {remark !== null && <RemarkBox finding={finding} remark={remark} asking={asking} write={write} page={page} />}
    </>
  );
}

interface BoxProps {
  readonly finding: Finding;
  readonly remark: Remark;
  readonly asking: string | null;
  readonly write: (remark: Remark | null) => void;
  readonly page: Page;
}

/** The reason of a dismissal, or a question. Escape closes it. */
function RemarkBox({ finding: { id }, remark, asking, write, page }: BoxProps) {
  const isAsk = remark.type === 'ask';
  const text = remark.text.trim();
  return (
    <form
      ref={useFocusWithin<HTMLFormElement>()}
      class="remark"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAsk) page.post({ type: 'ask', finding: id, text: text === '' ? WHY() : text });
        else page.post({ type: 'decide', finding: id, decision: { status: 'dismissed', reason: text } });
        write(null);
      }}
    >
      <input
        type="text"
        value={remark.text}
        aria-label={isAsk ? t('Question about {0}', id) : t('Why {0} is dismissed', id)}
        placeholder={isAsk ? WHY() : t('Why it is none; the reviewer reads it')}
        onInput={({ currentTarget: { value } }) => write({ ...remark, text: value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          write(null);
        }}
      />
      <button type="submit" class="primary">
        {isAsk ? t('Ask') : t('Dismiss')}
      </button>
      <button type="button" onClick={() => write(null)}>
        {t('Cancel')}
      </button>
      {isAsk && asking !== null && <p class="quiet">{asking}</p>}
    </form>
  );
}

const WHY = () => t('Why is this a problem?');
